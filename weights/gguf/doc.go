// Package gguf reads the head of a GGUF file, versions 2 and 3: its metadata
// and the directory of its tensors
// (https://github.com/ggml-org/ggml/blob/master/docs/gguf.md).
//
// A file is untrusted. Everything that it states about itself is compared with
// its real size before memory is allocated for it. When [Read] returns, each
// tensor lies inside the file, is aligned, and overlaps no other.
//
// The package reads no tensor data and does not know any model: its callers
// have to judge whether the metadata fit the tensors.
package gguf
