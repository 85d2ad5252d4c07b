package tokenizer

import (
	"fmt"
	"regexp"
	"regexp/syntax"
)

// The library runs the file's patterns in Oniguruma, which backtracks: an
// innocent-looking pattern can take exponential time, and after ten million
// steps on one match Oniguruma gives up with an error that ends the process.
// So a pattern has to be one of those that published models use, or one of
// which a look at its structure shows that it backtracks over a stretch of
// text at most once.

// splitsAtSpaces are the patterns of published models. In all of them a space
// between two letters or digits begins a match, and no match reaches over it.
var splitsAtSpaces = map[string]bool{
	// GPT-2
	`'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`: true,
	// CLIP
	`<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`: true,
	`'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+`:                                   true,
	// Qwen2, Qwen3
	`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`: true,
	// Llama 3, GPT-4
	`(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`: true,
	// GPT-4o, Phi-4-mini
	`[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`: true,
}

// lookahead matches the one kind of assertion that published patterns use.
var lookahead = regexp.MustCompile(`\(\?[!=]\\[sSdDwW]\)`)

// checkRegex refuses a pattern that could take more than quadratic time.
func checkRegex(pattern string) error {
	if splitsAtSpaces[pattern] {
		return nil
	}
	tree, err := syntax.Parse(lookahead.ReplaceAllString(pattern, `\x{FDD3}`), syntax.Perl)
	if err != nil {
		return fmt.Errorf("the pattern %.60q uses what is not known here to be safe (%v)", pattern, err)
	}
	if n := size(tree); n > 2000 {
		return fmt.Errorf("the pattern %.60q is too long once written out", pattern)
	}
	if worst, _ := backtracking(tree, true); worst > 1 {
		return fmt.Errorf("the pattern %.60q could take forever on some texts", pattern)
	}
	return nil
}

// unknownRegex reports whether the file has a pattern of its own.
func (f *file) unknownRegex() bool {
	for _, p := range append(f.normalizer.parts(), f.preTokenizer.parts()...) {
		pattern, _ := p["pattern"].(map[string]any)
		if regex, ok := pattern["Regex"].(string); ok && !splitsAtSpaces[regex] {
			return true
		}
	}
	return false
}

// size counts the nodes of a pattern with its repetitions written out.
func size(r *syntax.Regexp) int {
	n := 1
	for _, s := range r.Sub {
		n += size(s)
	}
	if r.Op == syntax.OpRepeat {
		n *= max(1, r.Min, r.Max)
	}
	return min(n, 1<<20)
}

// backtracking bounds how a failing match can go back over the text: worst is
// the number of unbounded repetitions that are tried in every combination,
// open says that r itself ends in such freedom. last means that nothing which
// could fail follows, so that the first try stands.
func backtracking(r *syntax.Regexp, last bool) (worst int, open bool) {
	const forever = 100
	switch r.Op {
	case syntax.OpStar, syntax.OpPlus, syntax.OpRepeat:
		inner, _ := backtracking(r.Sub[0], false)
		if r.Op == syntax.OpRepeat && r.Max >= 0 && r.Max <= 8 {
			return inner * max(1, r.Max), inner > 0
		}
		if inner > 0 || nullable(r.Sub[0]) {
			return forever, true
		}
		if last {
			return 0, false
		}
		return 1, true
	case syntax.OpConcat:
		for i, s := range r.Sub {
			tail := last && allOptional(r.Sub[i+1:])
			n, o := backtracking(s, tail)
			worst += n
			open = open || o
		}
		return worst, open
	case syntax.OpAlternate:
		for _, s := range r.Sub {
			n, o := backtracking(s, last)
			worst, open = max(worst, n), open || o
		}
		return worst, open
	case syntax.OpCapture, syntax.OpQuest:
		return backtracking(r.Sub[0], last)
	}
	return 0, false
}

// allOptional reports that no part can make a match fail.
func allOptional(parts []*syntax.Regexp) bool {
	for _, p := range parts {
		if !nullable(p) {
			return false
		}
	}
	return true
}

// nullable reports that r always matches, if only the empty string.
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
