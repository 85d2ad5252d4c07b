package panel

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/dustin/go-humanize"

	"inglenook/app/library"
	"inglenook/ui/kit"
)

// Sizes of the list of models.
const (
	pickerWidth  float32 = 430
	pickerHeight float32 = 400
)

// ModelPicker shows the chosen model and lets a person choose another: each
// with its size and, where it can't be used, with the reason.
type ModelPicker struct {
	widget.BaseWidget

	keys       *kit.Keyboard
	Chosen     func(library.Model)
	OpenFolder func()
	OpenFile   func()
	Find       func() // leads to models that can be downloaded
	Forget     func(library.Model)
	Fits       func(library.Model) (why string, ok bool) // may it be chosen?
	Describe   func(library.Model) string                // in a few words

	Models  []library.Model
	ID      string // of the chosen model
	low     bool   // without the words about the model
	hovered bool
	ring    kit.Ring
	cut     func() string // names that are drawn with an ellipsis
	Popup   *kit.Float
	List    *kit.Rows
	search  *kit.Entry
	none    *kit.Paragraph  // says that no model has what was typed
	listed  []library.Model // those with the words that were typed
}

func NewModelPicker(k *kit.Keyboard) *ModelPicker {
	p := &ModelPicker{keys: k, Chosen: func(library.Model) {}, OpenFolder: func() {}, OpenFile: func() {}, Find: func() {}, Forget: func(library.Model) {}, Fits: func(library.Model) (string, bool) { return "", true }, Describe: Describe}
	p.ExtendBaseWidget(p)
	return p
}

// SetLow leaves the words about the chosen model out, so that it takes one line.
func (p *ModelPicker) SetLow(low bool) {
	if p.low != low {
		p.low = low
		p.Refresh()
	}
}

// Offer offers these models, those first that may be chosen, the one with that id chosen. An open list
// shows them too.
func (p *ModelPicker) Offer(models []library.Model, id string) {
	p.Models, p.ID = slices.Clone(models), id
	slices.SortStableFunc(p.Models, func(a, b library.Model) int { return p.rank(a) - p.rank(b) })
	if p.CloseOpen() {
		p.Open()
	}
	p.Refresh()
}

// rank is 0 for a model that may be chosen, and 1 for others.
func (p *ModelPicker) rank(m library.Model) int {
	if _, ok := p.Fits(m); ok {
		return 0
	}
	return 1
}

// Model returns the chosen model; false: none is.
func (p *ModelPicker) Model() (library.Model, bool) {
	for _, m := range p.Models {
		if m.ID == p.ID {
			return m, true
		}
	}
	return library.Model{}, false
}

// Usable reports whether a model can be used here at all; if not, why.
func Usable(m library.Model) (string, bool) {
	switch {
	case !m.Usable && m.Reason != "":
		return kit.Sentence(m.Reason), false
	case !m.Usable:
		return "This model cannot be used here.", false
	}
	return "", true
}

// MakesVectors reports whether a model makes vectors of texts, by which these can be
// compared; if not, why.
func MakesVectors(m library.Model) (string, bool) {
	switch {
	case m.Usable && m.Kind == library.KindReranker:
		return "This is a reranker: it scores how well a text answers a question and cannot compare texts by itself.", false
	case m.Usable && m.Kind == library.KindTask:
		return "This is a text-to-text model: it turns a text into another one, in Chat, and cannot compare texts.", false
	case m.Usable && m.Kind == library.KindPictures:
		return "This model reads pictures alone. For texts, or texts and pictures, choose another one.", false
	case m.Usable && m.Writes():
		return "This is a language model: it writes text and cannot compare texts.", false
	}
	return Usable(m)
}

// ElsewhereInWords is the sign of a model that runs on a server.
func ElsewhereInWords(m library.Model) string {
	if m.Leaves == "" {
		return "another program on this computer"
	}
	return "texts leave this computer"
}

// Describe says in a few words what a model is.
func Describe(m library.Model) string {
	var parts []string
	if m.Tiny() {
		parts = append(parts, library.TinyInWords)
	}
	if m.Elsewhere() {
		parts = append(parts, ElsewhereInWords(m))
	}
	if m.Parameters > 0 {
		parts = append(parts, kit.Parameters(m.Parameters))
	}
	if m.Bytes > 0 {
		parts = append(parts, humanize.Bytes(uint64(m.Bytes)))
	}
	return strings.Join(parts, " · ")
}

