package measure

import (
	"inglenook/app/fit"
	"inglenook/vecmath"
)

// outcome is what work produced: vectors, scores or tokens.
type outcome struct {
	values [][]float32
	ids    []int32
}

func (o outcome) agreement(with outcome) float64 {
	if len(o.ids) > 0 {
		return sameStart(o.ids, with.ids)
	}
	return agreement(o.values, with.values)
}

// reference holds the outcomes of the first row that works, with which those of the
// others are compared.
type reference struct {
	row      *Row
	outcomes map[string]outcome // by the kind of work
	answers  []string           // of a language model, where a server is compared
	plain    bool               // the answers go on with plain texts
}

// compare returns how far an outcome of a row agrees with the reference. The first row's
// own first outcome becomes the reference.
func (f *reference) compare(row *Row, work string, got outcome) float64 {
	if f.row == nil {
		f.row, f.outcomes = row, map[string]outcome{}
	}
	if _, known := f.outcomes[work]; !known && f.row == row {
		f.outcomes[work] = got
	}
	if len(got.ids)+len(got.values) == 0 { // a server writes texts: see answers
		return 1
	}
	return f.outcomes[work].agreement(got)
}

// judge sets the agreement of a row that has ended. A row that failed is no reference.
func (f *reference) judge(row *Row) {
	if f.row == row && row.Failed != "" {
		*f = reference{}
	}
	n := len(row.Measures)
	switch {
	case n == 0 || f.row == row || f.row == nil:
	case !row.Server || row.Measures[0].Work != fit.WorkPrompt:
		row.Agreement, row.Compared = row.Measures[n-1].Agreement, true
	case len(f.answers) > 0 && len(row.answers) == len(f.answers):
		row.Agreement, row.Compared = sameText(f.answers, row.answers), true
	}
}

// keep keeps the answers of the first row that works.
func (f *reference) keep(row *Row) {
	if f.row == row || f.row == nil {
		f.answers = row.answers
	}
}

// Judgement is how the results of a row compare with those of the first one.
type Judgement int

// The judgements, from the best on.
const (
	NotJudged Judgement = iota // the first row itself, or one that produced tokens alone
	Same
	Near // as near as weights in so few bits come
	Different
)

// sameCosine is the cosine from which on two results differ by no more than rounding does.
const sameCosine = 0.9999

// nearCosine is the cosine below which the results of a row are others than those of the
// first: weights in 8 or 4 bits round the model itself, so they may differ by more than
// the same weights on another device.
var nearCosine = map[string]float64{"": 0.999, "q8_0": 0.99, "q4_k": 0.95}

// Judge compares the results of a row with those of the first one. Everything that is
// said of them goes by it. Tokens are not judged: one that differs changes all that follow.
func (r Row) Judge() Judgement {
	near, known := nearCosine[r.Weights]
	if !known {
		near = nearCosine[""]
	}
	switch {
	case !r.Compared || len(r.Measures) == 0 || r.Measures[0].Work == fit.WorkPrompt:
		return NotJudged
	case r.Agreement >= sameCosine:
		return Same
	case r.Agreement >= near:
		return Near
	}
	return Different
}

// agreement returns the smallest cosine between two lists of vectors.
func agreement(a, b [][]float32) float64 {
	worst := 1.0
	for i := range a {
		worst = min(worst, vecmath.Cosine(a[i], b[i]))
	}
	return worst
}

// sameStart returns the share of tokens or letters up to the first that differs.
func sameStart[T comparable](a, b []T) float64 {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return float64(i) / float64(max(len(a), len(b)))
		}
	}
	return float64(n) / float64(max(1, len(a), len(b)))
}
