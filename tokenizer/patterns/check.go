package patterns

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

// The library runs the file's patterns in Oniguruma, which backtracks: an
// innocent-looking pattern can take exponential time, and after ten million
// steps on one match Oniguruma fails with an error that ends the process. So a
// pattern must either be used by a published model, or have a structure that
// provably backtracks over a stretch of text at most once.

// splitsAtSpaces are patterns of published models. In all of them white space
// after a letter or digit begins a match.
var splitsAtSpaces = map[string]bool{
	// CLIP
	`<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`: true,
	`'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`:                                   true,
	GPT2: true, Qwen2: true, Qwen35: true, Llama3: true, GPT4o: true, Tekken: true,
	DeepSeek3: true, Bailing: true, Seed: true, Bloom: true,
}

// closesWords are the patterns of splitsAtSpaces in which no match has a
// bracket or a bar after a letter.
var closesWords = map[string]bool{
	GPT2: true, Qwen2: true, Qwen35: true, Llama3: true, GPT4o: true, Tekken: true,
	DeepSeek3: true, Bailing: true, Seed: true,
}

// leavesSpaces are patterns of models that split in several steps. None of
// them matches white space after a letter or digit, but the text between two
// matches may contain it.
var leavesSpaces = map[string]bool{
	Newlines: true, LetterRuns: true, CasedRuns: true, MarkRuns: true, DeepSeekMarks: true,
	Trailing: true, EastAsian: true, Japanese: true, UpToThree: true, ThreeDigits: true,
}

// lookahead matches the one kind of assertion that published patterns use.
var lookahead = regexp.MustCompile(`\(\?[!=]\\[sSdDwW]\)`)

// foreign matches what Go's parser reads as plain text and Oniguruma does not.
var foreign = regexp.MustCompile(`\{,|\\[QE]`)

// SplitsAtSpaces reports whether a pattern is that of a published model, in which
// white space after a letter or digit begins a match.
func SplitsAtSpaces(pattern string) bool { return splitsAtSpaces[pattern] }

// ClosesWords reports whether a pattern is that of a published model, in which no
// match has a bracket or a bar after a letter.
func ClosesWords(pattern string) bool { return closesWords[pattern] }

// LeavesSpaces reports whether a pattern is that of a published model that splits in
// several steps, in which no match has white space after a letter or digit.
func LeavesSpaces(pattern string) bool { return leavesSpaces[pattern] }

// Known reports whether a published model has this pattern.
func Known(pattern string) bool { return splitsAtSpaces[pattern] || leavesSpaces[pattern] }

// Check rejects a pattern that could take more than quadratic
// time.
func Check(pattern string) error {
	if Known(pattern) {
		return nil
	}
	tree, err := syntax.Parse(lookahead.ReplaceAllString(pattern, `\x{FDD3}`), syntax.Perl)
	if err != nil || foreign.MatchString(pattern) {
		return fmt.Errorf("the pattern %.60q uses what is not known here to be safe", pattern)
	}
	if e := effort(tree, true); e.loops > 1 || e.choices > maxChoices {
		return fmt.Errorf("the pattern %.60q could take forever on some texts", pattern)
	}
	return nil
}

const (
	MaxPatternBytes = 4096
	maxChoices      = 64
)

// tries bounds how many ways a match from one place may be attempted: at most
// choices times the length of the text to the power of loops.
type tries struct{ loops, choices int }

var forever = tries{loops: 100, choices: 1}

// effort bounds the tries of r. last means that nothing after r can fail, so
// that its first try is final.
func effort(r *syntax.Regexp, last bool) tries {
	switch r.Op {
	case syntax.OpStar, syntax.OpPlus:
		return loop(r.Sub[0], last)
	case syntax.OpRepeat:
		if r.Max < 0 {
			return loop(r.Sub[0], last)
		}
		once := effort(r.Sub[0], false)
		total := tries{choices: r.Max - r.Min + 1}
		for range r.Max {
			total = total.then(once)
		}
		return total
	case syntax.OpConcat:
		total := tries{choices: 1}
		for i, s := range r.Sub {
			total = total.then(effort(s, last && allOptional(r.Sub[i+1:])))
		}
		return total
	case syntax.OpAlternate:
		total := tries{}
		for _, s := range r.Sub {
			e := effort(s, last)
			total = tries{max(total.loops, e.loops), min(total.choices+e.choices, 1<<20)}
		}
		return total
	case syntax.OpQuest:
		e := effort(r.Sub[0], last)
		return tries{e.loops, e.choices + 1}
	case syntax.OpCapture:
		return effort(r.Sub[0], last)
	}
	return tries{choices: 1}
}

// loop bounds the tries of an unbounded repetition. Its body must match in one
// way only, or the ways multiply with every iteration.
func loop(body *syntax.Regexp, last bool) tries {
	if e := effort(body, false); e.loops > 0 || e.choices > 1 || nullable(body) {
		return forever
	}
	if last {
		return tries{choices: 1}
	}
	return tries{loops: 1, choices: 1}
}

func (a tries) then(b tries) tries {
	return tries{min(a.loops+b.loops, 1000), min(a.choices*b.choices, 1<<20)}
}

// allOptional reports whether no part can make a match fail.
func allOptional(parts []*syntax.Regexp) bool {
	for _, p := range parts {
		if !nullable(p) {
			return false
		}
	}
	return true
}

// nullable reports whether r always matches, if only the empty string.
func nullable(r *syntax.Regexp) bool {
	switch r.Op {
	case syntax.OpStar, syntax.OpQuest, syntax.OpEmptyMatch:
		return true
	case syntax.OpRepeat:
		return r.Min == 0 || nullable(r.Sub[0])
	case syntax.OpPlus, syntax.OpCapture:
		return nullable(r.Sub[0])
	case syntax.OpConcat:
		return allOptional(r.Sub)
	case syntax.OpAlternate:
		for _, s := range r.Sub {
			if nullable(s) {
				return true
			}
		}
	}
	return false
}
