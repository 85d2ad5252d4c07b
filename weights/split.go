package weights

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"inglenook/weights/gguf"
)

// partName matches the name of one part of a split model.
var partName = regexp.MustCompile(`^(.+)-([0-9]{5})-of-([0-9]{5})\.gguf$`)

// split is what a part states about its model.
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

// others opens the remaining parts of a model and returns all parts in order. With an
// error, it returns the parts opened so far.
func (p part) others(fsys fs.FS, o Options) ([]part, error) {
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
		other, err := openPart(fsys, n, o)
		if err != nil {
			return parts, err
		}
		parts = append(parts, other)
		says, err := readSplit(other.head.Meta)
		if err != nil {
			return parts, damaged(n, err)
		}
		if says != (split{i, s.parts, s.tensors}) {
			return parts, fmt.Errorf("%s does not belong to %s: it says that it is part %d of %d with %d tensors: download the model again", quote(n), quote(name), says.number+1, says.parts, says.tensors)
		}
	}
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.file.name, b.file.name) })
	return parts, checkTensors(path.Base(prefix), s, parts)
}

// splitName splits the name of a part. The number counts from 1.
func splitName(name string) (prefix string, number, count int, ok bool) {
	m := partName.FindStringSubmatch(path.Base(name))
	if m == nil {
		return "", 0, 0, false
	}
	number, _ = strconv.Atoi(m[2]) // five digits
	count, _ = strconv.Atoi(m[3])
	return path.Join(path.Dir(name), m[1]), number, count, true
}

// oneModel reports whether names, at least one, are parts of one model.
func oneModel(names []string) bool {
	prefix, _, count, ok := splitName(names[0])
	for _, name := range names {
		p, _, c, named := splitName(name)
		ok = ok && named && p == prefix && c == count
	}
	return ok
}

// checkTensors compares the number of tensors with the total that the parts of a model
// state.
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
