package guide

import (
	"slices"
	"strings"
)

// leastBegun is how many bytes of a learned answer the model has to write until the answer is recognized.
const leastBegun = 24

// Writing is what the model writes. Where it begins one of the answers that it learned, the one that is true
// now is shown in its place; everything else is shown as it is written.
type Writing struct {
	held  string // what may be the beginning of a learned answer
	free  bool   // the text is no learned answer
	known bool   // it is one, and the one that is true now was shown

	examples Examples // that it names elsewhere
}

// Take returns what there is to show of more text; whole: nothing follows.
func (w *Writing) Take(text string, whole bool) string {
	switch {
	case w.known:
		return ""
	case w.free:
		return w.examples.Take(text, whole)
	}
	w.held += text
	begun := strings.TrimLeft(w.held, " \n")
	might := slices.DeleteFunc(slices.Clone(all().topics), func(t topic) bool {
		return t.learned == "" || !strings.HasPrefix(t.learned, begun)
	})
	switch {
	case len(might) == 1 && (len(begun) >= min(leastBegun, len(might[0].learned)) || whole && begun != ""):
		w.known = true
		return might[0].answer
	case len(might) == 0 || whole:
		w.free = true
		return w.examples.Take(w.held, whole)
	}
	return ""
}
