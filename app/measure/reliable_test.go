package measure

import (
	"testing"

	"inglenook/app/fit"
)

// A speed is doubtful where other programs took much of the processors, or its repetitions differ
// much; a little of both is usual.
func TestDoubt(t *testing.T) {
	row := func(others, least, most float64) Row {
		return Row{Others: others, Measures: []Measure{{Work: fit.WorkEmbed, Median: 10, Least: least, Most: most}}}
	}
	emulated := row(0, 1, 20)
	emulated.Emulated = true
	for _, c := range []struct {
		rows           []Row
		others, spread float64
	}{
		{nil, 0, 0},
		{[]Row{row(0.1, 9, 11), row(-1, 9, 11), emulated}, 0, 0},
		{[]Row{row(0.2, 9, 11), row(0.4, 9, 11)}, 0.4, 0},
		{[]Row{row(0, 7, 12), row(0, 9, 11)}, 0, 0.5},
	} {
		if others, spread := Doubt(c.rows, fit.WorkEmbed); others != c.others || spread != c.spread {
			t.Errorf("%g and %g of %+v, want %g and %g", others, spread, c.rows, c.others, c.spread)
		}
	}
	if _, spread := Doubt([]Row{row(0, 1, 20)}, fit.WorkRerank); spread != 0 {
		t.Errorf("work that was not measured varied by %g", spread)
	}
}
