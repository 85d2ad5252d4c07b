package documents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/documents"
	text "inglenook/documents"
	"inglenook/ui/documents/grid"
	"inglenook/ui/scripted"
	"inglenook/ui/uitest"
)

const garden = "Month,Sow,Remark\nMarch,\"peas, onions\",\"Say \"\"when\"\" it thaws\"\nMay,beans,\nJune,beans again,\n"

// withTable returns a panel with a document that is a table, in view at its beans.
func withTable(t *testing.T) *bench {
	t.Helper()
	kept := scripted.NewDocuments()
	kept.Put("Home", map[string]string{"/papers/garden.csv": garden, "/papers/note.txt": "Nothing of interest."})
	b := newBench(t, kept)
	b.search(t, "beans")
	b.panel.results.rows.Pick(0)
	b.Loop.Until(t, "the document", func() bool { return b.panel.shows })
	return b
}

func TestTablesAreShownAsTables(t *testing.T) {
	b := withTable(t)
	v := b.panel.viewer
	if !v.table.view.Visible() || v.list.Visible() {
		t.Fatal("the table is not shown as one")
	}
	if got := cellsOf(v.laid, v.pieces[1], nil); len(got) != 3 || got[1].Text != "peas, onions" || got[2].Text != `Say "when" it thaws` {
		t.Errorf("cells %+v", got)
	}
	if v.table.grid.Best != 2 {
		t.Errorf("row %d is marked, not that with most of the words", v.table.grid.Best)
	}
	if v.table.grid.TypedKey(uitest.Key(fyne.KeyDown)); v.table.whole.Visible() && v.table.name.Text != "Month" {
		t.Errorf("the picked cell is of %q", v.table.name.Text)
	}
	b.search(t, "interest")
	b.panel.results.rows.Pick(0)
	b.Loop.Until(t, "the other document", func() bool { return b.panel.shows })
	if v.table.view.Visible() || !v.list.Visible() {
		t.Error("a text is shown as a table")
	}
}

func TestFindWithinATable(t *testing.T) {
	b := withTable(t)
	f := b.panel.viewer.find
	test.Tap(f.open)
	f.Field.SetText("n")
	b.Loop.Until(t, "the places", func() bool { return len(f.places) > 0 })
	if got := f.Count.Text; got != "5 of 8" { // Month; onions twice, when; beans, which is in view; June, beans again twice
		t.Errorf("it says %q, at %+v", got, f.places)
	}
	f.Field.SetText("onions when") // of two cells
	b.Loop.Until(t, "the end", func() bool { return f.Count.Text == "Not found" })
	f.close()
	if b.Window.Canvas().Focused() != b.panel.viewer.table.grid {
		t.Error("the keyboard does not go back to the table")
	}
}

func TestCellsOfWorkbooks(t *testing.T) {
	for row, want := range map[string][]string{
		"a | b":        {"a", "b"},
		"a |  | b":     {"a", "", "b"},
		"| b":          {"", "b"},
		"|  | b":       {"", "", "b"},
		"a |":          {"a", ""},
		"a |  |":       {"a", "", ""},
		"a|b":          {"a|b"},
		"say \"\" | x": {`say ""`, "x"},
	} {
		o := documents.Opened{Document: text.Document{Text: "Sheet\n\n" + row, Format: "xlsx"}}
		var got []string
		for _, c := range cellsOf(o, piece{start: 7, end: 7 + len(row), as: grid.Values, sign: cellStroke}, nil) {
			got = append(got, c.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, not %q", row, got, want)
		}
	}
}

// A long table is laid out without its cells being read, but for some.
func TestLongTable(t *testing.T) {
	b := withTable(t)
	v := b.panel.viewer
	var s strings.Builder
	o := documents.Opened{Document: text.Document{Format: "csv"}}
	for i := range 100_000 {
		kind := text.TableRow
		if i == 0 {
			kind = text.TableHeader
		}
		start := s.Len()
		fmt.Fprintf(&s, "%d,\"an item, with a name\",%d.50\n", i, i)
		o.Document.Blocks = append(o.Document.Blocks, text.Block{Kind: kind, Start: start, End: s.Len()})
	}
	o.Document.Text = s.String()
	v.opened = o
	v.lay()
	v.table.goTo(99_999, true)
	if p := v.pieces[99_999]; rowText(o, p) != "99999\x1fan item, with a name\x1f99999.50" || v.table.grid.Best != 99_999 {
		t.Errorf("the last row is %q", rowText(o, p))
	}
}
