package rerank

import (
	"fmt"
	"log/slog"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/base"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/textlist"
)

// Panel is the room that ranks texts.
type Panel struct {
	*session
	kit.RunControls
	view    *fyne.Container
	panes   *panel.Panes
	buttons *fyne.Container // for the ranking
	field   *kit.Entry
	lines   int // of the field in view
	list    *textlist.List
	sides   *sides
	device  *panel.DeviceChoice
	rank    *kit.Button
	notice  *kit.Notice
	stale   *kit.Notice
	closed  string // what a person does not want to read there again
	hint    *kit.Hint
	blank   *fyne.Container // in place of results
	begin   *kit.Button     // what a person does first, where nothing was ranked yet
	results *results
	export  *kit.Button
	entered bool

	stopDrawing func() // ends the drawing of a picture, where one is under way

	tabs      *kit.Segments
	question  *fyne.Container // what is ranked for
	ranking   *fyne.Container // the models that rank, and their results
	trial     *trial
	questions *questions
	workbench *workbench
}

// The names of the button that sorts.
const (
	sortName    = "Sort by relevance"
	sortSamples = "Sort the sample texts"
)

// lowWork is the height below which the left side leaves out what is seldom changed.
const lowWork float32 = 400

// The views of the room.
const (
	viewRank = iota
	viewTry
)

// New builds the room.
func New(d panel.Host, a App) *Panel {
	s := newSession(d, a)
	p := &Panel{session: s, notice: kit.NewNotice(d.Keys), stale: kit.NewNotice(d.Keys), stopDrawing: func() {}}
	s.changed, s.failed, s.sorted = p.refresh, p.ShowError, p.showPicked
	s.shown = func(what string, pr base.Progress) { panel.ShowProgress(p.RunControls, what, pr) }
	p.buildQuestion()
	p.sides = newSides(s)
	p.results = newResults(s, p.pickResult)
	p.results.picture.rows.Secondary = p.menu
	p.trial = newTrial(s)
	p.questions, p.workbench = newQuestions(p.trial), newWorkbench(p.trial, p.notice)
	p.tabs = kit.NewSegments(d.Keys, []string{"Sort texts", "Compare models"}, func(int) {
		p.notice.HideError() // it is about the other view
		if p.tabs.Index == viewTry {
			p.trial.settle()
			p.trial.bring(p.query)
		}
		p.refresh()
	})
	p.buildView()
	p.showPicked()
	p.refresh()
	return p
}

// buildQuestion builds the left side: what is ranked, and by which device.
func (p *Panel) buildQuestion() {
	p.field = kit.NewEntry(p.Keys)
	p.field.SetPlaceHolder("What should the texts answer?")
	p.write(p.query)
	p.field.OnChanged = p.ask
	p.field.Submit = p.run
	p.list = textlist.NewList(p.Host, p.app, p.texts)
	p.list.Changed, p.list.Chosen = p.listChanged, p.pickText
	p.list.Added, p.list.Failed = func() { p.notice.Hide() }, p.ShowError
	p.device = panel.NewDeviceChoice(p.Host, p.refresh)
	p.session.device = p.device.ID
	p.rank = kit.NewButton(p.Keys, sortName, theme.MediaPlayIcon(), p.run)
	p.rank.Importance = widget.HighImportance
	p.RunControls = kit.NewRunControls(p.Keys, func() { p.stop() })
}

func (p *Panel) buildView() {
	p.export = panel.NewExport(p.Keys, p.exports)
	p.buttons = kit.Row(kit.GapSmall, p.results.best.view, p.export)

	p.question = kit.Column(kit.GapSmall, kit.NewName("Question"), p.field)
	device := named("Device", p.device.Choice)
	foot := kit.Column(kit.Gap, device, container.NewStack(p.rank, p.Progress))
	work := fit(kit.Bordered(kit.Gap, container.NewStack(p.question, p.questions.view), p.list.View, foot), func(height float32) {
		low := height < lowWork
		p.questions.setLow(low)
		lines := questionLines
		if low {
			lines = 1
		}
		p.setQuestionLines(lines)
		kit.Show(device, !low || p.device.ID() != "auto")
	})
	left := kit.Card(work)

	p.hint = kit.NewHint(rerankIcon(kit.ColorMuted))
	p.begin = kit.NewButton(p.Keys, sortSamples, theme.MediaPlayIcon(), p.run)
	p.hint.Offer(p.begin)
	p.blank = container.NewStack(kit.NewSurface(kit.ColorCard, kit.ColorLine, 12), p.hint.View)
	top := kit.Bordered(kit.Gap, kit.Card(p.sides.view), panel.OneOf(p.notice, p.stale, p.sides.first.reading.Offer, p.sides.second.reading.Offer), nil)
	p.ranking = fit(kit.Bordered(kit.Gap, top, container.NewStack(p.results.view, p.blank), nil), func(height float32) {
		low := height < lowPane
		p.sides.setLow(low)
	})
	right := kit.Bordered(kit.Gap, p.notice.View, container.NewStack(p.ranking, p.workbench.view), nil)
	p.panes = panel.NewPanes(p.Keys, left, right, [2]string{"Texts", "Result"})
	header := p.panes.Head(kit.Row(kit.GapWide, kit.NewTitleWhole("Rerank"), container.NewCenter(panel.Whole(p.tabs))), p.buttons)
	p.view = kit.Inset(kit.Bordered(10, header, p.panes.View, nil), 12, kit.GapWide)
	p.panes.Turned = func(int) { p.view.Refresh() } // with other buttons the head has another height
}

