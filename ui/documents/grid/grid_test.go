package grid

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/find"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// shown is a grid in a window, over rows written with strokes: "#" begins the names of columns,
// "=" a title.
func shown(t *testing.T, lines []string) (*Grid, fyne.Window) {
	t.Helper()
	uitest.NewApp()
	g := New(&kit.Keyboard{})
	w := test.NewWindow(g)
	t.Cleanup(w.Close)
	w.Resize(fyne.NewSize(500, 300))
	g.Set(Rows{
		Length: func() int { return len(lines) },
		Kind: func(i int) Kind {
			switch lines[i][0] {
			case '#':
				return Names
			case '=':
				return Title
			}
			return Values
		},
		Cells: func(i int) (list []Cell) {
			for _, text := range strings.Split(strings.TrimLeft(lines[i], "#="), "|") {
				list = append(list, Cell{Text: text})
			}
			return list
		},
		Found: func(int) bool { return false },
	})
	return g, w
}

// drawn are the texts in view, those over the others last.
func drawn(g *Grid) (list []string) {
	for _, l := range g.area.layers() {
		for _, one := range l.texts.Lent() {
			list = append(list, one.Text)
		}
	}
	return list
}

func long(n int) []string {
	lines := []string{"#Item|Price|Remark"}
	for i := range n {
		lines = append(lines, fmt.Sprintf("Thing %d|%d.50|%s", i, i, strings.Repeat("more and ", 20)))
	}
	return lines
}

func TestOnlyWhatIsInViewIsDrawn(t *testing.T) {
	g, _ := shown(t, long(100_000))
	if n := len(drawn(g)); n == 0 || n > 60 {
		t.Errorf("%d texts are drawn", n)
	}
	g.GoTo(Place{90_000, 0})
	texts := drawn(g)
	if !slices.Contains(texts, "Thing 89999") || len(texts) > 60 {
		t.Errorf("row 90000 is not in view: %q", texts)
	}
	if texts[len(texts)-3] != "Item" {
		t.Errorf("the names of the columns are not over the rows: %q", texts)
	}
	y := float32(90_000)*rowHeight() - g.Scroll.Offset.Y
	if y < rowHeight() || y > g.Scroll.Size().Height-rowHeight() {
		t.Errorf("row 90000 stands at %v of %v", y, g.Scroll.Size().Height)
	}
}

func TestColumnsFitWhatIsInThem(t *testing.T) {
	g, w := shown(t, long(10))
	s := g.sections[0]
	if s.widths[1] >= 100 || s.widths[2] < 200 || s.left(3) > 500 {
		t.Errorf("widths %v", s.widths)
	}
	if !s.numbers[1] || s.numbers[0] {
		t.Errorf("numbers %v", s.numbers)
	}
	w.Resize(fyne.NewSize(300, 300))
	if s = g.sections[0]; s.widths[2] != widest || g.area.MinSize().Width <= 300 {
		t.Errorf("in a narrow window: %v", s.widths)
	}
	g.GoTo(Place{1, 2})
	if g.Scroll.Offset.X == 0 {
		t.Error("the last column is not in view")
	}
	g.GoTo(Place{1, 0})
	w.Resize(fyne.NewSize(300, 240))
	if g.Scroll.Offset.X != 0 {
		t.Error("the first column is not in view")
	}
}

// A cell at the right is brought into view without more scrolling than that takes, also where the grid
// gets its width later.
func TestNoMoreIsScrolledThanNeeded(t *testing.T) {
	g, w := shown(t, []string{"#First|Second|Third|Fourth", strings.Repeat("some words ", 3) + "|" + strings.Repeat("others ", 5) + "|cell|the end"})
	w.Resize(fyne.NewSize(160, 300))
	g.GoTo(Place{1, 2})
	w.Resize(fyne.NewSize(400, 300))
	s := g.sections[0]
	wide := g.Scroll.Size().Width
	if right := s.left(2) + s.width(2); right <= wide || s.left(2) <= wide/2 {
		t.Fatalf("the third column ends at %v of %v", right, wide)
	}
	if got, want := g.Scroll.Offset.X, s.left(2)+s.width(2)+kit.Gap-wide; got < want-1 || got > want+1 {
		t.Errorf("scrolled by %v instead of %v", got, want)
	}
}

func TestSheetsHaveColumnsOfTheirOwn(t *testing.T) {
	g, _ := shown(t, []string{"=First", "#Name|Age", "Ada|36", "=Second", "#A long name of a column", "x"})
	if len(g.sections) != 2 || len(g.sections[0].widths) != 2 || len(g.sections[1].widths) != 1 || g.sections[1].names != 4 {
		t.Fatalf("%+v", g.sections)
	}
	if got := drawn(g); !slices.Equal(got, []string{"First", "Name", "Age", "Ada", "36", "Second", "A long name of a column", "x"}) {
		t.Errorf("drawn: %q", got)
	}
}

