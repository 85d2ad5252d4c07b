package documents

import (
	"context"
	"path/filepath"
	"regexp"
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
	topicWordsFrom   = 2 // of a heading
	topicWordsTo     = 7
)

// Examples are a few questions to begin with: those of the samples, or in different files of a
// collection what they ask themselves, and what is written below their headings. None is no error.
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

// exampleOf is a question that a file asks, else one about a heading of it; "": it has none that is not known.
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
	fits := func(text string) bool { return worthAsking(text) && !slices.Contains(known, text) }
	about := ""
	for _, p := range passages {
		n := len(p.Headings)
		if n > 0 && strings.HasSuffix(p.Headings[n-1], "?") && fits(p.Headings[n-1]) { // as in a list of questions and answers
			return p.Headings[n-1], nil
		}
		for _, question := range questionsIn(p.Text) {
			if asksAbout(question) && fits(question) {
				return question, nil
			}
		}
		if n > 0 && about == "" && p.Headings[n-1] != f.Title { // a title is what all of it is about
			if question := questionAbout(p.Headings[n-1]); fits(question) {
				about = question
			}
		}
	}
	return about, nil
}

// asksAbout reports whether a question is about a thing, and not of one person to another, as in a
// story.
func asksAbout(question string) bool {
	words := strings.Fields(strings.ToLower(question))
	return !slices.ContainsFunc(words, func(w string) bool {
		w, _, _ = strings.Cut(strings.Trim(w, ",?"), "’")
		w, _, _ = strings.Cut(w, "'")
		return slices.Contains([]string{"you", "your", "he", "she", "his", "her", "him", "this", "that", "these", "those", "it", "its", "they", "their", "them", "there", "here", "i", "me", "my", "we", "us", "our"}, w)
	})
}

// numbered matches the number of a heading.
var numbered = regexp.MustCompile(`^([0-9]+|[IVXLC]+)(\.[0-9]+)*[.):]?\s+`)

// questionAbout asks about what a heading names; "": it says too little, or is none.
func questionAbout(heading string) string {
	topic := strings.TrimSpace(numbered.ReplaceAllString(heading, ""))
	if strings.ContainsAny(topic, "…?!") || strings.Contains(topic, "..") || !namesAThing(topic) {
		return ""
	}
	if n := len(strings.Fields(topic)); n < topicWordsFrom || n > topicWordsTo {
		return ""
	}
	return "What is written about " + withinSentence(topic) + "?"
}

// withinSentence is a heading as it is written within a sentence: it begins with a small letter, unless others of its
// words begin with a capital one too, as a name.
func withinSentence(topic string) string {
	words := strings.Fields(topic)
	for i, word := range words {
		letters := []rune(word)
		capital := unicode.IsUpper(letters[0])
		if i > 0 && capital || i == 0 && len(letters) > 1 && !unicode.IsLower(letters[1]) {
			return topic
		}
	}
	first := []rune(topic)
	first[0] = unicode.ToLower(first[0])
	return string(first)
}

// namesAThing reports whether a heading names something: it has two words of several letters, and none that is a mere
// letter, as in the index of a book or a list of labels. All in capitals it is shouted rather than named.
func namesAThing(topic string) bool {
	words := 0
	for word := range strings.FieldsSeq(topic) {
		word = strings.Trim(word, ".,:;()")
		letters := strings.IndexFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '’' && r != '\'' }) < 0
		switch n := len([]rune(word)); {
		case n == 1 && word != "a" && word != "A" && letters:
			return false
		case n > 2 && letters:
			words++
		}
	}
	return words >= 2 && topic != strings.ToUpper(topic)
}

// comment is a note in a web page or in Markdown that no reader sees. A passage may end in it, or
// begin in it.
var comment = regexp.MustCompile(`(?s)<!--.*?(-->|$)|^[^<]*-->`)

// questionsIn are the whole sentences of a passage that ask something.
func questionsIn(text string) (list []string) {
	for paragraph := range strings.SplitSeq(comment.ReplaceAllString(text, ""), "\n\n") {
		for _, sentence := range chunk.Sentences(strings.Join(strings.Fields(paragraph), " ")) {
			sentence = strings.TrimSpace(sentence)
			if first := []rune(sentence + " ")[0]; strings.HasSuffix(sentence, "?") && unicode.IsUpper(first) {
				list = append(list, sentence)
			}
		}
	}
	return list
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
