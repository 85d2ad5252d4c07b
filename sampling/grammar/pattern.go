package grammar

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxPattern = 1000   // bytes of a pattern
	maxProgram = 20_000 // instructions after compilation
)

// matcher is a pattern of ECMA-262, as far as it is understood: expressions of
// RE2 that all have a match in the text, and some that have none.
type matcher struct{ all, none []string }

// newMatcher reads a pattern. Look-aheads at its beginning, as in
// ^(?=.*[0-9])(?!-).{8,}$, become expressions of their own.
func newMatcher(pattern string) (matcher, error) {
	var m matcher
	if len(pattern) > maxPattern {
		return m, fmt.Errorf("is longer than %d bytes; shorten it", maxPattern)
	}
	rest, anchored := strings.CutPrefix(pattern, "^")
	for anchored && (strings.HasPrefix(rest, "(?=") || strings.HasPrefix(rest, "(?!")) {
		end := closing(rest)
		if end < 0 || strings.HasPrefix(rest[end:], ")*") || strings.HasPrefix(rest[end:], ")?") || alternates(rest) {
			break // translate says what is wrong
		}
		negative := rest[2] == '!'
		ahead, err := translate("^(?:"+rest[3:end]+")", negative)
		if err != nil {
			return m, err
		}
		if rest = rest[end+1:]; negative {
			m.none = append(m.none, ahead)
		} else {
			m.all = append(m.all, ahead)
		}
	}
	if anchored {
		rest = "^" + rest
	}
	whole, err := translate(rest, false)
	m.all = append(m.all, whole)
	return m, err
}

// closing returns where the group ends with which an expression begins, -1 if
// nowhere.
func closing(expression string) int {
	depth, class := 0, false
	for i := 0; i < len(expression); i++ {
		switch c := expression[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// alternates reports whether an expression has a | outside groups.
func alternates(expression string) bool {
	depth, class := 0, false
	for i := 0; i < len(expression); i++ {
		switch c := expression[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == '|' && depth == 0:
			return true
		}
	}
	return false
}

// ecmaSpace is what \s means in ECMA-262, within a class.
const ecmaSpace = `\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`

// translate rejects what ECMA-262 and RE2 read differently, and writes \u1234 in
// RE2's syntax. An expression matches less than in ECMA-262 where the two
// differ about white space, or with wide not less.
func translate(expression string, wide bool) (string, error) {
	for _, part := range []string{"[]", "[^]", "[:", `\p`, `\P`} {
		if strings.Contains(expression, part) {
			return "", fmt.Errorf("has %s, which is not supported; write it in another way", part)
		}
	}
	var w strings.Builder
	class := false
	for i := 0; i < len(expression); i++ {
		rest := expression[i:]
		switch {
		case strings.HasPrefix(rest, "(?<") && len(rest) > 3 && rest[3] != '=' && rest[3] != '!' && !class:
			end := strings.IndexByte(rest, '>')
			if end < 0 {
				return "", errors.New("has a group without an end of its name; write it without names")
			}
			w.WriteByte('(')
			i += end
		case strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:") && !class:
			return "", fmt.Errorf("has %.4s, a group that is not supported here; write it without flags and with look-aheads only at its beginning, behind ^", rest)
		case rest[0] == '\\' && len(rest) > 1:
			c := rest[1]
			i++
			if c == 'u' && len(rest) >= 6 && strings.Trim(rest[2:6], "0123456789abcdefABCDEF") == "" {
				fmt.Fprintf(&w, `\x{%s}`, rest[2:6])
				i += 4
				continue
			}
			letter := '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z' || c >= utf8.RuneSelf
			if letter && !strings.ContainsRune("dDwWsSntrfvx", rune(c)) || c == 'x' && strings.HasPrefix(rest, `\x{`) {
				return "", fmt.Errorf(`has \%c, which is not supported; write it in another way`, c)
			}
			switch {
			case wide && c == 's' && class:
				w.WriteString(ecmaSpace)
			case wide && c == 's':
				w.WriteString("[" + ecmaSpace + "]")
			default:
				w.WriteString(rest[:2])
			}
		default:
			switch {
			case rest[0] == '[':
				class = true
			case rest[0] == ']':
				class = false
			}
			w.WriteByte(rest[0])
		}
	}
	return w.String(), nil
}

// match reports whether a text follows the pattern.
func (m matcher) match(text string) bool {
	has := func(expression string) bool {
		r, err := regexp.Compile(expression)
		return err == nil && r.MatchString(text)
	}
	return !slices.ContainsFunc(m.all, func(e string) bool { return !has(e) }) && !slices.ContainsFunc(m.none, has)
}

// literals returns an expression that matches the given texts alone.
func literals(texts []string) string {
	var quoted []string
	for _, text := range texts {
		quoted = append(quoted, regexp.QuoteMeta(text))
	}
	return `^(?:` + strings.Join(quoted, "|") + `)$`
}

// textRule says which texts follow a schema.
type textRule struct {
	matcher
	low, high int32 // characters; a negative high means no limit
}

func (r textRule) plain() bool { return len(r.all) == 0 && len(r.none) == 0 }

// programs compiles expressions.
func programs(expressions []string) (all []*syntax.Prog, err error) {
	for _, expression := range expressions {
		parsed, err := syntax.Parse(expression, syntax.Perl)
		if err != nil {
			return nil, fmt.Errorf("is not one that both ECMA-262 and RE2 understand (%w); write it more simply", err)
		}
		program, err := syntax.Compile(parsed.Simplify())
		if err != nil || len(program.Inst) > maxProgram {
			return nil, errors.New("is too large; make its repetitions smaller")
		}
		all = append(all, program)
	}
	return all, nil
}

// widths returns how many characters a match has; most is negative where there is
// no limit or where other characters may stand around the match.
func widths(expression string) (least, most int) {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return 0, -1
	}
	least, most = width(parsed)
	if parsed.Op != syntax.OpConcat || parsed.Sub[0].Op != syntax.OpBeginText || parsed.Sub[len(parsed.Sub)-1].Op != syntax.OpEndText {
		most = -1
	}
	return least, most
}

func width(r *syntax.Regexp) (least, most int) {
	const far = 1 << 20 // more than any limit
	times := func(low, high int) (int, int) {
		l, m := width(r.Sub[0])
		if m < 0 || high < 0 {
			return min(far, l*low), -1
		}
		return min(far, l*low), min(far, m*high)
	}
	switch r.Op {
	case syntax.OpLiteral:
		return len(r.Rune), len(r.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1, 1
	case syntax.OpCapture:
		return width(r.Sub[0])
	case syntax.OpStar:
		return times(0, -1)
	case syntax.OpPlus:
		return times(1, -1)
	case syntax.OpQuest:
		return times(0, 1)
	case syntax.OpRepeat:
		return times(r.Min, r.Max)
	case syntax.OpConcat:
		for _, sub := range r.Sub {
			l, m := width(sub)
			if least += l; m < 0 || most < 0 {
				most = -1
			} else {
				most += m
			}
		}
	case syntax.OpAlternate:
		for i, sub := range r.Sub {
			l, m := width(sub)
			if i == 0 {
				least, most = l, m
				continue
			}
			least = min(least, l)
			if m < 0 || most < 0 {
				most = -1
			} else {
				most = max(most, m)
			}
		}
	}
	return least, most
}
