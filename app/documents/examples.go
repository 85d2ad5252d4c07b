package documents

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"inglenook/documents/chunk"
	"inglenook/documents/store"
)

// SampleQuestions are questions that the documents that come with the program answer.
func SampleQuestions() []string {
	return []string{"What happens to scanned pages?", "When should garlic be planted?", "Who kept the lamp burning in the snow?"}
}

// How much is looked at for examples.
const (
	mostExamples     = 3
	exampleFiles     = 200 // of a collection
	exampleTries     = 12  // of these
	examplePassages  = 6   // of a file
	longestExample   = 70  // characters
	exampleWordsFrom = 3
	exampleWordsTo   = 12
)

// Examples are a few things to search for to begin with: the questions of the samples, or what
// sentences in different files of a collection answer or say. None is no error.
func (s *Service) Examples(ctx context.Context, collection string) ([]string, error) {
	ctx, c, done, err := s.enter(ctx, collection)
	if err != nil {
		return nil, err
	}
	defer done()
	folders := foldersOf(c)
	if len(folders) == 1 && folders[0].Path == filepath.Join(s.folder, "samples") {
		return SampleQuestions(), nil
	}
	files, err := c.Files(ctx, store.FileFilter{States: []store.State{store.Indexed}, Limit: exampleFiles})
	if err != nil {
		return nil, s.sentence(err)
	}
	var found []string
	for _, f := range spread(files, exampleTries) {
		one, err := exampleOf(ctx, c, f, found)
		if err != nil {
			return nil, s.sentence(err)
		}
		if one != "" {
			found = append(found, one)
		}
		if len(found) == mostExamples {
			break
		}
	}
	return found, nil
}

// exampleOf is a question that a file answers, else a short sentence of it; "": it has none that
// is not known.
func exampleOf(ctx context.Context, c store.Collection, f File, known []string) (string, error) {
	if f.Format == "source" || f.Format == "json" || f.Format == "csv" {
		return "", nil
	}
	ids, err := c.PassagesOf(ctx, f.Path)
	if err != nil {
		return "", err
	}
	passages, err := c.Passages(ctx, spread(ids, examplePassages))
	if err != nil {
		return "", err
	}
	said := ""
	for _, p := range passages {
		for _, sentence := range sentencesIn(p.Text) {
			question := questionOf(sentence)
			switch {
			case question != "" && worthAsking(question) && !slices.Contains(known, question):
				return question, nil
			case said == "" && len(strings.Fields(sentence)) > 3 && worthAsking(sentence) && !slices.Contains(known, sentence):
				said = sentence
			}
		}
	}
	return said, nil
}

// sentencesIn are the whole sentences of a passage, without their full stops.
func sentencesIn(text string) (list []string) {
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		for _, sentence := range chunk.Sentences(strings.Join(strings.Fields(paragraph), " ")) {
			whole, ends := strings.CutSuffix(strings.TrimSpace(sentence), ".")
			if first := []rune(whole + " ")[0]; (ends || strings.HasSuffix(whole, "?")) && unicode.IsUpper(first) {
				list = append(list, whole)
			}
		}
	}
	return list
}

// The verbs of an English sentence by which it becomes a question, and the words with which the
// subject of such a sentence begins.
var (
	beingVerbs   = []string{"is", "are", "was", "were"}
	modalVerbs   = []string{"must", "may", "can", "should", "will"}
	subjectWords = []string{"The", "A", "An", "Every", "Each", "All", "Your", "Our", "Either"}
	clauseWords  = []string{"that", "which", "who", "whose", "when", "where", "if", "and", "or", "but", "because"}
)

// longestSubject is how many words come before the verb, at most.
const longestSubject = 6

// questionOf is what an English sentence answers: "The deposit is two months of rent" gives "What
// is the deposit?", and "The tenant may keep a cat" gives "May the tenant keep a cat?". "": there
// is no such question.
func questionOf(sentence string) string {
	if strings.HasSuffix(sentence, "?") {
		return sentence
	}
	words := strings.Fields(sentence)
	if len(words) < 4 || !slices.Contains(subjectWords, words[0]) {
		return ""
	}
	subject := strings.ToLower(words[0])
	for i, word := range words[1:min(len(words), longestSubject+1)] {
		switch {
		case i > 0 && slices.Contains(beingVerbs, word) && i+2 < len(words) && saysWhat(words[i+2]):
			return "What " + word + " " + subject + "?"
		case i > 0 && (slices.Contains(beingVerbs, word) || slices.Contains(modalVerbs, word)):
			rest := strings.Join(words[i+2:], " ")
			return strings.ToUpper(word[:1]) + word[1:] + " " + subject + " " + rest + "?"
		case slices.Contains(clauseWords, word) || strings.ContainsAny(word, ",;:()"):
			return ""
		}
		subject += " " + word
	}
	return ""
}

// saysWhat reports whether what follows a verb begins with a word for a thing or a number.
func saysWhat(word string) bool {
	return slices.Contains([]string{"a", "an", "the", "one", "two", "three"}, word) || unicode.IsDigit([]rune(word)[0])
}

// worthAsking reports whether a text can be asked as it is: a few words, and nothing but words.
func worthAsking(text string) bool {
	n := len(strings.Fields(text))
	if n < exampleWordsFrom || n > exampleWordsTo || len([]rune(text)) > longestExample {
		return false
	}
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" ,-’'?", r)
	}
	return !strings.ContainsFunc(text, odd)
}

// spread takes up to n of a list, at even distances.
func spread[T any](list []T, n int) []T {
	if len(list) <= n {
		return list
	}
	out := make([]T, n)
	for i := range out {
		out[i] = list[i*len(list)/n]
	}
	return out
}
