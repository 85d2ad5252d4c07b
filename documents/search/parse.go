package search

import (
	"strings"

	"inglenook/documents/store"
	"inglenook/documents/words"
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
	wanted := store.Words{Phrases: a.phrases}
	for _, term := range a.terms {
		if !words.Frequent(term) {
			wanted.Any = append(wanted.Any, term)
		}
	}
	if len(wanted.Any) == 0 {
		wanted.Any = a.terms
	}
	return wanted
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
		if len(words.Split(phrase)) > 0 {
			a.phrases = append(a.phrases, strings.TrimSpace(phrase))
		}
		rest = next
	}
	a.plain = strings.Join(strings.Fields(strings.ReplaceAll(text, `"`, " ")), " ")
	seen := map[string]bool{}
	for _, term := range words.Split(a.plain) {
		if !seen[term] && len(a.terms) < mostTerms {
			seen[term] = true
			a.terms = append(a.terms, term)
		}
	}
	return a
}

// quotes are the marks that stand for ".
var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`)
