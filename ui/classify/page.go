package classify

import (
	"fmt"
	"image"
	"log/slog"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/textlist"
)

// sampleLabels are for the sample texts.
const sampleLabels = "animals, travel, cooking, money, astronomy"

// keepLimit is the size in bytes up to which texts and labels are kept in the settings.
const keepLimit = 1 << 20

// Page lets a model say what texts and pictures are about.
type Page struct {
	panel.Host
	kit.RunControls
	app    App
	texts  *textlist.Texts
	list   *textlist.List
	picker *panel.ModelPicker
	device *panel.DeviceChoice
	labels *tags
	left   *fyne.Container
	right  *fyne.Container

	settings *fyne.Container // model, device and labels
	folding  *folding
	kind     *kit.Choice     // what the labels are
	asks     *fyne.Container // the labels, where the model takes a person's own
	ours     *fyne.Container // that these are the labels of the samples
	gives    *kit.Paragraph  // what the model gives instead

	panes    *panel.Panes
	export   *kit.Button
	buttons  *fyne.Container
	classify *kit.Button
	notice   *kit.Notice
	stale    *kit.Notice
	teach    *kit.Notice // that labels can learn from those given by hand
	moods    *kit.Notice // that another kind of model tells moods apart
	hint     *kit.Hint
	blank    *fyne.Container // in place of results
	begin    *kit.Button     // what a person does first
	results  *results

	moodsClosed bool // a person knows that
	sampled     bool // a person has not said yet that the labels of the samples are good for other texts

	keptSets []base.LabelSet
	sheet    *kit.Sheet // asks for the name of one

	toldLearned bool   // the notice is about that
	known       *known // labels of a table that the run under way is compared with; nil: none are
	offered     string // the table whose labels were offered last
	offering    bool   // the notice does that

	teachFrom int // so many labels by hand before that is offered again, after a person closed it

	compare func(lines []string) // compares texts with each other in the other area

	models  []library.Model // nil: not known yet
	running *run
	found   *found
}

// New builds the page.
func New(d panel.Host, a App) *Page {
	kept := d.App.Settings().Classify
	lines, labels := kept.Texts, kept.Labels
	if lines == nil {
		lines = texts.SampleTexts()
	}
	if labels == "" {
		labels = sampleLabels
	}
	p := &Page{Host: d, app: a, texts: textlist.New(lines, texts.SampleTexts()), notice: kit.NewNotice(d.Keys), stale: kit.NewNotice(d.Keys), moods: kit.NewNotice(d.Keys), teach: kit.NewNotice(d.Keys), compare: func([]string) {}}
	p.list = textlist.NewList(d, a, p.texts)
	p.list.TakePictures(a)
	p.list.Changed, p.list.Chosen, p.list.Added, p.list.Failed = p.textsChanged, p.pickText, func() { p.notice.Hide() }, p.ShowError
	p.sampled, p.keptSets = true, kept.Sets
	names := unique(split(labels))
	p.labels = newTags(d.Keys, names[:min(len(names), mostTags)])
	p.sheet = kit.NewSheet(d.Keys, func() fyne.CanvasObject { return p.panes.View })
	p.labels.focus, p.labels.tell = d.Focus, d.Tell
	p.labels.changed, p.labels.submit, p.labels.pendingChanged = p.labelsChanged, p.Start, p.refresh
	p.kind = p.newKindChoice(kept.Reads)
	p.buildModel(kept.Model)
	p.classify = kit.NewButton(d.Keys, "Classify", theme.MediaPlayIcon(), p.Start)
	p.classify.Importance = widget.HighImportance
	p.RunControls = kit.NewRunControls(d.Keys, func() { p.stop() })
	p.results = newResults(d.Keys, p.teach)
	p.results.chosen, p.results.given, p.results.learn = p.pickResult, p.gaveLabel, p.learn
	p.results.copy = func(i int) { p.Copy(p.found.lines[i], "text.txt") }
	p.buildView()
	p.refresh()
	return p
}

func (p *Page) buildModel(kept string) {
	p.picker = panel.NewModelPicker(p.Keys)
	p.picker.Fits, p.picker.Find, p.picker.ID = Fits, p.FindModel, kept
	p.picker.Chosen = func(m library.Model) {
		p.Keep(func(s *base.Settings) { s.Classify.Model = m.ID })
		p.offerSamples()
		p.refresh()
	}
	p.picker.OpenFolder = p.OpenModel
	p.picker.OpenFile = func() { p.Files().OpenFile([]string{".safetensors", ".gguf"}, p.addModel) }
	p.picker.Forget = func(m library.Model) { p.Forget(m, p.ShowError) }
	p.device = panel.NewDeviceChoice(p.Host, p.refresh)
}

