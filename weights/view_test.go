package weights

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
)

// numbered returns a tensor [rows, cols] whose elements, of size bytes, are 0, 1, 2, …
func numbered(name, dtype string, rows, cols, size int) tensor {
	t := tensor{name: name, dtype: dtype, shape: []int{rows, cols}}
	for i := range rows * cols {
		t.data = append(t.data, binary.LittleEndian.AppendUint64(nil, uint64(i))[:size]...)
	}
	return t
}

// elements reads a whole weight, in pieces of every size, as integers.
func elements(t *testing.T, w *engine.Tensor) []int {
	t.Helper()
	size := w.DType.BlockBytes()
	all := make([]byte, w.Bytes())
	if n, err := w.Source().ReadAt(all, 0); n != len(all) || (err != nil && err != io.EOF) {
		t.Fatalf("%s: %d of %d bytes, %v", w.Name, n, len(all), err)
	}
	for _, length := range []int{1, 3, 7, 16, 40, len(all) + 5} {
		for off := 0; off <= len(all); off += 1 + length/2 {
			p := make([]byte, length)
			n, err := w.Source().ReadAt(p, int64(off))
			if want := all[off:min(off+length, len(all))]; !slices.Equal(p[:n], want) || (n < length) != (err == io.EOF) {
				t.Fatalf("%s: %d bytes at %d: % x instead of % x, %v", w.Name, length, off, p[:n], want, err)
			}
		}
	}
	if n, err := w.Source().ReadAt(make([]byte, 1), -1); n != 0 || err == nil {
		t.Fatalf("%s was read before its beginning: %v", w.Name, err)
	}
	var got []int
	for ; len(all) > 0; all = all[size:] {
		got = append(got, int(binary.LittleEndian.Uint64(append(slices.Clone(all[:size]), make([]byte, 8)...))))
	}
	return got
}

func TestViews(t *testing.T) {
	s := mustOpen(t, single(encode("",
		numbered("m", "F32", 4, 3, 4),
		numbered("half", "BF16", 3, 5, 2),
		tensor{"v", "F16", []int{8}, numbered("", "", 1, 8, 2).data},
		tensor{"none", "F32", []int{0, 3}, nil},
	)), Options{})
	c := s.Scope()
	cases := []struct {
		name       string
		w          *engine.Tensor
		rows, cols int
		want       []int
	}{
		{"one range", c.Rows("m", 4, 3, [2]int{1, 3}), 2, 3, []int{3, 4, 5, 6, 7, 8}},
		{"ranges in another order", c.Rows("m", 4, 3, [2]int{3, 4}, [2]int{0, 1}), 2, 3, []int{9, 10, 11, 0, 1, 2}},
		{"a range twice", c.Rows("m", 0, 0, [2]int{1, 2}, [2]int{1, 2}), 2, 3, []int{3, 4, 5, 3, 4, 5}},
		{"all rows", c.Rows("half", 3, 5, [2]int{0, 3}), 3, 5, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}},
		{"an empty range between", c.Rows("m", 4, 3, [2]int{0, 1}, [2]int{2, 2}, [2]int{3, 4}), 2, 3, []int{0, 1, 2, 9, 10, 11}},
		{"no rows", c.Rows("m", 4, 3), 0, 3, nil},
		{"parts of a vector", c.VectorPart("v", 8, [2]int{6, 8}, [2]int{0, 3}), 1, 5, []int{6, 7, 0, 1, 2}},
		{"transposed, four bytes", c.Transposed("m", 4, 3), 3, 4, []int{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}},
		{"transposed, two bytes", c.Transposed("half", 3, 5), 5, 3, []int{0, 5, 10, 1, 6, 11, 2, 7, 12, 3, 8, 13, 4, 9, 14}},
		{"parts of a matrix transposed", c.Transposed("m", 4, 3, [2]int{2, 3}, [2]int{0, 1}), 2, 4, []int{2, 5, 8, 11, 0, 3, 6, 9}},
		{"a vector transposed", c.Transposed("v", 1, 8), 8, 1, []int{0, 1, 2, 3, 4, 5, 6, 7}},
		{"nothing transposed", c.Transposed("none", 0, 3), 3, 0, nil},
	}
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
	for _, k := range cases {
		t.Run(k.name, func(t *testing.T) {
			if k.w.Rows != k.rows || k.w.Cols != k.cols {
				t.Fatalf("it is [%d %d]", k.w.Rows, k.w.Cols)
			}
			if got := elements(t, k.w); !slices.Equal(got, k.want) {
				t.Errorf("it holds %v, want %v", got, k.want)
			}
		})
	}
}

