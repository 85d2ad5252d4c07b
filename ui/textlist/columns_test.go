package textlist

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"inglenook/app/texts"
)

// orders is a table of two columns, of which the second was taken.
var orders = texts.Texts{
	Lines: []string{"delta", "epsilon"}, Column: 1,
	Sheet:   &texts.Sheet{},
	Columns: []texts.Column{{Name: "city", Lines: []string{"Rome", "Oslo", "Lima"}}, {Name: "comment", Lines: []string{"delta", "epsilon"}}},
}

// Another column of a table can be taken as long as its texts stand on the list, and Undo takes that back.
func TestAnotherColumn(t *testing.T) {
	b, l := few(t)
	b.Double.Files["/orders.csv"] = orders
	if l.columns.view.Visible() {
		t.Error("a column is offered without a table")
	}
	l.AddFiles([]string{"/orders.csv"})
	b.Idle()
	if !l.columns.view.Visible() || l.columns.choice.Selected != "comment" || !slices.Equal(l.columns.choice.Options, []string{"city", "comment"}) {
		t.Fatalf("offered are %q, %q chosen", l.columns.choice.Options, l.columns.choice.Selected)
	}
	l.columns.choice.SetSelectedIndex(0)
	wantTexts(t, l, "alpha", "beta", "gamma", "Rome", "Oslo", "Lima")
	if b.Said != "The column “city” of orders.csv: 3 texts." || l.undoText.Segment.Text != "Column “city” taken." {
		t.Errorf("it says %q, Undo %q", b.Said, l.undoText.Segment.Text)
	}
	l.Undo()
	wantTexts(t, l, "alpha", "beta", "gamma", "delta", "epsilon")
	if l.columns.choice.Selected != "comment" {
		t.Errorf("after Undo %q is chosen", l.columns.choice.Selected)
	}
	l.Redo()
	wantTexts(t, l, "alpha", "beta", "gamma", "Rome", "Oslo", "Lima")
	if l.columns.choice.Selected != "city" {
		t.Errorf("after Redo %q is chosen", l.columns.choice.Selected)
	}
	l.remove(l.texts.items[0].id)
	if !l.columns.view.Visible() {
		t.Error("another text was deleted, and no column is offered any more")
	}
	l.remove(l.texts.items[3].id)
	if l.columns.view.Visible() {
		t.Error("a column would be lost that was changed")
	}
}

// The first text of a file is selected, and knows its row. A table is known again when the program is started again,
// unless its file says something else by now.
func TestTableOfTexts(t *testing.T) {
	b, l := few(t)
	sheet := &texts.Sheet{Names: []string{"comment"}, Rows: [][]string{{"delta"}, {""}, {"epsilon"}}, First: 2}
	taken := texts.Column{Name: "comment", Lines: []string{"delta", "epsilon"}, Rows: []int{0, 2}}
	b.Double.Files["/one.csv"] = texts.Texts{Lines: taken.Lines, Taken: taken, Sheet: sheet}
	b.Double.Files["/list.txt"] = texts.Texts{Lines: taken.Lines}
	l.AddFiles([]string{"/one.csv"})
	b.Idle()
	if i := l.texts.Index(l.Selected); i != 3 || l.columns.view.Visible() {
		t.Errorf("text %d is selected", i)
	}
	want := texts.Origin{File: "/one.csv", Sheet: sheet, Row: 2}
	if path, _ := l.Table(); path != "/one.csv" || l.texts.Origins()[4] != want || l.texts.Origins()[0] != (texts.Origin{}) {
		t.Errorf("the table is %q, the texts came from %+v", path, l.texts.Origins())
	}
	if l.texts.edit(l.Selected, []string{"changed"}); l.texts.Origins()[3].Sheet != sheet {
		t.Error("a text that was changed has no row")
	}
	for path, known := range map[string]bool{"/one.csv": true, "/list.txt": false, "/gone.csv": false} {
		l.texts.replace([]string{"alpha", "delta", "epsilon"})
		l.edited(false)
		told := false
		l.Reopen(path, 0, func() { told = true })
		b.Idle()
		if got := l.texts.Origins()[2] == want; told != known || got != known {
			t.Errorf("%s: told %v, its row is known: %v", path, told, got)
		}
	}
}

// Of a folder the files with texts are taken, and pictures where the list takes these.
func TestAFolder(t *testing.T) {
	b, l := few(t)
	folder := t.TempDir()
	for _, name := range []string{"b.txt", "a.csv", "c.bin", ".d.txt"} {
		os.WriteFile(filepath.Join(folder, name), nil, 0o600)
	}
	os.Mkdir(filepath.Join(folder, "more"), 0o700)
	b.Double.Files[filepath.Join(folder, "a.csv")] = texts.Texts{Lines: []string{"delta"}}
	b.Double.Files[filepath.Join(folder, "b.txt")] = texts.Texts{Lines: []string{"epsilon"}}
	l.AddFiles([]string{folder})
	b.Idle()
	wantTexts(t, l, "alpha", "beta", "gamma", "delta", "epsilon")
	if b.failure != nil || b.Said != "Added 2 texts from 2 files." {
		t.Errorf("it says %q, %v", b.Said, b.failure)
	}
	l.AddFiles([]string{filepath.Join(folder, "more")})
	b.Idle()
	if b.failure == nil || b.failure.Error() != "the folder more has no file with texts in it; choose one with .txt or .csv files" {
		t.Errorf("of an empty folder it says %v", b.failure)
	}
}
