package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// Native memory grows with the longest text that the library was ever given,
// by some hundred bytes a byte, and its time on a text without spaces can be
// quadratic. So long texts go in pieces. A piece ends where the tokenizer
// would itself begin a new word whatever surrounds it, so that the ids of the
// pieces, one after the other, are the ids of the whole; cutter.go says where
// that is. A text that offers no such place is cut at hardBytes, and there the
// ids may differ from the uncut text's by a token or two.
const (
	softBytes = 16 << 10  // pieces aim at this
	hardBytes = 256 << 10 // and never exceed this
)

// next returns the length of the first piece of text, aiming at soft bytes.
func (c cutter) next(text string, soft int) int {
	if len(text) <= soft {
		return len(text)
	}
	for i := soft; i > soft/2; i-- {
		if c.safe(text, i) {
			return i
		}
	}
	hard := min(len(text), max(soft, c.hard))
	for i := soft + 1; i < hard; i++ {
		if c.safe(text, i) {
			return i
		}
	}
	for hard < len(text) && !utf8.RuneStart(text[hard]) {
		hard--
	}
	return hard
}

// all returns the starts of all pieces, and the end of the last.
func (c cutter) all(text string, soft int) []int {
	starts := []int{0}
	for at := 0; at < len(text); {
		at += c.next(text[at:], soft)
		starts = append(starts, at)
	}
	return starts
}

// safe reports whether text may be cut before byte i, 0 < i < len(text),
// without a change to its ids.
func (c cutter) safe(text string, i int) bool {
	b := text[i]
	switch {
	case c.words && b == ' ' || c.lines && (b == '\n' || b == '\t'):
		if c.words && !c.lines && (i+1 == len(text) || !isAlnum(rune(text[i+1]))) {
			return false
		}
		before := text[i-1]
		if before < utf8.RuneSelf {
			return isAlnum(rune(before))
		}
		if !c.lines {
			return false
		}
		r, _ := utf8.DecodeLastRuneInString(text[:i])
		return chinese(r) || wordRune(r)
	case c.chinese && b >= 0xE3:
		r, _ := utf8.DecodeRuneInString(text[i:])
		if !chinese(r) {
			return false
		}
		r, _ = utf8.DecodeLastRuneInString(text[:i])
		return chinese(r)
	}
	return false
}

// cutter knows where a text may be cut for one tokenizer.
type cutter struct {
	words   bool // between a letter and a space that a letter follows
	lines   bool // between a letter and any white space
	chinese bool // between two Chinese characters
	longest int  // letters of a word that matter; 0 = all
	soft    int  // bytes that a piece aims at
	hard    int  // bytes that a piece never exceeds
}

// cutter proves what it can about the file's own steps. Each case says what
// the step does at a space after a letter or digit (for words, before another
// one). Steps that are not listed prove nothing, and then a text is cut only
// at the hard limit.
func (f *file) cutter() cutter {
	c := cutter{soft: softBytes, hard: hardBytes}
	if f.unknownRegex() {
		// A pattern that we don't know may take quadratic time.
		c.soft, c.hard = 4<<10, 4<<10
	}
	lines, words := f.splitsAtSpace()
	if !lines && !words || !f.normalizesByCharacter(lines) || f.addedSpanSpaces() {
		return c
	}
	c.words, c.lines = true, lines
	if c.lines {
		c.chinese = f.isolatesChinese()
		if f.model.kind == "WordPiece" && f.onlyBERT() {
			c.longest = f.model.wordChars + 1
		}
	}
	return c
}

// splitsAtSpace reports whether pre-tokenizing makes a new word at any white
// space (lines) or at a single space between letters or digits (words).
func (f *file) splitsAtSpace() (lines, words bool) {
	parts := f.preTokenizer.parts()
	for i, p := range parts {
		switch p.name() {
		case "BertPreTokenizer", "Whitespace", "WhitespaceSplit":
			// White space ends a word and is dropped. Later steps see words only.
			if i == 0 {
				return true, true
			}
		case "ByteLevel":
			// The GPT-2 pattern: a space and the letters after it are one match,
			// and no match reaches over a space from its left. A piece that
			// starts with a space gets no other one in front.
			if p["use_regex"] != false {
				words = true
			}
		case "Metaspace":
			// Spaces become ▁, and every ▁ begins a word. A piece that starts
			// with one gets no other one in front.
			if p["split"] == false {
				return false, false
			}
			return false, true
		case "Split":
			pattern, _ := p["pattern"].(map[string]any)
			regex, _ := pattern["Regex"].(string)
			behavior := p["behavior"]
			switch {
			case splitsAtSpaces[regex] && (behavior == "Isolated" || behavior == "Removed" && p["invert"] == true):
				words = true
			case regex == "[0-9][0-9][0-9]":
			default:
				return false, false
			}
		case "Digits", "Punctuation":
			// Split by the kind of each character; a space is of neither kind.
		default:
			return false, false
		}
	}
	return false, words
}

// normalizesByCharacter reports that what normalizing makes of the text on one
// side of the cut does not depend on the other side. A space combines with
// nothing before it.
func (f *file) normalizesByCharacter(lines bool) bool {
	for _, n := range f.normalizer.parts() {
		switch n.name() {
		case "BertNormalizer", "Lowercase", "NFC", "NFD", "NFKC", "NFKD", "Nmt", "Precompiled", "StripAccents":
		case "Strip":
			if !lines { // it would take the space that a piece starts with
				return false
			}
		case "Replace":
			pattern, _ := n["pattern"].(map[string]any)
			if s, ok := pattern["String"].(string); ok && !strings.ContainsAny(s, " \t\n") {
				continue
			}
			// A run of spaces that becomes one space begins where the cut is.
			if s, ok := pattern["Regex"].(string); ok && (s == `\s+` || s == ` {2,}`) && (n["content"] == " " || n["content"] == "▁" && !lines) {
				continue
			}
			return false
		default:
			return false
		}
	}
	return true
}

// addedSpanSpaces reports whether an added token could lie across a cut.
func (f *file) addedSpanSpaces() bool {
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

func (f *file) isolatesChinese() bool {
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

// onlyBERT reports that words are split at white space and punctuation only,
// and that no added token but the control tokens can be inside one.
func (f *file) onlyBERT() bool {
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
