package similarity

import (
	"fmt"
	"log/slog"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/textlist"
)

// autoStart is the largest number of texts that are compared without being
// asked when the window opens.
const autoStart = 64

// keepLimit is the size in bytes up to which the texts are kept in the
// settings, which are read before the window opens.
const keepLimit = 2 << 20

// How much of what a comparison took is in view at once, and how much where a pane is so low that
// the result needs the room.
const (
	footHeight    float32 = 84
	lowFootHeight float32 = 18
	lowPane       float32 = 420
)

// lowWork is the height below which the left side leaves out what is seldom changed, so that the
// texts have room.
const lowWork float32 = 400

// leastWork is the height that either side asks for at most: that of the smallest window.
const leastWork float32 = 310

// Panel is the panel that compares texts.
type Panel struct {
	panel.Host
	kit.RunControls
	app      App
	texts    *textlist.Texts
	list     *textlist.List
	picker   *panel.ModelPicker
	device   *panel.DeviceChoice
	prompt   *panel.PromptChoice
	reading  *panel.Reading
	prompted string // the model whose prompts are on offer

	stopDrawing func() // ends the drawing of a picture, where one is under way

	page    Page
	areas   *kit.Segments
	panes   *panel.Panes    // what is compared, and the result
	buttons *fyne.Container // for that result

	view        *fyne.Container
	compare     *kit.Button
	lack        *kit.Line   // how many texts are missing
	startNotice *kit.Notice // from the start of the program
	notice      *kit.Notice
	stale       *kit.Notice
	blank       *fyne.Container // in place of results
	hint        *kit.Hint
	begin       *kit.Button // what a person does first
	samples     *kit.Button // in the place of own texts
	results     *results
	sheet       *kit.Sheet
	foot        *fyne.Container // facts and remarks
	facts       *kit.Paragraph
	remarks     *kit.Paragraph
	export      *kit.Button
	send        *kit.Button // to Rerank

	models      []library.Model // nil: not known yet
	named       *library.Model  // one that the program was started with, and that is not on the list
	running     *comparison
	result      *texts.SimilarityResult
	resultIDs   []int // of the texts of result
	asked       request
	groupsAsked int  // how many groups a person asked for; 0: as many as part best
	sorted      bool // a person changed the groups
	waits       bool // for its room to come into view before it begins

	entered bool // the room was in view
}

// New makes the panel. Its second area is the page that says what texts are about.
func New(d panel.Host, a App, page Page) *Panel {
	settings := d.App.Settings()
	lines := settings.SimilarityTexts
	if lines == nil {
		lines = texts.SampleTexts()
	}
	p := &Panel{Host: d, app: a, page: page, stopDrawing: func() {}, texts: textlist.New(lines, texts.SampleTexts())}
	p.list = textlist.NewList(d, a, p.texts)
	p.list.TakePictures(a)
	p.list.Changed, p.list.Chosen, p.list.Added, p.list.Failed = p.textsChanged, p.selectText, func() { p.notice.Hide() }, p.ShowError
	p.picker = panel.NewModelPicker(d.Keys)
	p.picker.Fits = Fits
	p.picker.Chosen, p.picker.OpenFolder, p.picker.OpenFile, p.picker.Forget = p.modelChosen, p.openModelFolder, p.openModelFile, p.forgetModel
	p.picker.Find = d.FindModel
	p.picker.ID = settings.Model
	p.prompt = panel.NewPromptChoice(d.Keys, p.refresh)
	p.results = newResults(d.Keys)
	p.results.chosen, p.results.near.find, p.results.groups.asked = p.selectResult, p.find, p.regroup
	p.sheet = kit.NewSheet(d.Keys, func() fyne.CanvasObject { return p.view })
	p.results.groups.named = p.askName
	p.results.near.emptied = func() { p.selectText(p.list.Selected) }
	p.startNotice, p.notice, p.stale = kit.NewNotice(d.Keys), kit.NewNotice(d.Keys), kit.NewNotice(d.Keys)
	p.device = panel.NewDeviceChoice(d, p.refresh)
	p.reading = panel.NewReading(d, a, p.refresh, p.readAgain)
	p.buildRun()
	p.buildView()
	p.menus()
	page.OnCompare(p.compareThese)
	p.refresh()
	return p
}

func (p *Panel) buildRun() {
	p.compare = kit.NewButton(p.Keys, "Compare", theme.MediaPlayIcon(), p.start)
	p.compare.Importance = widget.HighImportance
	p.RunControls = kit.NewRunControls(p.Keys, func() { p.stop() })
}

