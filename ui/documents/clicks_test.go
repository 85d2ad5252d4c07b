package documents

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/documents"
	"inglenook/ui/scripted"
)

// Whatever is listed, every place of the list can be clicked: the names of files, which open the first passage, the
// passages, the rows that show more, the edges between them, and what is below the last.
func TestEveryPlaceOfTheListCanBeClicked(t *testing.T) {
	one := documents.File{Path: "/papers/orders.csv", Format: "csv"}
	search := func(t *testing.T, b *bench, question string) {
		t.Helper()
		b.panel.field.SetText("")
		b.Idle()
		b.search(t, question)
	}
	for name, list := range map[string]func(*testing.T, *bench){
		"what was found": func(t *testing.T, b *bench) { search(t, b, "dog") },
		"one file":       func(t *testing.T, b *bench) { search(t, b, "sleeps") },
		"those like one": func(t *testing.T, b *bench) {
			search(t, b, "dog")
			b.panel.pick(0)
			b.panel.moreLike()
			b.Loop.Until(t, "those like it", func() bool { return b.panel.of.like != 0 && !b.panel.busy })
		},
		"a document of the list of files": func(_ *testing.T, b *bench) { b.panel.showDocument(one, b.panel.session.collections[0]) },
		"a passage of a chat": func(_ *testing.T, b *bench) {
			b.panel.showOne(documents.Whole(one, b.panel.session.collections[0].ID, 7))
		},
	} {
		t.Run(name, func(t *testing.T) {
			kept := scripted.NewDocuments()
			kept.Put("Home", map[string]string{"/papers/long.txt": strings.Repeat("A dog barks.\n\n", 30), "/papers/orders.csv": "dog,1\n\ncat,2", "/papers/z.txt": "The dog sleeps."})
			b := newBench(t, kept)
			r := b.panel.results
			list(t, b)
			b.Idle()
			r.rows.Clicked(0)
			if h, ok := b.panel.hit(); !ok || h.file.File.Path != r.entries[0].path {
				t.Errorf("a click on the name of %s shows another document or none", r.entries[0].path)
			}
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject(r.rows)
			for y := float32(0); y < r.rows.Size().Height; y += 8 {
				test.TapCanvas(b.Window.Canvas(), at.AddXY(20, y))
				b.Idle()
			}
			list(t, b)
			b.Idle()
			for i := -1; i <= len(r.entries); i++ { // a row that is drawn may be gone by the time of the click
				for _, do := range []func(int){r.rows.Clicked, r.rows.Selected, r.rows.Opened} {
					do(i)
					b.Idle()
				}
			}
		})
	}
}

// A table may have fewer rows than the text that was in view before had paragraphs: the window can be
// resized all the same.
func TestTableAfterLongerText(t *testing.T) {
	kept := scripted.NewDocuments()
	kept.Put("Home", map[string]string{"/papers/long.txt": strings.Repeat("A dog barks.\n\n", 300), "/papers/orders.csv": "dog,1\n\ncat,2"})
	b := newBench(t, kept)
	of := b.panel.session.collections[0]
	for _, f := range []documents.File{{Path: "/papers/long.txt", Format: "text"}, {Path: "/papers/orders.csv", Format: "csv"}, {Path: "/papers/long.txt", Format: "text"}} {
		b.panel.showDocument(f, of)
		b.Idle()
		for _, width := range []float32{900, 1300} {
			b.Window.Resize(fyne.NewSize(width, 700))
		}
		if v := b.panel.viewer; v.table.shows != (f.Format == "csv") || v.table.shows == v.list.Visible() {
			t.Errorf("of %s the table is in view: %v", f.Path, v.table.shows)
		}
	}
}
