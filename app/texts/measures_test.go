package texts

import (
	"cmp"
	"encoding/csv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"inglenook/app/library"
)

// The values are those of scipy.stats.kendalltau 1.17; the pairs were counted by hand.
func TestAgree(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		a, b              []float32
		same, other, tied int
		tau               float64
	}{
		{[]float32{1, 2, 3, 4, 5}, []float32{1, 2, 3, 4, 5}, 10, 0, 0, 1},
		{[]float32{1, 2, 3, 4, 5}, []float32{5, 4, 3, 2, 1}, 0, 10, 0, -1},
		{[]float32{1, 2, 3, 4, 5}, []float32{3, 1, 4, 2, 5}, 7, 3, 0, 0.4},
		{[]float32{1, 2, 2, 3}, []float32{1, 3, 2, 2}, 3, 1, 2, 0.4},
		{[]float32{1, 1, 1, 2, 2}, []float32{1, 2, 2, 2, 3}, 4, 0, 6, 0.6172133998483676},
		{[]float32{0.9, 0.1, 0.5, 0.5, 0.3, 0.7, 0.2}, []float32{0.2, 0.2, 0.6, 0.4, 0.4, 0.9, 0.1}, 13, 5, 3, 0.4103913408340616},
		{[]float32{1, 1, 1}, []float32{1, 2, 3}, 0, 0, 3, math.NaN()},
		{[]float32{nan, 1, 2}, []float32{nan, 1, 2}, 3, 0, 0, 1},
		{[]float32{nan, nan}, []float32{1, 2}, 0, 0, 1, math.NaN()},
		{[]float32{1}, []float32{1}, 0, 0, 0, math.NaN()},
		{nil, nil, 0, 0, 0, math.NaN()},
	} {
		got := Agree(c.a, c.b)
		near := math.Abs(got.Tau-c.tau) < 1e-12 || math.IsNaN(got.Tau) && math.IsNaN(c.tau)
		if got.Same != c.same || got.Other != c.other || got.Tied != c.tied || !near {
			t.Errorf("%v and %v: %+v, want %d %d %d %v", c.a, c.b, got, c.same, c.other, c.tied, c.tau)
		}
	}
}

// Counting pair by pair gives the same.
func TestAgreeOnRandomScores(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for range 200 {
		n := 2 + random.IntN(40)
		a, b := make([]float32, n), make([]float32, n)
		for i := range a {
			a[i], b[i] = float32(random.IntN(12)), float32(random.IntN(12))
		}
		same, other, tied := 0, 0, 0
		for i := range n {
			for j := range i {
				switch cmp.Compare(a[i], a[j]) * cmp.Compare(b[i], b[j]) {
				case 1:
					same++
				case -1:
					other++
				default:
					tied++
				}
			}
		}
		if got := Agree(a, b); got.Same != same || got.Other != other || got.Tied != tied {
			t.Fatalf("%v and %v: %+v, want %d %d %d", a, b, got, same, other, tied)
		}
	}
}

// The values of nDCG are those of sklearn.metrics.ndcg_score.
func TestRecallAndNDCG(t *testing.T) {
	right := func(list ...int) []bool {
		all := make([]bool, len(list))
		for i, v := range list {
			all[i] = v == 1
		}
		return all
	}
	for _, c := range []struct {
		order        []int
		right        []bool
		k            int
		recall, ndcg float64
	}{
		{[]int{0, 1, 2, 3, 4}, right(1, 0, 1, 0, 0), 5, 1, 0.9197207891481877},
		{[]int{4, 2, 0, 1, 3}, right(1, 0, 1, 0, 0), 3, 1, 0.6934264036172708},
		{[]int{4, 3, 1, 0, 2}, right(1, 0, 1, 0, 0), 3, 0, 0},
		{[]int{4, 3, 1, 0, 2}, right(1, 0, 1, 0, 0), 5, 1, 0.5012658353418871},
		{[]int{3, 1, 4, 0, 2}, right(1, 1, 1, 1, 0), 2, 0.5, 1},
		{[]int{5, 3, 0, 1, 2, 4}, right(0, 1, 0, 1, 1, 0), 10, 1, 0.6653497124326151},
	} {
		o := inOrder(c.order)
		if got := Recall(o, c.right, c.k); math.Abs(got-c.recall) > 1e-12 {
			t.Errorf("recall of %v at %d: %v, want %v", c.order, c.k, got, c.recall)
		}
		if got := NDCG(o, c.right, c.k); math.Abs(got-c.ndcg) > 1e-12 {
			t.Errorf("nDCG of %v at %d: %v, want %v", c.order, c.k, got, c.ndcg)
		}
	}
	none := make([]bool, 3)
	if r, n := Recall(inOrder([]int{0, 1, 2}), none, 2), NDCG(inOrder([]int{0, 1, 2}), none, 2); !math.IsNaN(r) || !math.IsNaN(n) {
		t.Errorf("no text is right: recall %v, nDCG %v", r, n)
	}
}

// inOrder is an order without equal scores.
func inOrder(texts []int) Order {
	return sharing(texts, func(int, int) bool { return false })
}

// Which of two equal texts stands first in the list changes no measure. The values were
// computed by hand.
func TestMeasuresOfEqualScores(t *testing.T) {
	for _, c := range []struct {
		scores       []float64
		right        []bool
		k            int
		recall, ndcg float64
	}{
		{[]float64{5, 5, 1}, []bool{true, false, false}, 1, 0.5, 0.5},
		{[]float64{5, 5, 1}, []bool{false, true, false}, 1, 0.5, 0.5},
		{[]float64{2, 2, 2, 2}, []bool{false, false, false, true}, 3, 0.75, 0.5327324383928644},
		{[]float64{9, 2, 2, 1}, []bool{true, false, true, false}, 2, 0.75, 0.8065735963827293},
	} {
		o := NewOrder(c.scores)
		if got := Recall(o, c.right, c.k); math.Abs(got-c.recall) > 1e-12 {
			t.Errorf("recall of %v at %d: %v, want %v", c.scores, c.k, got, c.recall)
		}
		if got := NDCG(o, c.right, c.k); math.Abs(got-c.ndcg) > 1e-12 {
			t.Errorf("nDCG of %v at %d: %v, want %v", c.scores, c.k, got, c.ndcg)
		}
	}
}

func TestWriteRankings(t *testing.T) {
	a := RerankResult{Model: library.Model{Name: "one"}, Ranking: []Ranked{{Index: 2, Score: 0.75}, {Index: 0, Score: 0.5}, {Index: 1, Score: -1}}}
	b := RerankResult{Model: library.Model{Name: "two"}, Ranking: []Ranked{{Index: 0, Score: 3}, {Index: 1, Score: 2}, {Index: 2, Score: 1}}}
	if got := a.Order().Places; !slices.Equal(got, []int{1, 2, 0}) {
		t.Errorf("places %v", got)
	}
	if got := a.Scores(); !slices.Equal(got, []float32{0.5, -1, 0.75}) {
		t.Errorf("scores %v", got)
	}
	var out strings.Builder
	if err := WriteRankings(&out, "which?", []string{"a", "b, \"quoted\"", "c\nd"}, nil, []RerankResult{a, b}, nil); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	want := [][]string{
		{"question", "text", "given", "one place", "one score", "two place", "two score"},
		{"which?", "c\nd", "3", "1", "0.75", "3", "1"},
		{"which?", "a", "1", "2", "0.5", "1", "3"},
		{"which?", "b, \"quoted\"", "2", "3", "-1", "2", "2"},
	}
	if err != nil || !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("%q, %v", rows, err)
	}
}
