package pdf

import (
	"bytes"
	"math"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/encoding"
	utf "golang.org/x/text/encoding/unicode"
)

// A font tells what the codes of a string stand for, and how wide they are.
type font struct {
	codes     *codes // of a simple font
	toUnicode *cmap  // what the file says itself; first choice

	wide     bool              // a composite font, whose codes have several bytes
	encoding *cmap             // codes to glyph numbers
	encoded  encoding.Encoding // codes are text in this encoding

	widths  map[int]float64 // by code, or by glyph number of a composite font
	missing float64         // the width of the others
	unit    float64         // of widths: 0.001 but for fonts of type 3
	bold    bool
}

// A code is one character of a string that is shown.
type code struct {
	text  string
	width float64 // for a size of 1
	space bool    // the one-byte code 32, which word spacing applies to
}

// loadFont reads a font. Fonts that break the rules give what they can.
func (f *File) loadFont(d dict) *font {
	ft := &font{widths: map[int]float64{}, unit: 0.001}
	base := string(f.name(d["BaseFont"]))
	ft.bold = strings.Contains(base, "Bold") || strings.Contains(base, "Black") || strings.HasPrefix(afterTag(base), "CMBX")
	if s := f.stream(d["ToUnicode"]); s != nil {
		ft.toUnicode = parseCMap(f.decode(s))
	}
	if f.name(d["Subtype"]) == "Type0" {
		f.loadComposite(ft, d)
		return ft
	}
	descriptor := f.dict(d["FontDescriptor"])
	ft.codes = f.loadCodes(d, descriptor, base)
	first := f.integer(d["FirstChar"], 0)
	for i, w := range f.numbers(d["Widths"]) {
		if i < 256 {
			ft.widths[first+i] = w
		}
	}
	ft.missing = f.number(descriptor["MissingWidth"])
	if f.name(d["Subtype"]) == "Type3" {
		if m := f.numbers(d["FontMatrix"]); len(m) == 6 && m[0] != 0 {
			ft.unit = math.Abs(m[0])
		}
	}
	if len(ft.widths) == 0 {
		ft.standardWidths(base)
	}
	return ft
}

// afterTag drops the tag of a font that is embedded in part: "ABCDEF+CMBX10".
func afterTag(base string) string {
	if len(base) > 7 && base[6] == '+' {
		return base[7:]
	}
	return base
}

// loadCodes finds what a simple font's codes stand for: its base encoding, or the
// font's own, and the differences from it.
func (f *File) loadCodes(d, descriptor dict, base string) *codes {
	encoding := f.resolve(d["Encoding"])
	differences := f.dict(encoding)
	baseName, _ := encoding.(name)
	if differences != nil {
		baseName = f.name(differences["BaseEncoding"])
	}
	var c *codes
	switch font := afterTag(base); {
	case baseName == "" && font == "Symbol":
		c = symbolCodes()
	case baseName == "" && f.name(d["Subtype"]) == "TrueType":
		c = baseCodes("WinAnsiEncoding")
	default:
		c = baseCodes(baseName)
	}
	if s := f.stream(descriptor["FontFile"]); s != nil && baseName == "" {
		ownCodes(c, f.decode(s))
	}
	at := 0
	for _, o := range f.array(differences["Differences"]) {
		switch v := f.resolve(o).(type) {
		case int64:
			at = int(max(0, min(v, 256)))
		case name:
			if at < 256 {
				c[at] = glyphText(v)
			}
			at++
		}
	}
	return c
}

var ownCode = regexp.MustCompile(`dup\s+(\d{1,3})\s*/([A-Za-z0-9._]+)\s+put`)

// ownCodes reads the encoding that a Type 1 font program brings along, in the part
// of it that is plain text.
func ownCodes(c *codes, program []byte) {
	program = program[:min(len(program), 64<<10)]
	if i := bytes.Index(program, []byte("eexec")); i >= 0 {
		program = program[:i]
	}
	matches := ownCode.FindAllSubmatch(program, 256)
	if len(matches) > 0 {
		*c = codes{}
	}
	for _, m := range matches {
		if n, err := strconv.Atoi(string(m[1])); err == nil && n < 256 {
			c[n] = glyphText(name(m[2]))
		}
	}
}

