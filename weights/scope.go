package weights

import (
	"fmt"
	"strings"

	"inglenook/engine"
)

// Scope hands out weights by their Hugging Face names below a prefix and
// collects what is missing or has the wrong shape, so that model code asks for
// everything in a row and one error names it all. It is for one goroutine.
type Scope struct {
	set      *Set
	prefix   string
	problems *problems
}

// problems are what a scope and those made from it could not hand out.
type problems struct {
	missing []string        // names, quoted
	shapes  []string        // "name is [2 3] instead of [3 2]"
	other   error           // the first that is neither
	named   map[string]bool // what is listed already
}

// Scope starts with the names as they are.
func (s *Set) Scope() *Scope {
	return &Scope{set: s, problems: &problems{named: map[string]bool{}}}
}

// In is the scope below prefix: Scope().In("encoder").In("layer.0") asks for
// names that begin with "encoder.layer.0.".
func (c *Scope) In(prefix string) *Scope {
	if prefix == "" {
		return c
	}
	return &Scope{set: c.set, prefix: c.prefix + prefix + ".", problems: c.problems}
}

// Has tells whether the tensor is there, whatever it holds.
func (c *Scope) Has(name string) bool {
	return c.set.find(c.prefix+name) != nil || c.set.promises(c.prefix+name)
}

// Matrix is the weight [rows, cols]; 0 leaves a side open. Where there is none
// such, the result is a weight of that shape without data, and Err says why.
func (c *Scope) Matrix(name string, rows, cols int) *engine.Tensor {
	return c.weight(name, rows, cols, whole{})
}

// Rows is a weight made of ranges of the rows, [from, to) each, of the stored
// matrix [rows, cols], one below the other in the order given: the query part
// of a matrix that holds queries, keys and values, say.
func (c *Scope) Rows(name string, rows, cols int, ranges ...[2]int) *engine.Tensor {
	return c.weight(name, rows, cols, rowRanges(ranges))
}

// Transposed is the weight [cols, rows] of a stored matrix [rows, cols] of
// plain numbers (GPT-2 stores its linear layers so), or these ranges of its
// rows, as Rows is of a matrix.
func (c *Scope) Transposed(name string, rows, cols int, ranges ...[2]int) *engine.Tensor {
	if ranges == nil {
		return c.weight(name, rows, cols, transposed{})
	}
	return c.weight(name, rows, cols, transposedRows{ranges})
}

// Vector is the weight [1, n]; 0 leaves the length open.
func (c *Scope) Vector(name string, n int) *engine.Tensor { return c.Matrix(name, 1, n) }

// VectorPart is a weight made of ranges, [from, to) each, of the stored vector
// [1, n], as Rows is of a matrix.
func (c *Scope) VectorPart(name string, n int, ranges ...[2]int) *engine.Tensor {
	return c.weight(name, 1, n, columnRanges(ranges))
}

// weight is a view of the stored matrix [rows, cols], or a weight of the
// view's shape without data.
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

// OptionalMatrix is the weight [rows, cols], or nil where the checkpoint has none.
func (c *Scope) OptionalMatrix(name string, rows, cols int) *engine.Tensor {
	if !c.Has(name) {
		return nil
	}
	return c.Matrix(name, rows, cols)
}

// OptionalVector is the weight [1, n], or nil where the checkpoint has none.
func (c *Scope) OptionalVector(name string, n int) *engine.Tensor {
	if !c.Has(name) {
		return nil
	}
	return c.Vector(name, n)
}

// Err names everything that was asked for in vain, nil where there is nothing.
func (c *Scope) Err() error {
	p := c.problems
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
	return fmt.Errorf("%s does not fit its %s: %s: download the model again, or choose a checkpoint of a supported architecture",
		quote(c.set.name), description, strings.Join(what, " and "))
}

func (p *problems) add(to *[]string, name, text string) {
	if !p.named[name] {
		p.named[name] = true
		*to = append(*to, text)
	}
}

// wanted writes a shape with a dash for an open side.
func wanted(rows, cols int) string {
	side := func(n int) string {
		if n == 0 {
			return "-"
		}
		return fmt.Sprint(n)
	}
	return "[" + side(rows) + " " + side(cols) + "]"
}
