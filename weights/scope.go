package weights

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"inglenook/engine"
)

// Scope returns weights by their Hugging Face names below a prefix. It collects
// missing tensors and wrong shapes, so that model code can request everything in a
// row and one error lists all problems. It is not safe for concurrent use.
type Scope struct {
	set      *Set
	prefix   string
	problems *problems
}

// problems collects what a scope and those derived from it could not return.
type problems struct {
	missing []string        // names, quoted
	shapes  []string        // "name is [2 3] instead of [3 2]"
	other   error           // the first error of another kind
	named   map[string]bool // names that are listed already

	file, hint string // which file is to blame, and what helps
}

// Scope returns a scope with an empty prefix.
func (s *Set) Scope() *Scope {
	return &Scope{set: s, problems: &problems{
		named: map[string]bool{},
		file:  s.name, hint: "download the model again, or choose a checkpoint of a supported architecture",
	}}
}

// In returns the scope below prefix: Scope().In("encoder").In("layer.0") looks up
// names that begin with "encoder.layer.0.".
func (c *Scope) In(prefix string) *Scope {
	if prefix == "" {
		return c
	}
	return &Scope{set: c.set, prefix: c.prefix + prefix + ".", problems: c.problems}
}

// Has reports whether the tensor exists, whatever its type and shape.
func (c *Scope) Has(name string) bool {
	return c.set.find(c.prefix+name) != nil || c.set.promises(c.prefix+name)
}

// Shape returns the stored shape of a tensor; nil if it does not exist.
func (c *Scope) Shape(name string) []int {
	if t := c.set.find(c.prefix + name); t != nil {
		return slices.Clone(t.shape)
	}
	return nil
}

// Matrix returns the weight [rows, cols]; 0 accepts any size. If there is no such
// weight, it returns one of that shape without data, and Err reports why.
func (c *Scope) Matrix(name string, rows, cols int) *engine.Tensor {
	return c.weight(name, rows, cols, whole{})
}

// Rows returns a weight made of ranges of rows, each [from, to), of the stored
// matrix [rows, cols], in the given order: for example the query part of a matrix
// with queries, keys and values.
func (c *Scope) Rows(name string, rows, cols int, ranges ...[2]int) *engine.Tensor {
	return c.weight(name, rows, cols, rowRanges(ranges))
}

// Transposed returns the weight [cols, rows] of a stored matrix [rows, cols] of
// plain numbers (GPT-2 stores its linear layers like this), or ranges of its rows,
// like Rows.
func (c *Scope) Transposed(name string, rows, cols int, ranges ...[2]int) *engine.Tensor {
	if ranges == nil {
		return c.weight(name, rows, cols, transposed{})
	}
	return c.weight(name, rows, cols, transposedRows{ranges})
}

// Folded returns the stored matrix [rows, cols] as one of parts·rows rows, each a
// part of a stored row.
func (c *Scope) Folded(name string, rows, cols, parts int) *engine.Tensor {
	return c.weight(name, rows, cols, folded{parts})
}

// Part returns a weight [rows, cols/parts] with one of so many equal parts, counted from 0, of
// each row of the stored matrix [rows, cols].
func (c *Scope) Part(name string, rows, cols, number, parts int) *engine.Tensor {
	return c.weight(name, rows, cols, rowPart{number, parts})
}

// Paired returns the rows of heads of so many rows each, or the elements of a vector, in
// another order: of the first turning ones of a head those of even number, then those of
// odd number, then the rest.
func (c *Scope) Paired(name string, rows, cols, head, turning int) *engine.Tensor {
	return c.weight(name, rows, cols, paired{head, turning})
}

// Ones returns a weight [1, n] of ones, which no file stores.
func (c *Scope) Ones(n int) *engine.Tensor {
	s := c.set
	s.mu.Lock()
	defer s.mu.Unlock()
	key := viewed{label: fmt.Sprintf("ones[%d]", n)}
	if s.weights[key] == nil {
		one := []byte{0, 0, 0x80, 0x3f}
		s.weights[key] = engine.NewWeight(key.label, engine.F32, 1, n, bytes.NewReader(bytes.Repeat(one, n)))
	}
	return s.weights[key]
}

