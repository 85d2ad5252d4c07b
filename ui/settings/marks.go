package settings

import (
	"slices"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// rowMark lays a colour behind a setting that a search found.
type rowMark struct{ words string } // by which it is found, beside those that it shows

// aroundRow is how far that colour goes beyond the setting.
const aroundRow float32 = 5

// leastMarked is how many letters of a word mark something: one alone would mark nearly all.
const leastMarked = 2

// marked is a setting that a search can mark, also by the words that people may call it by.
func marked(name string, o fyne.CanvasObject) fyne.CanvasObject {
	back := kit.NewSurface(kit.ColorTint, "", 7)
	back.Hide()
	return container.New(&rowMark{name + " " + rowWords[name]}, back, o)
}

func (*rowMark) MinSize(o []fyne.CanvasObject) fyne.Size { return o[1].MinSize() }

func (*rowMark) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(-aroundRow, -aroundRow))
	o[0].Resize(size.AddWidthHeight(2*aroundRow, 2*aroundRow))
	o[1].Resize(size)
}

// marks shows on cards, which have many settings, what a search found of them.
type marks struct {
	behind  []fyne.CanvasObject               // shown behind settings
	colored map[*kit.Line]fyne.ThemeColorName // what stands between them, with its colour before
}

// set marks what has these words on each card, and takes the marks of the last search away. A card
// that was found by a word of its own alone has its name marked.
func (m *marks) set(cards []fyne.CanvasObject, search string) {
	for line, before := range m.colored {
		line.SetColor(before)
	}
	for _, back := range m.behind {
		back.Hide()
	}
	m.behind, m.colored = nil, map[*kit.Line]fyne.ThemeColorName{}
	words := slices.DeleteFunc(wordsOf(search), func(word string) bool { return utf8.RuneCountInString(word) < leastMarked })
	if len(words) == 0 {
		return
	}
	for _, card := range cards {
		m.markCard(card, search, words)
	}
}

func (m *marks) markCard(card fyne.CanvasObject, search string, words []string) {
	var rows []*fyne.Container
	var lines []*kit.Line
	each(card, func(row *fyne.Container) { rows = append(rows, row) }, func(line *kit.Line) { lines = append(lines, line) })
	hasAny := func(text string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return finds(text, word) })
	}
	found := false
	mark := func(is func(text string) bool) {
		for _, row := range rows {
			if is(row.Layout.(*rowMark).words + " " + textOf(row.Objects[1])) {
				row.Objects[0].Show()
				row.Refresh()
				m.behind, found = append(m.behind, row.Objects[0]), true
			}
		}
	}
	if mark(func(text string) bool { return finds(text, search) }); !found { // no setting has all of the words
		mark(hasAny)
	}
	for _, line := range lines {
		if hasAny(line.Text) {
			found = true
			m.color(line)
		}
	}
	if !found && len(lines) > 0 {
		m.color(lines[0]) // the card's name
	}
}

func (m *marks) color(line *kit.Line) {
	m.colored[line] = line.Color
	line.SetColor(theme.ColorNamePrimary)
}

// each visits the settings of an object, and the lines that are of none.
func each(o fyne.CanvasObject, row func(*fyne.Container), line func(*kit.Line)) {
	switch o := o.(type) {
	case *fyne.Container:
		if _, is := o.Layout.(*rowMark); is {
			row(o)
			return
		}
		for _, child := range o.Objects {
			each(child, row, line)
		}
	case *container.Scroll:
		each(o.Content, row, line)
	case *kit.Told:
		each(o.Content(), row, line)
	case *kit.Line:
		line(o)
	}
}
