// Package text reads formats that are text to begin with: plain text, Markdown,
// tables, JSON, source code, subtitles and RTF.
package text

import (
	"bytes"
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode/utf32"

	utf "golang.org/x/text/encoding/unicode"

	"inglenook/documents/extract/format"
)

// Decode returns the text of a file as UTF-8 with "\n" line ends. The encoding is
// that of the byte order mark, else UTF-8 where the bytes are valid, else UTF-16
// where they look like it, else Shift JIS or EUC-JP where that reads as Japanese, else
// Windows-1252. Content that is no text in any of them is Unsupported.
func Decode(ctx context.Context, data []byte) (string, error) {
	text, err := decode(data)
	if err != nil {
		return "", err
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text, nil
}

// marks are the byte order marks. That of UTF-32 begins with that of UTF-16.
var marks = []struct {
	mark   string
	decode func([]byte) ([]byte, error)
}{
	{"\xef\xbb\xbf", nil},
	{"\xff\xfe\x00\x00", utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM).NewDecoder().Bytes},
	{"\x00\x00\xfe\xff", utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM).NewDecoder().Bytes},
	{"\xff\xfe", utf.UTF16(utf.LittleEndian, utf.IgnoreBOM).NewDecoder().Bytes},
	{"\xfe\xff", utf.UTF16(utf.BigEndian, utf.IgnoreBOM).NewDecoder().Bytes},
}

func decode(data []byte) (string, error) {
	for _, m := range marks {
		rest, ok := bytes.CutPrefix(data, []byte(m.mark))
		if !ok {
			continue
		}
		if m.decode == nil {
			data = rest
			break
		}
		decoded, err := m.decode(rest)
		if err != nil {
			return "", notText()
		}
		return checked(string(decoded))
	}
	if order, ok := looksUTF16(data); ok {
		decoded, err := utf.UTF16(order, utf.IgnoreBOM).NewDecoder().Bytes(data)
		if err != nil {
			return "", notText()
		}
		return checked(string(decoded))
	}
	if utf8.Valid(data) {
		return checked(string(data))
	}
	if mostlyUTF8(data) {
		return checked(repaired(data))
	}
	if japanese, ok := decodeJapanese(data); ok {
		return checked(japanese)
	}
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		return "", notText()
	}
	return checked(string(decoded))
}

// looksUTF16 reports whether bytes without a mark are UTF-16, and in which order.
// Space, line end and Latin letters have a zero for the upper byte, so one half of
// the bytes has many zeros and the other hardly any.
func looksUTF16(data []byte) (utf.Endianness, bool) {
	sample := data[:min(len(data), 64<<10)&^1]
	var zeros [2]int
	for i, c := range sample {
		if c == 0 {
			zeros[i%2]++
		}
	}
	few, many := len(sample)/100, max(1, len(sample)/20) // of 2 × 50%
	switch {
	case len(data)%2 != 0:
		return utf.LittleEndian, false
	case zeros[1] >= many && zeros[0] <= few:
		return utf.LittleEndian, printableUTF16(sample, 0)
	case zeros[0] >= many && zeros[1] <= few:
		return utf.BigEndian, printableUTF16(sample, 1)
	}
	return utf.LittleEndian, false
}

// printableUTF16 reports whether the units are characters that people write; low
// is the index of a unit's lower byte.
func printableUTF16(sample []byte, low int) bool {
	odd := 0
	for i := 0; i+1 < len(sample); i += 2 {
		unit := rune(sample[i+1-low])<<8 | rune(sample[i+low])
		surrogate := unit >= 0xd800 && unit < 0xe000
		if !surrogate && !unicode.IsPrint(unit) && !unicode.IsSpace(unit) && unit != 0xfeff {
			odd++
		}
	}
	return odd*100 <= len(sample)/2
}

// mostlyUTF8 reports whether a few stray bytes are all that keeps text from being
// UTF-8.
func mostlyUTF8(data []byte) bool {
	good, bad := 0, 0
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			bad++
		} else {
			good++
		}
		i += n
	}
	return good > bad
}

// decodeJapanese reads the two encodings that Japanese text had before UTF-8. Its
// kana tell it apart: no other text has so many when it is read so.
func decodeJapanese(data []byte) (string, bool) {
	for _, encoding := range []encoding.Encoding{japanese.ShiftJIS, japanese.EUCJP} {
		sample, err := encoding.NewDecoder().Bytes(data[:min(len(data), 64<<10)])
		if err != nil {
			continue
		}
		kana, wrong, all := 0, 0, 0
		for _, r := range string(sample) {
			switch {
			case r == utf8.RuneError:
				wrong++
			case r >= 0x3041 && r <= 0x30ff:
				kana++
			}
			if r > 0x7f {
				all++
			}
		}
		if kana*5 < all || wrong > 1 { // the sample may cut one character
			continue
		}
		text, err := encoding.NewDecoder().Bytes(data)
		return string(text), err == nil
	}
	return "", false
}

// repaired reads stray bytes as Windows-1252, which is what they are where two
// texts were joined.
func repaired(data []byte) string {
	var b strings.Builder
	b.Grow(len(data))
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n == 1 {
			b.WriteRune(charmap.Windows1252.DecodeByte(data[0]))
		} else {
			b.Write(data[:n])
		}
		data = data[n:]
	}
	return b.String()
}

// checked refuses what has the form of text but the control characters of
// something else.
func checked(text string) (string, error) {
	odd := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == 0:
			odd += 10
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' && c != 0x1b && c != 0x1a && c != '\b', c == 0x7f:
			odd++
		case c == 0xef && strings.HasPrefix(text[i:], "\ufffd"), c == 0xc2 && i+1 < len(text) && text[i+1] < 0xa0 && text[i+1] != 0x85:
			odd++ // what no encoding has, and the controls of Latin-1
		}
	}
	if odd*50 > len(text) {
		return "", notText()
	}
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", "")
	}
	return strings.ToValidUTF8(text, "\ufffd"), nil
}

func notText() error {
	return format.Errorf(format.Unsupported, "this is not text, and not a kind of file that can be read here")
}
