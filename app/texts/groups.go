package texts

import (
	"cmp"
	"math"
	"slices"

	"inglenook/vecmath"
)

const (
	// mostLinked is how many texts are joined one by one; of more, as many samples are, and
	// the others go to the nearest group.
	mostLinked = 1000
	// mostGroups is how many groups are looked for at most.
	mostGroups = 8
	// mostAsked is how many a person can ask for.
	mostAsked = 30
	// leastApart is the mean silhouette from which groups are worth showing.
	leastApart = 0.04
	// leastLoose is that of many texts from which on groups are shown that are not clearly apart: mails of one
	// office are all much alike, and still are about different things.
	leastLoose = 0.02
	// manyForLoose is how many texts that takes; of fewer, chance alone parts as much.
	manyForLoose = 20
	// LeastGrouped is the number of texts from which there are groups.
	LeastGrouped = 4
)

// Groups are texts that belong together.
type Groups struct {
	Of    []int // the group of each text, from 0 for the largest
	Order []int // all texts, group after group, those that resemble one another side by side
	Count int   // 0: the texts fall into no groups
	Loose bool  // they are not clearly apart

	Words  [][]string // of each group, those that stand for it; nil: [Groups.WithWords] was not asked for them
	Names  []string   // that a person gave; "": none. See [Groups.Name]
	Colors []int      // see [Groups.Color]
}

// GroupsOf finds groups among vectors [n, d] of length 1: the nearest are joined first, by
// Ward's method ("Hierarchical grouping to optimize an objective function", 1963), until so many
// groups remain; 0: as many as part best by their mean silhouette.
func GroupsOf(vectors [][]float32, number int) Groups {
	n := len(vectors)
	if n < LeastGrouped || number > MostGroups(n) {
		return Groups{}
	}
	taken := sampled(n, mostLinked)
	apart := distances(vectors, taken)
	joins := ward(slices.Clone(apart), len(taken))
	var label []int
	count, part := number, 0.0
	if number > 0 {
		label = cut(joins, len(taken), number)
		part = silhouette(apart, label, number)
	} else {
		label, count, part = cutBest(joins, apart, len(taken))
	}
	if count < 2 {
		return Groups{}
	}
	of := make([]int, n)
	for i := range of {
		of[i] = -1
	}
	for k, text := range taken {
		of[text] = label[k]
	}
	if len(taken) < n {
		assign(vectors, of, count)
	}
	g := named(of, unite(joins, len(taken))[0], taken, count)
	g.Loose = part <= leastApart
	return g
}

// sampled returns at most so many of n indices, evenly spread.
func sampled(n, most int) []int {
	if n <= most {
		most = n
	}
	list := make([]int, most)
	for k := range list {
		list[k] = k * n / most
	}
	return list
}

// distances returns the squared distances of the taken vectors, [m, m].
func distances(vectors [][]float32, taken []int) []float64 {
	m := len(taken)
	d := make([]float64, m*m)
	for i := range m {
		for j := range i {
			v := max(0, 2-2*vecmath.Dot(vectors[taken[i]], vectors[taken[j]]))
			d[i*m+j], d[j*m+i] = v, v
		}
	}
	return d
}

// join is two groups that became one; a goes on as the name of it.
type join struct {
	a, b   int
	height float64
}

// ward joins n points until one group remains, along chains of nearest neighbours. d are
// their squared distances, which it overwrites. Joins come by ascending height.
func ward(d []float64, n int) []join {
	size := make([]float64, n)
	for i := range size {
		size[i] = 1
	}
	var joins []join
	var chain []int
	for len(joins) < n-1 {
		if len(chain) == 0 {
			chain = append(chain, slices.IndexFunc(size, func(s float64) bool { return s > 0 }))
		}
		a := chain[len(chain)-1]
		b, nearest := -1, math.Inf(1)
		if len(chain) > 1 { // the one before wins a tie, so that every chain ends
			b = chain[len(chain)-2]
			nearest = d[a*n+b]
		}
		for k := range n {
			if k != a && size[k] > 0 && d[a*n+k] < nearest {
				b, nearest = k, d[a*n+k]
			}
		}
		if len(chain) < 2 || b != chain[len(chain)-2] {
			chain = append(chain, b)
			continue
		}
		chain = chain[:len(chain)-2]
		joins = append(joins, join{a, b, nearest})
		for k := range n {
			if k == a || k == b || size[k] == 0 {
				continue
			}
			v := ((size[a]+size[k])*d[a*n+k] + (size[b]+size[k])*d[b*n+k] - size[k]*nearest) / (size[a] + size[b] + size[k])
			d[a*n+k], d[k*n+a] = v, v
		}
		size[a], size[b] = size[a]+size[b], 0
	}
	slices.SortStableFunc(joins, func(x, y join) int { return cmp.Compare(x.height, y.height) })
	return joins
}

