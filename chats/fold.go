package chats

import (
	"bytes"
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folding turns texts into the form that searches compare: lower case, without
// accents, so that "Über" and "uber" match. It keeps marks that are letters of
// their own, such as the vowel signs of Indic scripts and voiced kana.
type folding struct {
	runes [foldedRunes]string // the folded form of each rune
}

// foldedRunes is the first rune whose folded form is just its lower case.
const foldedRunes = 0x2000

// accents lists the marks that are removed: diacritics, and the vowel points of
// Hebrew and Arabic.
var accents = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0300, Hi: 0x036f, Stride: 1},
	{Lo: 0x0483, Hi: 0x0487, Stride: 1},
	{Lo: 0x0591, Hi: 0x05bd, Stride: 1},
	{Lo: 0x05bf, Hi: 0x05c7, Stride: 1},
	{Lo: 0x064b, Hi: 0x065f, Stride: 1},
	{Lo: 0x0670, Hi: 0x0670, Stride: 1},
	{Lo: 0x1ab0, Hi: 0x1aff, Stride: 1},
	{Lo: 0x1dc0, Hi: 0x1dff, Stride: 1},
}}

// withoutAccents maps letters that Unicode does not decompose to what people type
// instead.
var withoutAccents = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'þ': "th", 'ħ': "h", 'ı': "i", 'ĳ': "ij", 'ŋ': "n", 'ŧ': "t", 'ς': "σ",
}

func newFolding() *folding {
	f := &folding{}
	for r := range rune(foldedRunes) {
		f.runes[r] = foldRune(r)
	}
	return f
}

func foldRune(r rune) string {
	letters := []rune{r}
	if whole := []rune(norm.NFD.String(string(r))); !slices.ContainsFunc(whole[1:], func(m rune) bool { return !unicode.Is(accents, m) }) {
		letters = whole
	}
	var folded string
	for _, l := range letters {
		l = unicode.ToLower(l)
		plain, special := withoutAccents[l]
		switch {
		case unicode.Is(accents, l):
		case special:
			folded += plain
		default:
			folded += string(l)
		}
	}
	return folded
}

// of returns the folded form of a rune.
func (f *folding) of(r rune) string {
	if r < foldedRunes {
		return f.runes[r]
	}
	return string(unicode.ToLower(r))
}

// text appends the folded text to dst.
func (f *folding) text(dst []byte, text string) []byte {
	dst = slices.Grow(dst, len(text)+8)
	for i := 0; i < len(text); {
		if i+8 <= len(text) {
			if word := binary.LittleEndian.Uint64([]byte(text[i : i+8])); word&highBits == 0 {
				dst = binary.LittleEndian.AppendUint64(dst, lowerASCII(word))
				i += 8
				continue
			}
		}
		b := text[i]
		if b < utf8.RuneSelf {
			if 'A' <= b && b <= 'Z' {
				b += 'a' - 'A'
			}
			dst = append(dst, b)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if r < foldedRunes {
			dst = append(dst, f.runes[r]...)
		} else {
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
		i += n
	}
	return dst
}

const highBits = 0x8080808080808080

// lowerASCII converts the capitals among eight ASCII characters to lower case: a
// byte between 'A' and 'Z' gets a high bit in one of the sums and not in the
// other.
func lowerASCII(word uint64) uint64 {
	const each = 0x0101010101010101
	atLeastA := word + (0x80-'A')*each
	aboveZ := word + (0x7f-'Z')*each
	return word | (atLeastA&^aboveZ&highBits)>>2
}

// place finds a folded word in a text. It returns the range of bytes that match,
// including accents that follow.
func (f *folding) place(text string, word []byte) (from, to int, ok bool) {
	at := bytes.Index(f.text(nil, text), word)
	if at < 0 {
		return 0, 0, false
	}
	folded, from := 0, -1
	for i, r := range text {
		n := len(f.of(r))
		if from < 0 && folded+n > at {
			from = i
		}
		if folded >= at+len(word) && n > 0 {
			return from, i, true
		}
		folded += n
	}
	return from, len(text), true
}
