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
	kept := scripted.NewDocuments()
	kept.Put("Home", map[string]string{"/papers/long.txt": strings.Repeat("A dog barks.\n\n", 30), "/papers/orders.csv": "dog,1\n\ncat,2", "/papers/z.txt": "The dog sleeps."})
	b := newBench(t, kept)
	r := b.panel.results
	one := documents.File{Path: "/papers/orders.csv", Format: "csv"}
	lists := map[string]func(){
		"what was found": func() { b.search(t, "dog") },
		"one file":       func() { b.search(t, "sleeps") },
		"those like one": func() {
			b.search(t, "dog")
			b.panel.pick(0)
			b.panel.moreLike()
			b.Loop.Until(t, "those like it", func() bool { return b.panel.of.like != 0 && !b.panel.busy })
		},
		"a document of the list of files": func() { b.panel.showDocument(one, b.panel.session.collections[0]) },
		"a passage of a chat":             func() { b.panel.showOne(documents.Whole(one, b.panel.session.collections[0].ID, 7)) },
	}
	for name, list := range lists {
		t.Run(name, func(t *testing.T) {
			list()
			b.Idle()
			for i := -1; i <= len(r.entries); i++ { // a row that is drawn may be gone by the time of the click
				for _, do := range []func(int){r.rows.Clicked, r.rows.Selected, r.rows.Opened} {
					do(i)
					b.Idle()
				}
			}
			list()
			b.Idle()
			r.rows.Clicked(0)
			if h, ok := b.panel.hit(); !ok || h.file.File.Path != r.entries[0].path {
				t.Errorf("a click on the name of %s shows another document or none", r.entries[0].path)
			}
			at := fyne.CurrentApp().Driver().AbsolutePositionForObject(r.rows)
			for y := float32(0); y < r.rows.Size().Height; y += 4 {
				test.TapCanvas(b.Window.Canvas(), at.AddXY(20, y))
				b.Idle()
			}
		})
	}
}
