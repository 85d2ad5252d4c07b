package texts

import (
	"encoding/csv"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestCosines(t *testing.T) {
	m, err := cosines(normalized([][]float32{{3, 0}, {0, 2}, {-1, 0}, {1, 1}, {0, 0}}), func(int) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	half := float32(math.Sqrt(0.5))
	want := [][]float32{
		{1, 0, -1, half, 0}, {0, 1, 0, half, 0}, {-1, 0, 1, -half, 0}, {half, half, -half, 1, 0}, {0, 0, 0, 0, 1},
	}
	for i := range want {
		for j := range want[i] {
			if math.Abs(float64(m[i][j]-want[i][j])) > 1e-6 {
				t.Errorf("cosine %d %d is %v, want %v", i, j, m[i][j], want[i][j])
			}
		}
	}
}

func TestNearest(t *testing.T) {
	r := SimilarityResult{Matrix: [][]float32{{1, 0.2, 0.9, 0.2}, {0.2, 1, 0, 0}, {0.9, 0, 1, 0}, {0.2, 0, 0, 1}}}
	got := r.Nearest(0, 2)
	if want := []Neighbour{{Index: 2, Score: 0.9}, {Index: 1, Score: 0.2}}; !slices.Equal(got, want) {
		t.Errorf("nearest to 0: %v, want %v", got, want)
	}
	if got := r.Nearest(0, 99); len(got) != 3 {
		t.Errorf("asked for 99 of 3 neighbours: %d", len(got))
	}
	for _, bad := range [][2]int{{-1, 1}, {4, 1}, {0, 0}, {0, -1}} {
		if got := r.Nearest(bad[0], bad[1]); got != nil {
			t.Errorf("Nearest%v gave %v", bad, got)
		}
	}
}

// The closest texts to other words come first, whatever the lengths of the vectors.
func TestClosest(t *testing.T) {
	r := SimilarityResult{Vectors: [][]float32{{3, 0}, {0, 0.5}, {-1, 0}, {0, 0}, {2, 2}}}
	got := r.Closest([]float32{0, 10})
	for i, want := range []int{1, 4, 0, 2, 3} {
		if got[i].Index != want {
			t.Fatalf("the order is %v", got)
		}
	}
	if got[0].Score != 1 || got[1].Score < 0.707 || got[1].Score > 0.7072 || got[2].Score != 0 {
		t.Errorf("the cosines are %v", got)
	}
}

func TestWriteCSV(t *testing.T) {
	input := []string{`a "quoted", text`, "two\nlines"}
	r := SimilarityResult{Texts: input, Matrix: [][]float32{{1, 0.25}, {0.25, 1}}}
	var b strings.Builder
	if err := r.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"text", input[0], input[1]}, {input[0], "1.000000", "0.250000"}, {input[1], "0.250000", "1.000000"}}
	if !slices.EqualFunc(rows, want, slices.Equal[[]string]) {
		t.Errorf("read back %q, want %q", rows, want)
	}
}

func TestCancelledRowsAndRounds(t *testing.T) {
	stop := errors.New("stop")
	vectors := [][]float32{{1, 0}, {0, 1}, {1, 1}}
	if _, err := cosines(vectors, func(int) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("cosines: %v", err)
	}
	if _, _, err := project(vectors, func() error { return stop }); !errors.Is(err, stop) {
		t.Errorf("project: %v", err)
	}
}
