package search

import "slices"

// withoutOverlaps drops passages whose best sentence is that of a better one: where two overlap, both have it, and it
// would be listed twice.
func withoutOverlaps(results []Result) []Result {
	var kept []Result
	for _, r := range results {
		if !slices.ContainsFunc(kept, func(k Result) bool { return k.SameSentence(r) }) {
			kept = append(kept, r)
		}
	}
	return kept
}

// SameSentence reports whether the best sentences of two passages, which words of the question or the meaning chose,
// are one sentence of one file.
func (r Result) SameSentence(other Result) bool {
	return r.Collection == other.Collection && r.Start+r.Best.Start == other.Start+other.Best.Start && r.best() != "" && r.best() == other.best() &&
		r.says() && other.says() && together(r, other)
}

func (r Result) best() string { return r.Text[r.Best.Start:r.Best.End] }

// says reports whether a best sentence is more than the first one of its passage.
func (r Result) says() bool {
	return r.Pinpointed || slices.ContainsFunc(r.Matches, func(m Span) bool { return m.Start >= r.Best.Start && m.End <= r.Best.End })
}
