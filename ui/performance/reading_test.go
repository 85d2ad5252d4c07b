package performance

import (
	"testing"

	"inglenook/app/fit"
)

// TestInRelation holds what is said of speeds beside what people know.
func TestInRelation(t *testing.T) {
	for _, c := range []struct {
		work  string
		speed float64
		want  string
	}{
		{fit.WorkGenerate, 0.5, " That is slower than people read."},
		{fit.WorkGenerate, 2, " That is about half as fast as people read."},
		{fit.WorkGenerate, 2.8, " That is slower than people read."},
		{fit.WorkGenerate, 4, " That is about as fast as people read."},
		{fit.WorkGenerate, 12, " That is 3 times as fast as people read."},
		{fit.WorkEmbed, 2, ""},
		{fit.WorkEmbed, 6, " That is about 1 page of a book a second."},
		{fit.WorkEmbed, 120, " That is about 21 pages of a book a second."},
		{fit.WorkRerank, 120, ""},
	} {
		if got := deedOf(c.work).inRelation(c.speed); got != c.want {
			t.Errorf("%s at %g: %q, want %q", c.work, c.speed, got, c.want)
		}
	}
}
