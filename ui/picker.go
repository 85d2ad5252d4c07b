package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app"

	"github.com/dustin/go-humanize"
)

// Sizes of the list of models.
const (
	pickerWidth  float32 = 430
	pickerHeight float32 = 300
)

// modelPicker shows the chosen model and lets a person choose another: each
// with its size and, where it can't be used, with the reason.
type modelPicker struct {
	widget.BaseWidget

	keys       *keyboard
	chosen     func(app.Model)
	openFolder func()
	openFile   func()
	forget     func(app.Model)
	fits       func(app.Model) (why string, ok bool) // may it be chosen?
	describe   func(app.Model) string                // in a few words

	models  []app.Model
	id      string // of the chosen model
	hovered bool
	focused bool
	popup   *widget.PopUp
	list    *rows
}

func newModelPicker(k *keyboard) *modelPicker {
	p := &modelPicker{keys: k, chosen: func(app.Model) {}, openFolder: func() {}, openFile: func() {}, forget: func(app.Model) {}, fits: func(app.Model) (string, bool) { return "", true }, describe: describe}
	p.ExtendBaseWidget(p)
	return p
}

// show offers these models, the one with that id chosen.
func (p *modelPicker) show(models []app.Model, id string) {
	p.models, p.id = models, id
	if p.list != nil {
		p.list.Refresh()
	}
	p.Refresh()
}

// model returns the chosen model; false: none is.
func (p *modelPicker) model() (app.Model, bool) {
	for _, m := range p.models {
		if m.ID == p.id {
			return m, true
		}
	}
	return app.Model{}, false
}

// describe says in a few words what a model is.
func describe(m app.Model) string {
	var parts []string
	if m.Dimension > 0 {
		parts = append(parts, humanize.Comma(int64(m.Dimension))+" dimensions")
	}
	if m.Parameters > 0 {
		parts = append(parts, parameters(m.Parameters))
	}
	if m.Bytes > 0 {
		parts = append(parts, humanize.Bytes(uint64(m.Bytes)))
	}
	return strings.Join(parts, " · ")
}

func (p *modelPicker) open() {
	c := fyne.CurrentApp().Driver().CanvasForObject(p)
	if c == nil || p.popup != nil {
		return
	}
	p.list = newRows(p.keys, func() int { return len(p.models) }, newModelRow, p.fillRow)
	p.list.clicked = p.take
	p.list.opened = p.take
	remove := quiet(p.keys, "Remove from list", nil, nil)
	remove.OnTapped = func() {
		if i := p.list.current; i >= 0 && i < len(p.models) {
			m := p.models[i]
			p.close()
			p.forget(m)
		}
	}
	mayRemove := func(i int) {
		remove.setEnabled(i >= 0 && (p.models[i].Source == app.SourceFolder || p.models[i].Source == app.SourceFile))
	}
	p.list.selected = mayRemove
	p.list.typed = func(e *fyne.KeyEvent) bool { return false }
	current := -1
	for i, m := range p.models {
		if m.ID == p.id {
			current = i
		}
	}
	mayRemove(current)
	folder := quiet(p.keys, "Open a model folder…", theme.FolderOpenIcon(), func() { p.close(); p.openFolder() })
	file := quiet(p.keys, "Open a file…", theme.FileIcon(), func() { p.close(); p.openFile() })
	footer := container.NewHBox(folder, file, remove)
	height := min(pickerHeight, float32(max(1, len(p.models)))*p.list.height+footer.MinSize().Height+3*gap)
	p.popup = widget.NewPopUp(inset(bordered(gap, nil, p.list, footer), gapSmall, gapSmall), c)
	width := max(pickerWidth, p.Size().Width, footer.MinSize().Width+2*gap)
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p).Add(fyne.NewPos(0, p.Size().Height+2))
	p.popup.ShowAtPosition(at)
	p.popup.Resize(fyne.NewSize(min(width, c.Size().Width-at.X-gap), min(height, c.Size().Height-at.Y-gap)))
	p.list.choose(current)
	c.Focus(p.list)
}

func (p *modelPicker) close() {
	if p.popup != nil {
		p.popup.Hide()
		p.popup, p.list = nil, nil
	}
}

// closeOpen closes the list; false: it was not open.
func (p *modelPicker) closeOpen() bool {
	open := p.popup != nil && p.popup.Visible()
	p.close()
	return open
}

func (p *modelPicker) take(i int) {
	m := p.models[i]
	if _, ok := p.fits(m); !ok {
		return
	}
	p.close()
	p.id = m.ID
	p.Refresh()
	p.chosen(m)
}

