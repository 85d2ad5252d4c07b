package texts

import (
	"cmp"
	"slices"
	"strings"
)

// What a person does with the groups that were found: each of these returns other groups, and leaves the ones
// before as they are, so that they can be brought back.

// Name is how group k is called: as a person named it, or by the words that stand for it; "": neither is there.
func (g Groups) Name(k int) string {
	if name := g.given(k); name != "" {
		return name
	}
	if k < len(g.Words) {
		return strings.Join(g.Words[k], ", ")
	}
	return ""
}

// given is the name that a person gave group k; "": none.
func (g Groups) given(k int) string {
	if k < len(g.Names) {
		return g.Names[k]
	}
	return ""
}

// Named reports whether a person gave group k a name.
func (g Groups) Named(k int) bool { return g.given(k) != "" }

// named reports whether a person gave any of them one.
func (g Groups) named() bool {
	return slices.ContainsFunc(g.Names, func(name string) bool { return name != "" })
}

// Color is the number of the colour of group k, which it keeps when others change.
func (g Groups) Color(k int) int {
	if k < len(g.Colors) {
		return g.Colors[k]
	}
	return k
}

// Renamed gives group k a name; "": its words are one again.
func (g Groups) Renamed(k int, name string) Groups {
	names := make([]string, g.Count)
	copy(names, g.Names)
	names[k] = strings.TrimSpace(name)
	g.Names = names
	return g
}

// Moved puts some texts into group to. A group that has none left goes. texts are all of them, for the words of
// the groups.
func (g Groups) Moved(some []int, to int, texts []string) Groups {
	of, came := slices.Clone(g.Of), make([]int, len(g.Of)) // 1: it stands behind what was there
	for _, i := range some {
		of[i], came[i] = to, 1
	}
	size := make([]int, g.Count)
	for _, k := range of {
		size[k]++
	}
	out := Groups{Of: of, Order: slices.Clone(g.Order), Loose: g.Loose}
	number := make([]int, g.Count)
	for k := range g.Count {
		if number[k] = out.Count; size[k] == 0 {
			continue
		}
		out.Count++
		out.Names, out.Colors = append(out.Names, g.given(k)), append(out.Colors, g.Color(k))
	}
	for i := range of {
		of[i] = number[of[i]]
	}
	slices.SortStableFunc(out.Order, func(a, b int) int { return cmp.Or(of[a]-of[b], came[a]-came[b]) })
	return out.WithWords(texts)
}

// Like gives groups the colours, and the names that a person gave, of those before that have the most texts in
// common with them, each to one.
func (g Groups) Like(before Groups) Groups {
	if before.Count == 0 || len(before.Of) != len(g.Of) {
		return g
	}
	shared := map[[2]int]int{}
	size := make([]int, before.Count)
	for i, k := range g.Of {
		shared[[2]int{k, before.Of[i]}]++
		size[before.Of[i]]++
	}
	pairs := make([][2]int, 0, len(shared))
	for p := range shared {
		pairs = append(pairs, p)
	}
	slices.SortFunc(pairs, func(a, b [2]int) int {
		if n := shared[b] - shared[a]; n != 0 {
			return n
		}
		return (a[0]-b[0])*before.Count + a[1] - b[1]
	})
	g.Colors, g.Names = slices.Repeat([]int{-1}, g.Count), make([]string, g.Count)
	taken := map[int]bool{}
	for _, p := range pairs {
		color := before.Color(p[1])
		if g.Colors[p[0]] >= 0 || taken[color] {
			continue
		}
		g.Colors[p[0]], taken[color] = color, true
		if 2*shared[p] > size[p[1]] {
			g.Names[p[0]] = before.given(p[1])
		}
	}
	next := 0
	for k := range g.Colors {
		for g.Colors[k] < 0 && taken[next] {
			next++
		}
		if g.Colors[k] < 0 {
			g.Colors[k], taken[next] = next, true
		}
	}
	return g
}

// Are reports whether these can be groups of so many texts, as what was kept may be damaged.
func (g Groups) Are(texts int) bool {
	if g.Count < 1 || len(g.Of) != texts || len(g.Order) != texts || len(g.Names) > g.Count || len(g.Colors) > g.Count {
		return false
	}
	seen, some := make([]bool, texts), make([]bool, g.Count)
	last := 0
	for _, i := range g.Order {
		if i < 0 || i >= texts || seen[i] || g.Of[i] < last || g.Of[i] >= g.Count {
			return false
		}
		seen[i], last = true, g.Of[i]
		some[last] = true
	}
	for _, c := range g.Colors {
		if c < 0 || c > texts {
			return false
		}
	}
	return !slices.Contains(some, false)
}
