package support

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"

	"inglenook/documents/words"
)

// polarity says which terms of a text are denied and which are affirmed.
type polarity struct {
	denied, affirmed map[string]bool // stems
}

// denials are words that deny what follows.
var denials = lists["denials"]

// notDenying are words behind "not" and "no" that leave what follows as it is: not only,
// no later than.
var notDenying = lists["notDenying"]

// evading are words that deny something without a "not", so that "they break the rules" may
// stand for "they do not keep to the rules".
var evading = lists["evading"]

// polarityOf finds what denials deny: the next term of the clause, which is the verb or the
// thing that is not, or the one before it where none follows.
func polarityOf(text string, terms []term) polarity {
	p := polarity{map[string]bool{}, map[string]bool{}}
	denied := make([]bool, len(terms))
	for _, cue := range cuesOf(text) {
		end := cue.End + clauseEnd(text[cue.End:])
		next := slices.IndexFunc(terms, func(t term) bool {
			return t.Start >= cue.End && t.Start < end && !lists["adverbs"][strings.ToLower(text[t.Start:t.End])]
		})
		if next >= 0 {
			denied[next] = !denied[next]
			continue
		}
		for i := len(terms) - 1; i >= 0; i-- {
			if t := terms[i]; t.End <= cue.Start && clauseEnd(text[t.End:cue.Start]) == cue.Start-t.End {
				denied[i] = !denied[i]
				break
			}
		}
	}
	for i, t := range terms {
		if denied[i] {
			p.denied[t.stem] = true
		} else {
			p.affirmed[t.stem] = true
		}
	}
	return p
}

// cuesOf returns where words of a text deny something.
func cuesOf(text string) (cues []Span) {
	tokens := tokensOf(text)
	for i, t := range tokens {
		word := strings.ReplaceAll(strings.ToLower(text[t.Start:t.End]), "’", "'")
		if !denials[word] {
			continue
		}
		if i+1 < len(tokens) && notDenying[strings.ToLower(text[tokens[i+1].Start:tokens[i+1].End])] {
			continue
		}
		if i == 0 && strings.HasPrefix(strings.TrimSpace(text[t.End:]), ",") {
			continue // No, they are not.
		}
		cues = append(cues, t)
	}
	return cues
}

// tokensOf are the words of a text with their apostrophes.
func tokensOf(text string) (tokens []Span) {
	words.Each(text, func(start, end int) {
		if n := len(tokens); n > 0 {
			if between := text[tokens[n-1].End:start]; between == "'" || between == "’" {
				tokens[n-1].End = end
				return
			}
		}
		tokens = append(tokens, Span{Start: start, End: end})
	})
	return tokens
}

// clauseEnd returns where the clause ends that a text begins with.
func clauseEnd(text string) int {
	for i, r := range text {
		switch {
		case strings.ContainsRune(",;:.!?()—–|", r):
			return i
		case unicode.IsSpace(r) && (strings.HasPrefix(text[i+1:], "but ") || strings.HasPrefix(text[i+1:], "because ") || strings.HasPrefix(text[i+1:], "unless ")):
			return i
		}
	}
	return len(text)
}

//go:embed opposites.txt
var oppositeList string

// opposites has for each word, in small letters, its opposites.
var opposites = func() map[string][]string {
	of := map[string][]string{}
	for line := range strings.Lines(oppositeList) {
		if pair := strings.Fields(line); len(pair) == 2 {
			of[pair[0]] = append(of[pair[0]], pair[1])
			of[pair[1]] = append(of[pair[1]], pair[0])
		}
	}
	return of
}()

// contradiction returns the word of a claim that a sentence contradicts: it denies what the
// claim affirms or the other way round, or has the opposite in its place. "" if there is none.
func contradiction(claim, sentence *reading) string {
	word, same := oppositeIn(claim, sentence)
	if word != "" || same || claim.denies() && sentence.denies() {
		return word
	}
	against := ""
	for _, t := range claim.terms {
		c, s := claim.polarity.of(t.stem), sentence.polarity.of(t.stem)
		switch {
		case c == denied && s == affirmed || c == affirmed && s == denied && !evades(claim, sentence):
			if against == "" {
				against = claim.text[t.Start:t.End]
			}
		}
	}
	if claim.denies() && evades(sentence, claim) {
		return ""
	}
	return against
}

// denies reports whether anything is denied in a text.
func (r *reading) denies() bool { return len(r.polarity.denied) > 0 }

// What a text says about a term.
const (
	absent = iota // or both of the others
	affirmed
	denied
)

func (p polarity) of(stem string) int {
	switch d, a := p.denied[stem], p.affirmed[stem]; {
	case d && !a:
		return denied
	case a && !d:
		return affirmed
	}
	return absent
}

// oppositeIn returns a word of the claim whose opposite stands in the sentence instead, if
// both are affirmed or both denied. same says that one is denied, as in "not allowed" and
// "forbidden", so that both texts say the same.
func oppositeIn(claim, sentence *reading) (word string, same bool) {
	for _, word := range words.Split(claim.text) {
		for _, other := range opposites[word] {
			if !sentence.words[other] || claim.words[other] || sentence.words[word] {
				continue
			}
			if claim.polarity.denied[words.Stem(word)] == sentence.polarity.denied[words.Stem(other)] {
				return word, false
			}
			same = true
		}
	}
	return "", same
}

// evades reports whether a text denies something without a "not", by a word that the other
// does not have.
func evades(r, other *reading) bool {
	for word := range evading {
		if r.words[word] && !other.words[word] {
			return true
		}
	}
	return false
}
