package models

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Room within a row of the list.
const (
	rowAbove  float32 = 6
	rowBeside         = kit.Gap
)

// itemRow is a row of the list: the name of a model, what stands at its right, and a sentence in
// one line or two. Where both do not fit beside each other, the name has the line, and the
// sentence begins with the other.
type itemRow struct {
	name, mark *kit.Line
	lines      [2]*kit.Line // the sentence
	shown      shownItem
	view       *fyne.Container
	inner      *fyne.Container
}

// rowsByView are the rows behind what the list holds.
type rowsByView map[fyne.CanvasObject]*itemRow

func (r rowsByView) create() fyne.CanvasObject {
	row := &itemRow{name: kit.NewLine("", kit.TextBody, theme.ColorNameForeground), mark: kit.NewCaption(""), lines: [2]*kit.Line{kit.NewCaption(""), kit.NewCaption("")}}
	row.name.Style.Bold, row.mark.Whole = true, true
	row.inner = container.New(row, row.name, row.mark, row.lines[0], row.lines[1])
	row.view = kit.Inset(row.inner, rowAbove, rowBeside)
	r[row.view] = row
	return row.view
}

func (r rowsByView) fill(m shownItem, o fyne.CanvasObject) { r[o].fill(m) }

func (row *itemRow) fill(m shownItem) {
	row.shown = m
	row.name.Set(m.title)
	row.mark.Set(m.beside)
	for _, line := range row.lines {
		line.SetColor(m.color)
	}
	row.inner.Refresh()
}

// lowRow is the height of a row whose sentence has one line.
func lowRow() float32 { return panel.NewModelRow().MinSize().Height }

// measured is an item with what its row shows, measured once.
func measured(m shownItem) shownItem {
	m.title, m.beside = m.name(), m.mark()
	m.sentence, m.color = m.detail()
	m.sentence = kit.Brief(m.sentence)
	m.wide, m.wideBoth = wideAs(m.sentence), wideAs(m.both())
	m.wideTop = fyne.MeasureText(m.title, kit.TextBody, fyne.TextStyle{Bold: true}).Width + kit.GapSmall + wideAs(m.beside)
	return m
}

// both is the sentence with what has no room beside the name before it.
func (m shownItem) both() string {
	if m.beside == "" || m.sentence == "" {
		return m.beside + m.sentence
	}
	return m.beside + " · " + m.sentence
}

// low reports whether the sentence of a model needs no second line in a row so wide.
func (m shownItem) low(width float32) bool {
	if width -= 2 * rowBeside; m.wideTop > width {
		return m.wideBoth <= width
	}
	return m.wide <= width
}

// wideAs is the width of a sentence in one line.
func wideAs(sentence string) float32 {
	return fyne.MeasureText(kit.Brief(sentence), kit.TextSmall, fyne.TextStyle{}).Width
}

// MinSize has room for the sentence in two lines.
func (row *itemRow) MinSize([]fyne.CanvasObject) fyne.Size {
	name, line := row.name.MinSize(), row.lines[0].MinSize()
	return fyne.NewSize(max(name.Width, line.Width), name.Height+1+2*line.Height)
}

// Layout gives the name its line, and the sentence the first of its lines as many whole words as
// fit, the second the rest.
func (row *itemRow) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	m := row.shown
	beside, name := m.wideTop <= size.Width, row.name.MinSize().Height
	kit.Show(row.mark, beside && m.beside != "")
	width, text := size.Width, m.both()
	if beside {
		mark := row.mark.MinSize()
		row.mark.Resize(mark)
		row.mark.Move(fyne.NewPos(size.Width-mark.Width, (name-mark.Height)/2))
		width, text = size.Width-mark.Width, m.sentence
	}
	row.name.Move(fyne.NewPos(0, 0))
	row.name.Resize(fyne.NewSize(width, name))
	height := row.lines[0].MinSize().Height
	first, rest := brokenAt(text, size.Width)
	for i, text := range []string{first, rest} {
		line := row.lines[i]
		line.Move(fyne.NewPos(0, name+1+float32(i)*height))
		line.Resize(fyne.NewSize(size.Width, height))
		line.Set(text)
		kit.Show(line, text != "")
	}
}

// brokenAt breaks a text at the last space at which the first part fits into a width. What has no
// such space stays whole.
func brokenAt(text string, width float32) (first, rest string) {
	wide := func(s string) bool { return wideAs(s) > width }
	if !wide(text) {
		return text, ""
	}
	at := -1
	for i, r := range text {
		if r != ' ' {
			continue
		}
		if wide(text[:i]) {
			break
		}
		at = i
	}
	if at < 0 {
		return text, ""
	}
	return text[:at], strings.TrimSpace(text[at:])
}
