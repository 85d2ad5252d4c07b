package measure

const (
	// othersMatter is the part of the processors from which on what other programs took makes
	// speeds doubtful.
	othersMatter = 0.1

	// unsteadyFrom is the difference of repetitions, as a part of the median, from which on a
	// speed is unsteady.
	unsteadyFrom = 0.5
)

// Unsteady reports whether the repetitions lie so far apart that the speed says little.
func (m Measure) Unsteady() bool { return 2*m.Spread() >= unsteadyFrom }

// Doubt returns why the speeds of one kind of work may be wrong: the part of the processors that
// other programs took, and the range of the repetitions as a part of the median, each as the most
// of all rows; 0 where it is too little to matter. Emulated rows are not judged by their range.
func Doubt(rows []Row, work string) (others, spread float64) {
	for _, r := range rows {
		if r.Others > othersMatter {
			others = max(others, r.Others)
		}
		if m, ok := r.Measure(work); ok && !r.Emulated && m.Unsteady() {
			spread = max(spread, 2*m.Spread())
		}
	}
	return others, spread
}