// cutBest returns the group of each point where as many groups are left as part best, and by how much; count 0:
// no number of groups parts them.
func cutBest(joins []join, apart []float64, n int) (label []int, count int, best float64) {
	if best = leastApart; n >= manyForLoose {
		best = leastLoose
	}
	for k := 2; k <= min(mostGroups, n/2); k++ {
		of := cut(joins, n, k)
		if s := silhouette(apart, of, k); s > best {
			best, label, count = s, of, k
		}
	}
	return label, count, best
}

// cut returns the group of each point where k groups are left.
func cut(joins []join, n, k int) []int {
	of := make([]int, n)
	for g, members := range unite(joins[:n-k], n) {
		for _, i := range members {
			of[i] = g
		}
	}
	return of
}

// MostGroups is how many groups a person can ask for among n texts; less than 2: none.
func MostGroups(n int) int {
	if n < LeastGrouped {
		return 0
	}
	return min(mostAsked, n/2)
}

// Regrouped returns so many groups of the same texts; 0: as many as part best.
func (r SimilarityResult) Regrouped(number int) Groups {
	return GroupsOf(normalized(besideOneAnother(r.Vectors, r.Pictures)), number).WithWords(r.Texts)
}

// Members are the texts of each group, in the order of all texts.
func (g Groups) Members() [][]int {
	members := make([][]int, g.Count)
	for _, i := range g.Order {
		members[g.Of[i]] = append(members[g.Of[i]], i)
	}
	return members
}

// unite makes the joins: the points of each group that is left, side by side as they met.
func unite(joins []join, n int) [][]int {
	parent, members := make([]int, n), make([][]int, n)
	for i := range n {
		parent[i], members[i] = i, []int{i}
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for _, j := range joins {
		a, b := root(j.a), root(j.b)
		if len(members[b]) > len(members[a]) {
			a, b = b, a
		}
		members[a], members[b] = append(members[a], members[b]...), nil
		parent[b] = a
	}
	return slices.DeleteFunc(members, func(m []int) bool { return m == nil })
}

// silhouette is the mean of (b-a)/max(a,b), where a is how far a point is from the others of its
// group on average and b how far from the nearest other group; a point alone counts as 0.
func silhouette(apart []float64, of []int, count int) float64 {
	n := len(of)
	size := make([]float64, count)
	for _, g := range of {
		size[g]++
	}
	total := 0.0
	sums := make([]float64, count)
	for i := range n {
		clear(sums)
		for j := range n {
			sums[of[j]] += math.Sqrt(apart[i*n+j])
		}
		own := of[i]
		if size[own] < 2 {
			continue
		}
		a, b := sums[own]/(size[own]-1), math.Inf(1)
		for g := range count {
			if g != own {
				b = min(b, sums[g]/size[g])
			}
		}
		if most := max(a, b); most > 0 {
			total += (b - a) / most
		}
	}
	return total / float64(n)
}

// assign puts those that have no group yet into the one whose mean is nearest.
func assign(vectors [][]float32, of []int, count int) {
	means := make([][]float32, count)
	for i, g := range of {
		if g < 0 {
			continue
		}
		if means[g] == nil {
			means[g] = make([]float32, len(vectors[i]))
		}
		for k, v := range vectors[i] {
			means[g][k] += v
		}
	}
	means = normalized(means)
	for i, g := range of {
		if g >= 0 {
			continue
		}
		best := math.Inf(-1)
		for g, mean := range means {
			if v := vecmath.Dot(vectors[i], mean); v > best {
				best, of[i] = v, g
			}
		}
	}
}

// named numbers the groups by their size and orders all texts: the groups one after another,
// within each the linked texts as they met, then the others.
func named(of, order, taken []int, count int) Groups {
	size := make([]int, count)
	for _, g := range of {
		size[g]++
	}
	bySize := make([]int, count)
	for i := range bySize {
		bySize[i] = i
	}
	slices.SortStableFunc(bySize, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	number := make([]int, count)
	for i, g := range bySize {
		number[g] = i
	}
	g := Groups{Of: of, Count: count}
	for i := range of {
		of[i] = number[of[i]]
	}
	linked := make([]bool, len(of))
	for _, k := range order {
		linked[taken[k]] = true
		g.Order = append(g.Order, taken[k])
	}
	for i := range of {
		if !linked[i] {
			g.Order = append(g.Order, i)
		}
	}
	slices.SortStableFunc(g.Order, func(a, b int) int { return cmp.Compare(of[a], of[b]) })
	return g
}
