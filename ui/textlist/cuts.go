package textlist

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// cuts are the ways to cut the longer text that was just added.
type cuts struct {
	whole  string
	way    texts.Way // in which it is cut now
	n      int       // texts that it is now, the last on the list
	before *cuts     // how it was cut before; nil: not at all
}

// wayNames name the ways on their buttons.
var wayNames = []string{texts.ByLine: "By line", texts.ByParagraph: "By paragraph", texts.BySentence: "By sentence", texts.AsOne: "As one text"}

// newWays makes a button for each way to cut a text.
func (l *List) newWays(k *kit.Keyboard) *fyne.Container {
	row := container.New(&kit.Wrap{})
	for way, name := range wayNames {
		b := kit.NewQuietButton(k, name, theme.ContentCutIcon(), func() { l.cutBy(texts.Way(way)) })
		if b.Tip = "Make each " + strings.TrimPrefix(name, "By ") + " a text of its own"; texts.Way(way) == texts.AsOne {
			b.Tip = "Make all of it one text"
		}
		row.Add(b)
	}
	return row
}

// offer shows the other ways to cut what was just added, if there are such.
func (l *List) offer(c *cuts) {
	if c.whole == "" || c.n == 0 {
		return
	}
	l.cuts = c
	l.offerUndo()
	for _, o := range l.ways.Objects {
		o.Hide()
	}
	for _, way := range texts.Ways(c.whole) {
		kit.Show(l.ways.Objects[way], way != c.way)
	}
	l.ways.Show()
	l.View.Refresh()
}

// cutBy cuts what was just added in another way. Undo goes back to the way before.
func (l *List) cutBy(way texts.Way) {
	before := l.cuts
	if before == nil {
		return
	}
	lines := texts.CutBy(before.whole, way)
	id := l.texts.recut(before.n, lines)
	l.edited(true)
	l.offer(&cuts{whole: before.whole, way: way, n: len(lines), before: before})
	l.Pick(id)
	l.tellCut(way, len(lines))
}

// tellCut says what each text is now.
func (l *List) tellCut(way texts.Way, n int) {
	if way == texts.AsOne {
		l.host.Tell("All of it is one text.")
		return
	}
	l.host.Tell("Each " + strings.TrimPrefix(wayNames[way], "By ") + " is a text: " + count(n) + ".")
}
