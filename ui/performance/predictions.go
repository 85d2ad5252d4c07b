package performance

import (
	"slices"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/measure"
)

// predictions are predictions by their place.
type predictions map[devices.Target][]fit.Prediction

// of returns the prediction for a kind of work; 0: none.
func (f predictions) of(p devices.Target, work string) float64 {
	for _, g := range f[p] {
		if g.Work == work {
			return g.Value
		}
	}
	return 0
}

// rough reports whether a place was predicted from processors that other programs kept busy: then it can
// be off by any factor.
func (f predictions) rough(p devices.Target) bool {
	return slices.ContainsFunc(f[p], func(g fit.Prediction) bool { return g.Busy })
}

// first returns a prediction of a kind of work in one of the places of rows.
func (f predictions) first(rows []measure.Row, work string) (fit.Prediction, bool) {
	for _, r := range rows {
		for _, g := range f[r.Target] {
			if g.Work == work && g.Value > 0 {
				return g, true
			}
		}
	}
	return fit.Prediction{}, false
}

// fewerThreads reports whether two places differ in the number of threads alone, of which few has
// less.
func fewerThreads(few, many devices.Target) bool {
	like := many
	like.Threads = few.Threads
	return like == few && few.Threads < many.Threads
}

// fewerThreadsWin reports whether a place is predicted slower than the same one with fewer threads.
func (f predictions) fewerThreadsWin() bool {
	for few, list := range f {
		for many := range f {
			if !fewerThreads(few, many) || f.rough(few) || f.rough(many) {
				continue
			}
			slower := func(g fit.Prediction) bool {
				more := f.of(many, g.Work)
				return more > 0 && g.Unit != fit.UnitMilliseconds && more < g.Value
			}
			if slices.ContainsFunc(list, slower) {
				return true
			}
		}
	}
	return false
}
