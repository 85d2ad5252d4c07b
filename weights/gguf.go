package weights

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"inglenook/weights/gguf"
)

// ggufEnd is the ending of a GGUF file, and partName the name of one part of a
// model that was split into several.
const ggufEnd = ".gguf"

var partName = regexp.MustCompile(`^(.+)-([0-9]{5})-of-([0-9]{5})\.gguf$`)

// isGGUF tells a GGUF file by its name.
func isGGUF(name string) bool { return strings.EqualFold(path.Ext(name), ggufEnd) }

// part is one open GGUF file.
type part struct {
	file *file
	head *gguf.File
}

// openGGUF opens a GGUF file, or all parts of the model of which it is one.
func openGGUF(fsys fs.FS, name string, noMap bool) (*Set, error) {
	opened, err := openPart(fsys, name, noMap)
	if err != nil {
		return nil, err
	}
	parts, err := opened.others(fsys, noMap)
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

func openPart(fsys fs.FS, name string, noMap bool) (part, error) {
	f, err := openFile(fsys, name, noMap)
	if err != nil {
		return part{}, err
	}
	head, err := readHead(f)
	if err != nil {
		return part{}, errors.Join(err, f.Close())
	}
	return part{f, head}, nil
}

// readHead reads metadata and directory of a GGUF file.
func readHead(f *file) (*gguf.File, error) {
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
	head, err := gguf.Read(f, f.size)
	var format *gguf.FormatError
	if errors.As(err, &format) {
		return nil, fmt.Errorf("%s %w", quote(f.name), err)
	}
	return head, err
}

// split is what a file says of the model of which it is a part.
type split struct{ number, parts, tensors int }

func readSplit(m *gguf.Meta) (split, error) {
	s := split{parts: 1, tensors: -1}
	if !m.Has("split.count") {
		return s, nil
	}
	for _, f := range []struct {
		key string
		to  *int
	}{{"split.count", &s.parts}, {"split.no", &s.number}, {"split.tensors.count", &s.tensors}} {
		var err error
		if *f.to, err = m.Int(f.key); err != nil {
			return s, err
		}
	}
	if s.parts < 1 || s.parts > maxShards || s.number < 0 || s.number >= s.parts {
		return s, fmt.Errorf("it says that it is part %d of %d", s.number+1, s.parts)
	}
	return s, nil
}

// others opens the parts that belong to one, and returns all in order. Those
// that are open it returns with an error too.
func (p part) others(fsys fs.FS, noMap bool) ([]part, error) {
	name := p.file.name
	s, err := readSplit(p.head.Meta)
	if err != nil {
		return []part{p}, damaged(name, err)
	}
	prefix, number, count, named := splitName(name)
	switch {
	case s.parts == 1 && named && count > 1:
		return []part{p}, fmt.Errorf("%s is named like part %d of %d, but does not say so itself: download the model again, all of its parts", quote(name), number, count)
	case s.parts == 1:
		return []part{p}, checkTensors(name, s, []part{p})
	case !named || count != s.parts || number != s.number+1:
		return []part{p}, fmt.Errorf("%s is part %d of %d of a model and must be named so: rename it to end in -%05d-of-%05d.gguf, or download the model again", quote(name), s.number+1, s.parts, s.number+1, s.parts)
	}
	names := make([]string, s.parts)
	for i := range names {
		names[i] = fmt.Sprintf("%s-%05d-of-%05d%s", prefix, i+1, s.parts, ggufEnd)
	}
	if missing := absent(fsys, names); missing != nil {
		return []part{p}, fmt.Errorf("%d of the %d parts of %s are missing (%s): download them, the model cannot run without", len(missing), s.parts, quote(path.Base(prefix)), list(missing))
	}
	parts := []part{p}
	for i, n := range names {
		if n == name {
			continue
		}
		other, err := openPart(fsys, n, noMap)
		if err != nil {
			return parts, err
		}
		parts = append(parts, other)
		o, err := readSplit(other.head.Meta)
		if err != nil {
			return parts, damaged(n, err)
		}
		if o != (split{i, s.parts, s.tensors}) {
			return parts, fmt.Errorf("%s does not belong to %s: it says that it is part %d of %d with %d tensors: download the model again", quote(n), quote(name), o.number+1, o.parts, o.tensors)
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.file.name, b.file.name) })
	return parts, checkTensors(path.Base(prefix), s, parts)
}

// splitName takes the name of a part into pieces. Its number counts from 1.
func splitName(name string) (prefix string, number, count int, ok bool) {
	m := partName.FindStringSubmatch(path.Base(name))
	if m == nil {
		return "", 0, 0, false
	}
	number, _ = strconv.Atoi(m[2]) // five digits
	count, _ = strconv.Atoi(m[3])
	return path.Join(path.Dir(name), m[1]), number, count, true
}

// oneModel tells whether names, of which there is at least one, are parts of one model.
func oneModel(names []string) bool {
	prefix, _, count, ok := splitName(names[0])
	for _, name := range names {
		p, _, c, named := splitName(name)
		ok = ok && named && p == prefix && c == count
	}
	return ok
}

// checkTensors compares the number of tensors with the one that all parts of a
// model promise.
func checkTensors(name string, s split, parts []part) error {
	n := 0
	for _, p := range parts {
		n += len(p.head.Tensors)
	}
	if s.tensors >= 0 && n != s.tensors {
		return damaged(name, fmt.Errorf("it should hold %d tensors, but there are %d", s.tensors, n))
	}
	return nil
}

// newGGUFSet hands out the tensors of open files under Hugging Face names. The
// metadata are those of the first part.
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

// newStored describes a tensor with its rows first, as safetensors do.
func newStored(t gguf.Tensor, f *file) *stored {
	shape := slices.Clone(t.Dims)
	slices.Reverse(shape)
	return &stored{dtype: t.Type.String(), shape: shape, begin: t.Offset, end: t.Offset + t.Bytes, file: f}
}