// newModelRow is a row of the list: name and source, and a line below.
func newModelRow() fyne.CanvasObject {
	name := newLine("", textBody, theme.ColorNameForeground)
	name.style.Bold = true
	source := newCaption("")
	source.whole = true
	detail := newCaption("")
	return inset(column(1, container.NewBorder(nil, nil, nil, source, name), detail), 6, gap)
}

func (p *modelPicker) fillRow(i int, o fyne.CanvasObject) {
	column := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
	top := column[0].(*fyne.Container).Objects // a border keeps its centre first
	name, source, detail := top[0].(*line), top[1].(*line), column[1].(*line)
	m := p.models[i]
	name.set(m.Name)
	source.set(m.Source)
	if why, ok := p.fits(m); ok {
		name.setColor(theme.ColorNameForeground)
		detail.set(p.describe(m))
		detail.setColor(colorMuted)
	} else {
		name.setColor(colorMuted)
		detail.set(why)
		detail.setColor(theme.ColorNameWarning)
	}
}

// Tapped opens the list.
func (p *modelPicker) Tapped(*fyne.PointEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(p); c != nil {
		c.Focus(p)
	}
	if p.popup != nil && !p.popup.Visible() {
		p.popup = nil // dismissed with a click beside it
	}
	p.open()
}

// MouseIn marks the field.
func (p *modelPicker) MouseIn(*desktop.MouseEvent) {
	p.hovered = true
	p.Refresh()
}

// MouseMoved is of no interest.
func (p *modelPicker) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the mark away.
func (p *modelPicker) MouseOut() {
	p.hovered = false
	p.Refresh()
}

// FocusGained shows the frame of the keyboard.
func (p *modelPicker) FocusGained() {
	p.focused = true
	p.Refresh()
}

// FocusLost hides it.
func (p *modelPicker) FocusLost() {
	p.focused = false
	p.Refresh()
}

// TypedRune does nothing.
func (p *modelPicker) TypedRune(rune) {}

// TypedKey opens the list with Enter, the space bar or an arrow.
func (p *modelPicker) TypedKey(e *fyne.KeyEvent) {
	switch {
	case p.keys.key(e):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace || e.Name == fyne.KeyDown || e.Name == fyne.KeyUp:
		p.Tapped(nil)
	}
}

// CreateRenderer draws the field.
func (p *modelPicker) CreateRenderer() fyne.WidgetRenderer {
	r := &pickerRenderer{
		picker: p, back: &canvas.Rectangle{CornerRadius: 7},
		name: newLine("", textBody, theme.ColorNameForeground), detail: newCaption(""),
		arrow: widget.NewIcon(theme.NewThemedResource(theme.MenuDropDownIcon())),
	}
	r.name.style.Bold = true
	r.Refresh()
	return r
}

type pickerRenderer struct {
	picker       *modelPicker
	back         *canvas.Rectangle
	name, detail *line
	arrow        *widget.Icon
}

func (r *pickerRenderer) Destroy() {}
func (r *pickerRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.name, r.detail, r.arrow}
}

func (r *pickerRenderer) MinSize() fyne.Size {
	return fyne.NewSize(140, r.name.MinSize().Height+r.detail.MinSize().Height+13)
}

func (r *pickerRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	const left, arrow = 10, 18
	width := size.Width - left - arrow - 2*gapSmall
	top := r.name.MinSize().Height
	r.name.Move(fyne.NewPos(left, 6))
	r.name.Resize(fyne.NewSize(width, top))
	r.detail.Move(fyne.NewPos(left, 7+top))
	r.detail.Resize(fyne.NewSize(width, r.detail.MinSize().Height))
	r.arrow.Move(fyne.NewPos(size.Width-arrow-gap, (size.Height-arrow)/2))
	r.arrow.Resize(fyne.NewSquareSize(arrow))
}

func (r *pickerRenderer) Refresh() {
	p := r.picker
	r.back.FillColor, r.back.StrokeColor, r.back.StrokeWidth = themed(theme.ColorNameInputBackground), themed(theme.ColorNameInputBorder), 1
	switch {
	case p.focused:
		r.back.StrokeColor, r.back.StrokeWidth = themed(theme.ColorNamePrimary), 2
	case p.hovered:
		r.back.StrokeColor = themed(colorMuted)
	}
	if m, ok := p.model(); ok {
		r.name.set(m.Name)
		r.detail.set(p.describe(m))
		if why, ok := p.fits(m); !ok {
			r.detail.set(why)
		}
	} else if len(p.models) == 0 {
		r.name.set("No model found")
		r.detail.set("Open a model folder, or drop one on the window.")
	} else {
		r.name.set("Choose a model")
		r.detail.set(count(len(p.models), "model") + " on this computer")
	}
	r.name.Refresh()
	r.detail.Refresh()
	r.arrow.Refresh()
	canvas.Refresh(r.back)
}
