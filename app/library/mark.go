package library

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path"
	"strings"
)

// What is read of a file for its mark: all of a small file, and of a large one its
// head, which says what it holds, and samples that other weights change.
const (
	markHead    = 16 << 10
	markSamples = 16
	markSample  = 512
)

// mark returns a text that changes when a file of the folder is replaced, also by
// one of the same size and time.
func mark(folder fs.FS, name string, info fs.FileInfo) string {
	text := fmt.Sprintln(name, info.Size(), info.ModTime().UnixNano())
	file, err := folder.Open(name)
	if err != nil {
		return text
	}
	defer file.Close()
	if at, ok := file.(io.ReaderAt); ok {
		sum := sha256.New()
		sample(sum, at, info.Size())
		text += fmt.Sprintf("%x\n", sum.Sum(nil))
	}
	return text
}

// shapes are the endings of the files that make a model what it is.
var shapes = map[string]bool{".json": true, ".txt": true, ".model": true, ".safetensors": true, ".gguf": true}

// Fingerprint is a short text that is the same for every copy of a model, wherever it
// lies, and another one for other weights or another configuration. A model of a server
// has none: its files are not here.
func (e Entry) Fingerprint(ctx context.Context) (string, error) {
	folder, closer, err := e.Location.Open(ctx)
	if err != nil {
		return "", err
	}
	defer closer.Close()
	sum := sha256.New()
	for _, f := range e.Files {
		if !shapes[strings.ToLower(path.Ext(f.Path))] {
			continue
		}
		file, err := folder.Open(f.Path)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(sum, f.Path, f.Bytes)
		if at, ok := file.(io.ReaderAt); ok {
			sample(sum, at, f.Bytes)
		}
		file.Close()
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:6]), nil
}

func sample(sum hash.Hash, file io.ReaderAt, size int64) {
	buffer := make([]byte, markHead)
	read := func(at, n int64) {
		for n > 0 {
			got, err := file.ReadAt(buffer[:min(n, markHead)], at)
			sum.Write(buffer[:got])
			if err != nil {
				return // what cannot be read is told when it is used
			}
			at, n = at+int64(got), n-int64(got)
		}
	}
	read(0, markHead)
	rest := size - markHead
	if rest <= markSamples*markSample {
		read(markHead, max(0, rest))
		return
	}
	for i := range int64(markSamples) {
		read(markHead+(rest-markSample)*i/(markSamples-1), markSample)
	}
}
