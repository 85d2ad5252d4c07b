package rerank

import (
	"strings"
	"testing"

	"inglenook/ui/uitest"
)

// The row of a long text begins where it answers, and the words of the question stand out in it; the text in full has
// them too.
func TestRowShowsWhatAnswers(t *testing.T) {
	long := strings.Repeat("Nothing of that is said here. ", 10) + "The cat is\nfed at noon. " + strings.Repeat("And so on it goes. ", 50)
	s := shownOf("When is the cat fed?", long)
	if !strings.HasPrefix(s.text, "… The cat is fed at noon.") || len(s.text) > rowBytes+len("… ") {
		t.Errorf("a row begins %q", s.text[:min(40, len(s.text))])
	}
	var words []string
	for _, w := range s.words {
		words = append(words, s.text[w[0]:w[1]])
	}
	if got := strings.Join(words, " "); got != "cat fed" {
		t.Errorf("%q stands out", got)
	}
	for _, text := range []string{"A cat.", "", "Ein kurzer Text über Hunde, dann der cat."} {
		if s := shownOf("cat", text); s.text != text {
			t.Errorf("of %q is shown %q", text, s.text)
		}
	}
	b := entered(t, uitest.NewApp(), "cat", "dog", long)
	b.ranked(t)
	b.panel.pickResult(1)
	if got := b.panel.results.marked.String(); got != long || len(b.panel.results.marked.Segments) < 3 {
		t.Errorf("in full view is %q", got[:min(40, len(got))])
	}
}
