package measure

import (
	"time"

	"inglenook/app/library"
)

// Expected is about how long measuring a model quickly takes in so many ways. What earlier measurements of
// it took says more than what is usual; list may have those of other models, too.
func Expected(m library.Model, ways int, list []Result) time.Duration {
	for _, p := range list {
		if n := p.Measured(); p.Model == m.ID && !p.Thorough && n > 0 {
			return p.worked() / time.Duration(n) * time.Duration(ways)
		}
	}
	jobs, _ := Jobs(m, false)
	way := opening + time.Duration(len(jobs))*usualJob
	if m.Writes() {
		way += time.Duration(len(jobs)) * usualJob * (writingRounds - 1)
	}
	return way * time.Duration(ways)
}

const (
	opening  = 2 * time.Second         // of a model, once for each way
	usualJob = 2500 * time.Millisecond // as long as its repetitions are to take, and the one before them
)

// worked is how long the ways of a measurement took.
func (p Result) worked() (sum time.Duration) {
	for _, r := range p.Rows {
		if len(r.Measures) > 0 {
			sum += opening
		}
		for _, m := range r.Measures {
			if !m.LessIsBetter() && m.Median > 0 { // the time to the first token is part of another one
				sum += time.Duration(float64((m.Repeats+1)*m.Amount) / m.Median * float64(time.Second))
			}
		}
	}
	return sum
}
