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
// one line or two.
type itemRow struct {
	name, mark *kit.Line
	detail     *twoLines
	view       fyne.CanvasObject
}

// rowsByView are the rows behind what the list holds.
type rowsByView map[fyne.CanvasObject]*itemRow

func (r rowsByView) create() fyne.CanvasObject {
	row := &itemRow{name: kit.NewLine("", kit.TextBody, theme.ColorNameForeground), mark: kit.NewCaption(""), detail: &twoLines{}}
	row.name.Style.Bold, row.mark.Whole = true, true
	details := container.New(row.detail, kit.NewCaption(""), kit.NewCaption(""))
	row.view = kit.Inset(kit.Column(1, container.NewBorder(nil, nil, nil, row.mark, row.name), details), rowAbove, rowBeside)
	row.detail.view = details
	r[row.view] = row
	return row.view
}

func (r rowsByView) fill(m shownItem, o fyne.CanvasObject) {
	row := r[o]
	row.name.Set(m.name())
	row.mark.Set(m.mark())
	text, color := m.detail()
	row.detail.set(text, color)
}

// lowRow is the height of a row whose sentence has one line.
func lowRow() float32 { return panel.NewModelRow().MinSize().Height }

// low reports whether the sentence of a model needs no second line in a row so wide.
func (m shownItem) low(width float32) bool { return m.wide <= width-2*rowBeside }

// wideAs is the width of a sentence in one line.
func wideAs(sentence string) float32 {
	return fyne.MeasureText(kit.Brief(sentence), kit.TextSmall, fyne.TextStyle{}).Width
}

// twoLines is the layout of two lines that share a text: the first has as many whole words as
// fit, the second the rest.
type twoLines struct {
	text string
	view *fyne.Container
}

func (l *twoLines) set(text string, color fyne.ThemeColorName) {
	l.text = kit.Brief(text)
	for _, o := range l.view.Objects {
		o.(*kit.Line).SetColor(color)
	}
	l.view.Refresh()
}

func (l *twoLines) MinSize(o []fyne.CanvasObject) fyne.Size {
	size := o[0].MinSize()
	return fyne.NewSize(size.Width, 2*size.Height)
}

func (l *twoLines) Layout(o []fyne.CanvasObject, size fyne.Size) {
	height := o[0].MinSize().Height
	first, rest := brokenAt(l.text, size.Width)
	for i, text := range []string{first, rest} {
		line := o[i].(*kit.Line)
		line.Move(fyne.NewPos(0, float32(i)*height))
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