func TestClicksAndKeysPickCells(t *testing.T) {
	g, w := shown(t, long(100))
	var name, text string
	some := false
	g.Picked = func(n, t string, s bool) { name, text, some = n, t, s }
	at := fyne.NewPos(g.sections[0].left(2)+10, 2*rowHeight()+3)
	test.TapCanvas(w.Canvas(), at.Add(fyne.CurrentApp().Driver().AbsolutePositionForObject(g.area)))
	if !some || name != "Remark" || text != strings.Repeat("more and ", 20) {
		t.Errorf("a click picks %q of %q", text, name)
	}
	for _, key := range []fyne.KeyName{fyne.KeyLeft, fyne.KeyDown, fyne.KeyPageDown} {
		g.TypedKey(uitest.Key(key))
	}
	if g.Current.Column != 1 || g.Current.Row < 5 || name != "Price" {
		t.Errorf("keys lead to %+v", g.Current)
	}
	g.TypedKey(uitest.Key(fyne.KeyEnd))
	if text != "99.50" || !slices.Contains(drawn(g), "99.50") {
		t.Errorf("End leads to %q", text)
	}
	copied := ""
	g.Copied = func(text string) { copied = text }
	g.TypedShortcut(&fyne.ShortcutCopy{Clipboard: test.NewClipboard()})
	if copied != "99.50" {
		t.Errorf("copied %q", copied)
	}
}

// firstColumn is the first column as it is shown, from the top, without the name of the column.
func firstColumn(g *Grid) (list []string) {
	for i := range g.rows.Length() - 1 {
		list = append(list, textOf(g.rows.Cells(g.rowAt(i+1)), 0))
	}
	return list
}

func TestRowsAreSortedByAColumn(t *testing.T) {
	g, w := shown(t, []string{"#Name|Age", "Bo|9", "ada|100", "|7", "Cy|", "Di|20 years"})
	click := func(column int) {
		at := fyne.NewPos(g.sections[0].left(column)+10, 3)
		test.TapCanvas(w.Canvas(), at.Add(fyne.CurrentApp().Driver().AbsolutePositionForObject(g.area)))
	}
	for _, step := range []struct {
		column int
		want   []string
	}{
		{0, []string{"ada", "Bo", "Cy", "Di", ""}},
		{0, []string{"Di", "Cy", "Bo", "ada", ""}},
		{0, []string{"Bo", "ada", "", "Cy", "Di"}},
		{1, []string{"", "Bo", "ada", "Di", "Cy"}}, // numbers before words, and what is empty last
		{1, []string{"Di", "ada", "Bo", "", "Cy"}},
	} {
		if click(step.column); !slices.Equal(firstColumn(g), step.want) {
			t.Errorf("after a click on column %d: %q", step.column, firstColumn(g))
		}
	}
	text := ""
	g.Picked = func(_, t string, _ bool) { text = t }
	g.GoTo(Place{5, 0}) // Di, which is first now
	g.Current = Place{5, 0}
	if g.TypedKey(uitest.Key(fyne.KeyDown)); text != "ada" {
		t.Errorf("the row below is %q", text)
	}
	if g.TypedKey(uitest.Key(fyne.KeyReturn)); !slices.Equal(firstColumn(g), []string{"ada", "Bo", "Cy", "Di", ""}) {
		t.Errorf("after Enter: %q", firstColumn(g))
	}
}

// The first column stays in view when the others are scrolled, and takes clicks there.
func TestFirstColumnStays(t *testing.T) {
	g, w := shown(t, []string{"#Name|" + strings.Repeat("Column|", 9) + "Last", "Ada|" + strings.Repeat("some words of it|", 9) + "end"})
	g.GoTo(Place{1, 10})
	if texts := drawn(g); g.Scroll.Offset.X == 0 || !slices.Contains(texts, "end") || !slices.Contains(texts, "Ada") || !slices.Contains(texts, "Name") {
		t.Fatalf("scrolled by %v: %q", g.Scroll.Offset.X, drawn(g))
	}
	text := ""
	g.Picked = func(_, t string, _ bool) { text = t }
	if test.TapCanvas(w.Canvas(), fyne.NewPos(20, rowHeight()+8)); text != "Ada" {
		t.Errorf("a click picks %q", text)
	}
	g.GoTo(Place{1, 1})
	if left := g.sections[0].left(1); g.Scroll.Offset.X > left-g.sections[0].widths[0] {
		t.Error("the first column hides the second")
	}
}

func TestFoundPartsAreMarked(t *testing.T) {
	g, _ := shown(t, long(5))
	before := g.area.body.used
	g.ShowFound(func(text string) [][2]int { return find.In(text, "thing") }, Place{2, 0}, 0)
	if got := g.area.body.used - before; got != 5 {
		t.Errorf("%d marks", got)
	}
	g.ShowFound(nil, None, 0)
	if g.area.body.used != before {
		t.Error("marks stay")
	}
}

// What a file may hold is drawn: rows of other lengths, nothing, letters that are hidden.
func TestHostileCells(t *testing.T) {
	g, _ := shown(t, []string{"#a", "b|c|d|e", "|", "\x00\u202e" + strings.Repeat("x", 100_000) + "|" + strings.Repeat("\n", 500)})
	g.GoTo(Place{3, 9})
	g.GoTo(Place{99, 0})
	g.Set(Rows{Length: func() int { return 0 }})
	for _, key := range []fyne.KeyName{fyne.KeyDown, fyne.KeyEnd} {
		g.TypedKey(uitest.Key(key))
	}
	if len(drawn(g)) != 0 {
		t.Error("an empty table has texts")
	}
}
