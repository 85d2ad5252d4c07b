package grid

import (
	"math"
	"sort"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"inglenook/ui/kit"
)

const (
	narrowest float32 = 44  // column
	widest    float32 = 300 // column, where there is no room to spare
	inCell    float32 = 8   // beside the text of a cell
	forArrow  float32 = 14  // beside the name of a column: the order of its rows
	measured          = 400 // rows of a section by which its columns get their widths
	longest           = 200 // letters of a cell that are drawn
)

// section is a stretch of rows with the same columns, as a sheet of a workbook.
type section struct {
	from, to int       // rows
	names    int       // the row that names the columns; -1: none
	natural  []float32 // widths of what is in the columns
	numbers  []bool    // columns that hold numbers alone
	widths   []float32 // of the columns
	sorted   sorting
}

// sectionsOf cuts rows where other columns begin.
func sectionsOf(rows Rows) (list []section) {
	n := rows.Length()
	for i := range n {
		kind := rows.Kind(i)
		opens := i == 0 || kind == Title && rows.Kind(i-1) != Title || kind == Names && rows.Kind(i-1) == Values
		if opens {
			list = append(list, section{from: i, names: -1})
		}
		s := &list[len(list)-1]
		if kind == Names && s.names < 0 {
			s.names = i
		}
		s.to = i + 1
	}
	for i := range list {
		list[i].measure(rows)
	}
	return list
}

// measure finds how wide columns are, by the first rows of the section, some from everywhere in it, and
// those that were found.
func (s *section) measure(rows Rows) {
	step := max(1, (s.to-s.from)/measured)
	filled := []bool{}
	for i := s.from; i < s.to; i++ {
		if i < s.from+measured/4 || (i-s.from)%step == 0 || rows.Found(i) {
			s.take(rows, i, &filled)
		}
	}
	if s.names >= 0 {
		s.take(rows, s.names, &filled)
	}
	for i := range s.numbers {
		s.numbers[i] = s.numbers[i] && filled[i]
	}
}

// take makes the columns wide enough for a row.
func (s *section) take(rows Rows, i int, filled *[]bool) {
	kind := rows.Kind(i)
	if kind == Title {
		return
	}
	for c, cell := range rows.Cells(i) {
		if c == len(s.natural) {
			s.natural, s.numbers, *filled = append(s.natural, narrowest), append(s.numbers, true), append(*filled, false)
		}
		style := fyne.TextStyle{Bold: kind == Names || len(cell.Strong) > 0}
		room := fyne.MeasureText(oneLine(cell.Text), kit.TextBody, style).Width + 2*inCell + 1
		if kind == Names {
			room += forArrow
		}
		s.natural[c] = max(s.natural[c], room)
		if kind == Values && cell.Text != "" {
			(*filled)[c] = true
			s.numbers[c] = s.numbers[c] && isNumber(cell.Text)
		}
	}
}

// fit gives each column what it needs, within a limit. Those that need more share what is left of the room.
func (s *section) fit(room float32) {
	s.widths = make([]float32, len(s.natural))
	var cut []int
	for i, w := range s.natural {
		if s.widths[i] = min(w, widest); w > widest {
			cut = append(cut, i)
		}
		room -= s.widths[i]
	}
	sort.Slice(cut, func(a, b int) bool { return s.natural[cut[a]] < s.natural[cut[b]] })
	for k, i := range cut {
		if room <= 0 {
			return
		}
		more := min(room/float32(len(cut)-k), s.natural[i]-s.widths[i])
		s.widths[i] += more
		room -= more
	}
}

// left is where a column begins.
func (s *section) left(column int) (x float32) {
	for i := 0; i < column && i < len(s.widths); i++ {
		x += s.widths[i]
	}
	return x
}

// width is that of a column.
func (s *section) width(column int) float32 {
	if column < 0 || column >= len(s.widths) {
		return 0
	}
	return s.widths[column]
}

// kept is how much of a width the first column takes, which stays in view beside the others; 0: it moves
// with them.
func (s *section) kept(width float32) float32 {
	if len(s.widths) < 2 || s.names < 0 || s.widths[0] > width*mostKept {
		return 0
	}
	return s.widths[0]
}

// mostKept is the share of the width that a first column which stays in view takes at most.
const mostKept = 0.4

// columnAt is the column at a place; the last one where there is none.
func (s *section) columnAt(x float32) int {
	for i, w := range s.widths {
		if x -= w; x < 0 {
			return i
		}
	}
	return len(s.widths) - 1
}

// sectionOf is the section that a row is in.
func (g *Grid) sectionOf(row int) *section {
	i := sort.Search(len(g.sections), func(i int) bool { return g.sections[i].to > row })
	if i == len(g.sections) {
		return &section{names: -1}
	}
	return &g.sections[i]
}

// oneLine is the beginning of a text as it stands in a cell. Each byte stays where it is.
func oneLine(text string) string {
	n := 0
	for i := range text {
		if n++; n > longest {
			text = text[:i]
			break
		}
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, text)
}

// isNumber reports whether a text is a number as people write them, with a unit of one sign.
func isNumber(text string) bool {
	_, is := numberOf(text)
	return is
}

// numberOf is the number that a text is; false: it is none.
func numberOf(text string) (float64, bool) {
	bare := strings.Trim(text, " %€$£¥")
	bare = strings.NewReplacer(",", "", " ", "", "'", "").Replace(bare)
	number, err := strconv.ParseFloat(bare, 64)
	return number, err == nil && !math.IsNaN(number)
}

// rowHeight is that of each row.
func rowHeight() float32 {
	return fyne.MeasureText("Ág", kit.TextBody, fyne.TextStyle{}).Height + 8
}
