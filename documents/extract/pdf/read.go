package pdf

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// Read reads the text of a PDF file.
func Read(ctx context.Context, in format.Input, b *format.Builder) (err error) {
	defer format.Recover(&err)
	f, err := Open(ctx, in)
	if err != nil {
		return err
	}
	var pages [][]textLine
	number, pictures, unread, shown := 0, false, 0, 0
	for p := range f.pages {
		number++
		glyphs, hasPictures := f.glyphs(p)
		if f.failed != nil {
			return f.failed
		}
		pictures = pictures || hasPictures
		for _, g := range glyphs {
			if g.x1 <= g.x0 || strings.TrimSpace(g.text) == "" && g.text != "" {
				continue
			}
			shown++
			if g.text == "" || g.text == "\ufffd" {
				unread++
			}
		}
		pages = append(pages, lines(glyphs))
	}
	sizes := map[float64]int{} // letters by size
	for _, lines := range pages {
		for _, l := range lines {
			sizes[l.size] += len(l.text)
		}
	}
	usual := usualSize(sizes)
	withoutRunning(pages, usual)
	var all []paragraph
	for i, lines := range pages {
		all = append(all, paragraphs(lines, i+1)...)
	}
	switch {
	case f.failed != nil:
		return f.failed
	case number == 0:
		return format.DamagedBy(errNoPages)
	case len(all) == 0:
		return noText(pictures)
	}
	if unread*10 > shown {
		b.Note("Some of its characters could not be read: its fonts do not say which they are.")
	}
	b.SetTitle(f.title())
	levels := headings(all, usual)
	goesOn := make([]bool, len(all)) // the sentence of the page before
	for i := 1; i < len(all); i++ {
		goesOn[i] = levels[i]+levels[i-1] == 0 && joined(&all[i-1], &all[i])
	}
	for i, p := range all {
		b.SetPage(p.page)
		kind := p.kind
		if levels[i] > 0 {
			kind = documents.Heading
			b.SetTitle(p.text)
		}
		if goesOn[i] {
			b.GoOn(p.text)
		} else {
			b.Add(kind, levels[i], p.text)
		}
		if err := b.Err(ctx); err != nil {
			return err
		}
	}
	b.SetPage(number)
	return b.Err(ctx)
}

func noText(pictures bool) error {
	text := "its pages have no text"
	if pictures {
		text = "it has pictures of pages, but no text"
	}
	return &format.Error{Reason: format.NoText, Text: text, Pages: true}
}

var notATitle = regexp.MustCompile(`(?i)^(untitled.*|microsoft .*|.*\.(docx?|pdf|tex|dvi|indd|odt|rtf|xlsx?|pptx?))?$`)

// title returns the title in the file's metadata, if a person wrote it.
func (f *File) title() string {
	title := decodeText(f.text(f.dict(f.trailer["Info"])["Title"]))
	if notATitle.MatchString(strings.TrimSpace(title)) {
		return ""
	}
	return title
}

// A paragraph is text that belongs together, before its level is known.
type paragraph struct {
	kind documents.Kind
	text string
	size float64
	bold bool
	page int
}

// paragraphs joins the lines of one page.
func paragraphs(lines []textLine, page int) []paragraph {
	var all []paragraph
	leading := usualLeading(lines)
	start := 0
	for i := 1; i <= len(lines); i++ {
		if i < len(lines) && !beginsParagraph(lines[start:i], lines[i], leading) {
			continue
		}
		all = append(all, paragraphOf(lines[start:i], page))
		start = i
	}
	return all
}

// usualLeading is the median distance of lines that follow each other, in parts of
// their size.
func usualLeading(lines []textLine) float64 {
	var all []float64
	for i := 1; i < len(lines); i++ {
		if gap := lines[i-1].y - lines[i].y; gap > 0 && lines[i].size > 0 && gap < 2.5*lines[i].size {
			all = append(all, gap/lines[i].size)
		}
	}
	if len(all) == 0 {
		return 1.2
	}
	slices.Sort(all)
	return all[len(all)/2]
}

var listMark = regexp.MustCompile(`^(?:[•◦▪‣●○■□–—*·-]|\(?[0-9]{1,3}[.)]|\(?[a-zA-Z][.)])[\s\t]+\S`)

