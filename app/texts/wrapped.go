package texts

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What tells a text whose lines were broken to a width, like a book, from a list of texts.
const (
	leastParagraphs = 3   // of several lines
	leastBroken     = 3   // lines, where there are no paragraphs between blank lines
	shortestBroken  = 45  // characters of a line that was broken
	longestBroken   = 110 // no book has longer lines
)

// Way is a way to make texts of a longer one.
type Way int

const (
	ByLine Way = iota
	ByParagraph
	BySentence
	AsOne // all of it is one text
)

// Cut makes texts of pasted or read text: one a line, or one a paragraph where the lines were
// broken to a width.
func Cut(text string) Texts {
	parts := blocks(text)
	t := Texts{Lines: linesOf(parts)}
	if list, ok := paragraphs(parts); ok || isWrapped(parts) {
		t = Texts{Lines: list, Note: "Each paragraph is a text.", Way: ByParagraph}
	}
	if t.Way == ByParagraph || len(parts) > 1 && len(waysOf(parts)) > 1 {
		t.Whole = text
	}
	return t
}

// CutBy cuts a text in that way.
func CutBy(text string, way Way) []string {
	switch way {
	case ByLine:
		return linesOf(blocks(text))
	case BySentence:
		return Sentences(joined(blocks(text)))
	case AsOne:
		return []string{strings.Join(linesOf(blocks(text)), " ")}
	}
	return joined(blocks(text))
}

// Ways are the ways to cut a text that give different texts. One that is long is not read as one.
func Ways(text string) []Way {
	parts := blocks(text)
	ways := waysOf(parts)
	if len(text) <= mostAsOne && len(joined(parts)) > 1 {
		ways = append(ways, AsOne)
	}
	return ways
}

// blocks are the lines of a text between its blank lines, without white space around them.
func blocks(text string) (list [][]string) {
	var lines []string
	end := func() {
		if len(lines) > 0 {
			list = append(list, lines)
		}
		lines = nil
	}
	for line := range strings.Lines(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)) {
		if line = strings.TrimSpace(line); line == "" {
			end()
			continue
		}
		lines = append(lines, line)
	}
	end()
	return list
}

func linesOf(parts [][]string) (list []string) {
	for _, lines := range parts {
		list = append(list, lines...)
	}
	return list
}

// joined are the paragraphs of blocks. Where lines were broken to a width, a paragraph also ends
// with a short line that ends a sentence.
func joined(parts [][]string) (list []string) {
	full := 0
	if isWrapped(parts) {
		full = longest(parts)
	}
	for _, lines := range parts {
		start := 0
		for i, line := range lines {
			if last := i == len(lines)-1; last || 4*utf8.RuneCountInString(line) < 3*full && endsSentence(line) {
				list = append(list, strings.Join(lines[start:i+1], " "))
				start = i + 1
			}
		}
	}
	return list
}

// seenParagraphs are enough to tell whether paragraphs have several sentences.
const seenParagraphs = 200

// waysOf are the ways to cut blocks that give different texts.
func waysOf(parts [][]string) []Way {
	lines, whole := linesOf(parts), joined(parts)
	list := []Way{ByParagraph}
	if len(lines) != len(whole) {
		list = []Way{ByLine, ByParagraph}
	}
	first := whole[:min(len(whole), seenParagraphs)]
	if len(Sentences(first)) > len(first) {
		list = append(list, BySentence)
	}
	return list
}

// paragraphs joins the lines of a text that was broken to a width: its paragraphs stand
// between blank lines. false: its lines are texts of their own.
func paragraphs(parts [][]string) ([]string, bool) {
	all, several, broken, within := 0, 0, 0, 0
	for _, lines := range parts {
		all += len(lines)
		if len(lines) > 1 {
			several++
		}
		for _, line := range lines[:len(lines)-1] {
			within++
			if isBroken(line) {
				broken++
			}
		}
	}
	return joined(parts), several >= leastParagraphs && 2*within >= all && 4*broken >= 3*within
}

// isWrapped reports whether most lines of a text were broken to a width, as those of a letter or of
// a page are, also where it has a single paragraph: they are about equally long, they do not end a
// sentence, and the next one goes on in small letters.
func isWrapped(parts [][]string) bool {
	all, within, broken, even, goesOn := 0, 0, 0, 0, 0
	most := longest(parts)
	for _, lines := range parts {
		all += len(lines)
		for i, line := range lines[:len(lines)-1] {
			within++
			if !isBroken(line) {
				continue
			}
			broken++
			if 4*utf8.RuneCountInString(line) >= 3*most {
				even++
			}
			if next, _ := utf8.DecodeRuneInString(lines[i+1]); unicode.IsLower(next) {
				goesOn++
			}
		}
	}
	return broken >= leastBroken && 2*within >= all && 3*broken >= 2*within && 4*even >= 3*broken && 2*goesOn >= broken
}

// longest is how many characters the longest line that may have been broken has.
func longest(parts [][]string) (most int) {
	for _, lines := range parts {
		for _, line := range lines[:len(lines)-1] {
			if isBroken(line) {
				most = max(most, utf8.RuneCountInString(line))
			}
		}
	}
	return most
}

