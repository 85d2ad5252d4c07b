package search

import (
	"hash/fnv"
	"slices"

	"inglenook/documents/store"
	"inglenook/documents/words"
)

// A copy of a file that was written again has nearly the passages of the first one, though its bytes are others:
// they are one result. Two versions of a text are none: what differs between them may be what is asked for.

// alikeShare is the share of the shorter of two passages that is word for word in the other one.
const alikeShare = 0.8

// A sentence of a passage, as two are compared: by its words alone.
type sentence struct {
	hash  uint64
	bytes int
}

// sentencesFor are the sentences of a passage; nil where it has none, as rows of a table.
func sentencesFor(r Result) (list []sentence) {
	if slices.Contains(inLines, r.Files[0].Format) {
		return nil
	}
	for _, s := range Sentences(r.Text) {
		h, n := fnv.New64a(), 0
		for _, w := range words.Split(r.Text[s.Start:s.End]) {
			_, _ = h.Write([]byte(w + " "))
			n += len(w)
		}
		if n > 0 {
			list = append(list, sentence{h.Sum64(), n})
		}
	}
	return list
}

// alike reports whether two passages are one text: a run of sentences makes up nearly all of the shorter one, and
// at neither end do both go on, each in its own way.
func alike(a, b []sentence) bool {
	fromA, fromB, n := longestRun(a, b)
	if n == 0 || fromA > 0 && fromB > 0 || fromA+n < len(a) && fromB+n < len(b) {
		return false
	}
	return float64(bytesOf(a[fromA:fromA+n])) >= alikeShare*float64(min(bytesOf(a), bytesOf(b)))
}

func bytesOf(list []sentence) (n int) {
	for _, s := range list {
		n += s.bytes
	}
	return n
}

// longestRun is the longest run of sentences that two passages share: where it begins in each, and how many it has.
func longestRun(a, b []sentence) (fromA, fromB, n int) {
	for i := range a {
		for k := range b {
			if len(a)-i <= n {
				return fromA, fromB, n
			}
			run := 0
			for i+run < len(a) && k+run < len(b) && a[i+run].hash == b[k+run].hash {
				run++
			}
			if run > n {
				fromA, fromB, n = i, k, run
			}
		}
	}
	return fromA, fromB, n
}

// meets notes that another passage with the text of this one was found too. Of two files with all of the text the
// one that is not a copy is shown.
func (r *Result) meets(other Result, whole bool) {
	r.Copies++
	all := slices.Concat(r.Files, other.Files, r.Twins)
	if whole && IsCopy(r.Files[0].Path) && !IsCopy(other.Files[0].Path) {
		r.Passage, r.Collection = other.Passage, other.Collection
	}
	r.Twins = nil
	for _, f := range all {
		named := func(x store.File) bool { return x.Path == f.Path }
		if !slices.ContainsFunc(r.Files, named) && !slices.ContainsFunc(r.Twins, named) {
			r.Twins = append(r.Twins, f)
		}
	}
}

// together reports whether a file has both passages.
func together(a, b Result) bool {
	return slices.ContainsFunc(a.Files, func(f store.File) bool {
		return slices.ContainsFunc(b.Files, func(g store.File) bool { return f.Path == g.Path })
	})
}
