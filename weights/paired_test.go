package weights

import (
	"slices"
	"testing"
)

// TestPaired: of the first four rows of each head of six, those of even number come
// first; so do the elements of a vector.
func TestPaired(t *testing.T) {
	want := []int{0, 2, 1, 3, 4, 5, 6, 8, 7, 9, 10, 11}
	vector := numbered("vector", "F16", 1, 12, 2)
	vector.shape = []int{12}
	set := mustOpen(t, single(encode("", numbered("matrix", "F32", 12, 2, 4), vector)), Options{})
	var rows []int
	for _, row := range want {
		rows = append(rows, 2*row, 2*row+1)
	}
	for _, c := range []struct {
		name       string
		rows, cols int
		want       []int
	}{{"matrix", 12, 2, rows}, {"vector", 1, 12, want}} {
		s := set.Scope()
		w := s.Paired(c.name, c.rows, c.cols, 6, 4)
		if err := s.Err(); err != nil {
			t.Fatal(err)
		}
		if got := elements(t, w); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		for _, bad := range [][2]int{{5, 4}, {6, 8}, {6, 3}} {
			s := set.Scope()
			s.Paired(c.name, c.rows, c.cols, bad[0], bad[1])
			if s.Err() == nil {
				t.Errorf("%s: heads of %d, of which %d turn, are accepted", c.name, bad[0], bad[1])
			}
		}
	}
}
