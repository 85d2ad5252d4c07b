package labels

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Entity is a part of a text with its label.
type Entity struct {
	Label      string
	Score      float32 // mean probability of its words
	Start, End int     // bytes of the text
}

// Token is a token of a text with the probability of each label.
type Token struct {
	Start, End int // bytes of the text
	Scores     []float64
}

// outside is the label of what is no entity.
const outside = "O"

// Entities joins the tokens of a text to entities. A word has the label of its first token, as
// such models are trained. Words that follow one another and have the same label are one
// entity, unless a label says that another begins (B-).
func Entities(text string, tokens []Token, names []string) []Entity {
	type open struct {
		Entity
		words int
		sum   float64
	}
	var all []Entity
	var now open
	end := func() {
		if now.words > 0 && now.Label != outside {
			now.Score = float32(now.sum / float64(now.words))
			all = append(all, now.Entity)
		}
		now = open{}
	}
	for _, w := range words(text, tokens) {
		best := 0
		for i, p := range w.Scores {
			if p > w.Scores[best] {
				best = i
			}
		}
		label, begins := tag(names[best])
		if now.words == 0 || label != now.Label || begins {
			end()
			now.Entity = Entity{Label: label, Start: w.Start}
		}
		now.End, now.words, now.sum = w.End, now.words+1, now.sum+w.Scores[best]
	}
	end()
	return all
}

// tag cuts off what a label says of its place in an entity.
func tag(name string) (label string, begins bool) {
	if rest, ok := strings.CutPrefix(name, "B-"); ok {
		return rest, true
	}
	return strings.TrimPrefix(name, "I-"), false
}

// words joins tokens that lie within one word. Their scores are those of the first.
func words(text string, tokens []Token) []Token {
	var all []Token
	for _, t := range tokens {
		t.Start, t.End = trimmed(text, t.Start, t.End)
		switch last := len(all) - 1; {
		case t.Start >= t.End:
		case last >= 0 && all[last].End == t.Start && within(text, t.Start):
			all[last].End = t.End
		default:
			all = append(all, t)
		}
	}
	return all
}

// trimmed leaves out white space around a token, which some vocabularies count to it.
func trimmed(text string, start, end int) (int, int) {
	part := text[start:end]
	left := strings.TrimLeftFunc(part, unicode.IsSpace)
	return end - len(left), start + len(strings.TrimRightFunc(part, unicode.IsSpace))
}

// within reports whether a place lies within a word: between letters, digits and marks of
// a script that has spaces between words.
func within(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return joins(before) && joins(after)
}

func joins(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) && !unicode.In(r, spaceless...)
}

// spaceless are the scripts that write words without spaces between.
var spaceless = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}
