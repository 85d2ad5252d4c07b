package weights

import (
	"fmt"
	"io"

	"inglenook/engine"
)

// Stack describes a weight of several matrices of one shape, such as the experts of a
// layer, within a tensor that stores them one after the other.
type Stack struct {
	Parts, Rows, Cols int // matrices, and the shape of each
	// A part of the tensor may hold more rows: Of are stored, and the matrix takes every
	// Every-th from row From on. 0 means that the matrix is all of it.
	Of, From, Every int
	Turned          bool // each part is stored transposed, [Cols, Of]
}

// complete fills in what was left out.
func (s Stack) complete() Stack {
	if s.Of == 0 {
		s.Of = s.Rows
	}
	s.Every = max(s.Every, 1)
	return s
}

// Stack returns the weight that s describes of a tensor [Parts, Of, Cols], or [Parts,
// Cols, Of] if it is turned. The tensor may also have the rows of all parts in one matrix.
func (c *Scope) Stack(name string, s Stack) *engine.Tensor {
	s = s.complete()
	c.set.imagineStack(c.prefix+name, s)
	c.checkStack(name, s)
	rows, cols := s.Parts, s.Of*s.Cols
	if flat := c.Shape(name); len(flat) == 2 && s.Parts > 1 {
		rows, cols = s.Parts*s.Of, s.Cols
		if s.Turned {
			rows, cols = s.Parts*s.Cols, s.Of
		}
	}
	w := c.weight(name, rows, cols, stackView{s})
	if w.Source() == nil {
		w.Parts = s.Parts // also of a stand-in
	}
	return w
}

// imagineStack creates the tensor of an outline, if it may.
func (s *Set) imagineStack(name string, of Stack) {
	if s.find(name) == nil {
		if t := s.imagine(name, of.Parts*of.Of, of.Cols); t != nil {
			t.shape = []int{of.Parts, of.Of, of.Cols}
			if of.Turned {
				t.shape = []int{of.Parts, of.Cols, of.Of}
			}
		}
	}
}

// StackVectors returns a matrix [Parts, Rows] of vectors that are stored as the rows
// of a matrix [Parts, Of].
func (c *Scope) StackVectors(name string, s Stack) *engine.Tensor {
	s = s.complete()
	s.Cols, s.Turned = 1, false
	return c.weight(name, s.Parts, s.Of, vectorView{stackView{s}})
}

// StackOf returns matrices [rows, cols] that are stored apart as one weight, in the
// order of their names.
func (c *Scope) StackOf(names []string, rows, cols int) *engine.Tensor {
	var src joined
	var first *engine.Tensor
	for _, name := range names {
		w := c.Matrix(name, rows, cols)
		if first == nil {
			first = w
		}
		if w.DType != first.DType && c.problems.other == nil {
			c.problems.other = fmt.Errorf("the tensors %s and %s are of the types %s and %s, but belong together: download the model again",
				quote(first.Name), quote(w.Name), first.DType.FileName(), w.DType.FileName())
		}
		if w.Source() != nil {
			src = append(src, io.NewSectionReader(w.Source(), 0, int64(w.Bytes())))
		}
	}
	return c.set.together(c.prefix+names[0], first, len(names), src)
}

// together returns the weight of several, the same one each time.
func (s *Set) together(name string, first *engine.Tensor, parts int, src joined) *engine.Tensor {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := viewed{s.find(name), fmt.Sprintf("+%d", parts-1)}
	if w := s.weights[key]; w != nil && key.of != nil {
		return w
	}
	var all io.ReaderAt
	if len(src) == parts {
		all = src
	}
	w := engine.NewStack(first.Name+key.label, first.DType, parts, first.Rows, first.Cols, all)
	if key.of != nil {
		s.weights[key] = w
	}
	return w
}