func (p *ModelPicker) Open() {
	c := fyne.CurrentApp().Driver().CanvasForObject(p)
	if c == nil || p.Popup != nil {
		return
	}
	p.listed = p.Models
	p.List = kit.NewRows(p.keys, func() int { return len(p.listed) }, NewModelRow, p.fillRow)
	p.List.Clicked = p.Take
	p.List.Opened = p.Take
	remove := kit.NewQuietButton(p.keys, "Remove from list", nil, nil)
	remove.OnTapped = func() {
		if i := p.List.Current; i >= 0 && i < len(p.listed) {
			m := p.listed[i]
			p.close()
			p.Forget(m)
		}
	}
	mayRemove := func(i int) {
		remove.SetEnabled(i >= 0 && i < len(p.listed) && (p.listed[i].Source == library.SourceFolder || p.listed[i].Source == library.SourceFile))
	}
	p.List.Selected = mayRemove
	p.List.Typed = func(e *fyne.KeyEvent) bool { return false }
	current := -1
	for i, m := range p.Models {
		if m.ID == p.ID {
			current = i
		}
	}
	mayRemove(current)
	find := kit.NewQuietButton(p.keys, "Browse models…", theme.SearchIcon(), func() { p.close(); p.Find() })
	folder := kit.NewQuietButton(p.keys, "Open a folder…", theme.FolderOpenIcon(), func() { p.close(); p.OpenFolder() })
	file := kit.NewQuietButton(p.keys, "Open a file…", theme.FileIcon(), func() { p.close(); p.OpenFile() })
	footer := container.NewHBox(find, folder, file, remove)
	list := fyne.CanvasObject(p.List)
	if len(p.Models) == 0 {
		list = kit.Inset(kit.NewCaption("There is no model yet. Find one to download, or open one of your own."), kit.Gap, kit.Gap)
	}
	p.search = p.newSearch()
	var top fyne.CanvasObject
	p.none = kit.NewParagraph("", kit.ColorMuted).Small()
	p.none.Flat.Hide()
	height := min(pickerHeight, float32(max(1, len(p.Models)))*p.List.Height+footer.MinSize().Height+3*kit.Gap)
	if len(p.Models) > 1 {
		top = p.search
		height += p.search.MinSize().Height + kit.Gap
		list = container.NewStack(p.List, container.NewVBox(kit.Inset(p.none.Flat, kit.Gap, kit.Gap)))
		p.List.Field = p.search // typing goes on there
	}
	p.Popup = kit.NewFloat(p.keys, kit.Inset(kit.Bordered(kit.Gap, top, list, footer), kit.GapSmall, kit.GapSmall), c)
	p.Popup.Hidden = func() { p.Popup, p.List = nil, nil }
	p.place(c, fyne.NewSize(max(pickerWidth, p.Size().Width, footer.MinSize().Width+2*kit.Gap), height))
	p.List.Choose(current)
	switch {
	case len(p.Models) == 0:
		c.Focus(find)
	case top != nil:
		c.Focus(p.search)
	default:
		c.Focus(p.List)
	}
}

// newSearch is a field for a part of a name. Down and Enter go from it into the list.
func (p *ModelPicker) newSearch() *kit.Entry {
	e := kit.NewSearch(p.keys, "Find a model in the list")
	e.OnChanged = func(text string) {
		p.listed = nil
		for _, m := range p.Models {
			if HasWords(m.Title()+" "+m.ID, text) {
				p.listed = append(p.listed, m)
			}
		}
		at := -1
		if strings.TrimSpace(text) == "" {
			at = slices.IndexFunc(p.listed, func(m library.Model) bool { return m.ID == p.ID })
		}
		p.List.Choose(at)
		p.List.Refresh()
		p.none.Set("No model here has “" + kit.Brief(text) + "” in its name. Browse models to find one to download.")
		kit.Show(p.none.Flat, len(p.listed) == 0)
	}
	e.Submit = func() {
		switch {
		case p.List.Current >= 0: // nothing was typed: the chosen one stays
			p.Take(p.List.Current)
		case len(p.listed) > 0:
			p.Take(0)
		}
	}
	e.Typed = func(k *fyne.KeyEvent) bool {
		if k.Name != fyne.KeyDown || len(p.listed) == 0 {
			return false
		}
		if c := fyne.CurrentApp().Driver().CanvasForObject(p); c != nil {
			c.Focus(p.List)
		}
		if p.List.Current < 0 {
			p.List.Pick(0)
		}
		return true
	}
	return e
}