// questionLines is how many lines of the question are in view where there is room.
const questionLines = 2

// write puts a question into the field, where it is wrapped. One that is too long for that stays in a
// line.
func (p *Panel) write(question string) {
	wraps := kit.Editable(question)
	if wraps != p.field.MultiLine {
		p.field.MultiLine, p.field.Wrapping = wraps, fyne.TextWrapOff
		if wraps {
			p.field.Wrapping = fyne.TextWrapWord
		}
		p.setQuestionLines(questionLines)
	}
	if p.field.Text != question {
		p.field.SetText(question)
		p.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown}) // typing goes on at the end
		p.field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	}
}

// setQuestionLines shows so many lines of the question.
func (p *Panel) setQuestionLines(n int) {
	if p.lines != n && p.field.MultiLine {
		p.lines = n
		p.field.SetMinRowsVisible(n)
	}
}

// pickText marks the text with that id in the results; 0: none.
func (p *Panel) pickText(id int) {
	p.workbench.answers.show(id)
	if p.found != nil {
		p.pick(slices.Index(p.found.asked.ids, id))
	}
}

// pickResult marks a text of the results everywhere.
func (p *Panel) pickResult(i int) {
	p.pick(i)
	if id := p.found.asked.ids[i]; p.texts.Index(id) >= 0 {
		p.list.Show(id)
	}
}

// showPicked marks the text that is picked in the results on the list too.
func (p *Panel) showPicked() {
	id := 0
	if p.found != nil && p.picked >= 0 {
		id = p.found.asked.ids[p.picked]
	}
	p.list.Show(id)
}

// ShowError shows what went wrong; nil hides it.
func (p *Panel) ShowError(err error) {
	if err == nil {
		p.notice.Hide()
	} else {
		p.App.Log().Warn("rerank", slog.Any("error", err))
		p.notice.Fail(kit.Sentence(err.Error()))
	}
	p.view.Refresh()
}

// listChanged follows every change of the texts.
func (p *Panel) listChanged() {
	query, before := p.query, p.trial.snapshot()
	p.textsChanged()
	p.write(p.query)
	p.trial.textsChanged()
	went := len(before.questions) - len(p.trial.questions)
	if p.query == query && went == 0 {
		return
	}
	p.refresh()
	said := "and the question about them"
	if went > 1 {
		said = fmt.Sprintf("and the %d questions about them", went)
	}
	p.list.AlsoWent(said, func() textlist.With {
		if p.query == "" {
			p.write(query)
		}
		p.trial.bringBack(before)
		return nil // the samples go by themselves where own texts come again
	})
}

// run does what the view in front is for.
func (p *Panel) run() {
	p.list.Take()
	if !p.rank.Disabled() {
		p.panes.Front(panel.PaneResult)
	}
	if p.tabs.Index == viewTry {
		p.trial.try()
		return
	}
	p.start()
}

// refresh shows the session as it is.
func (p *Panel) refresh() {
	try := p.tabs.Index == viewTry
	title, name := "", sortName
	if title, _ = p.missing(); try {
		title, _ = p.trial.lacks()
		name = "Compare"
	}
	p.rank.SetText(name)
	p.rank.SetEnabled(title == "" && p.running == nil)
	kit.Show(p.rank, p.running == nil)
	kit.Show(p.Progress, p.running != nil)
	kit.Show(p.question, !try)
	kit.Show(p.questions.view, try)
	kit.Show(p.ranking, !try)
	kit.Show(p.workbench.view, try)
	p.export.SetEnabled(!try && p.inView() != nil || try && p.workbench.shown() != nil)
	if try {
		p.questions.refresh()
		p.workbench.refresh()
	} else {
		p.refreshRanking()
	}
	p.results.best.show(!try && p.inView() != nil)
	p.view.Refresh()
}

// refreshRanking shows what ranks, and what was found.
func (p *Panel) refreshRanking() {
	title, why := p.missing()
	p.sides.refresh()
	p.results.refresh()
	kit.Show(p.blank, p.shownNow() == nil)
	switch {
	case p.running != nil:
		title, why = "Reading the texts", "They appear here with the best answer first."
	case title == "" && p.sample:
		title, why = "Which text answers your question best?", fmt.Sprintf("You have a question and some texts. A model reads them all and puts the best answers first. Try it with %s about bread, then with your own.", kit.Count(p.texts.Len(), "sample text"))
	case title == "":
		title, why = "Which text answers your question best?", "The model reads all of them and puts the best answers first."
	}
	name := sortName
	if p.sample {
		name = sortSamples
	}
	p.begin.SetText(name)
	missing, _ := p.missing()
	kit.Show(p.begin, missing == "" && p.running == nil)
	p.hint.Say(title, why)
	p.sayStale()
}

// sayStale says that what is in view belongs to another question, other texts or models.
func (p *Panel) sayStale() {
	changed := ""
	if p.inView() != nil && p.running == nil {
		changed = p.found.asked.changedSince(p.request())
	}
	if changed == "" {
		p.closed = ""
		p.stale.Hide()
		return
	}
	changed += " since this was sorted."
	if changed == p.closed {
		p.stale.Hide()
		return
	}
	if _, why := p.missing(); why != "" {
		p.stale.Say(changed+" "+why, "", nil)
	} else {
		p.stale.Say(changed, "Sort again", p.start)
		p.stale.Act.SetEnabled(!p.rank.Disabled())
	}
	p.stale.Closes(func() { p.closed = changed })
}