// isBroken reports whether a line looks as if it ended where the page did, not the sentence.
func isBroken(line string) bool {
	n := utf8.RuneCountInString(line)
	last, _ := utf8.DecodeLastRuneInString(line)
	return n >= shortestBroken && n <= longestBroken && (unicode.IsLetter(last) || unicode.IsDigit(last) || strings.ContainsRune(",;:-–—'’\"”)", last))
}

// endsSentence reports whether a line ends where a sentence does.
func endsSentence(line string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, "'’\"”)"))
	return strings.ContainsRune(".!?…", last)
}

// mostAsOne is the size in bytes up to which a file is offered as one text: models read no more at once.
const mostAsOne = 16 << 10

// cutFile makes texts of a file as [Cut] does, and one text of a mail.
func cutFile(text string) Texts {
	if parts := blocks(text); len(text) <= mostAsOne && isMail(parts) {
		return Texts{Lines: []string{mailText(parts)}, Note: "All of it is one text.", Way: AsOne, Whole: text}
	}
	return Cut(text)
}

// mailFields begin the lines before a mail, as programs write them in several languages.
var mailFields = []string{"from", "to", "subject", "date", "von", "an", "betreff", "datum", "de", "à", "para", "objet", "asunto"}

// leastFields is how many of these lines a mail has that is told by them.
const leastFields = 2

// isMail reports whether a text is a single mail or letter: below a greeting, or lines such as “Subject: …”, it
// has sentences.
func isMail(parts [][]string) bool {
	if len(parts) < 2 || !slices.ContainsFunc(linesOf(parts[1:]), endsSentence) {
		return false
	}
	first := parts[0]
	fields := 0
	for _, line := range first {
		if name, _, ok := strings.Cut(line, ":"); ok && slices.Contains(mailFields, strings.ToLower(name)) {
			fields++
		}
	}
	return fields >= leastFields || isGreeting(first[0])
}

// mailText is a mail as one text: what it is about and what it says. All mails have the other lines before it, which
// would make them alike.
func mailText(parts [][]string) string {
	var head []string
	fields := 0
	for _, line := range parts[0] {
		name, value, ok := strings.Cut(line, ":")
		if ok && !strings.ContainsRune(name, ' ') {
			fields++
			if !slices.Contains(subjects, strings.ToLower(name)) {
				continue
			}
			line = strings.TrimSpace(value)
		}
		head = append(head, line)
	}
	if fields < leastFields {
		head = parts[0]
	}
	return strings.Join(append(head, linesOf(parts[1:])...), " ")
}

// isGreeting reports whether a line is like “Dear Ms Brown,”.
func isGreeting(line string) bool {
	return strings.HasSuffix(line, ",") && strings.Count(line, ",") == 1 && len(strings.Fields(line)) <= mostNamed
}

// mailField finds the name of a field before a mail, as programs write it in several languages.
var mailField = regexp.MustCompile(`(?i)(?:^|\s)(from|sent|to|cc|subject|date|reply-to|von|gesendet|an|betreff|datum|de|à|para|objet|asunto):\s`)

// subjects are the names of the field that says what a mail is about.
var subjects = []string{"subject", "betreff", "objet", "asunto"}

// address finds an address of a person or of a page.
var address = regexp.MustCompile(`\S+@\S+|https?://\S+`)

// greeting finds how a letter begins, in a text of one line: “Dear Ms Brown,”.
var greeting = regexp.MustCompile(`(?:^|\s)(?:Dear|Hello|Hi|Good morning|Sehr geehrte[rs]?|Liebe[rs]?|Hallo|Guten Tag)(?:\s(?:\p{Lu}[^\s,!?]*|all|everybody|everyone|team|und|and|zusammen)){0,4}[,!]`)

// farewell finds how it ends: “Kind regards” and the name after that.
var farewell = regexp.MustCompile(`(?i)(?:best|kind|warm|many)\s+(?:regards|wishes)|yours\s+(?:sincerely|faithfully|truly)|(?:mit\s+)?(?:freundlichen|herzlichen|besten|vielen)\s+grüßen|(?:freundliche|herzliche|beste|viele|liebe)\s+grüße`)

// mostSigned is how many bytes after a farewell are the name of who wrote, and no further text.
const mostSigned = 120

// contentOf leaves out what every letter has: the fields before a mail but its subject, addresses, the greeting,
// and the farewell with the name. A text that is no letter stays as it is.
func contentOf(text string) string {
	text = withoutFields(text)
	text = address.ReplaceAllString(text, " ")
	if at := greeting.FindStringIndex(text); at != nil {
		text = text[:at[0]] + " " + text[at[1]:]
	}
	if all := farewell.FindAllStringIndex(text, -1); all != nil {
		if last := all[len(all)-1]; len(text)-last[1] <= mostSigned {
			text = text[:last[0]]
		}
	}
	return text
}

// withoutFields leaves the fields before a mail out, up to the last one; of the subject only the name goes.
func withoutFields(text string) string {
	at := mailField.FindAllStringSubmatchIndex(text, -1)
	if len(at) < leastFields || at[0][0] > 0 {
		return text
	}
	var b strings.Builder
	for i, field := range at {
		name, end := strings.ToLower(text[field[2]:field[3]]), len(text)
		last := i == len(at)-1
		if !last {
			end = at[i+1][0]
		}
		if last || slices.Contains(subjects, name) { // where the last field ends cannot be told
			b.WriteString(text[field[1]:end])
			b.WriteByte(' ')
		}
	}
	return b.String()
}
