package tokenizer

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// cutter knows where a text may be cut for one tokenizer.
type cutter struct {
	space   bool // before spaces
	newline bool // before newlines and tabs as well
	chinese bool // between two Chinese characters
	prefix  bool // only before one space and a letter or digit, dropping the space; see instead
	longest int  // letters of a word that count; 0 = all
	soft    int  // bytes that a piece should have
	hard    int  // bytes that a piece never exceeds
}

// safe reports whether cutting text before byte i, 0 < i < len(text), leaves
// its ids unchanged. It does where white space follows a letter or digit, or
// where a Chinese character follows another one.
func (c cutter) safe(text string, i int) bool {
	switch b := text[i]; {
	case b == ' ' && c.space, (b == '\n' || b == '\t') && c.newline:
		if c.prefix && !begins(text[i+1:]) {
			return false
		}
		return ends(text[:i])
	case b >= 0xE3 && c.chinese:
		after, _ := utf8.DecodeRuneInString(text[i:])
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		return chinese(after) && chinese(before)
	}
	return false
}

// begins and ends report whether s has a letter or digit at that side.
func begins(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return wordRuneForSure(r)
}

func ends(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return wordRuneForSure(r)
}

// wordRuneForSure reports whether r is a letter or digit by every Unicode
// table.
func wordRuneForSure(r rune) bool {
	return isAlnum(r) || r >= utf8.RuneSelf && countLetters(0, r) > 0 || chinese(r) && r < 0x9FD6
}

// newCutter derives from the file's own steps where a text may be cut: each case
// states what the step does at white space after a letter or digit. A step
// that is not listed guarantees nothing, and then a text is cut only at the
// hard limit.
func newCutter(f *file) cutter {
	c := cutter{soft: softBytes, hard: hardBytes}
	if unknownRegex(f) {
		// An unknown pattern may take quadratic time.
		c.soft, c.hard = 4<<10, 4<<10
	}
	if joinsAtSpaces(f) && !addedSpanSpaces(f) {
		c.space, c.prefix = true, prepends(f)
		return c
	}
	space, newline, words := splitsAtSpace(f)
	if !space || !normalizesByCharacter(f, words) || addedSpanSpaces(f) {
		return c
	}
	c.space, c.newline = true, newline
	if words {
		c.chinese = isolatesChinese(f)
		if f.model.kind == "WordPiece" && onlyBERT(f) {
			c.longest = f.model.wordChars + 1
		}
	}
	return c
}

// unknownRegex reports whether the file has a pattern that no known model
// uses.
func unknownRegex(f *file) bool {
	for _, p := range append(f.normalizer.parts(), f.preTokenizer.parts()...) {
		pattern, _ := p["pattern"].(map[string]any)
		if regex, ok := pattern["Regex"].(string); ok && !Known(regex) {
			return true
		}
	}
	return false
}

// joinsAtSpaces reports whether the file is of SentencePiece's kind, does not
// split text into words, and yet has no token with a space (written ▁) after a
// letter or digit. Then no merge ever crosses such a place.
func joinsAtSpaces(f *file) bool {
	steps := f.normalizer.parts()
	if prepends(f) {
		steps = steps[1:]
	}
	m := &f.model
	_, known := m.ids[blank] // without it, unknown characters are joined across the space
	if m.kind != "BPE" || m.ignoreMerges || m.prefix != nil || m.suffix != nil || !known || f.preTokenizer != nil || len(steps) != 1 || !maps.EqualFunc(steps[0], replaceStep(" ", blank), reflect.DeepEqual) {
		return false
	}
	for _, a := range f.added {
		// A piece that begins with a space must begin with exactly that token.
		if a.Normalized || prepends(f) && (a.Content[0] == ' ' || begins(a.Content) || ends(a.Content)) {
			return false
		}
	}
	for token := range m.ids {
		for rest := token; ; {
			word, after, ok := strings.Cut(rest, blank)
			if !ok {
				break
			}
			if ends(word) && !isAdded(f, token) {
				return false
			}
			rest = after
		}
	}
	return true
}

// prepends reports whether the tokenizer puts a ▁ before every text, and so
// before every piece of one.
func prepends(f *file) bool {
	steps := f.normalizer.parts()
	return len(steps) > 0 && steps[0].name() == "Prepend" && steps[0]["prepend"] == blank
}

func isAdded(f *file, token string) bool {
	return slices.ContainsFunc(f.added, func(a addedToken) bool { return a.Content == token })
}

