package remote

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// hidden stands where the token was.
const hidden = "[token]"

// leastPart is how much of the beginning of a token is hidden at the end of a text that was cut.
const leastPart = 4 // bytes

// leastForm is how long a form of a token is at least that is looked for: a shorter one stands in
// other words too.
const leastForm = 8 // bytes

// redact takes the token out of a text, as it is and as servers may write it. It goes before anything
// that cuts the text, since a part of a token is not found.
func (c *client) redact(text string) string {
	token := c.o.Token
	if token == "" {
		return text
	}
	text = strings.ReplaceAll(text, token, hidden)
	for _, form := range c.forms {
		text = strings.ReplaceAll(text, form, hidden)
	}
	for n := min(len(token), len(text)); n >= leastPart; n-- {
		if strings.HasSuffix(text, token[:n]) {
			return text[:len(text)-n] + hidden
		}
	}
	return text
}

// formsOf are the forms of a token in which it may stand in an error: escaped, in hexadecimal, and in
// base64 also within a longer text, such as one with the user's name before it. The longest is first.
func formsOf(token string) (forms []string) {
	if token == "" {
		return nil
	}
	quoted, _ := json.Marshal(token)
	hexed := hex.EncodeToString([]byte(token))
	forms = []string{url.QueryEscape(token), url.PathEscape(token), string(quoted[1 : len(quoted)-1]), hexed, strings.ToUpper(hexed)}
	for _, coding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		forms = append(forms, coding.EncodeToString([]byte(token)))
		for before := range 3 { // bytes before it, whose bits its first letter may hold
			all := coding.EncodeToString(append(make([]byte, before), token...))
			from, to := (8*before+5)/6, 8*(before+len(token))/6
			forms = append(forms, all[from:to])
		}
	}
	forms = slices.DeleteFunc(forms, func(f string) bool { return f == token || len(f) < leastForm })
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(forms)
}