// HasWords reports whether a name has all words of a text in it.
func HasWords(name, text string) bool {
	name = strings.ToLower(name)
	for _, word := range strings.Fields(strings.ToLower(text)) {
		if !strings.Contains(name, word) {
			return false
		}
	}
	return true
}

// place shows the list below the field, within the window.
func (p *ModelPicker) place(c fyne.Canvas, size fyne.Size) {
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p).Add(fyne.NewPos(0, p.Size().Height+2))
	size.Width = min(size.Width, c.Size().Width-2*kit.Gap)
	at.X = max(kit.Gap, min(at.X, c.Size().Width-size.Width-kit.Gap))
	p.Popup.ShowAt(at)
	p.Popup.SizeContent(fyne.NewSize(size.Width, min(size.Height, c.Size().Height-at.Y-kit.Gap)))
}

func (p *ModelPicker) close() {
	if p.Popup != nil {
		p.Popup.Hide()
	}
}

// CloseOpen closes the list; false: it was not open.
func (p *ModelPicker) CloseOpen() bool {
	open := p.Popup != nil
	p.close()
	return open
}

func (p *ModelPicker) Take(i int) {
	list := p.Models
	if p.Popup != nil {
		list = p.listed
	}
	m := list[i]
	if _, ok := p.Fits(m); !ok {
		return
	}
	p.close()
	p.ID = m.ID
	p.Refresh()
	p.Chosen(m)
}

// NewModelRow is a row of the list: name and source, and a line below.
func NewModelRow() fyne.CanvasObject {
	name := kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
	name.Style.Bold = true
	source := kit.NewCaption("")
	source.Whole = true
	detail := kit.NewCaption("")
	return kit.Inset(kit.Column(1, container.NewBorder(nil, nil, nil, source, name), detail), 6, kit.Gap)
}

func (p *ModelPicker) fillRow(i int, o fyne.CanvasObject) {
	column := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects
	top := column[0].(*fyne.Container).Objects // a border keeps its centre first
	name, source, detail := top[0].(*kit.Line), top[1].(*kit.Line), column[1].(*kit.Line)
	m := p.listed[i]
	name.Set(m.Title())
	source.Set(SourceInWords(m.Source))
	if why, ok := p.Fits(m); ok {
		name.SetColor(theme.ColorNameForeground)
		detail.Set(p.Describe(m))
		detail.SetColor(kit.ColorMuted)
	} else {
		name.SetColor(kit.ColorMuted)
		detail.Set(why)
		detail.SetColor(theme.ColorNameWarning)
	}
}

// Tapped opens the list.
func (p *ModelPicker) Tapped(*fyne.PointEvent) {
	p.keys.Explain(p, false, "", "")
	p.ring.Click(p)
	p.Open()
}

// MouseIn marks the field.
func (p *ModelPicker) MouseIn(*desktop.MouseEvent) {
	p.hovered = true
	tip := "Choose the model"
	if p.cut != nil && p.cut() != "" {
		tip = p.cut()
	}
	p.keys.Explain(p, true, tip, "")
	p.Refresh()
}

// MouseMoved is of no interest.
func (p *ModelPicker) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes the mark away.
func (p *ModelPicker) MouseOut() {
	p.hovered = false
	p.keys.Explain(p, false, "", "")
	p.Refresh()
}

// Ring is whether it shows that it has the keyboard.
func (p *ModelPicker) Ring() kit.Ring { return p.ring }

// FocusGained shows the frame of the keyboard.
func (p *ModelPicker) FocusGained() {
	p.ring.Gained()
	p.Refresh()
}

// FocusLost hides it.
func (p *ModelPicker) FocusLost() {
	p.ring.Lost()
	p.Refresh()
}

// TypedRune does nothing.
func (p *ModelPicker) TypedRune(rune) {}

