package chat

import (
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/app/documents"
	"inglenook/documents/chunk"
	"inglenook/documents/search"
	"inglenook/documents/words"
)

// leadingPiece is what is quoted of a passage, of at most so many bytes: the sentence that answers and what
// follows it. Of a table it is the row with those around it, of a program the line, and so it is where no sentence is known.
func leadingPiece(r documents.Result, most int) (at int, piece string) {
	_, rows := tableAt(r, r.Best.Start)
	if len(rows) > 0 || isCode(formatOf(r)) || !within(r.Best, r.Text) {
		return bestPiece(r, most)
	}
	rest, start := r, r.Best.Start
	rest.Text = r.Text[start:]
	rest.Best = Span{End: r.Best.End - start}
	at, piece = bestPiece(rest, most)
	if end := min(rest.Best.End, len(piece)); formatOf(r) == "markdown" {
		if next := strings.Index(piece[end:], "\n#"); next >= 0 { // where something else begins
			piece = strings.TrimRight(piece[:end+next], " \t\r\n")
		}
	}
	return start + at, piece
}

// note changes what is known of passages.
func note(passages []Part, change func(*Source)) {
	for i, p := range passages {
		from, known := SourceOf(p)
		if !known {
			continue
		}
		change(&from)
		if data, err := json.Marshal(from); err == nil {
			passages[i].Data = data
		}
	}
}

// Chosen are passages as a person chose them: another model gets the same ones.
func Chosen(passages []Part) []Part {
	passages = slices.Clone(passages)
	note(passages, func(s *Source) { s.Room = 0 })
	return passages
}

// areUnsure reports whether none of the passages is sure to answer their question.
func areUnsure(passages []Part) bool {
	return !slices.ContainsFunc(passages, func(p Part) bool {
		from, _ := SourceOf(p)
		return !from.Unsure
	})
}

// asksWho are words of questions that a name answers.
var asksWho = words.Set("who whom whose wer wen wem wessen qui quien quién")

// namedIn is the first sentence of a text that names somebody, where a question asks who it is: among those
// with as many of the question's words as the best one.
func namedIn(question, text string, best Span) Span {
	if !slices.ContainsFunc(words.Split(question), func(w string) bool { return asksWho[w] }) || !within(best, text) {
		return best
	}
	has := func(sentence string) int {
		found := map[string]bool{}
		_, matches := search.Answering(question, sentence)
		for _, m := range matches {
			found[words.Stem(strings.ToLower(sentence[m.Start:m.End]))] = true
		}
		return len(found)
	}
	most, start := has(text[best.Start:best.End]), 0
	for _, sentence := range chunk.Sentences(text) {
		here := words.Trim(text, Span{Start: start, End: start + len(sentence)})
		start += len(sentence)
		if names(text[here.Start:here.End]) && has(text[here.Start:here.End]) >= most {
			return here
		}
	}
	return best
}

// names reports whether a sentence has a name of two words, as people have: "Ada Byron".
func names(sentence string) bool {
	before := false // whether the word before begins with a large letter, and only there
	for word := range strings.FieldsSeq(sentence) {
		bare := strings.Trim(word, "(“\"'")
		first, size := utf8.DecodeRuneInString(bare)
		capital := unicode.IsUpper(first) && strings.IndexFunc(bare[size:], unicode.IsLower) >= 0 && !words.Frequent(strings.ToLower(strings.Trim(bare, ".,;:)”")))
		if capital && before {
			return true
		}
		before = capital && !strings.ContainsAny(bare[len(bare)-1:], ".,;:!?)")
	}
	return false
}
