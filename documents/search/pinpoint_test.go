package search

import (
	"context"
	"testing"

	"inglenook/documents/support"
)

// A sentence with the meaning of a question comes before one with a single word of it.
func TestPinpoint(t *testing.T) {
	e := embedder{synonyms: map[string]string{"leave": "vacation", "paid": "vacation", "employee": "workers"}}
	passages := []string{
		"Hours. Every employee has 28 days of paid leave. Unused days lapse.",
		"",
		"The gate is green. The workers paint it on vacation days.",
	}
	best, err := Pinpoint(context.Background(), "vacation of workers in days", passages, support.Vectors(e.EmbedPassages).Similar)
	must(t, err)
	for i, want := range []string{"Every employee has 28 days of paid leave.", "", "The workers paint it on vacation days."} {
		if got := passages[i][best[i].Start:best[i].End]; got != want {
			t.Errorf("of %q the best sentence is %q", passages[i], got)
		}
	}
	if _, err := Pinpoint(context.Background(), "  ", passages, nil); err != ErrEmpty {
		t.Errorf("without a question the error is %v", err)
	}
}
