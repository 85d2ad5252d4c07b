// Package gguf reads the head of a GGUF file, versions 2 and 3: its metadata
// and the directory of its tensors
// (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).
//
// A file is a stranger's. Everything that it says about itself is compared
// with its real size before memory is taken for it, and when [Read] returns,
// each tensor lies inside the file, aligned, and overlaps no other.
//
// The package reads no tensor and knows no model: whether the metadata fit the
// tensors is for those to judge who use them.
package gguf
