package rerank

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/layout"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Fits reports whether a model can rank texts; if not, why.
func Fits(m library.Model) (string, bool) {
	if m.Usable && m.Kind == library.KindTask {
		return "This is a text-to-text model: it turns a text into another one, in Chat, and cannot rank texts.", false
	}
	if m.Usable && m.Writes() {
		return "This is a language model: it writes text and cannot rank texts.", false
	}
	return panel.Usable(m)
}

// poolingNames say what of question and text is compared, in the words of the list: first as the model is made,
// then the ways of texts.Poolings.
var poolingNames = map[string]string{
	"":       "As the model was made to",
	"pooler": "Summary with summary",
	"cls":    "First word with first word",
	"mean":   "All words with all words",
}

// comparesTip says what the button is for with which a person sees how a model compares.
const comparesTip = "What of the question is compared with what of each text"

// chooser lets a person choose one model and how it scores.
type chooser struct {
	*session
	at      int // of the session's judges
	view    *fyne.Container
	head    *fyne.Container
	picker  *panel.ModelPicker
	pooling *kit.Choice
	scores  fyne.CanvasObject // the choice of how it scores
	how     bool              // a person wants to see that
	low     bool              // there is little height
	reading *panel.Reading
	shown   *outcome // the last one whose way of reading is in view
}

// headHeight is that of the name of a chooser, with a button behind it.
const headHeight float32 = 20

// newChooser chooses judge i. tail stands behind the name.
func newChooser(s *session, i int, name string, tail ...fyne.CanvasObject) *chooser {
	c := &chooser{session: s, at: i, picker: s.newPicker(Fits, func(m library.Model) { s.choose(i, m.ID) })}
	ways := append([]string{""}, texts.Poolings()...)
	names := make([]string, len(ways))
	for k, way := range ways {
		names[k] = poolingNames[way]
	}
	c.pooling = kit.NewChoice(s.Keys, nil, func(string) { s.pool(i, ways[max(0, c.pooling.SelectedIndex())]) })
	c.pooling.Offer(names, 0)
	c.reading = panel.NewReading(s.Host, s.app, func() { s.readAs(i, c.reading.EightBits()) }, s.readAgain)
	c.scores = named("Compares", c.pooling)
	how := kit.NewSmallIcon(s.Keys, theme.SettingsIcon(), comparesTip, func() {
		c.how = !c.how
		c.showScores()
		s.changed()
	})
	c.head = container.New(&kit.FixedHeight{Height: headHeight}, container.NewBorder(nil, nil, kit.NewName(name), kit.Row(kit.GapSmall, append([]fyne.CanvasObject{how}, tail...)...)))
	c.view = kit.Column(kit.GapSmall, c.head, c.picker, c.scores, c.reading.Check)
	return c
}

// refresh shows what is chosen.
func (c *chooser) refresh() {
	if c.at >= len(c.judges) {
		c.reading.For("")
		return
	}
	j := c.judges[c.at]
	c.picker.Offer(c.models, j.model)
	c.pooling.Selected = kit.Brief(poolingNames[j.pooling])
	c.pooling.Refresh()
	if out := c.found; out != c.shown {
		c.shown = out
		c.showReading(out)
	}
	c.reading.For(j.model)
	c.showScores()
}

// setLow makes the choice a line where there is little height: without its name, where it is the
// only one, and without how to score, where nothing is chosen.
func (c *chooser) setLow(low bool) {
	c.low = low
	c.showScores()
	kit.Show(c.head, !low || len(c.judges) == 2)
	c.picker.SetLow(low)
}

// showScores shows how the model compares, where a person wants to see that or has chosen it.
func (c *chooser) showScores() {
	chosen := c.at < len(c.judges) && c.judges[c.at].pooling != ""
	kit.Show(c.scores, c.how && !c.low || chosen)
}

