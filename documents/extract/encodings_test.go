package extract

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode/utf32"
)

// TestEncodings reads text in many encodings. An encoding without a mark and without a
// recognizable form is read as Windows-1252: with wrong letters, but without an error.
func TestEncodings(t *testing.T) {
	const german = "Grüße aus Köln. Das kostet 5 €.\nZweite Zeile.\n"
	latin := func(s string) []byte {
		data, err := charmap.Windows1252.NewEncoder().Bytes([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	shiftJIS, err := japanese.ShiftJIS.NewEncoder().Bytes([]byte("日本語の文章です。\n"))
	if err != nil {
		t.Fatal(err)
	}
	utf32LE, err := utf32.UTF32(utf32.LittleEndian, utf32.UseBOM).NewEncoder().Bytes([]byte(german))
	if err != nil {
		t.Fatal(err)
	}
	utf32BE, err := utf32.UTF32(utf32.BigEndian, utf32.UseBOM).NewEncoder().Bytes([]byte(german))
	if err != nil {
		t.Fatal(err)
	}
	readHostile(t, []hostile{
		{"utf8.txt", []byte(german), 0, "Köln. Das kostet 5 €."},
		{"utf8-mark.txt", []byte("\xef\xbb\xbf" + german), 0, "Grüße"},
		{"utf8-two-marks.txt", []byte("\xef\xbb\xbf\xef\xbb\xbf" + german), 0, "Grüße"},
		{"utf16le-mark.txt", utf16File(german, true, false), 0, "Köln. Das kostet 5 €."},
		{"utf16be-mark.txt", utf16File(german, true, true), 0, "Köln. Das kostet 5 €."},
		{"utf16le.txt", utf16File(german, false, false), 0, "Köln. Das kostet 5 €."},
		{"utf16be.txt", utf16File(german, false, true), 0, "Köln. Das kostet 5 €."},
		{"utf16-emoji.txt", utf16File("Hello 😀 there\n", true, false), 0, "😀"},
		{"utf16-odd-length.txt", append(utf16File(german, true, false), 'x'), 0, "Grüße"},
		{"utf16-half-pair.txt", append(utf16File(german, true, false), 0x3d, 0xd8), 0, "Grüße"},
		{"utf16-cyrillic.txt", utf16File("Привет, мир. Это текст.\n", true, true), 0, "Привет, мир"},
		{"utf32le.txt", utf32LE, 0, "Köln"},
		{"utf32be.txt", utf32BE, 0, "Köln"},
		{"windows1252.txt", latin(german), 0, "Köln. Das kostet 5 €."},
		{"windows1252-quotes.txt", latin("“Curly” quotes – and a dash…"), 0, "“Curly” quotes – and a dash…"},
		{"shift-jis.txt", shiftJIS, 0, "日本語の文章です。"},
		{"mixed.txt", []byte(strings.Repeat(german, 5) + "caf\xe9\n"), 0, "café"},
		{"invalid-end.txt", []byte(german + "\xe2\x82"), 0, "Grüße"},
		{"overlong.txt", []byte("Hello " + strings.Repeat("ü", 20) + "\xc0\xaf"), 0, "Hello"},
		{"surrogates.txt", []byte("Hello " + strings.Repeat("ü", 20) + "\xed\xa0\x80"), 0, "Hello"},
		{"one-nul.txt", []byte(strings.Repeat("Hello there. ", 100) + "\x00"), 0, "Hello"},
		{"escapes.txt", []byte("\x1b[1mHello\x1b[0m\n"), 0, "Hello"},
		{"old-mac.txt", []byte("One\rTwo\r\rThree"), 0, "One\nTwo\n\nThree"},
		{"form-feed.txt", []byte("Hello\n\f\nPage two\n"), 0, "Page two"},
		{"separators.txt", []byte("Hello\u2028there\u0085and\u00a0on\u3000\n"), 0, "Hello"},
		{"only-mark.txt", []byte("\xef\xbb\xbf"), NoText, ""},
		{"only-space.txt", []byte(" \n\t\u3000\n"), NoText, ""},
		{"one-letter.txt", []byte("x"), 0, "x"},
		{"utf7.txt", []byte("Gr+APwA3w-e"), 0, "Gr+APwA3w-e"},
		{"meta.html", latin("<meta charset=windows-1252><p>Grüße"), 0, "Grüße"},
		{"http-equiv.html", shiftJISPage(shiftJIS), 0, "日本語の文章です。"},
		{"utf16.html", utf16File("<html><p>Grüße</p></html>", true, false), 0, "Grüße"},
		{"no-charset.html", []byte("<p>Grüße " + strings.Repeat("ü", 30)), 0, "Grüße"},
		{"latin.xml.docx", zipped("word/document.xml", "<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><d><p><t>Gr\xfc\xdfe</t></p></d>"), 0, "Grüße"},
		{"utf16.csv", utf16File("Name\tStadt\nAnn\tKöln\n", true, false), 0, "Köln"},
		{"mac.rtf", []byte(`{\rtf1\mac Gr\'9f\'a7e}`), 0, "Grüße"},
		{"cyrillic.rtf", []byte(`{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8\'e2\'e5\'f2}`), 0, "Привет"},
		{"japanese.rtf", []byte(`{\rtf1\ansi\ansicpg932 \'93\'fa\'96\'7b}`), 0, "日本"},
		{"koi8.eml", []byte("From: a\nContent-Type: text/plain; charset=koi8-r\n\n\xf0\xd2\xc9\xd7\xc5\xd4\n"), 0, "Привет"},
		{"unknown-charset.eml", []byte("From: a\nContent-Type: text/plain; charset=x-none\n\nHello\n"), 0, "Hello"},
	})
}

func shiftJISPage(text []byte) []byte {
	return append([]byte(`<html><head><meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS"></head><p>`), text...)
}