// beginsParagraph reports whether a line begins another paragraph than the one
// before it.
func beginsParagraph(before []textLine, l textLine, leading float64) bool {
	last := before[len(before)-1]
	size := max(l.size, last.size)
	gap := last.y - l.y
	switch {
	case math.Abs(l.size-last.size) > 0.12*size, l.bold != last.bold && (l.bold || len(before) == 1):
		return true
	case last.cells > 2 || l.cells > 2, listMark.MatchString(l.text):
		return true
	case gap < -size: // the top of the next column
		return !continues(last.text, l.text)
	case gap > 1.35*leading*size:
		return true
	case last.end:
		return !continues(last.text, l.text)
	}
	indent := l.x0 - last.x0
	if indent > 0.8*size && indent < 6*size && (len(before) > 1 || !listMark.MatchString(before[0].text)) {
		return true
	}
	width := last.x1 - last.x0
	return len(before) > 1 && last.x1 < before[0].x1-0.3*width && endsSentence(last.text) && l.x0 >= before[0].x0
}

// continues reports whether text goes on in the next column or on the next page.
func continues(before, after string) bool {
	first, _ := utf8.DecodeRuneInString(after)
	return !endsSentence(before) && unicode.IsLower(first)
}

func endsSentence(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, `"'”’)»`))
	return strings.ContainsRune(".!?:;…。！？", last)
}

func paragraphOf(lines []textLine, page int) paragraph {
	p := paragraph{size: lines[0].size, bold: true, page: page}
	var b strings.Builder
	for i, l := range lines {
		p.bold = p.bold && l.bold
		if i == 0 {
			b.WriteString(l.text)
			continue
		}
		written := b.String()
		if joined, ok := withoutHyphen(written, l.text); ok {
			b.Reset()
			b.WriteString(joined)
		} else {
			b.WriteByte(' ')
		}
		b.WriteString(l.text)
	}
	p.text = readable(b.String())
	switch {
	case len(lines) == 1 && lines[0].cells > 2:
		p.kind = documents.TableRow
	case listMark.MatchString(p.text):
		p.kind = documents.ListItem
	}
	return p
}

// withoutHyphen drops the hyphen of a word that the line end divides.
func withoutHyphen(before, after string) (string, bool) {
	last, n := utf8.DecodeLastRuneInString(before)
	if last != '-' && last != '\u00ad' && last != '‐' {
		return before, false
	}
	stem := before[:len(before)-n]
	letter, _ := utf8.DecodeLastRuneInString(stem)
	first, _ := utf8.DecodeRuneInString(after)
	if !unicode.IsLetter(letter) || !unicode.IsLower(first) {
		return before, false
	}
	return stem, true
}

// readable replaces ligatures and the forms of letters that only fonts need, and
// puts accents and their letters together.
func readable(s string) string {
	plain := true
	for i := range len(s) {
		plain = plain && s[i] < utf8.RuneSelf
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r >= 0xfb00 && r <= 0xfb4f, r >= 0xfb50 && r <= 0xfdff, r >= 0xfe70 && r <= 0xfefc:
			b.WriteString(norm.NFKC.String(string(r)))
		case r == 0xa0, r >= 0x2000 && r <= 0x200a:
			b.WriteByte(' ')
		case r == 0xfffd, r >= 0xe000 && r <= 0xf8ff: // private to a font
		default:
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

// usualSize is the size that most letters have.
func usualSize(sizes map[float64]int) float64 {
	usual, most := 0.0, 0
	for size, n := range sizes {
		if n > most || n == most && size < usual {
			usual, most = size, n
		}
	}
	return usual
}

// isLarge is how much larger than the usual text a heading is.
const isLarge = 1.12

// headings returns the level of each paragraph that is a heading: one that is
// larger than the usual text, or short and bold. Larger text is a higher level.
func headings(all []paragraph, usual float64) []int {
	levels := make([]int, len(all))
	var large []float64
	larger := func(p paragraph) bool { return p.size > isLarge*usual }
	for _, p := range all {
		if isHeading(p) && larger(p) && !slices.Contains(large, p.size) {
			large = append(large, p.size)
		}
	}
	slices.SortFunc(large, func(a, b float64) int { return int(math.Copysign(1, b-a)) })
	for i, p := range all {
		switch {
		case !isHeading(p):
		case larger(p):
			levels[i] = min(slices.Index(large, p.size)+1, 6)
		case p.bold && p.size > 0.95*usual && !endsSentence(p.text):
			levels[i] = min(len(large)+1, 6)
		}
	}
	return levels
}

// isHeading reports whether a paragraph could be one by its text.
func isHeading(p paragraph) bool {
	if len(p.text) > 200 || p.kind == documents.TableRow {
		return false
	}
	letters := 0
	for _, r := range p.text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	return letters >= 3
}
