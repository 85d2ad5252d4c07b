package search

import (
	_ "embed"
	"strings"
	"unicode"

	"inglenook/documents/store"
)

// asked is a query taken apart.
type asked struct {
	plain   string   // without the quotes, for the embedder
	terms   []string // words
	phrases []string // what stood in quotes
}

// empty reports whether there is nothing to search for. A sign or an emoji is no word,
// but has a meaning.
func (a asked) empty() bool { return a.plain == "" }

// words is what the search by words looks for.
func (a asked) words() store.Words {
	words := store.Words{Phrases: a.phrases}
	for _, term := range a.terms {
		if !frequent[term] {
			words.Any = append(words.Any, term)
		}
	}
	if len(words.Any) == 0 {
		words.Any = a.terms
	}
	return words
}

// longestQuery bounds how much of a query is looked at, in bytes, and mostTerms
// how many of its words: a page that is pasted is a query too.
const (
	longestQuery = 8 << 10
	mostTerms    = 64
)

// parse splits a query into its parts. A quote without its end is no quote.
func parse(text string) asked {
	text = quotes.Replace(strings.ToValidUTF8(text, " "))
	if len(text) > longestQuery {
		text = strings.ToValidUTF8(text[:longestQuery], "")
	}
	var a asked
	rest := text
	for {
		_, after, ok := strings.Cut(rest, `"`)
		if !ok {
			break
		}
		phrase, next, ok := strings.Cut(after, `"`)
		if !ok {
			break
		}
		if len(termsOf(phrase)) > 0 {
			a.phrases = append(a.phrases, strings.TrimSpace(phrase))
		}
		rest = next
	}
	a.plain = strings.Join(strings.Fields(strings.ReplaceAll(text, `"`, " ")), " ")
	seen := map[string]bool{}
	for _, term := range termsOf(a.plain) {
		if !seen[term] && len(a.terms) < mostTerms {
			seen[term] = true
			a.terms = append(a.terms, term)
		}
	}
	return a
}

// quotes are the marks that stand for ".
var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`)

// termsOf returns the words of a text in small letters.
func termsOf(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
	})
}

//go:embed frequent.txt
var frequentList string

// frequent are words that say little about what is asked.
var frequent = func() map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(frequentList) {
		words[w] = true
	}
	return words
}()
