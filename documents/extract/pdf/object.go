// Package pdf reads the text of PDF files: their objects, filters, encryption,
// fonts and page content, and from the places of the characters the words, lines,
// columns and paragraphs. It follows ISO 32000-1 (PDF 1.7), and ISO 32000-2 for
// encryption of revision 6. It draws nothing and runs nothing.
package pdf

// An object is nil, bool, int64, float64, text, name, array, dict, *stream, ref
// or, in content only, keyword.
type object any

type (
	text    string // a string, decrypted
	name    string
	keyword string
	array   []object
	dict    map[name]object
)

// A ref leads to an object by its number.
type ref struct{ number, generation int }

// A stream is a dictionary with bytes.
type stream struct {
	dict dict
	raw  []byte // encoded
	id   ref    // the encryption key depends on it
}

// resolve follows references until it comes to an object.
func (f *File) resolve(o object) object {
	for range 32 { // references to references are rare, and a circle of them has no end
		r, ok := o.(ref)
		if !ok {
			return o
		}
		o = f.object(r.number)
	}
	return nil
}

func (f *File) dict(o object) dict {
	switch o := f.resolve(o).(type) {
	case dict:
		return o
	case *stream:
		return o.dict
	}
	return nil
}

func (f *File) array(o object) array {
	a, _ := f.resolve(o).(array)
	return a
}

func (f *File) stream(o object) *stream {
	s, _ := f.resolve(o).(*stream)
	return s
}

func (f *File) name(o object) name {
	n, _ := f.resolve(o).(name)
	return n
}

func (f *File) text(o object) string {
	t, _ := f.resolve(o).(text)
	return string(t)
}

// number returns a number, or 0.
func (f *File) number(o object) float64 {
	switch n := f.resolve(o).(type) {
	case int64:
		return float64(n)
	case float64:
		return n
	}
	return 0
}

// integer returns a number without its fraction, within the range of an int32, or
// the other value where there is no number.
func (f *File) integer(o object, otherwise int) int {
	const limit = 1<<31 - 1
	switch n := f.resolve(o).(type) {
	case int64:
		return int(max(-limit, min(limit, n)))
	case float64:
		if n != n { // not a number
			return otherwise
		}
		return int(max(-limit, min(limit, n)))
	}
	return otherwise
}

// numbers returns the numbers of an array.
func (f *File) numbers(o object) []float64 {
	a := f.array(o)
	if a == nil {
		return nil
	}
	all := make([]float64, len(a))
	for i := range a {
		all[i] = f.number(a[i])
	}
	return all
}
