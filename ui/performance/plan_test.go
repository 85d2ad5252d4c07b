package performance

import (
	"strings"
	"testing"

	"inglenook/app/library"
	"inglenook/ui/uitest"
)

// What is measured is told in words before it is measured, and follows the choices.
func TestDoesInWords(t *testing.T) {
	for _, c := range []struct {
		kind     string
		length   int
		thorough bool
		want     string
	}{
		{library.KindChat, 4096, false, "The model reads a text of about 96 words and writes about 24 words, in each way at least 6 times."},
		{library.KindChat, 4096, true, "The model reads a text of about 380 words and writes about 96 words, in each way at least 10 times."},
		{library.KindEmbedding, 256, false, "The model reads 32 short texts, in each way at least 5 times."},
		{library.KindReranker, 512, true, "The model ranks 256 short texts for a question, in each way at least 9 times."},
		{"", 0, false, ""},
	} {
		if got := doesInWords(library.Model{Kind: c.kind, MaxLength: c.length, Usable: true}, c.thorough); got != c.want {
			t.Errorf("%s: %q, want %q", c.kind, got, c.want)
		}
	}
	p := inPerformance(t, uitest.NewApp()).performance()
	before := p.plan.does.Segment.Text
	p.plan.effort.Pick(1)
	if after := p.plan.does.Segment.Text; after == before || !strings.Contains(after, "9 times") && !strings.Contains(after, "10 times") {
		t.Errorf("of a thorough measurement is said %q, of a quick one %q", after, before)
	}
}
