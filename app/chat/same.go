package chat

import (
	"slices"
	"strings"

	"inglenook/documents/chunk"
	"inglenook/documents/search"
	"inglenook/documents/words"
)

// sameShare is the part of a passage's sentences from which on it says the same as another one that has
// them: neighbours in a file share a sentence or two, and versions of a file most of them.
const sameShare = 0.6

// repeated returns the passage of a list that says what another one says; -1: none does.
func repeated(list []Part, p Part) int {
	sentences := sentencesOf(p.Text)
	return slices.IndexFunc(list, func(q Part) bool {
		known := map[string]bool{}
		for _, s := range sentencesOf(q.Text) {
			known[s] = true
		}
		same := 0
		for _, s := range sentences {
			if known[s] {
				same++
			}
		}
		return len(sentences) > 0 && float64(same) >= sameShare*float64(len(sentences))
	})
}

// sentencesOf are the sentences and lines of a text, by their words alone.
func sentencesOf(text string) (list []string) {
	for _, sentence := range chunk.Sentences(text) {
		if s := strings.Join(words.Split(sentence), " "); s != "" {
			list = append(list, s)
		}
	}
	return list
}

// isCopyOf reports whether a passage is from a copy, by its name, of the file that another one is from.
func isCopyOf(p, original Part) bool {
	from, _ := SourceOf(p)
	other, _ := SourceOf(original)
	return search.IsCopy(from.Path) && !search.IsCopy(other.Path)
}