// Scalar returns the only number of a tensor, 1 where an outline has no data.
func (c *Scope) Scalar(name string) float32 {
	w := c.Vector(name, 1)
	if w.Source() == nil || c.problems.other != nil {
		return 1
	}
	data := make([]byte, w.Bytes())
	if err := readFull(w.Source(), data, 0); err != nil {
		c.problems.other = fmt.Errorf("read %s: %w", quote(c.prefix+name), err)
		return 1
	}
	switch w.DType {
	case engine.F32:
		return math.Float32frombits(binary.LittleEndian.Uint32(data))
	case engine.F16:
		return engine.F16ToF32(binary.LittleEndian.Uint16(data))
	}
	return engine.BF16ToF32(binary.LittleEndian.Uint16(data))
}

// Vector returns the weight [1, n]; 0 accepts any length.
func (c *Scope) Vector(name string, n int) *engine.Tensor { return c.Matrix(name, 1, n) }

// VectorPart returns a weight made of ranges, each [from, to), of the stored
// vector [1, n], like Rows for a matrix.
func (c *Scope) VectorPart(name string, n int, ranges ...[2]int) *engine.Tensor {
	return c.weight(name, 1, n, columnRanges(ranges))
}

// weight returns a view of the stored matrix [rows, cols], or on error a weight of
// the view's shape without data.
func (c *Scope) weight(name string, rows, cols int, v view) *engine.Tensor {
	name = c.prefix + name
	nothing := func() *engine.Tensor {
		r, k := v.shape(rows, cols)
		return engine.NewWeight(name+v.label(), engine.F32, r, k, nil)
	}
	t := c.set.find(name)
	if t == nil {
		t = c.set.imagine(name, rows, cols)
	}
	if t == nil {
		c.problems.add(&c.problems.missing, name, quote(name))
		return nothing()
	}
	if r, k := t.sides(); (rows != 0 && r != rows) || (cols != 0 && k != cols) {
		c.problems.add(&c.problems.shapes, name, fmt.Sprintf("%s is %s instead of %s", quote(name), shapeText(t.shape), wanted(rows, cols)))
		return nothing()
	}
	w, err := c.set.tensor(name, v)
	if err != nil {
		if c.problems.other == nil {
			c.problems.other = err
		}
		return nothing()
	}
	return w
}

// VocabularyError is returned for a GGUF file that holds no weights.
type VocabularyError struct{ name string }

func (e *VocabularyError) Error() string {
	return quote(e.name) + " holds only a vocabulary, no model: choose the file with the weights of the model"
}

// Err returns an error that lists everything that could not be returned, or nil.
func (c *Scope) Err() error {
	p := c.problems
	if len(p.missing) > 0 && c.set.meta != nil && len(c.set.stored) == 0 { // what is missing says nothing more
		return &VocabularyError{c.set.name}
	}
	description, says := "config.json", "config.json says"
	if c.set.meta != nil {
		description, says = "metadata", "they say"
	}
	var what []string
	switch n := len(p.missing); {
	case n == 1:
		what = append(what, "1 tensor is missing ("+list(p.missing)+")")
	case n > 1:
		what = append(what, fmt.Sprintf("%d tensors are missing (%s)", n, list(p.missing)))
	}
	if n := len(p.shapes); n > 0 {
		what = append(what, fmt.Sprintf("%d of another shape than %s (%s)", n, says, list(p.shapes)))
	}
	if what == nil {
		return p.other
	}
	return fmt.Errorf("%s does not fit its %s: %s: %s", quote(p.file), description, strings.Join(what, " and "), p.hint)
}

func (p *problems) add(to *[]string, name, text string) {
	if !p.named[name] {
		p.named[name] = true
		*to = append(*to, text)
	}
}

// wanted formats a shape with a dash for a side of any size.
func wanted(rows, cols int) string {
	side := func(n int) string {
		if n == 0 {
			return "-"
		}
		return fmt.Sprint(n)
	}
	return "[" + side(rows) + " " + side(cols) + "]"
}
