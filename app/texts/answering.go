package texts

import "inglenook/documents/search"

// longestMarked is the size in bytes of the longest text in which words are looked for: it is done while a row is drawn.
const longestMarked = 64 << 10

// Answering is where the sentence of a text begins that answers a question best by its words, and the bytes at which
// words of the question are. Of a text without one, or a very long one, it is the beginning.
func Answering(question, text string) (from int, words [][2]int) {
	if len(text) > longestMarked {
		return 0, nil
	}
	best, matches := search.Answering(question, text)
	for _, m := range matches {
		words = append(words, [2]int{m.Start, m.End})
	}
	if len(words) == 0 {
		return 0, nil
	}
	return best.Start, words
}