// loadComposite reads a font of type 0.
func (f *File) loadComposite(ft *font, d dict) {
	ft.wide = true
	descendants := f.array(d["DescendantFonts"])
	if len(descendants) > 0 {
		f.loadCIDWidths(ft, f.dict(descendants[0]))
	} else {
		ft.missing = 1000
	}
	ft.encoding = &cmap{wide: true}
	if s := f.stream(d["Encoding"]); s != nil {
		ft.encoding = parseCMap(f.decode(s))
		ft.encoding.wide = true
		return
	}
	encoding := string(f.name(d["Encoding"]))
	if strings.HasPrefix(encoding, "Uni") && (strings.Contains(encoding, "UCS2") || strings.Contains(encoding, "UTF16")) {
		ft.encoded = utf.UTF16(utf.BigEndian, utf.IgnoreBOM)
		return
	}
	for _, e := range textEncodings {
		if strings.HasPrefix(encoding, e.prefix) {
			ft.encoded = e.encoding
			ft.encoding = mixedWidth(e.prefix)
			return
		}
	}
}

// mixedWidth returns the code spaces of an encoding with codes of one and two
// bytes.
func mixedWidth(prefix string) *cmap {
	m := &cmap{wide: true}
	m.spaces[1] = []codeRange{{0, 0x80}}
	if strings.Contains(prefix, "RKSJ") {
		m.spaces[1] = append(m.spaces[1], codeRange{0xa0, 0xdf})
	}
	m.spaces[2] = []codeRange{{0x8140, 0xfefe}}
	return m
}

// loadCIDWidths reads the widths of a composite font's glyphs: "first [w w w]" and
// "first last w".
func (f *File) loadCIDWidths(ft *font, d dict) {
	ft.missing = 1000
	if d["DW"] != nil {
		ft.missing = f.number(d["DW"])
	}
	const most = 1 << 16
	for w := f.array(d["W"]); len(w) >= 2 && len(ft.widths) < most; {
		first := f.integer(w[0], 0)
		if list := f.array(w[1]); list != nil {
			for i, one := range f.numbers(list) {
				if i < most {
					ft.widths[first+i] = one
				}
			}
			w = w[2:]
			continue
		}
		if len(w) < 3 {
			return
		}
		last, width := f.integer(w[1], 0), f.number(w[2])
		for i := max(0, first); i <= min(last, most); i++ {
			ft.widths[i] = width
		}
		w = w[3:]
	}
}

// decode ranges over the characters of a string.
func (ft *font) decode(s string, yield func(code)) {
	for s != "" {
		if !ft.wide {
			yield(ft.simple(s[0]))
			s = s[1:]
			continue
		}
		number, n := ft.encoding.next(s)
		raw := s[:n]
		s = s[n:]
		cid := ft.encoding.cid(number)
		width, known := ft.widths[cid]
		if !known || ft.encoded != nil {
			width = ft.missing
		}
		c := code{width: width * ft.unit, space: n == 1 && raw == " "}
		mapped := false
		if ft.toUnicode != nil {
			c.text, mapped = ft.toUnicode.text(number)
		}
		if !mapped && ft.encoded != nil {
			if t, err := ft.encoded.NewDecoder().String(raw); err == nil {
				c.text = t
			}
		}
		yield(c)
	}
}

func (ft *font) simple(b byte) code {
	width, known := ft.widths[int(b)]
	if !known {
		width = ft.missing
	}
	c := code{text: ft.codes[b], width: width * ft.unit, space: b == ' '}
	if ft.toUnicode != nil {
		if t, ok := ft.toUnicode.text(uint32(b)); ok && t != "" {
			c.text = t
		}
	}
	return c
}

// standardWidths sets the widths of the fonts that every viewer has, which files may leave
// out.
func (ft *font) standardWidths(base string) {
	table := helveticaWidths
	switch base = strings.ToLower(base); {
	case strings.Contains(base, "courier"), strings.Contains(base, "mono"):
		ft.missing = 600
		return
	case strings.Contains(base, "times"), strings.Contains(base, "roman"), strings.Contains(base, "serif"):
		table = timesWidths
	}
	ft.missing = 500
	for i, w := range table {
		ft.widths[' '+i] = float64(w)
	}
}

// The widths of the characters from space to ~, as Adobe's metrics have them.
var (
	helveticaWidths = [...]int{
		278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
		556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
		1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
		667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
		333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
		556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
	}
	timesWidths = [...]int{
		250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278,
		500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444,
		921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722,
		556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500,
		333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500,
		500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
	}
)
