package weights

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"inglenook/weights/gguf"
)

// ggufEnd is the extension of GGUF files.
const ggufEnd = ".gguf"

// part is one open GGUF file.
type part struct {
	file *file
	head *gguf.File
}

// openGGUF opens a GGUF file or, if it is one part of a split model, all parts.
func openGGUF(fsys fs.FS, name string, o Options) (*Set, error) {
	opened, err := openPart(fsys, name, o)
	if err != nil {
		return nil, err
	}
	parts, err := opened.others(fsys, o)
	var s *Set
	if err == nil {
		s, err = newGGUFSet(parts)
	}
	if err != nil {
		for _, p := range parts {
			err = errors.Join(err, p.file.Close())
		}
		return nil, err
	}
	return s, nil
}

func openPart(fsys fs.FS, name string, o Options) (part, error) {
	f, err := openFile(fsys, name, o.NoMap)
	if err != nil {
		return part{}, err
	}
	head, err := readHead(f, o.Outline)
	if err != nil {
		return part{}, errors.Join(err, f.Close())
	}
	return part{f, head}, nil
}

// readHead reads the metadata and directory of a GGUF file.
func readHead(f *file, outline bool) (*gguf.File, error) {
	var start [64]byte
	n, err := f.ReadAt(start[:], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	if !strings.HasPrefix(string(start[:n]), "GGUF") {
		if err := foreignContent(f.name, start[:n]); err != nil {
			return nil, err
		}
	}
	read := gguf.Read
	if outline {
		read = gguf.ReadHead
	}
	head, err := read(f, f.size)
	var format *gguf.FormatError
	if errors.As(err, &format) {
		return nil, fmt.Errorf("%s %w", quote(f.name), err)
	}
	return head, err
}

// newGGUFSet returns a Set of the tensors in open files under their Hugging
// Face names. The metadata are those of the first part.
func newGGUFSet(parts []part) (*Set, error) {
	meta := parts[0].head.Meta
	architecture, err := meta.String("general.architecture")
	if err != nil && !errors.Is(err, gguf.ErrNoKey) {
		return nil, damaged(parts[0].file.name, err)
	}
	file := ggufFile{names: architectures[architecture], heads: heads{meta, architecture}, all: map[string]bool{}}
	for _, p := range parts {
		for _, t := range p.head.Tensors {
			file.all[t.Name] = true
		}
	}
	var headers []*header
	for _, p := range parts {
		h := &header{tensors: map[string]*stored{}, file: p.file}
		headers = append(headers, h)
		for _, t := range p.head.Tensors {
			if err := file.add(t, headers); err != nil {
				return nil, damaged(p.file.name, err)
			}
		}
	}
	s := newSet(parts[0].file.name, headers...)
	s.meta = meta
	return s, nil
}

// newStored describes a tensor with its rows first, as in safetensors.
func newStored(t gguf.Tensor, f *file) *stored {
	shape := slices.Clone(t.Dims)
	slices.Reverse(shape)
	return &stored{dtype: t.Type.String(), shape: shape, begin: t.Offset, end: t.Offset + t.Bytes, file: f}
}