// TypedKey opens the list with Enter, the space bar or an arrow.
func (p *ModelPicker) TypedKey(e *fyne.KeyEvent) {
	switch {
	case p.keys.Key(e):
	case e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter || e.Name == fyne.KeySpace || e.Name == fyne.KeyDown || e.Name == fyne.KeyUp:
		p.ring.Gained()
		p.Tapped(nil)
	}
}

// CreateRenderer draws the field.
func (p *ModelPicker) CreateRenderer() fyne.WidgetRenderer {
	r := &pickerRenderer{
		picker: p, back: &canvas.Rectangle{CornerRadius: 7},
		name: kit.NewLine("", kit.TextBody, theme.ColorNameForeground), detail: kit.NewCaption(""),
		arrow: widget.NewIcon(theme.NewThemedResource(theme.MenuDropDownIcon())),
	}
	r.name.Style.Bold = true
	p.cut = func() string {
		if r.name.Cut() || r.detail.Cut() || r.detail.Text != r.words || p.low {
			return r.name.Text + "\n" + r.words
		}
		return ""
	}
	r.Refresh()
	return r
}

type pickerRenderer struct {
	picker       *ModelPicker
	back         *canvas.Rectangle
	name, detail *kit.Line
	words        string // about the model; detail shows as many of them as it has room for
	arrow        *widget.Icon
}

func (r *pickerRenderer) Destroy() {}
func (r *pickerRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.back, r.name, r.detail, r.arrow}
}

func (r *pickerRenderer) MinSize() fyne.Size {
	height := r.name.MinSize().Height + 13
	if !r.picker.low {
		height += r.detail.MinSize().Height
	}
	return fyne.NewSize(140, height)
}

func (r *pickerRenderer) Layout(size fyne.Size) {
	r.back.Resize(size)
	const left, arrow = 10, 18
	width := size.Width - left - arrow - 2*kit.GapSmall
	top := r.name.MinSize().Height
	r.name.Move(fyne.NewPos(left, 6))
	r.name.Resize(fyne.NewSize(width, top))
	r.detail.Move(fyne.NewPos(left, 7+top))
	r.detail.Resize(fyne.NewSize(width, r.detail.MinSize().Height))
	r.detail.Set(fitting(r.words, width))
	r.arrow.Move(fyne.NewPos(size.Width-arrow-kit.Gap, (size.Height-arrow)/2))
	r.arrow.Resize(fyne.NewSquareSize(arrow))
}

// fitting is as many of the facts about a model, which stand behind dots, as have room whole; the
// first is there in any case.
func fitting(words string, width float32) string {
	words = kit.Brief(words)
	for fyne.MeasureText(words, kit.TextSmall, fyne.TextStyle{}).Width > width {
		at := strings.LastIndex(words, " · ")
		if at < 0 {
			break
		}
		words = words[:at]
	}
	return words
}

func (r *pickerRenderer) Refresh() {
	p := r.picker
	r.back.FillColor, r.back.StrokeColor, r.back.StrokeWidth = kit.Themed(theme.ColorNameInputBackground), kit.Themed(theme.ColorNameInputBorder), 1
	switch {
	case p.ring.On:
		r.back.StrokeColor, r.back.StrokeWidth = kit.Themed(theme.ColorNamePrimary), 2
	case p.hovered:
		r.back.StrokeColor = kit.Themed(kit.ColorMuted)
	}
	if m, ok := p.Model(); ok {
		r.name.Set(m.Title())
		r.words = p.Describe(m)
		if why, ok := p.Fits(m); !ok {
			r.words = why
		}
	} else if p.Models == nil {
		r.name.Set("Looking for models…") // nobody has offered any yet
		r.words = ""
	} else if len(p.Models) == 0 {
		r.name.Set("No model yet")
		r.words = "Find one, or drop a model folder on the window."
	} else {
		r.name.Set("Choose a model")
		r.words = kit.Count(len(p.Models), "model") + " on this computer"
	}
	r.detail.Set(fitting(r.words, r.detail.Size().Width))
	kit.Show(r.detail, !p.low)
	r.name.Refresh()
	r.detail.Refresh()
	r.arrow.Refresh()
	canvas.Refresh(r.back)
}
