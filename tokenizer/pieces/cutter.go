package pieces

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"inglenook/tokenizer/definition"
	"inglenook/tokenizer/patterns"
)

// Cutter knows where a text may be cut for one tokenizer.
type Cutter struct {
	Space   bool // before spaces
	newline bool // before newlines and tabs as well
	chinese bool // between two Chinese characters
	prefix  bool // only before one space and a letter or digit, dropping the space; see Instead
	Longest int  // letters of a word that count; 0 = all
	Soft    int  // bytes that a piece should have
	Hard    int  // bytes that a piece never exceeds
}

// safe reports whether cutting text before byte i, 0 < i < len(text), leaves
// its ids unchanged. It does where white space follows a letter or digit, or
// where a Chinese character follows another one.
func (c Cutter) safe(text string, i int) bool {
	switch b := text[i]; {
	case b == ' ' && c.Space, (b == '\n' || b == '\t') && c.newline:
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
	return definition.IsAlnum(r) || r >= utf8.RuneSelf && countLetters(0, r) > 0 || chinese(r) && r < 0x9FD6
}

// NewCutter derives from the file's own steps where a text may be cut: each case
// states what the step does at white space after a letter or digit. A step
// that is not listed guarantees nothing, and then a text is cut only at the
// hard limit.
func NewCutter(f *definition.File) Cutter {
	c := Cutter{Soft: softBytes, Hard: hardBytes}
	if unknownRegex(f) {
		// An unknown pattern may take quadratic time.
		c.Soft, c.Hard = 4<<10, 4<<10
	}
	if joinsAtSpaces(f) && !addedSpanSpaces(f) {
		c.Space, c.prefix = true, prepends(f)
		return c
	}
	space, newline, words := splitsAtSpace(f)
	if !space || !normalizesByCharacter(f, words) || addedSpanSpaces(f) {
		return c
	}
	c.Space, c.newline = true, newline
	if words {
		c.chinese = isolatesChinese(f)
		if f.Model.Kind == "WordPiece" && onlyBERT(f) {
			c.Longest = f.Model.WordChars + 1
		}
	}
	return c
}

// unknownRegex reports whether the file has a pattern that no known model
// uses.
func unknownRegex(f *definition.File) bool {
	for _, p := range append(f.Normalizer.Parts(), f.PreTokenizer.Parts()...) {
		pattern, _ := p["pattern"].(map[string]any)
		if regex, ok := pattern["Regex"].(string); ok && !patterns.Known(regex) {
			return true
		}
	}
	return false
}

// joinsAtSpaces reports whether the file is of SentencePiece's kind, does not
// split text into words, and yet has no token with a space (written ▁) after a
// letter or digit. Then no merge ever crosses such a place.
func joinsAtSpaces(f *definition.File) bool {
	steps := f.Normalizer.Parts()
	if prepends(f) {
		steps = steps[1:]
	}
	m := &f.Model
	_, known := m.IDs[definition.Blank] // without it, unknown characters are joined across the space
	if m.Kind != "BPE" || m.IgnoreMerges || m.Prefix != nil || m.Suffix != nil || !known || f.PreTokenizer != nil || len(steps) != 1 || !maps.EqualFunc(steps[0], definition.ReplaceStep(" ", definition.Blank), reflect.DeepEqual) {
		return false
	}
	for _, a := range f.Added {
		// A piece that begins with a space must begin with exactly that token.
		if a.Normalized || prepends(f) && (a.Content[0] == ' ' || begins(a.Content) || ends(a.Content)) {
			return false
		}
	}
	for token := range m.IDs {
		for rest := token; ; {
			word, after, ok := strings.Cut(rest, definition.Blank)
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
func prepends(f *definition.File) bool {
	steps := f.Normalizer.Parts()
	return len(steps) > 0 && steps[0].Name() == "Prepend" && steps[0]["prepend"] == definition.Blank
}

func isAdded(f *definition.File, token string) bool {
	return slices.ContainsFunc(f.Added, func(a definition.AddedToken) bool { return a.Content == token })
}

// Instead returns the part of a piece that the library gets; before is the
// text that the piece follows. It drops a leading space where the library adds
// a ▁ itself.
func (c Cutter) Instead(before, piece string) string {
	if c.prefix && ends(before) && strings.HasPrefix(piece, " ") && begins(piece[1:]) {
		return piece[1:]
	}
	return piece
}

// splitsAtSpace reports whether pre-tokenizing begins a new word at a space
// (space), at newlines and tabs too (newline), and whether it drops white
// space altogether, so that later steps see single words (words).
func splitsAtSpace(f *definition.File) (space, newline, words bool) {
	newline = true
	letters, digits := false, false // whether these are split off
	for i, p := range f.PreTokenizer.Parts() {
		switch p.Name() {
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
			case patterns.SplitsAtSpaces(regex) && (behavior == "Isolated" || behavior == "Removed" && p["invert"] == true):
				space = true
			case patterns.LeavesSpaces(regex) && behavior == "Isolated":
				letters = letters || regex == patterns.LetterRuns || regex == patterns.CasedRuns
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
func normalizesByCharacter(f *definition.File, words bool) bool {
	for _, n := range f.Normalizer.Parts() {
		switch n.Name() {
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
func addedSpanSpaces(f *definition.File) bool {
	for _, t := range f.Added {
		s := t.Content
		if t.RStrip && definition.IsAlnum(rune(s[len(s)-1])) || t.LStrip && definition.IsAlnum(rune(s[0])) {
			return true
		}
		for i := 1; i < len(s); i++ {
			if (s[i] == ' ' || s[i] == '\n' || s[i] == '\t') && (definition.IsAlnum(rune(s[i-1])) || s[i-1] >= utf8.RuneSelf) {
				return true
			}
		}
	}
	return false
}

func isolatesChinese(f *definition.File) bool {
	parts := f.Normalizer.Parts()
	for _, t := range f.Added {
		for _, r := range t.Content {
			if chinese(r) {
				return false
			}
		}
	}
	return len(parts) == 1 && parts[0].Name() == "BertNormalizer" && parts[0]["handle_chinese_chars"] == true
}

// onlyBERT reports whether words are split at white space and punctuation
// only, and no added token but the control tokens can occur inside a word.
func onlyBERT(f *definition.File) bool {
	for _, n := range f.Normalizer.Parts() {
		if n.Name() != "BertNormalizer" && n.Name() != "Lowercase" {
			return false
		}
	}
	for _, p := range f.PreTokenizer.Parts() {
		if p.Name() != "BertPreTokenizer" && p.Name() != "WhitespaceSplit" {
			return false
		}
	}
	for _, t := range f.Added {
		if !t.Special {
			return false
		}
	}
	return true
}
