package chat

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"inglenook/app/documents"
	"inglenook/documents/search"
	"inglenook/documents/shape"
	"inglenook/documents/words"
)

// leadingPiece is what is quoted of a passage, of at most so many bytes: the sentence that answers and what
// follows it. Of a table it is the row with those around it, and of a program the line. Where no sentence is known, it is
// the best piece.
func leadingPiece(r documents.Result, most int) (at int, piece string) {
	_, rows := tableAt(r, r.Best.Start)
	if len(rows) > 0 || documents.IsCode(formatOf(r)) || !within(r.Best, r.Text) {
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

// mostCodeBytes is how much of a program is quoted: what a line does is told by the lines around it.
const mostCodeBytes = 1200

// pieceOf is the piece of a file that is quoted for a question. Where a number in the question names a row of a table, it
// is that row alone.
func pieceOf(question string, r documents.Result) (at int, piece string) {
	if documents.IsCode(formatOf(r)) {
		return leadingPiece(r, mostCodeBytes)
	}
	if _, named := rowNamed(question, r); named {
		return r.Best.Start, strings.TrimRight(r.Text[r.Best.Start:r.Best.End], "\r\n")
	}
	return leadingPiece(r, mostShortBytes)
}

// rowNamed reports whether the best place is a row of a table that a number in the question names. It returns the names
// of the columns too, because the other words of such a question are often among them.
func rowNamed(question string, r documents.Result) (columns string, named bool) {
	columns, rows := tableAt(r, r.Best.Start)
	if !slices.Contains(rows, r.Best) {
		return "", false
	}
	cells := words.Split(r.Text[r.Best.Start:r.Best.End])
	named = slices.ContainsFunc(words.Split(question), func(w string) bool {
		return strings.ContainsAny(w, "0123456789") && slices.Contains(cells, w)
	})
	return strings.ReplaceAll(columns, "_", " "), named
}

// contentsLine is what a table of contents has: a chapter with its number, or dots before the number of a page.
var contentsLine = regexp.MustCompile(`(?im)^\s*(chapter|part|book|section|act|kapitel|teil)\s+([ivxlcdm]+|\d+)\b|\.{4,}|(\. ){4,}`)

// headingBytes is how long a heading is at most.
const headingBytes = 60

// isHeading reports whether a piece of a text is a heading, or of a table of contents, and no sentence.
func isHeading(piece string) bool {
	piece = strings.TrimSpace(piece)
	return contentsLine.MatchString(piece) || len(piece) <= headingBytes && !strings.ContainsAny(piece, ".!?:;,=|0123456789")
}

// inProse returns a better place than a heading, which answers nothing: the sentence with the most words of the question,
// where words in the sentences beside it count half. instead: it is another place than best.
func inProse(question, text string, best Span) (told Span, instead bool) {
	if !within(best, text) || !isHeading(text[best.Start:best.End]) {
		return best, false
	}
	places := search.Sentences(text)
	has := make([]map[string]bool, len(places))
	for i, here := range places {
		has[i] = askedIn(question, text[here.Start:here.End])
	}
	highest, least := 0.0, len(askedIn(question, text[best.Start:best.End]))
	if contentsLine.MatchString(text[best.Start:best.End]) {
		least = 1
	}
	told = best
	for i, here := range places {
		if len(has[i]) < least || len(has[i]) == 0 || isHeading(text[here.Start:here.End]) {
			continue
		}
		score := float64(len(has[i]))
		beside := map[string]bool{}
		for _, near := range []int{i - 1, i + 1} {
			if near >= 0 && near < len(has) {
				for w := range has[near] {
					beside[w] = true
				}
			}
		}
		for w := range beside {
			if !has[i][w] {
				score += 0.5
			}
		}
		if score > highest {
			highest, told, instead = score, here, true
		}
	}
	return told, instead
}

// askedIn are the words of a question that a sentence has.
func askedIn(question, sentence string) map[string]bool {
	found := map[string]bool{}
	_, matches := search.Answering(question, sentence)
	for _, m := range matches {
		found[words.Stem(strings.ToLower(sentence[m.Start:m.End]))] = true
	}
	return found
}

// asksWho are words of questions that a name answers.
var asksWho = words.Set("who whom whose wer wen wem wessen qui quien quién")

// namedIn is the first sentence of a text that names somebody, where a question asks who it is: among those
// with as many of the question's words as the best one.
func namedIn(question, text string, best Span) Span {
	if !slices.ContainsFunc(words.Split(question), func(w string) bool { return asksWho[w] }) || !within(best, text) {
		return best
	}
	has := func(sentence string) int { return len(askedIn(question, sentence)) }
	most := has(text[best.Start:best.End])
	for _, here := range search.Sentences(text) {
		if told := text[here.Start:here.End]; !contentsLine.MatchString(told) && names(told) && has(told) >= most {
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

// quotation is a passage as a quotation in Markdown: rows of a table below the names of its columns.
func quotation(passage string, from Source) string {
	format := documents.FormatNamed(from.Path)
	if documents.IsCode(format) {
		code := fenced(strings.TrimLeft(passage, "\r\n"))
		body := strings.TrimLeft(code, "`")
		code = code[:len(code)-len(body)] + strings.TrimPrefix(filepath.Ext(from.Path), ".") + body
		return "> " + strings.ReplaceAll(code, "\n", "\n> ")
	}
	isTable := format == "csv" || from.Columns != ""
	if from.Columns != "" {
		passage = from.Columns + "\n" + strings.TrimSpace(passage)
		if format == "markdown" && !strings.Contains(from.Columns, "\n") {
			cells := strings.Count(strings.Trim(strings.TrimSpace(from.Columns), "|"), "|") + 1
			passage = strings.Replace(passage, "\n", "\n"+strings.Repeat("|---", cells)+"|\n", 1)
		}
	}
	switch {
	case format == "csv":
		passage = shape.Rows(passage)
	case !isTable:
		passage = cutOut(passage)
		if from.Before && !strings.HasPrefix(passage, "…") {
			passage = "… " + passage
		}
		if from.After && !strings.HasSuffix(passage, "…") {
			passage += " …"
		}
	}
	if format == "markdown" {
		passage = wholeFences(wholeQuote(passage))
	}
	return shape.Quotation(passage, format == "markdown")
}

// quoteMark is how a line of a quotation in Markdown begins.
var quoteMark = regexp.MustCompile(`(?m)^>[ \t]?`)

// wholeQuote is a piece of Markdown that begins within a line of a quotation, without the marks of the lines behind.
func wholeQuote(piece string) string {
	_, rest, more := strings.Cut(piece, "\n")
	if !more || strings.HasPrefix(piece, ">") || !strings.HasPrefix(rest, ">") {
		return piece
	}
	return quoteMark.ReplaceAllString(piece, "")
}

// wholeFences is a piece of Markdown with the mark of a block of code that the piece begins or ends in.
func wholeFences(piece string) string {
	var marks []string
	for line := range strings.Lines(piece) {
		if mark := strings.TrimSpace(line); strings.HasPrefix(mark, "```") {
			marks = append(marks, mark)
		}
	}
	switch {
	case len(marks)%2 == 0:
		return piece
	case marks[0] == "```": // with nothing behind it, as the end of a block has
		return "```\n" + strings.TrimPrefix(piece, "… ")
	}
	return strings.TrimSuffix(piece, " …") + "\n```"
}

// cutOut is a passage as it is quoted: where it begins within a sentence, as a piece of a longer one
// may, or what a page break left of one, that is shown; so is an end within one.
func cutOut(passage string) string {
	passage = strings.TrimSpace(passage)
	if passage == "" {
		return ""
	}
	passage = Begun(passage)
	last, _ := utf8.DecodeLastRuneInString(passage)
	line := passage[strings.LastIndexByte(passage, '\n')+1:]
	if (unicode.IsLetter(last) || last == ',') && (len(line) >= proseBytes || len(passage) >= mostShortBytes-proseBytes/2) && !strings.Contains(line, shape.Stroke) {
		passage += " …"
	}
	return passage
}

// Begun is a text with a sign before it where it begins within a sentence.
func Begun(text string) string {
	first, _ := utf8.DecodeRuneInString(text)
	if unicode.IsLower(first) || text != "" && strings.ContainsRune(",;:)]”’–—", first) {
		return "… " + text
	}
	return text
}

// proseBytes is the length from which on a line is taken for prose, which ends with a mark. Headings
// are shorter.
const proseBytes = 80
