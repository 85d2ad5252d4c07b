package texts

import (
	"regexp"
	"slices"
	"strings"
)

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