// checkStack notes a tensor of as many numbers in another shape.
func (c *Scope) checkStack(name string, s Stack) {
	t := c.set.find(c.prefix + name)
	rows, cols := s.Of, s.Cols
	if s.Turned {
		rows, cols = cols, rows
	}
	if t == nil || len(t.shape) != 3 || t.shape[0] != s.Parts || t.shape[1] == rows && t.shape[2] == cols {
		return
	}
	name = c.prefix + name
	c.problems.add(&c.problems.shapes, name, fmt.Sprintf("%s is %s instead of [%d %d %d]", quote(name), shapeText(t.shape), s.Parts, rows, cols))
}

// stackView is a weight of several matrices.
type stackView struct{ Stack }

func (v stackView) shape(int, int) (int, int) { return v.Parts * v.Rows, v.Cols }

func (v stackView) label() string {
	if v.plain() {
		return ""
	}
	return fmt.Sprintf("[%d:%d:%d]", v.From, v.Of, v.Every)
}

// apart reports whether the rows of each matrix are stored one after the other.
func (v stackView) apart() bool { return v.Every == 1 && !v.Turned }

// plain reports whether the matrices are stored as they are wanted.
func (v stackView) plain() bool { return v.Of == v.Rows && !v.Turned }

func (v stackView) of(m matrix) (matrix, error) {
	stored := m
	m.rows, m.cols = v.Parts*v.Rows, v.Cols
	if m.cols%m.dtype.Block() != 0 || v.Turned && m.dtype.Quantized() {
		return m, fmt.Errorf("its %v blocks do not lie along the rows", m.dtype)
	}
	if v.plain() {
		return m, nil
	}
	m.src = &rowReader{rows: m.rows, rowBytes: m.dtype.RowBytes(m.cols), read: func(p []byte, first int) error {
		return v.read(p, first, stored.src, m.dtype)
	}}
	return m, nil
}

// read fills p with rows of the view, those of one part at a time.
func (v stackView) read(p []byte, first int, src io.ReaderAt, d engine.DType) error {
	line := d.RowBytes(v.Cols)
	for len(p) > 0 {
		part, row := first/v.Rows, first%v.Rows
		n := min(len(p)/line, v.Rows-row, max(1, readStackRows/v.Every))
		at := int64(part) * int64(d.RowBytes(v.Of*v.Cols))
		var err error
		if v.Turned {
			err = v.turn(p[:n*line], row, src, at, d.BlockBytes())
		} else {
			err = v.pick(p[:n*line], row, src, at, line)
		}
		if err != nil {
			return err
		}
		p, first = p[n*line:], first+n
	}
	return nil
}

// readStackRows is how many stored rows are read at once.
const readStackRows = 128

// pick copies every Every-th row of a part, from row `row` of the view on.
func (v stackView) pick(p []byte, row int, src io.ReaderAt, at int64, line int) error {
	n := len(p) / line
	rows := make([]byte, ((n-1)*v.Every+1)*line)
	if err := readFull(src, rows, at+int64(v.From+row*v.Every)*int64(line)); err != nil {
		return err
	}
	for i := range n {
		copy(p[i*line:(i+1)*line], rows[i*v.Every*line:])
	}
	return nil
}

// turn copies every Every-th column of a part, from row `row` of the view on, whose
// numbers have size bytes.
func (v stackView) turn(p []byte, row int, src io.ReaderAt, at int64, size int) error {
	n := len(p) / (v.Cols * size)
	numbers := make([]byte, ((n-1)*v.Every+1)*size) // of one stored row
	for c := range v.Cols {
		if err := readFull(src, numbers, at+int64(c*v.Of+v.From+row*v.Every)*int64(size)); err != nil {
			return err
		}
		for i := range n {
			copy(p[(i*v.Cols+c)*size:][:size], numbers[i*v.Every*size:])
		}
	}
	return nil
}

// vectorView are vectors within the rows of a matrix.
type vectorView struct{ stackView }

func (v vectorView) shape(int, int) (int, int) { return v.Parts, v.Rows }

func (v vectorView) of(m matrix) (matrix, error) {
	m, err := v.stackView.of(m)
	m.rows, m.cols = v.Parts, v.Rows
	return m, err
}