func (p *Panel) buildView() {
	p.export = panel.NewExport(p.Keys, p.exports)
	rank := kit.NewQuietButton(p.Keys, "Open in Rerank…", theme.MoveUpIcon(), func() { p.RankTexts("", p.texts.Sent()) })
	p.send = rank
	p.areas = kit.NewSegments(p.Keys, []string{"Compare", "Classify"}, func(int) { p.turnArea() })
	p.buttons = kit.Row(0, rank, p.export)
	how := container.NewGridWithColumns(2, kit.Column(2, kit.NewName("Device"), p.device.Choice), kit.Column(2, kit.NewName("Prompt"), p.prompt.Choice))
	name := kit.NewName("Model")
	options := kit.Column(kit.GapSmall, name, p.picker, how, p.prompt.Own, p.reading.Check)
	p.lack = kit.NewCaption("")
	run := kit.Column(kit.GapSmall, p.lack, container.NewStack(p.compare, p.Progress))
	left := kit.Card(kit.UpTo(leastWork, kit.ByHeight(kit.Bordered(kit.Gap, options, p.list.View, run), func(height float32) {
		p.picker.SetLow(height < lowWork)
		kit.Show(name, height >= lowWork)
	})))

	p.hint = kit.NewHint(similarityIcon(kit.ColorMuted))
	p.begin = kit.NewButton(p.Keys, "", nil, nil)
	p.samples = kit.NewQuietButton(p.Keys, "Try it with samples", nil, func() {
		p.list.ShowSamples(texts.SampleTexts())
		p.start()
	})
	p.hint.Offer(kit.Row(kit.GapSmall, p.begin, p.samples))
	p.blank = container.NewStack(kit.NewSurface(kit.ColorCard, kit.ColorLine, 12), p.hint.View)
	p.facts = kit.NewParagraph("", kit.ColorMuted).Small()
	p.remarks = kit.NewParagraph("", theme.ColorNameWarning).Small()
	p.facts.Flat.Hide()
	p.remarks.Flat.Hide()
	capped := &kit.Capped{Most: footHeight}
	p.foot = container.New(capped, container.NewVScroll(kit.Column(kit.GapSmall, p.remarks.Flat, p.facts.Flat)))
	right := kit.UpTo(leastWork, kit.ByHeight(kit.Bordered(kit.Gap, panel.OneOf(nil, p.startNotice, p.notice, p.stale, p.reading.Offer),
		container.NewStack(p.results.view, p.blank), kit.Inset(p.foot, 2, 4)), func(height float32) {
		if capped.Most = footHeight; height < lowPane {
			capped.Most = lowFootHeight
		}
	}))
	p.panes = panel.NewPanes(p.Keys, left, right, [2]string{"Texts", "Result"})
	p.page.Panes().Join(p.panes)
	p.page.Content().Hide()
	p.page.Buttons().Hide()
	header := p.panes.Head(kit.Row(kit.GapWide, kit.NewTitleWhole("Similarity"), container.NewCenter(panel.Whole(p.areas))), p.buttons, p.page.Buttons())
	p.view = kit.Inset(kit.Bordered(10, header, container.NewStack(p.panes.View, p.page.Content()), nil), 12, kit.GapWide)
	p.panes.Turned = func(int) { p.view.Refresh() } // with other buttons the head has another height
}

// textsChanged follows every change of the list.
func (p *Panel) textsChanged() {
	lines := p.texts.Written()
	size := 0
	for _, l := range lines {
		size += len(l)
	}
	if size > keepLimit {
		p.Tell("These texts are too long to be kept for the next start.")
		lines = []string{}
	}
	path, column := p.list.Table()
	p.Keep(func(s *base.Settings) {
		s.SimilarityTexts, s.SimilarityTable, s.SimilarityColumn = lines, path, column
	})
	p.keepFound()
	if p.results.near.asked { // what was found was among other texts
		p.results.choose(-1)
	}
	p.refresh()
	switch n := p.texts.Len(); {
	case n > texts.MostMapped:
		p.Tell(tooMany(n))
	case n > texts.MostCompared:
		p.Tell("More than " + humanize.Comma(texts.MostCompared) + " texts are compared without a matrix, by their map and their nearest texts.")
	}
}

// tooMany says that there are more texts than can be compared.
func tooMany(n int) string {
	return fmt.Sprintf("%s can be compared at once, and %s are here. Delete some, or search these texts in Documents.", humanize.Comma(texts.MostMapped), humanize.Comma(int64(n)))
}

// selectText marks the text with that id everywhere.
func (p *Panel) selectText(id int) {
	i := slices.Index(p.resultIDs, id)
	p.results.near.moved = !slices.Equal(p.resultIDs, p.texts.IDs())
	p.results.choose(i)
	if i < 0 && id != 0 {
		p.results.near.clear("Not compared yet", "Compare again to see what is closest to this text.")
	}
}

// selectResult marks text i of the result everywhere.
func (p *Panel) selectResult(i int) {
	p.results.near.moved = !slices.Equal(p.resultIDs, p.texts.IDs())
	p.results.choose(i)
	if id := p.resultIDs[i]; p.texts.Index(id) >= 0 {
		p.list.Show(id)
	}
}

// ShowError shows what went wrong in the panel; nil hides it.
func (p *Panel) ShowError(err error) {
	if p.areas.Index == areaClassify {
		p.page.ShowError(err)
		return
	}
	if err == nil {
		p.notice.Hide()
	} else {
		p.App.Log().Warn("similarity", slog.Any("error", err))
		p.notice.Fail(kit.Sentence(err.Error()))
	}
	p.view.Refresh()
}

