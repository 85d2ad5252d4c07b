package texts

import (
	"math"
	"slices"
	"testing"
)

func TestEqualScoresShareAPlace(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		scores        []float64
		texts, places []int
	}{
		{[]float64{1, 3, 2}, []int{1, 2, 0}, []int{2, 0, 1}},
		{[]float64{2, 5, 2, 5, 1}, []int{1, 3, 0, 2, 4}, []int{2, 0, 2, 0, 4}},
		{[]float64{7, 7, 7}, []int{0, 1, 2}, []int{0, 0, 0}},
		{[]float64{nan, 1, nan}, []int{1, 0, 2}, []int{1, 0, 1}},
		{nil, []int{}, []int{}},
	} {
		if o := NewOrder(c.scores); !slices.Equal(o.Texts, c.texts) || !slices.Equal(o.Places, c.places) {
			t.Errorf("%v: %+v", c.scores, o)
		}
	}
}

// A text moves no further than its score forces it to.
func TestMoves(t *testing.T) {
	for _, c := range []struct {
		from, to []float64
		want     []int
	}{
		{[]float64{3, 2, 1}, []float64{1, 2, 3}, []int{2, 0, -2}},
		{[]float64{3, 2, 1}, []float64{5, 5, 5}, []int{0, 0, 0}},
		{[]float64{4, 3, 2, 1}, []float64{1, 9, 1, 9}, []int{2, 0, 0, -2}},
		{[]float64{4, 4, 1, 1}, []float64{1, 2, 3, 4}, []int{2, 1, -1, -2}},
	} {
		if got := Moves(NewOrder(c.from), NewOrder(c.to)); !slices.Equal(got, c.want) {
			t.Errorf("from %v to %v: %v, want %v", c.from, c.to, got, c.want)
		}
	}
}

// The same text has the same score, whatever it was read beside.
func TestTheSameTextHasOneScore(t *testing.T) {
	questions, texts := [][]float32{{1, 0}}, [][]float32{{0.5, 0}, {0.25, 0}, {0.5 - 1e-7, 0}}
	o := nearest(questions, texts, []string{"a", "b", "a"})[0]
	if !slices.Equal(o.Places, []int{0, 2, 0}) {
		t.Errorf("places %v", o.Places)
	}
	scores := []float32{0.1, 0.3, 0.100001}
	if evened([]string{"a", "b", "a"}, scores); scores[2] != scores[0] {
		t.Errorf("scores %v", scores)
	}
}