// showReading shows how the model of an outcome read.
func (c *chooser) showReading(out *outcome) {
	if out == nil || c.at >= len(out.rankings) {
		return
	}
	one, j := out.rankings[c.at], out.asked.judges[c.at]
	asked := texts.ReadingRequest{Model: j.model, Work: held.Rerank, Question: out.asked.query, Pooling: j.pooling, Texts: out.lines}
	c.reading.Show(one.Model.Title(), asked, one.Held, one.Device, one.Took)
}

// named puts a name before a control, which may be narrower than its text.
func named(name string, control fyne.CanvasObject) fyne.CanvasObject {
	return container.NewBorder(nil, nil, container.NewCenter(kit.NewName(name)), nil, container.New(pliant{}, control))
}

// pliant gives its one object what room there is, with a gap before it.
type pliant struct{}

func (pliant) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(80, o[0].MinSize().Height)
}

func (pliant) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Move(fyne.NewPos(kit.Gap, 0))
	o[0].Resize(fyne.NewSize(size.Width-kit.Gap, size.Height))
}

// newPicker lets a person choose among the models that fit.
func (s *session) newPicker(fits func(library.Model) (string, bool), chosen func(library.Model)) *panel.ModelPicker {
	p := panel.NewModelPicker(s.Keys)
	p.Fits, p.Chosen, p.Find = fits, chosen, s.FindModel
	add := func(path string) { s.addModel(path, fits, chosen) }
	p.OpenFolder = func() { s.Files().OpenFolder(add) }
	p.OpenFile = func() { s.Files().OpenFile([]string{".safetensors", ".gguf"}, add) }
	p.Forget = func(m library.Model) { s.Forget(m, s.failed) }
	return p
}

// addModel puts a folder or file on the list of models, and chooses it if it fits.
func (s *session) addModel(path string, fits func(library.Model) (string, bool), chosen func(library.Model)) {
	s.AddModel(path, s.failed, func(m library.Model, all []library.Model) {
		s.models = all
		if why, ok := fits(m); !ok {
			s.failed(errors.New(why))
			s.changed()
			return
		}
		chosen(m)
	})
}

// sides shows the chooser of the model, and beside it that of a second one or the button
// that adds it.
type sides struct {
	*session
	view          *fyne.Container
	first, second *chooser
	add           *fyne.Container
}

func newSides(s *session) *sides {
	d := &sides{session: s}
	remove := kit.NewTextButton(s.Keys, "Remove", func() { s.beside(false) })
	d.first, d.second = newChooser(s, 0, "Model"), newChooser(s, 1, "Second model", remove)
	button := kit.NewQuietButton(s.Keys, "Second model", theme.ContentAddIcon(), d.addSecond)
	d.add = container.NewCenter(button)
	d.view = besides(d.first.view, container.NewStack(d.second.view, d.add))
	return d
}

// addSecond adds a second model, and opens the list of models where none could be chosen for it.
func (d *sides) addSecond() {
	d.beside(true)
	if d.undecided() {
		d.Focus(d.second.picker)
		d.second.picker.Open()
	}
}

// besides puts two objects of the same width beside each other.
func besides(left, right fyne.CanvasObject) *fyne.Container {
	gap := kit.GapSmall
	return container.NewGridWithColumns(2,
		container.New(layout.NewCustomPaddedLayout(0, 0, 0, gap), left),
		container.New(layout.NewCustomPaddedLayout(0, 0, gap, 0), right))
}

// refresh shows one or two models.
func (d *sides) refresh() {
	two := len(d.judges) == 2
	kit.Show(d.second.view, two)
	kit.Show(d.add, !two)
	d.first.refresh()
	d.second.refresh()
	if d.first.reading.Offer.View.Visible() { // one offer at a time
		d.second.reading.Offer.Hide()
	}
	d.view.Refresh()
}

// setLow makes the choices lower.
func (d *sides) setLow(low bool) {
	d.first.setLow(low)
	d.second.setLow(low)
}

// closeOpen closes an open list of models; false: none was open.
func (d *sides) closeOpen() bool { return d.first.picker.CloseOpen() || d.second.picker.CloseOpen() }