// Warn shows what went wrong at the start of the program.
func (p *Panel) Warn(message string) { p.startNotice.Fail(message) }

// Failure returns the error that is shown; "": there is none.
func (p *Panel) Failure() string { return p.notice.Message() }

// inView is what was found, as long as any of its texts is there; nil: nothing. After Clear it is kept for
// Undo.
func (p *Panel) inView() *texts.SimilarityResult {
	if !p.texts.HasAny(p.resultIDs) {
		return nil
	}
	return p.result
}

// showResult shows what was found, or in its place how to get there.
func (p *Panel) showResult() {
	there := p.inView() != nil && (p.running == nil || p.asked.changed(p.request()) == "") // of other texts, the old result would look like theirs
	kit.Show(p.blank, !there)
	kit.Show(p.results.view, there)
	kit.Show(p.foot, there)
	p.export.SetEnabled(p.texts.Len() > 0)
	p.lack.Set(map[int]string{0: "Add at least two texts to compare.", 1: "Add a second text to compare."}[p.texts.Len()])
	kit.Show(p.lack, p.lack.Text != "")
}

// refresh shows what can be done now.
func (p *Panel) refresh() {
	n := p.texts.Len()
	m, chosen := p.picker.Model()
	why, usable := "", false
	if chosen {
		why, usable = Fits(m)
		if usable && p.blind(m) {
			why, usable = blindText(m), false
		}
	}
	p.compare.SetEnabled(n >= 2 && n <= texts.MostMapped && usable && p.running == nil)
	switch {
	case p.models == nil:
		p.hint.Say("", "")
	case len(p.models) == 0:
		p.hint.Say("No model", "Open a model folder, or drop one on this window.")
	case !chosen:
		p.hint.Say("No model chosen", "Choose a model to compare with.")
	case !usable && p.blind(m):
		p.hint.Say("This model reads only one kind", why)
	case !usable:
		p.hint.Say("This model cannot compare texts", why)
	case n > texts.MostMapped:
		p.hint.Say("Too many texts", tooMany(n))
	case n < 2:
		p.hint.Say("Bring some texts", "Paste answers of a survey, comments or mails, one in a line, or open files. Those that mean the same come together, however they are worded. With a model for pictures, photos are found by words.")
	case p.running != nil:
		p.hint.Say("Comparing", "The result appears here.")
	default:
		p.hint.Say("Which of these mean the same?", "Compare sorts texts into groups by their meaning, finds what is there twice, and then what is closest to words of yours.")
	}
	p.offerBegin(chosen && usable)
	p.reading.For(p.picker.ID)
	p.send.SetEnabled(len(p.texts.Written()) > 0)
	p.showResult()
	if chosen && p.blind(m) {
		if other, ok := p.seeing(); ok {
			p.stale.Say(blindText(m), "Use "+kit.Brief(other.Title()), func() {
				p.picker.Offer(p.models, other.ID)
				p.modelChosen(other)
			})
		} else {
			p.stale.Say(blindText(m), "Find one", p.FindModel)
		}
		p.stale.Act.SetEnabled(true)
	} else if changed := p.asked.changed(p.request()); p.inView() != nil && p.running == nil && changed != "" {
		p.stale.Say(changed+" since this comparison.", "Compare again", p.start)
		p.stale.Act.SetEnabled(!p.compare.Disabled())
	} else {
		p.stale.Hide()
	}
	p.view.Refresh()
}

// offerBegin offers what comes next where nothing is shown yet.
func (p *Panel) offerBegin(can bool) {
	n := p.texts.Len()
	kit.Show(p.samples, can && n < 2 && p.running == nil)
	switch {
	case can && n < 2:
		p.begin.SetText("Open files…")
		p.begin.OnTapped = p.list.OpenFile
	case can && n <= texts.MostMapped:
		p.begin.SetText("Compare " + kit.Count(n, "text"))
		p.begin.OnTapped = p.start
	}
	kit.Show(p.begin, can && n <= texts.MostMapped && p.running == nil)
}

// request is everything that a result depends on.
type request struct {
	model, device, prompt string
	eight                 bool // in 8 bits
	ids                   []int
}

func (p *Panel) request() request {
	return request{p.picker.ID, p.device.ID(), p.prompt.Text(), p.reading.EightBits(), p.texts.IDs()}
}

// readAgain compares again where nothing but the way of reading has changed.
func (p *Panel) readAgain() {
	if p.inView() != nil && p.asked.changed(p.request()) == panel.ReadingChanged {
		p.start()
	}
}

// changed returns how r differs from a later request, "" if it does not.
func (r request) changed(now request) string {
	switch {
	case !slices.Equal(r.ids, now.ids):
		return "The texts have changed"
	case r.model != now.model:
		return "The model has changed"
	case r.prompt != now.prompt:
		return "The prompt has changed"
	case r.device != now.device:
		return "The device has changed"
	case r.eight != now.eight:
		return panel.ReadingChanged
	}
	return ""
}
