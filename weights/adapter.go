package weights

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"inglenook/engine"
)

// Adapter says which of the small matrices that a checkpoint stores beside a large one are added
// to it: W + Scale·B·A (LoRA, Hu et al. 2021, arXiv:2106.09685). A [Of, rank, in] and B [Of, out,
// rank] have a part for each of several tasks.
type Adapter struct {
	Index, Of int
	Rank      int
	Scale     float32
}

// The names of such tensors, as torch's parametrizations write them.
const (
	parametrized = ".parametrizations."
	originalEnd  = ".original"
	lowRankA     = ".0.lora_A"
	lowRankB     = ".0.lora_B"
)

// adapt joins the original of each adapted matrix and its small ones to one tensor of float32,
// under the name of the matrix.
func (s *Set) adapt(a *Adapter) error {
	for _, original := range s.Names() {
		stem, is := strings.CutSuffix(original, originalEnd)
		if !is || !strings.Contains(stem, parametrized) {
			continue
		}
		t, err := s.adapted(stem, *a)
		if err != nil {
			return fmt.Errorf("%s: the tensor %s does not fit its config.json: %w: download the model again", quote(s.name), quote(original), err)
		}
		s.stored[strings.Replace(stem, parametrized, ".", 1)] = t
		for _, end := range []string{originalEnd, lowRankA, lowRankB} {
			delete(s.stored, stem+end)
		}
	}
	return nil
}

// Adapted reports whether an [Adapter] was added to a tensor.
func (s *Set) Adapted() bool {
	for _, t := range s.stored {
		if t.adapted != nil {
			return true
		}
	}
	return false
}

// adapted returns the sum for the tensors whose names begin with stem. The table of an embedding
// has its vectors as rows of A, and not as columns.
func (s *Set) adapted(stem string, a Adapter) (*stored, error) {
	w, down, up := s.stored[stem+originalEnd], s.stored[stem+lowRankA], s.stored[stem+lowRankB]
	if down == nil || up == nil {
		return nil, fmt.Errorf("its small matrices for tasks are missing")
	}
	if len(w.shape) != 2 || w.shape[0] == 0 || w.shape[1] == 0 {
		return nil, fmt.Errorf("small matrices are added to its shape %s, which is none of a matrix", shapeText(w.shape))
	}
	for _, t := range []*stored{w, down, up} {
		if d, known := weightTypes[t.dtype]; !known || !slices.Contains(engine.PlainTypes(), d) {
			return nil, fmt.Errorf("it or its small matrices hold %s numbers, to which nothing can be added", t.dtype)
		}
	}
	rows, cols := w.shape[0], w.shape[1]
	sum := &adaptedRows{w: w, down: down, up: up, a: a, rows: rows, cols: cols}
	if wide := []int{a.Of, rows, a.Rank}; slices.Equal(down.shape, wide) && slices.Equal(up.shape, []int{a.Of, a.Rank, cols}) {
		sum.down, sum.up = up, down
	} else if !slices.Equal(down.shape, []int{a.Of, a.Rank, cols}) || !slices.Equal(up.shape, wide) {
		return nil, fmt.Errorf("its small matrices are %s and %s, which do not fit %d tasks of rank %d", shapeText(down.shape), shapeText(up.shape), a.Of, a.Rank)
	}
	t := *w
	t.dtype, t.adapted = engine.F32.FileName(), sum
	return &t, nil
}

// adaptedRows reads the rows of a sum.
type adaptedRows struct {
	w, down, up *stored // [rows, cols]; down: [tasks, rank, cols]; up: [tasks, rows, rank]
	a           Adapter
	rows, cols  int
}

func (r *adaptedRows) matrix() matrix {
	return matrix{engine.F32, r.rows, r.cols, &rowReader{rows: r.rows, rowBytes: 4 * r.cols, read: r.read}}
}

// read fills p with rows, starting at row first.
func (r *adaptedRows) read(p []byte, first int) error {
	n := len(p) / (4 * r.cols)
	down, err := r.numbers(r.down, r.a.Index*r.a.Rank*r.cols, r.a.Rank*r.cols)
	if err != nil {
		return err
	}
	up, err := r.numbers(r.up, (r.a.Index*r.rows+first)*r.a.Rank, n*r.a.Rank)
	if err != nil {
		return err
	}
	own, err := r.numbers(r.w, first*r.cols, n*r.cols)
	if err != nil {
		return err
	}
	for i := range n {
		for c := range r.cols {
			var sum float32
			for k := range r.a.Rank {
				sum += up[i*r.a.Rank+k] * down[k*r.cols+c]
			}
			at := i*r.cols + c
			binary.NativeEndian.PutUint32(p[4*at:], math.Float32bits(own[at]+r.a.Scale*sum))
		}
	}
	return nil
}

// numbers reads n numbers of a tensor, from number first on.
func (r *adaptedRows) numbers(t *stored, first, n int) ([]float32, error) {
	size := weightTypes[t.dtype].BlockBytes()
	data := make([]byte, n*size)
	if err := readFull(bytesOf(t), data, int64(first)*int64(size)); err != nil {
		return nil, err
	}
	values := make([]float32, n)
	for i := range values {
		values[i] = number(data[i*size:], t.dtype)
	}
	return values, nil
}
