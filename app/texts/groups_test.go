package texts

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// around returns vectors of length 1 near some axes, in turn.
func around(n, axes, d int, spread float64, seed uint64) [][]float32 {
	r := rand.New(rand.NewPCG(seed, 1))
	list := make([][]float32, n)
	for i := range list {
		list[i] = make([]float32, d)
		for k := range list[i] {
			list[i][k] = float32(r.NormFloat64() * spread)
		}
		list[i][i%axes]++
	}
	return normalized(list)
}

// Texts about different things fall into as many groups as there are things, also where there
// are more of them than are joined one by one.
func TestGroups(t *testing.T) {
	for _, c := range []struct{ n, axes int }{{8, 2}, {30, 3}, {300, 5}, {2500, 4}} {
		g := GroupsOf(around(c.n, c.axes, 24, 0.08, 7), 0)
		if g.Count != c.axes {
			t.Errorf("%d texts about %d things: %d groups", c.n, c.axes, g.Count)
			continue
		}
		for i := range c.n {
			if g.Of[i] != g.Of[i%c.axes] {
				t.Errorf("%d texts: text %d is in group %d, its like in %d", c.n, i, g.Of[i], g.Of[i%c.axes])
				break
			}
		}
		if !slices.IsSortedFunc(g.Order, func(a, b int) int { return g.Of[a] - g.Of[b] }) || !isPermutation(g.Order, c.n) {
			t.Errorf("%d texts: the order is not group after group", c.n)
		}
	}
}

func isPermutation(list []int, n int) bool {
	sorted := slices.Sorted(slices.Values(list))
	for i, v := range sorted {
		if v != i {
			return false
		}
	}
	return len(sorted) == n
}

// Many texts that are much alike are parted all the same, and it is said that these groups are not clearly apart.
func TestLooseGroups(t *testing.T) {
	loose := GroupsOf(around(60, 4, 120, 0.25, 5), 0)
	if loose.Count < 2 || !loose.Loose {
		t.Errorf("%d groups, loose %v", loose.Count, loose.Loose)
	}
	if clear := GroupsOf(around(60, 4, 24, 0.08, 5), 0); clear.Count != 4 || clear.Loose {
		t.Errorf("%d groups, loose %v", clear.Count, clear.Loose)
	}
}

// What is all alike, or all different, falls into no groups; neither do a few texts, zeros and equal ones.
func TestNoGroups(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	noise := make([][]float32, 60)
	for i := range noise {
		noise[i] = make([]float32, 200)
		for k := range noise[i] {
			noise[i][k] = float32(r.NormFloat64())
		}
	}
	same := make([][]float32, 20)
	for i := range same {
		same[i] = []float32{1, 0}
	}
	zeros := make([][]float32, 9)
	for i := range zeros {
		zeros[i] = []float32{0, 0, 0}
	}
	for name, list := range map[string][][]float32{"noise": normalized(noise), "same": same, "zeros": zeros, "three": around(3, 3, 5, 0, 1), "none": nil} {
		if g := GroupsOf(list, 0); g.Count != 0 || g.Of != nil || g.Order != nil {
			t.Errorf("%s: %+v", name, g)
		}
	}
}

// Joins give the heights that the definition of Ward's method gives, computed from the points.
func TestWard(t *testing.T) {
	vectors := around(40, 5, 9, 0.3, 11)
	n := len(vectors)
	joins := ward(distances(vectors, sampled(n, n)), n)
	if len(joins) != n-1 {
		t.Fatalf("%d joins", len(joins))
	}
	groups := make([][]int, n)
	for i := range groups {
		groups[i] = []int{i}
	}
	at := make([]int, n) // the group of each point
	for i := range at {
		at[i] = i
	}
	for k, j := range joins {
		a, b := at[j.a], at[j.b]
		// twice the growth of the sum of squares that joining the two takes
		want := 2 * float64(len(groups[a])*len(groups[b])) / float64(len(groups[a])+len(groups[b])) * between(vectors, groups[a], groups[b])
		if math.Abs(want-j.height) > 1e-5 {
			t.Fatalf("join %d has the height %v, want %v", k, j.height, want)
		}
		groups[a] = append(groups[a], groups[b]...)
		for _, i := range groups[b] {
			at[i] = a
		}
		groups[b] = nil
	}
}

// between is the squared distance of the means of two groups.
func between(vectors [][]float32, a, b []int) (total float64) {
	mean := func(list []int, k int) (m float64) {
		for _, i := range list {
			m += float64(vectors[i][k]) / float64(len(list))
		}
		return m
	}
	for k := range vectors[0] {
		d := mean(a, k) - mean(b, k)
		total += d * d
	}
	return total
}

// A person can ask for another number of groups than the one that parts best: those are parted further, or
// joined. More than there can be are none.
func TestGroupsAskedFor(t *testing.T) {
	vectors := around(40, 4, 9, 0.2, 3)
	best := GroupsOf(vectors, 0)
	for number := 2; number <= MostGroups(len(vectors)); number++ {
		g := GroupsOf(vectors, number)
		if g.Count != number || len(g.Order) != len(vectors) || slices.Max(g.Of) != number-1 {
			t.Fatalf("asked for %d: %+v", number, g)
		}
		if number == best.Count && !slices.Equal(g.Of, best.Of) {
			t.Errorf("%d groups are others than the best %d", number, best.Count)
		}
	}
	if g := GroupsOf(vectors, MostGroups(len(vectors))+1); g.Count != 0 {
		t.Errorf("too many: %+v", g)
	}
}