// instead returns the part of a piece that the library gets; before is the
// text that the piece follows. It drops a leading space where the library adds
// a ▁ itself.
func (c cutter) instead(before, piece string) string {
	if c.prefix && ends(before) && strings.HasPrefix(piece, " ") && begins(piece[1:]) {
		return piece[1:]
	}
	return piece
}

// splitsAtSpace reports whether pre-tokenizing begins a new word at a space
// (space), at newlines and tabs too (newline), and whether it drops white
// space altogether, so that later steps see single words (words).
func splitsAtSpace(f *file) (space, newline, words bool) {
	newline = true
	letters, digits := false, false // whether these are split off
	for i, p := range f.preTokenizer.parts() {
		switch p.name() {
		case "BertPreTokenizer", "Whitespace", "WhitespaceSplit":
			// White space ends a word and is dropped.
			if i == 0 {
				return true, true, true
			}
		case "ByteLevel":
			// The GPT-2 pattern: white space begins a match, and no match
			// reaches across it from the left. The library adds no second
			// space to a piece that starts with one, but would add one before
			// a newline.
			if p["use_regex"] != false {
				space = true
			}
			if p["add_prefix_space"] == true {
				newline = false
			}
		case "Metaspace":
			// Spaces become ▁, and every ▁ begins a word. The library adds no
			// second one to a piece that starts with one.
			return p["split"] != false, false, false
		case "Split":
			pattern, _ := p["pattern"].(map[string]any)
			regex, _ := pattern["Regex"].(string)
			behavior := p["behavior"]
			switch {
			case SplitsAtSpaces(regex) && (behavior == "Isolated" || behavior == "Removed" && p["invert"] == true):
				space = true
			case LeavesSpaces(regex) && behavior == "Isolated":
				letters = letters || regex == letterRuns || regex == casedRuns
			default:
				return false, false, false
			}
		case "Digits":
			digits = true
		case "Punctuation":
			// Split by the kind of each character; white space is neither
			// kind.
		default:
			return false, false, false
		}
	}
	space = space || letters && digits
	return space, space && newline, false
}

// normalizesByCharacter reports whether the normalized text on one side of a
// cut is independent of the other side. White space combines with nothing
// before it.
func normalizesByCharacter(f *file, words bool) bool {
	for _, n := range f.normalizer.parts() {
		switch n.name() {
		case "BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Nmt", "Precompiled", "StripAccents":
		case "Strip":
			if !words { // it would remove the space that a piece starts with
				return false
			}
		case "Replace":
			pattern, _ := n["pattern"].(map[string]any)
			if s, ok := pattern["String"].(string); ok && !strings.ContainsAny(s, " \t\n") {
				continue
			}
			// A run of spaces that becomes one space begins at the cut.
			if s, ok := pattern["Regex"].(string); ok && (s == `\s+` || s == ` {2,}`) && (n["content"] == " " || n["content"] == "▁" && !words) {
				continue
			}
			return false
		default:
			return false
		}
	}
	return true
}

// addedSpanSpaces reports whether an added token could span a cut.
func addedSpanSpaces(f *file) bool {
	for _, t := range f.added {
		s := t.Content
		if t.RStrip && isAlnum(rune(s[len(s)-1])) || t.LStrip && isAlnum(rune(s[0])) {
			return true
		}
		for i := 1; i < len(s); i++ {
			if (s[i] == ' ' || s[i] == '\n' || s[i] == '\t') && (isAlnum(rune(s[i-1])) || s[i-1] >= utf8.RuneSelf) {
				return true
			}
		}
	}
	return false
}

func isolatesChinese(f *file) bool {
	parts := f.normalizer.parts()
	for _, t := range f.added {
		for _, r := range t.Content {
			if chinese(r) {
				return false
			}
		}
	}
	return len(parts) == 1 && parts[0].name() == "BertNormalizer" && parts[0]["handle_chinese_chars"] == true
}

// onlyBERT reports whether words are split at white space and punctuation
// only, and no added token but the control tokens can occur inside a word.
func onlyBERT(f *file) bool {
	for _, n := range f.normalizer.parts() {
		if n.name() != "BertNormalizer" && n.name() != "Lowercase" {
			return false
		}
	}
	for _, p := range f.preTokenizer.parts() {
		if p.name() != "BertPreTokenizer" && p.name() != "WhitespaceSplit" {
			return false
		}
	}
	for _, t := range f.added {
		if !t.Special {
			return false
		}
	}
	return true
}
