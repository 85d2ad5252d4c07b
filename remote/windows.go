package remote

import (
	"errors"
	"math"
	"strings"
	"unicode"
)

// leastRoom is how many tokens a part of a document has at least.
const leastRoom = 16

// errTooLong is the cause of an error about a text that a model there cannot read as a whole.
var errTooLong = errors.New("a text is too long")

// isTooLong reports whether a server refuses a text for its length. These are words of
// llama-server and of vLLM.
func isTooLong(why string) bool {
	for _, said := range []string{"too large to process", "larger than the max context size", "maximum context length"} {
		if strings.Contains(why, said) {
			return true
		}
	}
	return false
}

// windows cuts a text into parts of at most room tokens by the estimate. They overlap by a
// quarter, and begin and end between words if these are short.
func windows(text string, room int) (parts []string) {
	if countTokens(text) <= room {
		return []string{text}
	}
	at := steps(text)
	last := len(at) - 1
	upTo := make([]int, len(at)) // tokens before each step, without those of the ends
	for i := range last {
		upTo[i+1] = upTo[i] + countTokens(text[at[i]:at[i+1]]) - endTokens
	}
	tokens := func(from, to int) int { return upTo[to] - upTo[from] + endTokens }
	for from := 0; ; {
		to := from + 1
		for to < last && tokens(from, to+1) <= room {
			to++
		}
		parts = append(parts, strings.TrimSpace(text[at[from]:at[to]]))
		if to == last {
			return parts
		}
		next := to
		for next > from+1 && tokens(next-1, to) <= room/4 {
			next--
		}
		from = next
	}
}

// steps returns where a text may be cut: where words begin, in long ones after some
// letters, and at both ends.
func steps(text string) (at []int) {
	at = append(at, 0)
	space := true
	for i, r := range text {
		now := unicode.IsSpace(r)
		if i > 0 && (space && !now || i-at[len(at)-1] >= 4*lettersEach) {
			at = append(at, i)
		}
		space = now
	}
	return append(at, len(text))
}

// finerThan returns how many tokens a model has for one that is estimated, at least 1.
func finerThan(tokens int, texts []string) float64 {
	n := 0
	for _, t := range texts {
		n += countTokens(t)
	}
	return max(1, float64(tokens)/float64(max(1, n)))
}

// roomFor is how many estimated tokens a document may have beside a query, where a model sees
// so many at once.
func roomFor(query string, context int, finer float64) int {
	const ends = 4 // of the query and the document
	if context <= 0 {
		return math.MaxInt
	}
	return max(leastRoom, int(float64(context-ends)/finer)-countTokens(query))
}
