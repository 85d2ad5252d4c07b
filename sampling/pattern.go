package sampling

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// formats returns patterns for the supported formats. Everything they match is valid;
// for dates they omit the 29th of February.
func formats() map[string]string {
	const (
		day    = `[0-9]{4}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))`
		moment = `([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])`
		octet  = `(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])`
		label  = `[A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?`
	)
	return map[string]string{
		"date": `^` + day + `$`, "time": `^` + moment + `$`, "date-time": `^` + day + `T` + moment + `$`,
		"uuid":  `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
		"email": `^[A-Za-z0-9_+-]{1,20}(\.[A-Za-z0-9_+-]{1,20}){0,2}@(` + label + `\.){1,3}[A-Za-z]{2,10}$`,
		"uri":   `^https?://(` + label + `\.){1,4}[A-Za-z]{2,10}(:[1-9][0-9]{1,3})?(/[A-Za-z0-9._~-]{0,60}){0,8}(\?[A-Za-z0-9=&._~-]{0,100})?(#[A-Za-z0-9._~-]{0,40})?$`,
		"ipv4":  `^` + octet + `(\.` + octet + `){3}$`,
	}
}

const (
	maxPattern = 1000   // bytes of a pattern
	maxProgram = 20_000 // instructions after compilation
)

// pattern reads a JSON string of low to high characters that contains a match of a
// regular expression. A character that JSON escapes has one spelling.
func (b *builder) pattern(expression string, low, high int32) (int32, error) {
	translated, err := translate(expression)
	if err != nil {
		return 0, err
	}
	parsed, err := syntax.Parse(translated, syntax.Perl)
	if err != nil {
		return 0, fmt.Errorf("is not one that both ECMA-262 and RE2 understand (%w); write it more simply", err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil || len(program.Inst) > maxProgram {
		return 0, errors.New("is too large; make its repetitions smaller")
	}
	p := &pattern{builder: b, program: program, low: low, high: high, made: map[patternState]int32{}}
	start := p.node(patternState{stage: before})
	for len(p.waiting) > 0 && b.err == nil {
		s := p.waiting[len(p.waiting)-1]
		p.waiting = p.waiting[:len(p.waiting)-1]
		at := p.made[s]
		alts := p.follow(s)
		p.nodes[at].alts = alts
	}
	return b.byte('"', start), nil
}

// translate rejects what ECMA-262 and RE2 read differently, and writes \u1234 in
// RE2's syntax.
func translate(expression string) (string, error) {
	if len(expression) > maxPattern {
		return "", fmt.Errorf("is longer than %d bytes; shorten it", maxPattern)
	}
	for _, part := range []string{"[]", "[^]", "[:", `\p`, `\P`} {
		if strings.Contains(expression, part) {
			return "", fmt.Errorf("has %s, which is not supported; write it in another way", part)
		}
	}
	var w strings.Builder
	for i := 0; i < len(expression); i++ {
		rest := expression[i:]
		switch {
		case strings.HasPrefix(rest, "(?") && !strings.HasPrefix(rest, "(?:"):
			return "", fmt.Errorf("has %.4s, a group that is not supported; write it without look-around, flags and names", rest)
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
			w.WriteString(rest[:2])
		default:
			w.WriteByte(rest[0])
		}
	}
	return w.String(), nil
}

// pattern makes the nodes of a compiled expression, one for each instruction and
// number of characters so far, as far as that number matters.
type pattern struct {
	*builder
	program   *syntax.Prog
	low, high int32
	made      map[patternState]int32
	waiting   []patternState // created but not yet filled
}

type patternState struct {
	stage stage
	at    uint32 // the instruction
	count int32  // of characters so far, up to the largest that matters
}

type stage uint8

const (
	before stage = iota // of the match
	within              // it
	atEnd               // within it, where no further character may follow
	behind              // the match
)

// node returns the node of a state, to be filled later.
func (p *pattern) node(s patternState) int32 {
	at, ok := p.made[s]
	if !ok {
		at = p.split()
		p.made[s] = at
		p.waiting = append(p.waiting, s)
	}
	return at
}

// after returns the state after another character; false if there may be none.
func (p *pattern) after(s patternState) (patternState, bool) {
	if p.high >= 0 {
		s.count++
		return s, s.count <= p.high
	}
	s.count = min(s.count+1, max(p.low, 1)) // at 1 it is no longer the beginning
	return s, true
}

// end closes the string if it is long enough.
func (p *pattern) end(s patternState) int32 {
	if s.count < p.low {
		return p.nothing()
	}
	return p.byte('"', p.finish)
}

// follow lists the nodes that may follow a state.
func (p *pattern) follow(s patternState) []int32 {
	next, more := p.after(s)
	switch s.stage {
	case before, behind:
		var alts []int32
		if more {
			alts = append(alts, p.bytes(p.character(p.node(next))...))
		}
		if s.stage == behind {
			return append(alts, p.end(s))
		}
		return append(alts, p.node(patternState{within, uint32(p.program.Start), s.count}))
	}

	in := &p.program.Inst[s.at]
	same := patternState{s.stage, in.Out, s.count}
	switch in.Op {
	case syntax.InstAlt, syntax.InstAltMatch:
		return []int32{p.node(same), p.node(patternState{s.stage, in.Arg, s.count})}
	case syntax.InstCapture, syntax.InstNop:
		return []int32{p.node(same)}
	case syntax.InstEmptyWidth:
		if empty := syntax.EmptyOp(in.Arg); empty&syntax.EmptyBeginText != 0 && s.count > 0 {
			return nil
		} else if empty&syntax.EmptyEndText != 0 {
			same.stage = atEnd
		}
		return []int32{p.node(same)}
	case syntax.InstMatch:
		if s.stage == atEnd {
			return []int32{p.end(s)}
		}
		return []int32{p.node(patternState{stage: behind, count: s.count})}
	case syntax.InstFail:
		return nil
	}
	if s.stage == atEnd || !more {
		return nil
	}
	next.at = in.Out
	return []int32{p.bytes(p.runes(runesOf(in), p.node(next))...)}
}

// runesOf returns the characters that an instruction reads, as ranges. It omits some
// from large sets: characters that are white space or line breaks only in ECMA-262.
func runesOf(in *syntax.Inst) []rune {
	set := in.Rune
	switch {
	case in.Op == syntax.InstRuneAny || in.Op == syntax.InstRuneAnyNotNL:
		set = []rune{0, utf8.MaxRune}
	case len(set) == 1:
		set = []rune{set[0], set[0]}
	}
	size := 0
	for i := 0; i < len(set); i += 2 {
		size += int(set[i+1]-set[i]) + 1
	}
	set = cut(set, 0xD800, 0xDFFF)
	if in.Op == syntax.InstRuneAnyNotNL {
		set = cut(cut(set, '\n', '\n'), '\r', '\r')
	}
	if size > 1000 {
		for _, r := range []rune{'\v', 0xA0, 0x1680, 0x202F, 0x205F, 0x3000, 0xFEFF} {
			set = cut(set, r, r)
		}
		set = cut(cut(set, 0x2000, 0x200A), 0x2028, 0x2029)
	}
	return set
}

// cut removes the runes from low to high from a set of ranges.
func cut(set []rune, low, high rune) (left []rune) {
	for i := 0; i < len(set); i += 2 {
		if from, to := set[i], min(set[i+1], low-1); from <= to {
			left = append(left, from, to)
		}
		if from, to := max(set[i], high+1), set[i+1]; from <= to {
			left = append(left, from, to)
		}
	}
	return left
}
