package settings

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// marks colours the names of settings that have a word which is searched for: a card has many.
type marks struct {
	colored map[*kit.Line]fyne.ThemeColorName
} // with the colour of each before

// set marks what has one of these words, and takes the marks of the last search away.
func (m *marks) set(o fyne.CanvasObject, search string) {
	for line, before := range m.colored {
		line.SetColor(before)
	}
	m.colored = map[*kit.Line]fyne.ThemeColorName{}
	if words := wordsOf(search); len(words) > 0 {
		m.mark(o, words)
	}
}

func (m *marks) mark(o fyne.CanvasObject, words []string) {
	switch o := o.(type) {
	case *fyne.Container:
		for _, child := range o.Objects {
			m.mark(child, words)
		}
	case *container.Scroll:
		m.mark(o.Content, words)
	case *kit.Told:
		m.mark(o.Content(), words)
	case *kit.Line:
		for _, word := range words {
			if _, done := m.colored[o]; !done && finds(o.Text, word) {
				m.colored[o] = o.Color
				o.SetColor(theme.ColorNamePrimary)
			}
		}
	}
}
