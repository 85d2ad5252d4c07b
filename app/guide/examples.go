package guide

import "strings"

// Examples takes the models out that the tiny guide names as examples in what it writes. It knows
// them from its training and knows no computer; the window says below its answer which one is
// recommended for this one, and two names would be two recommendations.
type Examples struct {
	held string // what may be the beginning of such words
}

// examplesBegin are the words with which the guide goes over to names. They end with the sentence.
var examplesBegin = []string{", for example Qwen", ", and take for example Qwen"}

// Take returns what there is to show of more text; whole: nothing follows.
func (e *Examples) Take(text string, whole bool) string {
	e.held += text
	var shown strings.Builder
	for e.held != "" {
		at, begun := exampleIn(e.held)
		shown.WriteString(e.held[:at])
		e.held = e.held[at:]
		end := sentenceEnd(e.held)
		switch {
		case !begun && whole:
			shown.WriteString(e.held)
			e.held = ""
		case begun && end >= 0:
			e.held = e.held[end:]
		case begun && whole:
			shown.WriteByte('.')
			e.held = ""
		default:
			return shown.String()
		}
	}
	return shown.String()
}

// exampleIn returns where examples begin, or where more text may make a beginning of it; without
// either, the end.
func exampleIn(text string) (at int, begun bool) {
	for i := range len(text) {
		for _, words := range examplesBegin {
			switch rest := text[i:]; {
			case strings.HasPrefix(rest, words):
				return i, true
			case strings.HasPrefix(words, rest):
				return i, false
			}
		}
	}
	return len(text), false
}

// sentenceEnd returns where the full stop is that ends a sentence before more text; -1: none does
// yet. One between digits ends none.
func sentenceEnd(text string) int {
	at := -1
	for _, end := range []string{". ", ".\n"} {
		if i := strings.Index(text, end); i >= 0 && (at < 0 || i < at) {
			at = i
		}
	}
	return at
}