// TestLargeTranspose reads a transposed matrix in pieces as a backend does.
func TestLargeTranspose(t *testing.T) {
	const rows, cols = 300, 200
	s := mustOpen(t, single(encode("", numbered("m", "F32", rows, cols, 4))), Options{})
	w := s.Scope().Transposed("m", rows, cols)
	p := make([]byte, w.Bytes())
	for off := 0; off < len(p); off += 7000 {
		if _, err := w.Source().ReadAt(p[off:min(off+7000, len(p))], int64(off)); err != nil {
			t.Fatal(err)
		}
	}
	for i := range rows * cols {
		if got, want := binary.LittleEndian.Uint32(p[4*i:]), uint32(i%rows*cols+i/rows); got != want {
			t.Fatalf("element %d is %d, want %d", i, got, want)
		}
	}
}

// TestViewsAreTied checks that each view is made once, and released with the set.
func TestViewsAreTied(t *testing.T) {
	s, err := Open(single(encode("", numbered("m", "F32", 4, 3, 4), tensor{"v", "F32", []int{3}, counting(12)})), Options{})
	must(t, err)
	ask := func() []*engine.Tensor {
		c := s.Scope()
		return []*engine.Tensor{
			c.Matrix("m", 4, 3), c.Transposed("m", 4, 3), c.Rows("m", 4, 3, [2]int{0, 4}), c.Rows("m", 4, 3, [2]int{0, 2}), c.Rows("m", 4, 3, [2]int{0, 1}, [2]int{1, 2}),
			c.Vector("v", 3), c.VectorPart("v", 3, [2]int{0, 1}), c.Rows("v", 1, 3, [2]int{0, 1}),
		}
	}
	first := ask()
	if again := ask(); !slices.Equal(first, again) {
		t.Error("a view is another tensor the second time")
	}
	copies := make([]closer, len(first))
	for i, w := range first {
		if slices.Contains(first[:i], w) {
			t.Errorf("view %d (%s) is an earlier one", i, w.Name)
		}
		if _, err := w.Prepared("a backend", func() (io.Closer, error) { return &copies[i], nil }); err != nil {
			t.Fatal(err)
		}
	}
	must(t, s.Close())
	for i, n := range copies {
		if n != 1 {
			t.Errorf("the copy of view %d was closed %d times", i, n)
		}
		if _, err := first[i].Source().ReadAt(make([]byte, 4), 0); !errors.Is(err, fs.ErrClosed) {
			t.Errorf("view %d after Close: %v", i, err)
		}
	}
}

func TestViewErrors(t *testing.T) {
	cases := []struct {
		name string
		ask  func(c *Scope) *engine.Tensor
		want string
	}{
		{"absent rows", func(c *Scope) *engine.Tensor { return c.Rows("x", 4, 3, [2]int{0, 2}) }, "1 tensor is missing (x)"},
		{"another shape", func(c *Scope) *engine.Tensor { return c.Rows("m", 5, 3, [2]int{0, 2}) }, "m is [4 3] instead of [5 3]"},
		{"transposed the wrong way", func(c *Scope) *engine.Tensor { return c.Transposed("m", 3, 4) }, "m is [4 3] instead of [3 4]"},
		{"beyond the end", func(c *Scope) *engine.Tensor { return c.Rows("m", 0, 3, [2]int{0, 5}) }, "rows 0 to 5 are wanted of its 4"},
		{"before the beginning", func(c *Scope) *engine.Tensor { return c.Rows("m", 0, 3, [2]int{-1, 2}) }, "rows -1 to 2 are wanted"},
		{"backwards", func(c *Scope) *engine.Tensor { return c.Rows("m", 0, 3, [2]int{2, 1}) }, "rows 2 to 1 are wanted"},
		{"a part beyond the end", func(c *Scope) *engine.Tensor { return c.VectorPart("v", 0, [2]int{0, 4}) }, "elements 0 to 4 are wanted of its 3"},
		{"a part of a matrix", func(c *Scope) *engine.Tensor { return c.VectorPart("m", 3, [2]int{0, 1}) }, "m is [4 3] instead of [1 3]"},
		{"a type", func(c *Scope) *engine.Tensor { return c.Rows("i", 2, 2, [2]int{0, 1}) }, "holds I64 numbers"},
	}
	for _, k := range cases {
		t.Run(k.name, func(t *testing.T) {
			c := mustOpen(t, single(encode("", numbered("m", "F32", 4, 3, 4), tensor{"v", "F32", []int{3}, counting(12)}, numbered("i", "I64", 2, 2, 8))), Options{}).Scope()
			if w := k.ask(c); w == nil || w.Source() != nil {
				t.Errorf("%+v was given", w)
			}
			err := c.Err()
			if err == nil {
				t.Fatal("no error")
			}
			checkSentence(t, err, k.want)
			if !strings.Contains(err.Error(), "choose") {
				t.Errorf("no advice: %v", err)
			}
		})
	}
}
