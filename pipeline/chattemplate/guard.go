package chattemplate

import (
	"errors"
	"sort"
	"strings"
	"unicode/utf8"
)

// guard finds the control tokens in the texts of a conversation. It replaces
// the first character of each with a stand-in, a private character that occurs
// nowhere else. So typed control tokens can be told from those that the
// template writes. The beginning of a control token at the end of a text gets a
// stand-in as well, because the next text may complete the token.
type guard struct {
	control  map[byte][]string // by first byte, the longest first
	standIns map[rune]rune     // stand-in -> character
	known    map[rune]rune     // character -> stand-in
	avoid    string            // a text without stand-ins
	next     rune
	failed   error
}

// Supplementary Private Use Area-B: assigned to nothing.
const firstStandIn, lastStandIn = 0x100000, 0x10FFFD

var errNoStandIn = errors.New("the conversation has too many private-use characters (Private Use Area B); remove them")

func newGuard(control []string, avoid string) *guard {
	g := &guard{control: map[byte][]string{}, standIns: map[rune]rune{}, known: map[rune]rune{}, avoid: avoid, next: firstStandIn}
	for _, token := range control {
		g.control[token[0]] = append(g.control[token[0]], token)
	}
	for _, list := range g.control {
		sort.Slice(list, func(i, j int) bool { return len(list[i]) > len(list[j]) })
	}
	return g
}

// begins reports whether s begins with a control token, or is the beginning of
// one itself. White space at the end of s does not count.
func (g *guard) begins(s string) bool {
	for _, token := range g.control[s[0]] {
		if strings.HasPrefix(s, token) {
			return true
		}
		if len(s) < len(token)+64 {
			if end := strings.TrimRight(s, " \t\r\n"); end != "" && strings.HasPrefix(token, end) || strings.HasPrefix(token, s) {
				return true
			}
		}
	}
	return false
}

// hide replaces the first character of each control token in s.
func (g *guard) hide(s string) string {
	var b strings.Builder
	from := 0
	for i := 0; i < len(s); i++ {
		if !utf8.RuneStart(s[i]) || !g.begins(s[i:]) {
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		b.WriteString(s[from:i])
		b.WriteRune(g.standIn(r))
		from = i + n
	}
	if from == 0 {
		return s
	}
	return b.String() + s[from:]
}

func (g *guard) standIn(r rune) rune {
	if s, ok := g.known[r]; ok {
		return s
	}
	for g.next <= lastStandIn && strings.ContainsRune(g.avoid, g.next) {
		g.next++
	}
	if g.next > lastStandIn {
		g.failed = errNoStandIn
		return r
	}
	g.known[r], g.standIns[g.next] = g.next, r
	g.next++
	return g.next - 1
}

// typed returns the positions in text at which typed control tokens begin.
// shown is the same text with stand-ins. The template may have made other
// differences between the two. Then text and shown agree at the front and at
// the end, and every control token in between counts as typed.
func (g *guard) typed(text, shown string) []int {
	front, at := g.same(text, shown)
	if front == len(text) {
		return at
	}
	back, behind := g.sameBehind(text, shown, front)
	for i := front; i < len(text)-back; i++ {
		if utf8.RuneStart(text[i]) && g.begins(text[i:]) {
			at = append(at, i)
		}
	}
	return append(at, behind...)
}

// same compares text and shown from the front. It returns how many bytes of
// text agree, and the positions in them that have stand-ins.
func (g *guard) same(text, shown string) (n int, at []int) {
	for n < len(text) && shown != "" {
		r, size := utf8.DecodeRuneInString(shown)
		if original, ok := g.standIns[r]; ok {
			r = original
			at = append(at, n)
		}
		if want, _ := utf8.DecodeRuneInString(text[n:]); want != r {
			if len(at) > 0 && at[len(at)-1] == n {
				at = at[:len(at)-1]
			}
			break
		}
		n += utf8.RuneLen(r)
		shown = shown[size:]
	}
	return n, at
}

// sameBehind is same from the end, down to the byte front of text.
func (g *guard) sameBehind(text, shown string, front int) (n int, at []int) {
	for end := len(text); end > front && shown != ""; {
		r, size := utf8.DecodeLastRuneInString(shown)
		original, standIn := g.standIns[r]
		if standIn {
			r = original
		}
		want, width := utf8.DecodeLastRuneInString(text[:end])
		if want != r || end-width < front {
			break
		}
		if end -= width; standIn {
			at = append([]int{end}, at...)
		}
		n, shown = n+width, shown[:len(shown)-size]
	}
	return n, at
}
