package vectors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"sync"
)

// A Set is the vectors of one embedder. Row i belongs to passage i of the
// database, which alone knows which rows count: what it does not know is garbage
// that is written over. A search and a write may run at the same time.
type Set struct {
	dimension int
	scanner   Scanner
	sketcher  *sketcher
	path      string
	readOnly  bool
	from      int // rows from which searches go by sketches
	checks    *checked
	spare     sync.Pool // of *[]float32: the estimates of searches that have ended

	mu     sync.RWMutex // of the mappings
	floats *table       // the vectors
	bytes  *table       // the same in 8 bits, with the size of the error: see quantize
	bits   *table       // the same in one bit: see sketcher
}

// Open opens the set at a path, to which the ends of its files are appended, or
// makes an empty one. embedder is the id of what the vectors are from. The smaller
// files are made anew from the largest one if they are damaged.
func Open(path, embedder string, dimension int, s Scanner, readOnly bool) (*Set, error) {
	if dimension <= 0 || dimension > 1<<16 {
		return nil, fmt.Errorf("vectors of dimension %d", dimension)
	}
	set := &Set{dimension: dimension, scanner: s, sketcher: newSketcher(dimension), path: path, readOnly: readOnly, from: sketchFrom, checks: readChecks(path)}
	var err error
	if set.floats, err = openTable(path+floatsEnd, "floats", 4*dimension, embedder, readOnly); err != nil {
		return nil, err
	}
	if set.bytes, err = openDerived(path+bytesEnd, "bytes", bytesStride(dimension), embedder, readOnly); err == nil {
		set.bits, err = openDerived(path+bitsEnd, "bits", set.sketcher.stride(), embedder, readOnly)
	}
	if err == nil && !readOnly {
		err = errors.Join(
			set.fill(set.bytes, func(flat []float32) []byte { return quantizeRows(flat, dimension) }),
			set.fill(set.bits, set.sketcher.rows))
	}
	if err != nil {
		return nil, errors.Join(err, set.Close())
	}
	return set, nil
}

// openDerived opens a table that can be made anew from the vectors.
func openDerived(path, kind string, stride int, meaning string, readOnly bool) (*table, error) {
	t, err := openTable(path, kind, stride, meaning, readOnly)
	if !errors.Is(err, ErrDamaged) || readOnly {
		return t, err
	}
	if err := os.Remove(path); err != nil {
		return nil, err
	}
	return openTable(path, kind, stride, meaning, false)
}

const (
	floatsEnd = ".f32"
	bytesEnd  = ".i8"
	bitsEnd   = ".bits"
)

// Remove deletes the files of the set at a path.
func Remove(path string) error {
	var errs []error
	for _, end := range []string{floatsEnd, bytesEnd, bitsEnd, checksEnd} {
		if err := os.Remove(path + end); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// fill writes the rows that a smaller file lacks.
func (s *Set) fill(t *table, rowsOf func(flat []float32) []byte) error {
	const at = 1024
	var buffer []byte
	for first := t.rows; first < s.floats.rows; first += at {
		n := min(at, s.floats.rows-first)
		rows, err := s.floats.read(first, n, &buffer)
		if err != nil {
			return err
		}
		if err := t.write(first, rowsOf(asFloats(rows))); err != nil {
			return err
		}
	}
	return t.refresh()
}

// Dimension is the length of every vector.
func (s *Set) Dimension() int { return s.dimension }

// Rows is how many rows the files hold, with garbage.
func (s *Set) Rows() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.rows()
}

func (s *Set) rows() int { return min(s.floats.rows, s.bytes.rows, s.bits.rows) }

// Refresh learns of rows that another process has written.
func (s *Set) Refresh() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(s.floats.refresh(), s.bytes.refresh(), s.bits.refresh())
}

// Write writes vectors to rows and waits until they are on the disk. Vectors
// must be finite.
func (s *Set) Write(rows []int64, vectors [][]float32) error {
	if len(rows) != len(vectors) {
		return fmt.Errorf("%d rows for %d vectors", len(rows), len(vectors))
	}
	for _, v := range vectors {
		if err := s.check(v); err != nil {
			return err
		}
	}
	for first := 0; first < len(rows); {
		last := first + 1
		for last < len(rows) && rows[last] == rows[last-1]+1 {
			last++
		}
		flat := slices.Concat(vectors[first:last]...)
		if err := s.floats.write(int(rows[first]), floatBytes(flat)); err != nil {
			return err
		}
		if err := s.bytes.write(int(rows[first]), quantizeRows(flat, s.dimension)); err != nil {
			return err
		}
		if err := s.bits.write(int(rows[first]), s.sketcher.rows(flat)); err != nil {
			return err
		}
		first = last
	}
	if err := errors.Join(s.floats.file.Sync(), s.bytes.file.Sync(), s.bits.file.Sync()); err != nil {
		return err
	}
	return s.Refresh()
}

func (s *Set) check(v []float32) error {
	if len(v) != s.dimension {
		return fmt.Errorf("a vector of dimension %d among those of %d", len(v), s.dimension)
	}
	for _, x := range v {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return errors.New("a vector with a number that is not finite")
		}
	}
	return nil
}

// Row returns a copy of a row.
func (s *Set) Row(i int64) ([]float32, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var buffer []byte
	row, err := s.floats.read(int(i), 1, &buffer)
	if err != nil {
		return nil, err
	}
	return slices.Clone(asFloats(row)), nil
}

// Truncate drops the rows from n on, all of which are garbage.
func (s *Set) Truncate(n int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range []*table{s.floats, s.bytes, s.bits} {
		if n >= t.rows {
			continue
		}
		if err := t.file.Truncate(headerSize + int64(n)*int64(t.stride)); err != nil {
			return err
		}
		if err := t.refresh(); err != nil {
			return err
		}
	}
	return nil
}

// Size returns how many bytes the files have.
func (s *Set) Size() int64 {
	s.mu.RLock()
	defer s.mu.RUnlock()
	size := int64(0)
	for _, t := range []*table{s.floats, s.bytes, s.bits} {
		size += headerSize + int64(t.rows)*int64(t.stride)
	}
	return size
}

// Close releases the files. No search may be running.
func (s *Set) Close() error {
	s.checks.later.Stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	var errs []error
	for _, t := range []*table{s.floats, s.bytes, s.bits} {
		if t != nil {
			errs = append(errs, t.close())
		}
	}
	return errors.Join(errs...)
}

func floatBytes(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}
