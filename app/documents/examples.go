package documents

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

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
	exampleWordsFrom = 2
	exampleWordsTo   = 10
)

// Examples are a few questions to begin with: those of the samples, or headings and short
// sentences of different files of a collection, as they stand there. None is no error.
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

// exampleOf is a heading of a file, else a short sentence; "": it has none that is not known.
func exampleOf(ctx context.Context, c store.Collection, f File, known []string) (string, error) {
	ids, err := c.PassagesOf(ctx, f.Path)
	if err != nil {
		return "", err
	}
	passages, err := c.Passages(ctx, spread(ids, examplePassages))
	if err != nil {
		return "", err
	}
	fits := func(text string) bool { return worthAsking(text) && !slices.Contains(known, text) }
	for _, p := range passages {
		if n := len(p.Headings); n > 0 && fits(p.Headings[n-1]) {
			return p.Headings[n-1], nil
		}
	}
	if f.Format == "source" || f.Format == "json" || f.Format == "csv" {
		return "", nil
	}
	for _, p := range passages {
		for _, sentence := range strings.SplitAfter(strings.Join(strings.Fields(p.Text), " "), ". ") {
			whole, ends := strings.CutSuffix(strings.TrimSpace(sentence), ".")
			if ends && len(strings.Fields(whole)) > 3 && unicode.IsUpper([]rune(whole)[0]) && fits(whole) {
				return whole, nil
			}
		}
	}
	return "", nil
}

// worthAsking reports whether a text of a document can be asked as it is: a few words, and
// nothing but words.
func worthAsking(text string) bool {
	n := len(strings.Fields(text))
	if n < exampleWordsFrom || n > exampleWordsTo || len([]rune(text)) > longestExample {
		return false
	}
	odd := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" ,-’'?", r)
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