func (p *Page) buildView() {
	p.ours = p.newSampleRow()
	kind := kit.Inset(p.kind, 0, kit.GapSmall)
	p.asks = kit.Column(kit.GapSmall, container.NewBorder(nil, nil, container.NewCenter(kit.NewName("Your labels are")), p.newSetsButton(), kind), p.labels.View, p.ours)
	p.gives = kit.NewParagraph("", kit.ColorMuted).Small()
	device := container.NewBorder(nil, nil, container.NewCenter(kit.NewName("Device")), nil, kit.Inset(p.device.Choice, 0, kit.GapSmall))
	p.settings = kit.Column(kit.GapSmall, kit.NewName("Model"), p.picker, device, p.asks, p.gives.Flat)
	p.folding = newFolding(p.Keys, func() { p.left.Refresh() })
	options := kit.Column(kit.GapSmall, p.folding.row, p.settings)
	p.left = kit.UpTo(leastWork, kit.ByHeight(kit.Bordered(kit.Gap, options, p.list.View, container.NewStack(p.classify, p.Progress)), p.foldBy))
	left := kit.Card(p.left)
	p.hint = kit.NewHint(theme.ListIcon())
	p.begin = kit.NewButton(p.Keys, "Classify the sample texts", theme.MediaPlayIcon(), p.Start)
	p.hint.Offer(p.begin)
	p.blank = container.NewStack(kit.NewSurface(kit.ColorCard, kit.ColorLine, 12), p.hint.View)
	p.right = kit.Bordered(kit.Gap, kit.Column(kit.Gap, p.notice.View, p.stale.View, p.moods.View), container.NewStack(p.results.view, p.blank), nil)
	p.panes = panel.NewPanes(p.Keys, left, p.right, [2]string{"Texts", "Result"})
	p.export = panel.NewExport(p.Keys, p.exports)
	p.buttons = kit.Row(0, p.export)
}

// textsChanged follows every change of the list. A person's own texts leave the sample labels
// alone, which are theirs to change.
func (p *Page) textsChanged() {
	lines, size := p.texts.Written(), 0
	for _, l := range lines {
		size += len(l)
	}
	if size > keepLimit {
		p.Tell("These texts are too long to be kept for the next start.")
		lines = []string{}
	}
	path, column := p.list.Table()
	p.Keep(func(s *base.Settings) {
		s.Classify.Texts, s.Classify.Table, s.Classify.Column = lines, path, column
	})
	p.notice.HideError() // of files that were refused before
	p.hideLearned()
	p.recognise()
	p.keepFound()
	p.offerKnown()
	p.refresh()
}

// pickText shows what was found in the text with that id.
func (p *Page) pickText(id int) {
	if p.found == nil {
		return
	}
	if i := slices.Index(p.found.asked.ids, id); i >= 0 {
		p.results.choose(i)
	}
}

// pickResult marks the text of a row on the list.
func (p *Page) pickResult(i int) {
	if id := p.found.asked.ids[i]; p.texts.Index(id) >= 0 {
		p.list.Show(id)
	}
}

// ShowError shows what went wrong; nil hides it.
func (p *Page) ShowError(err error) {
	if err == nil {
		p.notice.Hide()
	} else {
		p.App.Log().Warn("classify", slog.Any("error", err))
		p.notice.Fail(kit.Sentence(err.Error()))
		p.notice.Closes(p.refresh)
	}
	p.refresh()
}

// offerSamples shows samples for the chosen model, where a person has no texts of their own yet.
func (p *Page) offerSamples() {
	m, _ := p.picker.Model()
	switch m.Classifies {
	case "words":
		p.list.Resample(texts.SampleGaps())
	case "entities":
		p.list.Resample(texts.SampleNames())
	default:
		p.list.Resample(texts.SampleTexts())
	}
}

// request is everything that a result depends on.
type request struct {
	model, device    string
	labels, sentence string
	renamed          bool // one of labels got that name after the model had read another
	ids              []int
}

func (p *Page) request() request {
	r := request{model: p.picker.ID, device: p.device.ID(), ids: p.texts.IDs()}
	if m, ok := p.picker.Model(); ok && !HasItsOwn(m) {
		r.labels, r.sentence = p.labels.Text(), p.sentence()
	}
	return r
}

// asksLike reports whether both ask the same of a text.
func (r request) asksLike(other request) bool {
	return r.model == other.model && r.labelsLike(other)
}

// sameTexts reports whether a result is about the texts of a request, by the same model.
func (f *found) sameTexts(now request) bool {
	return f.asked.model == now.model && slices.Equal(f.asked.ids, now.ids)
}

// labelsLike reports whether both have the same labels, read in the same way.
func (r request) labelsLike(other request) bool {
	return slices.Equal(split(r.labels), split(other.labels)) && r.sentence == other.sentence && r.renamed == other.renamed
}

