package texts

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/documents/chunk"
	"inglenook/regular"
)

// maxTextFile bounds a text file: what is read stays in memory.
const maxTextFile = 64e6

// Texts are the texts of a file.
type Texts struct {
	Lines []string
	Note  string // one sentence on how the file was read; empty when there is nothing to say
	Way   Way    // in which they were cut
	Whole string // what they were cut from, where [CutBy] may cut it in other ways; empty: there are none

	Columns []Column // of a table: those that have texts; nil: there is one alone, or no table
	Column  int      // which of them was taken
	Taken   Column   // that one, also where it is the only one
	Sheet   *Sheet   // all of the table; nil: the file is none
}

// Sentences cuts paragraphs into sentences.
func Sentences(paragraphs []string) []string {
	var list []string
	for _, p := range paragraphs {
		for _, s := range chunk.Sentences(p) {
			if s = strings.TrimSpace(s); s != "" {
				list = append(list, s)
			}
		}
	}
	return list
}

// ReadTexts reads a file with one text a line; blank lines are skipped. Of a book, whose lines
// are broken to a width, each paragraph is a text, and a mail is one text. Of a
// .csv or .tsv file it takes the column with the texts, whichever of , ; and tab stands between the
// columns of a .csv file. UTF-8, UTF-16 with a
// byte order mark and Windows-1252 are understood.
func (*Service) ReadTexts(ctx context.Context, path string) (Texts, error) {
	data, err := readTextFile(ctx, path)
	if err != nil {
		return Texts{}, err
	}
	text, note := decodeText(data)
	if looksBinary(text) {
		return Texts{}, notText(filepath.Base(path), "save its text as a .txt file with one text a line and add that")
	}
	var t Texts
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		t, err = tableTexts(text, separator(text))
	case ".tsv":
		t, err = tableTexts(text, '\t')
	default:
		t = cutFile(text)
	}
	if err != nil {
		return Texts{}, fmt.Errorf("%s is not a table that can be read: %w; check its quotes, or save it as a .txt file with one text a line", filepath.Base(path), err)
	}
	if len(t.Lines) == 0 {
		return Texts{}, fmt.Errorf("%s holds no text; add a file with one text a line", filepath.Base(path))
	}
	t.Note = strings.TrimSpace(note + " " + t.Note)
	return t, nil
}

func readTextFile(ctx context.Context, path string) ([]byte, error) {
	name := filepath.Base(path)
	info, err := regular.Stat(ctx, path)
	if err != nil {
		return nil, base.FileError(path, err)
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; add a text file with one text a line", name)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file; add a text file with one text a line", name)
	}
	f, err := regular.Open(ctx, path)
	if err != nil {
		return nil, base.FileError(path, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxTextFile+1))
	if err != nil {
		return nil, base.FileError(path, err)
	}
	if len(data) > maxTextFile {
		return nil, fmt.Errorf("%s is larger than %s, more than can be compared at once; split it into smaller files", name, humanize.Bytes(maxTextFile))
	}
	return data, nil
}

// decodeText makes UTF-8 of data and says so where that was not plain.
func decodeText(data []byte) (text, note string) {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		data = data[3:]
	case bytes.HasPrefix(data, []byte{0xff, 0xfe}):
		return utf16Text(data[2:], false), "Read as UTF-16."
	case bytes.HasPrefix(data, []byte{0xfe, 0xff}):
		return utf16Text(data[2:], true), "Read as UTF-16."
	}
	if utf8.Valid(data) {
		return string(data), ""
	}
	return windows1252Text(data), "Not UTF-8: read as Windows-1252."
}

func utf16Text(data []byte, bigEndian bool) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		lo, hi := data[2*i], data[2*i+1]
		if bigEndian {
			lo, hi = hi, lo
		}
		units[i] = uint16(hi)<<8 | uint16(lo)
	}
	return string(utf16.Decode(units))
}

// windows1252 holds the characters 0x80 to 0x9f; the others are those of
// Latin-1. The five unused codes stay control characters, as browsers do.
var windows1252 = [32]rune{
	'€', 0x81, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', 0x8d, 'Ž', 0x8f,
	0x90, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', 0x9d, 'ž', 'Ÿ',
}

func windows1252Text(data []byte) string {
	var b strings.Builder
	b.Grow(len(data) + len(data)/8)
	for _, c := range data {
		r := rune(c)
		if c >= 0x80 && c < 0xa0 {
			r = windows1252[c-0x80]
		}
		b.WriteRune(r)
	}
	return b.String()
}

// looksBinary reports whether more than one character in fifty of the first 64 kB
// is a control character that text does not use, or any is NUL.
func looksBinary(text string) bool {
	head := text[:min(len(text), 64<<10)]
	total, odd := 0, 0
	for _, r := range head {
		total++
		switch {
		case r == 0:
			return true
		case r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' && r != 0x1b, r >= 0x7f && r < 0xa0:
			odd++
		}
	}
	return odd*50 > total
}

// maxAttachment bounds a text file that goes to a language model: it is far more
// than a model reads at once.
const maxAttachment = 4 << 20

// ReadText reads a text file as a whole. UTF-8, UTF-16 with a byte order mark and
// Windows-1252 are understood; line ends become \n.
func (*Service) ReadText(ctx context.Context, path string) (string, error) {
	name := filepath.Base(path)
	data, err := readTextFile(ctx, path)
	if err != nil {
		return "", err
	}
	text, _ := decodeText(data)
	switch {
	case looksBinary(text):
		return "", notText(name, "save its text as a .txt file and attach that")
	case len(text) > maxAttachment:
		return "", fmt.Errorf("%s holds %s of text, %w; attach a part of it, or search it in Documents", name, humanize.Bytes(uint64(len(text))), base.ErrMoreThanRead)
	case strings.TrimSpace(text) == "":
		return "", fmt.Errorf("%s holds no text; attach a file with text", name)
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), nil
}

// notText refuses a file that holds no text. hint says what to do, unless the file is one of a
// model's.
func notText(name, hint string) error {
	if IsPicture(name) {
		return fmt.Errorf("%s is not a text file but a picture; %s", name, hint)
	}
	switch strings.ToLower(filepath.Ext(name)) {
	case ".xlsx", ".xls", ".ods", ".numbers":
		hint = "save it as a .csv file in your spreadsheet program, and add that"
	case ".bin", ".pt", ".pth", ".ckpt", ".onnx", ".h5", ".msgpack":
		hint = "if it belongs to a model, drop the model's whole folder, with a .safetensors or .gguf file in it"
	}
	return fmt.Errorf("%s is not a text file: it holds binary data; %s", name, hint)
}
