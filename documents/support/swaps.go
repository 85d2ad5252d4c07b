package support

import (
	"slices"
	"strings"

	"inglenook/documents/words"
)

// One word in the place of another of the same kind leaves a sentence as it is around it:
// "too much salt" where the passage says "too much pepper". With the passage's own word the
// claim is much nearer to the passage; where both words mean the same, it is hardly nearer.
// Words are compared that stand in the same place, and those that are akin. docs/QUALITY.md
// has what the limits were chosen on.
const (
	inPlace      = 0.75 // how much of what stands around is the same, by beside
	nearer       = 0.06 // how much nearer the claim is with the passage's word
	firmlyPlaced = 1.25 // these two where the passage has the claim's word elsewhere
	muchNearer   = 0.1
	akin         = 0.45 // words as similar as this are compared wherever they stand
	nearerAkin   = 0.08
	mostSwaps    = 32 // of each of both sorts, so that no text takes long
)

// A swap is a word of a claim and a word of a window that it may stand for.
type swap struct {
	term
	own   string
	least float64 // how much nearer the claim has to be with the window's word
}

// swapsInPlace finds the words of a claim that a window lacks, with those that stand in their
// place.
func (j *judge) swapsInPlace(c *claim, w *window) (list []swap) {
	text := c.reading.text
	said := placesOf(text)
	var there [][]place
	for _, s := range w.sentences {
		there = append(there, placesOf(s.text))
	}
	for _, t := range c.terms {
		word := strings.ToLower(text[t.Start:t.End])
		if w.stems[t.stem] || j.question.stems[t.stem] || saysLittle(word) {
			continue
		}
		least, enough := inPlace, nearer
		if hasName(t.stem, w.page.stems) {
			least, enough = firmlyPlaced, muchNearer
		}
		for k, s := range w.sentences {
			for _, u := range s.terms {
				own := s.text[u.Start:u.End]
				known := slices.ContainsFunc(said, func(p place) bool { return p.stem == u.stem })
				if !known && !saysLittle(strings.ToLower(own)) && beside(said, t.Start, there[k], u.Start) >= least {
					list = append(list, swap{t, own, enough})
				}
				if len(list) == mostSwaps {
					return list
				}
			}
		}
	}
	return list
}

// swapsAkin are the strange words of a suspicion with the words of the window that are akin,
// by the similarities of the strange words with the window and its words.
func (s suspicion) swapsAkin(similar [][]float64) (list []swap) {
	for i, t := range s.strange {
		for k, own := range s.own {
			if finite(similar[i][1+k]) >= akin && !saysLittle(strings.ToLower(own)) && len(list) < mostSwaps {
				list = append(list, swap{t, own, nearerAkin})
			}
		}
	}
	return list
}

// saysLittle reports whether a word denies, or has so wide a sense that it stands for many.
func saysLittle(word string) bool { return denials[word] || lists["plain"][word] }

// undone are the texts of a claim with each of its swaps undone.
func (s suspicion) undone() (texts []string) {
	text := s.claim.reading.text
	before := strings.TrimSuffix(s.claim.meant, text)
	for _, w := range s.swaps {
		texts = append(texts, before+text[:w.Start]+w.own+text[w.End:])
	}
	return texts
}

// swapped returns the word that stands for another one of the window, by how similar the window
// is to the claim and to the claim with each swap undone; "" if none does.
func (s suspicion) swapped(claim float64, undone []float64) string {
	for i, w := range s.swaps {
		if finite(undone[i])-finite(claim) >= w.least {
			return s.claim.reading.text[w.Start:w.End]
		}
	}
	return ""
}

// A place is a word of a text where it stands.
type place struct {
	Span
	stem string
	says bool // it is no frequent word
}

func placesOf(text string) (list []place) {
	for _, s := range tokensOf(text) {
		word := strings.ToLower(text[s.Start:s.End])
		list = append(list, place{s, words.Stem(word), !words.Frequent(word)})
	}
	return list
}

// around is how far from a word its neighbours are compared.
const around = 3

// beside tells how much of what stands around a word of one text stands around a word of
// another: 1 for the word next to it, 0.5 if that is a frequent one, half as much for the two
// behind that.
func beside(a []place, at int, b []place, other int) (sum float64) {
	i, k := placeAt(a, at), placeAt(b, other)
	for d := -around; d <= around; d++ {
		x, y := i+d, k+d
		if d == 0 || x < 0 || y < 0 || x >= len(a) || y >= len(b) || a[x].stem != b[y].stem {
			continue
		}
		share := 1.0
		if !a[x].says {
			share = 0.5
		}
		if d < -1 || d > 1 {
			share /= 2
		}
		sum += share
	}
	return sum
}

func placeAt(list []place, start int) int {
	return slices.IndexFunc(list, func(p place) bool { return p.Start <= start && start < p.End })
}
