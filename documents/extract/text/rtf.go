package text

import (
	"context"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/htmlindex"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// RTF reads the Rich Text Format: its words, paragraphs and rows of tables, and
// the headings that have an outline level. Pictures, headers and footers are left
// out.
func RTF(ctx context.Context, in format.Input, b *format.Builder) error {
	r := &rtf{data: in.Data, b: b, encoding: charmap.Windows1252, depth: in.Limits.Depth}
	r.state.unicodeSkip = 1
	for steps := 0; r.at < len(r.data); steps++ {
		if steps%4096 == 0 || b.Len() > r.checked {
			r.checked = b.Len()
			if err := b.Err(ctx); err != nil {
				return err
			}
		}
		if err := r.step(); err != nil {
			return err
		}
	}
	r.endParagraph()
	r.endRow()
	if len(r.stack) > 0 {
		b.Note("The file ends early, so its last part may be missing.")
	}
	return b.Err(ctx)
}

// rtf is the state while a file is read.
type rtf struct {
	data     []byte
	at       int
	b        *format.Builder
	encoding encoding.Encoding // of characters that are bytes
	depth    int
	checked  int

	state rtfState
	stack []rtfState

	bytes   []byte // of text that is not decoded yet
	words   strings.Builder
	title   strings.Builder
	high    rune // the first half of a surrogate pair
	level   int  // of the open paragraph: a heading's
	cells   []string
	inTable bool
	rows    int
	skip    int // characters that stand for the last one in old programs
}

// rtfState is what a group keeps to itself.
type rtfState struct {
	hidden      bool // the group's text is no part of the document
	title       bool
	unicodeSkip int
}

// rtfHidden are destinations whose text is not the document's.
var rtfHidden = map[string]bool{
	"fonttbl": true, "colortbl": true, "stylesheet": true, "info": true, "pict": true, "object": true, "header": true, "headerl": true,
	"headerr": true, "headerf": true, "footer": true, "footerl": true, "footerr": true, "footerf": true, "themedata": true,
	"colorschememapping": true, "datastore": true, "latentstyles": true, "listtable": true, "listoverridetable": true, "rsidtbl": true,
	"generator": true, "xmlnstbl": true, "fldinst": true, "filetbl": true, "revtbl": true, "pgdsctbl": true, "listtext": true,
	"bkmkstart": true, "bkmkend": true, "deleted": true, "nonshppict": true,
}

// rtfChars are control words that are characters.
var rtfChars = map[string]string{
	"tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“",
	"rdblquote": "”", "emspace": " ", "enspace": " ", "qmspace": " ", "~": " ", "_": "-", "softline": "\n",
}

func (r *rtf) step() error {
	switch c := r.data[r.at]; c {
	case '{':
		r.at++
		r.flushBytes()
		if len(r.stack) >= r.depth*8 { // groups are cheap, and nest more than elements do
			return format.Errorf(format.TooLarge, "its groups are nested more than %d deep", r.depth*8)
		}
		r.stack = append(r.stack, r.state)
		r.skip = 0
	case '}':
		r.at++
		r.flushBytes()
		if n := len(r.stack); n > 0 {
			r.state, r.stack = r.stack[n-1], r.stack[:n-1]
		}
		r.skip = 0
	case '\\':
		r.at++
		r.control()
	case '\r', '\n', 0:
		r.at++
	default:
		r.at++
		r.char(c)
	}
	return nil
}

// char reads one byte of text.
func (r *rtf) char(c byte) {
	if r.skip > 0 {
		r.skip--
		return
	}
	if !r.state.hidden || r.state.title {
		r.bytes = append(r.bytes, c)
	}
}

// control reads a control word or symbol.
func (r *rtf) control() {
	if r.at >= len(r.data) {
		return
	}
	start := r.at
	for r.at < len(r.data) && isLetter(r.data[r.at]) {
		r.at++
	}
	if r.at == start {
		r.at++
		r.symbol(r.data[start])
		return
	}
	word := string(r.data[start:r.at])
	number, hasNumber := 0, false
	digits := r.at
	if r.at < len(r.data) && r.data[r.at] == '-' {
		r.at++
	}
	for r.at < len(r.data) && r.at-digits < 11 && r.data[r.at] >= '0' && r.data[r.at] <= '9' {
		r.at++
	}
	if n, err := strconv.Atoi(string(r.data[digits:r.at])); err == nil {
		number, hasNumber = n, true
	} else {
		r.at = digits
	}
	if r.at < len(r.data) && r.data[r.at] == ' ' {
		r.at++
	}
	if word == "bin" {
		r.at += max(0, min(number, len(r.data)-r.at))
		return
	}
	if word != "u" {
		r.flushBytes()
	}
	r.word(word, number, hasNumber)
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }

func (r *rtf) symbol(c byte) {
	switch c {
	case '\'':
		if r.at+2 > len(r.data) {
			r.at = len(r.data)
			return
		}
		n, err := strconv.ParseUint(string(r.data[r.at:r.at+2]), 16, 8)
		r.at += 2
		if err == nil {
			r.char(byte(n))
		}
	case '*': // a destination that old programs do not know
		r.state.hidden = true
	case '\\', '{', '}':
		r.char(c)
	case '\n', '\r':
		r.flushBytes()
		r.endParagraph()
	default:
		if text, ok := rtfChars[string(c)]; ok {
			r.flushBytes()
			r.write(text)
		}
	}
}

func (r *rtf) word(word string, number int, hasNumber bool) {
	if text, ok := rtfChars[word]; ok {
		if r.skip > 0 {
			r.skip--
			return
		}
		r.write(text)
		return
	}
	switch {
	case rtfHidden[word]:
		r.state.hidden = true
	case word == "title" && r.state.hidden:
		r.state.title = true
	case word == "ansicpg" && hasNumber:
		if e, err := htmlindex.Get("windows-" + strconv.Itoa(number)); err == nil {
			r.encoding = e
		} else if e, ok := map[int]string{932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5", 866: "ibm866", 10000: "macintosh", 65001: "utf-8"}[number]; ok {
			if e, err := htmlindex.Get(e); err == nil {
				r.encoding = e
			}
		}
	case word == "mac":
		r.encoding = charmap.Macintosh
	case word == "uc" && hasNumber:
		r.state.unicodeSkip = max(0, min(number, 16))
	case word == "u" && hasNumber:
		r.unicode(rune(uint16(number)))
		r.skip = r.state.unicodeSkip
	case r.state.hidden:
	case word == "par", word == "sect", word == "page":
		r.endParagraph()
	case word == "pard":
		r.level, r.inTable = 0, false
	case word == "outlinelevel" && hasNumber && number >= 0 && number < 9:
		r.level = min(number+1, 6)
	case word == "intbl", word == "trowd":
		r.inTable = true
	case word == "cell", word == "nestcell":
		r.cells = append(r.cells, strings.TrimSpace(r.words.String()))
		r.words.Reset()
	case word == "row", word == "nestrow":
		r.endRow()
	}
}

// unicode reads one unit of UTF-16.
func (r *rtf) unicode(unit rune) {
	r.flushBytes()
	switch {
	case unit >= 0xd800 && unit < 0xdc00:
		r.high = unit
	case unit >= 0xdc00 && unit < 0xe000:
		if r.high != 0 {
			r.write(string((r.high-0xd800)<<10 | (unit - 0xdc00) + 0x10000))
		}
		r.high = 0
	default:
		r.write(string(unit))
	}
}

func (r *rtf) flushBytes() {
	if len(r.bytes) == 0 {
		return
	}
	text, err := r.encoding.NewDecoder().Bytes(r.bytes)
	r.bytes = r.bytes[:0]
	if err == nil {
		r.write(string(text))
	}
}

func (r *rtf) write(text string) {
	switch {
	case r.state.title:
		r.title.WriteString(text)
		r.b.SetTitle(r.title.String())
	case !r.state.hidden:
		r.words.WriteString(text)
	}
}

func (r *rtf) endParagraph() {
	r.flushBytes()
	if r.inTable {
		r.words.WriteByte(' ')
		return
	}
	kind := documents.Paragraph
	if r.level > 0 {
		kind = documents.Heading
	}
	r.b.Add(kind, r.level, r.words.String())
	r.words.Reset()
	r.rows = 0
}

func (r *rtf) endRow() {
	if len(r.cells) == 0 {
		return
	}
	kind := documents.TableRow
	if r.rows == 0 && len(r.cells) > 1 {
		kind = documents.TableHeader
	}
	r.rows++
	r.b.Row(kind, r.cells)
	r.cells = nil
}