// changedSince says how r differs from a later request; "": it does not.
func (r request) changedSince(now request) string {
	switch {
	case r.model != now.model:
		return "The model has changed"
	case !r.labelsLike(now):
		return "The labels have changed"
	case !slices.Equal(r.ids, now.ids):
		return "The texts have changed"
	case r.device != now.device:
		return "The device has changed"
	}
	return ""
}

// missing says what is missing before anything can be classified; "": nothing.
func (p *Page) missing() (title, why string) {
	m, ok := p.picker.Model()
	switch {
	case p.models == nil:
		return "Looking for models…", ""
	case len(p.models) == 0:
		return "No model", "Find one to download, open one of your own, or drop its folder on this window."
	case !ok:
		return "No model chosen", "Choose a model to classify with."
	}
	if why, ok := Fits(m); !ok {
		return "This model cannot classify", why
	}
	switch {
	case p.texts.Len() == 0:
		return "No texts", "Type, paste or drop some texts."
	case p.texts.Seen() && !m.Pictures:
		return "This model reads texts alone", "Choose a model for pictures and texts, such as CLIP, or delete the pictures."
	case !HasItsOwn(m) && len(unique(append(slices.Clone(p.labels.names), p.labels.pending()...))) < 2:
		return "Too few labels", "Write at least two labels. The model says which of them fits each text best."
	}
	return "", ""
}

// inView is what was found, as long as any of its texts is on the list; nil: nothing. After Clear it is kept for Undo.
func (p *Page) inView() *found {
	if p.found == nil || !p.texts.HasAny(p.found.asked.ids) {
		return nil
	}
	return p.found
}

// refresh shows what can be done now.
func (p *Page) refresh() {
	title, why := p.missing()
	m, _ := p.picker.Model()
	kit.Show(p.asks, !HasItsOwn(m))
	kit.Show(p.ours, p.sampleLabelsLeft())
	p.gives.Set(map[string]string{
		"labels":   "This model has labels of its own. For labels of yours, choose a model that compares texts.",
		"entities": "This model marks names and the like in texts.",
		"words":    "This model fills gaps: write ___ in each text where a word is missing.",
	}[m.Classifies])
	kit.Show(p.gives.Flat, HasItsOwn(m))
	p.classify.SetEnabled(title == "" && p.running == nil)
	kit.Show(p.classify, p.running == nil)
	kit.Show(p.Progress, p.running != nil)
	kit.Show(p.begin, title == "" && p.running == nil && p.texts.Len() > 0 && p.texts.Sampled())
	out, now, changed := p.inView(), p.request(), ""
	if out != nil {
		changed = out.asked.changedSince(now)
	}
	there := out != nil && (p.running == nil || changed == "" || out.sameTexts(now)) // of other texts, the old result would look like theirs
	kit.Show(p.blank, !there)
	kit.Show(p.results.view, there)
	p.export.SetEnabled(out != nil)
	switch {
	case p.running != nil:
		p.hint.Say("Classifying", "The result appears here.")
	case title != "":
		p.hint.Say(title, why)
	case m.Classifies == "words":
		p.hint.Say("Which word is missing?", "Press Classify: the model says which words fit each gap best. In texts of your own, write ___ where a word is missing.")
	case HasItsOwn(m):
		p.hint.Say("Nothing classified yet", fmt.Sprintf("Press Classify to see what %s finds in these texts.", m.Title()))
	default:
		p.hint.Say("See what it does", fmt.Sprintf("Press Classify. %s says which of your labels fits each text best. Then try labels and texts of your own.", m.Title()))
	}
	p.showFolds()
	p.tellMoods(there && p.running == nil)
	p.offerLearning(there)
	switch {
	case changed == "" || !there:
		p.stale.Hide()
	case p.running != nil && p.running.aside:
		p.stale.Hide() // the new result comes at once
	case p.running != nil:
		p.stale.Say(changed+" since this result. The new one comes in its place.", "", nil)
	case title != "":
		p.stale.Say(changed+" since this result. "+why, "", nil)
	default:
		p.stale.Say(changed+" since this result.", "Classify again", p.Start)
	}
	p.oneBanner()
	p.panes.View.Refresh()
	p.right.Refresh() // once more: a notice knows its lines only after its button has its width
}

// oneBanner leaves the most pressing of what is said above the result: several would take its room.
func (p *Page) oneBanner() {
	said := false
	for _, n := range []*kit.Notice{p.notice, p.stale, p.moods} {
		if said {
			n.Hide()
		}
		said = said || n.Message() != ""
	}
}

// pictures are the paths and thumbnails of the pictures on the list, "" and nil for texts.
func (p *Page) pictures() (paths []string, small []image.Image) {
	for _, picture := range p.texts.Pictures() {
		if picture == nil {
			paths, small = append(paths, ""), append(small, nil)
		} else {
			paths, small = append(paths, picture.Path), append(small, picture.Small)
		}
	}
	return paths, small
}
