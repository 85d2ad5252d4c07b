package models

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/measure"
	"inglenook/ui/kit"
	"inglenook/ui/panel"

	"github.com/dustin/go-humanize"
)

// modelPage shows one model: what it is for, what it would be or is on this
// computer, and what can be done with it.
type modelPage struct {
	panel.Host
	kit.RunControls
	app      App
	uses     []Use
	openPath func(path string) // a folder, in the system's program for it
	sheet    *kit.Sheet
	host     pageHost

	view  *fyne.Container
	blank *kit.Hint
	aims  *fyne.Container // what a model may be wanted for, while none is chosen
	body  *fyne.Container
	flow  *fyne.Container // scrolled

	item      *modelItem
	ended     context.CancelFunc // of what is asked about the model in view; nil: nothing is
	forms     []modelForm        // of a model that is not here
	form      int
	preview   *downloads.Preview
	checked   map[string]downloads.Preview // what the Hub answered last, by the key of a row
	recalled  bool                         // preview is of an earlier look at the model
	compat    *fit.Compat
	disk      int64  // bytes that were free when the Hub was asked last; 0: unknown
	offline   bool   // nothing could be asked last, for want of connections
	asking    string // what is being asked
	failed    string // why it could not be answered
	refused   bool   // the Hub wants terms accepted, or a token
	context   int    // tokens, that verdicts are for; 0: as when it is opened
	predict   bool   // speeds are predicted, since a person asked for that once
	estimated string // the model that a person asked the speed of last
	loads     bool   // the buttons are those of a download under way
	brief     string // what they say of it
	details   bool   // technical details are in view, since a person asked for them
	running   context.CancelFunc
	past      []measure.Result
	finding   string // what was last found out about the installed model
	waits     *kit.Waiting
}

// pageHost is what a page asks of the panel around it.
type pageHost struct {
	installed     func() installedModels
	pace          func() fit.Pace // of this computer
	goTo          func(id string) // to an installed model
	showDownloads func()
	setToken      func()                        // leads to the field for the token of the Hub
	told          func(key string, bytes int64) // of what would be downloaded, as the Hub said
	cancel        func(downloads.Download)      // takes it off the list, so that it can be undone
	downloads     func() []downloads.Download   // as every part of the room shows them
	follow        func([]downloads.Download)    // shows how far they are everywhere
	disk          func() int64                  // bytes that are free; 0: unknown
	watch         func()                        // follows them
	// doTo has something done with a download, and shows what came of it.
	doTo       func(d downloads.Download, action func(id, revision string) error)
	landing    func(downloads.Download) bool  // it has ended, and its model is not on the list yet
	update     func(id string)                // downloads the newest revision
	removed    func(r downloads.Removed)      // says so, and offers to undo it
	unlisted   func(said string, back func()) // says that a model went off the list, and notes what puts it back
	lookFor    func(*aim)                     // lists what could be here for something
	name       func(id string) string         // what people call a model of the Hub
	reload     func()                         // reads what is installed
	showNotice func(message, action string, act func())
	fail       func(error)
}

// modelForm is one way to get a model.
type modelForm struct {
	repo    string
	variant string // of the repository; "": the one that fits best
	label   string
	bytes   int64 // that would be downloaded, as far as is known before the Hub was asked; else 0
}

func newModelPage(d panel.Host, a App, uses []Use, openPath func(path string), h pageHost) *modelPage {
	p := &modelPage{Host: d, app: a, uses: uses, openPath: openPath, host: h, blank: kit.NewHint(modelsIcon(kit.ColorMuted)), waits: kit.NewWaiting(), body: kit.Column(kit.GapWide)}
	p.RunControls = kit.NewRunControls(d.Keys, func() { p.stop() })
	p.sheet = kit.NewSheet(d.Keys, func() fyne.CanvasObject { return p.view })
	p.flow = kit.Inset(p.body, kit.GapSmall, 10)
	p.view = container.NewStack(kit.Bordered(kit.Gap, nil, d.Keys.Follow(container.NewVScroll(p.flow)), p.Progress), p.blank.View)
	p.buildAims()
	p.clear(false)
	return p
}

// cancel ends the requests that are running.
func (p *modelPage) cancel() {
	if p.ended != nil {
		p.ended()
		p.ended = nil
	}
}

// show shows a model. The one in view stays as it is, apart from what changed.
func (p *modelPage) show(m modelItem) {
	same := p.item != nil && p.item.key() == m.key() && (p.item.installed != nil) == (m.installed != nil)
	p.item = &m
	p.blank.View.Hide()
	if same {
		p.draw()
		return
	}
	p.cancel()
	p.preview, p.compat, p.failed, p.asking, p.context, p.past, p.finding, p.refused = nil, nil, "", "", 0, nil, "", false
	p.form, p.forms, p.disk = 0, formsOf(m), p.host.disk()
	p.recall()
	p.ask()
	p.draw()
}

// enter asks what was given up when the room was left, and what could not be asked offline.
func (p *modelPage) enter() {
	gaveUp := p.asking != "" && p.ended == nil
	if p.item != nil && (gaveUp || p.offline && !p.app.Offline()) {
		p.ask()
		p.draw()
	}
}

// formsOf are the ways to get a model, before the Hub was asked.
func formsOf(m modelItem) []modelForm {
	switch {
	case m.installed != nil:
		return nil
	case m.found != nil:
		return []modelForm{{repo: m.found.ID, label: m.found.ID}}
	}
	var list []modelForm
	for _, d := range m.entry.Downloads {
		if !slices.ContainsFunc(list, func(f modelForm) bool { return f.repo == d.Repo }) {
			list = append(list, modelForm{d.Repo, "", d.Type + " · " + humanize.Bytes(uint64(d.Bytes)) + " · " + d.Repo, d.Bytes})
		}
	}
	return list
}

// askAfter keeps quick steps through the list from asking about each model.
const askAfter = 300 * time.Millisecond

// ask finds out what the model in view is on this computer.
func (p *modelPage) ask() {
	p.cancel()
	m := *p.item
	ctx, cancel := context.WithCancel(p.Life)
	p.ended = cancel
	p.failed, p.refused, p.offline = "", false, false
	if m.installed != nil && m.installed.Elsewhere() {
		p.asking = ""
		return
	}
	if m.installed != nil {
		p.asking = "Reading its headers…"
		if p.predict {
			p.asking = measuringSpeed
		}
		r := fit.CompatRequest{Model: m.installed.ID, Hold: devices.Hold{Context: p.context}, Predict: p.predict}
		p.Work(func(context.Context) {
			got, err := p.app.Compat(ctx, r)
			past, _ := p.app.PerformanceHistory(r.Model)
			p.answered(ctx, err, func() { p.compat, p.past = &got, past })
		})
		return
	}
	if p.offline = p.app.Offline(); p.offline {
		p.asking = "" // the panel says why
		return
	}
	p.asking = "Checking whether it runs here…"
	form, predict := p.forms[p.form], p.predict
	r := downloads.PreviewRequest{ID: form.repo, Variant: form.variant, Context: p.context}
	p.Work(func(context.Context) {
		select {
		case <-time.After(askAfter):
		case <-ctx.Done():
			return
		}
		got, err := p.app.Preview(ctx, r)
		disk := p.app.FreeDisk()
		p.answered(ctx, err, func() {
			p.disk = disk
			if p.previewed(got); predict {
				p.asking = measuringSpeed
			}
		})
		if err != nil || !predict {
			return
		}
		r.Predict = true // takes long: what is known already can be used meanwhile
		measured, err := p.app.Preview(ctx, r)
		p.answered(ctx, err, func() { p.previewed(measured) })
	})
}

// answered takes an answer in, unless nobody waits for it any more.
func (p *modelPage) answered(ctx context.Context, err error, take func()) {
	p.Do(func() {
		if ctx.Err() != nil {
			return
		}
		p.asking = ""
		switch {
		case downloads.Unreachable(err):
			p.App.Log().Warn("models", slog.Any("error", err))
			if p.failed = notAsked; p.preview != nil {
				p.failed = notAgain
			}
		case err != nil:
			p.failed, p.refused = kit.Sentence(err.Error()), downloads.Refused(err)
		default:
			take()
		}
		p.draw()
	})
}

// previewed takes in what the Hub answered: all variants of its repository become forms.
func (p *modelPage) previewed(got downloads.Preview) {
	p.preview, p.compat, p.recalled = &got, &got.Compat, false
	p.failed = got.Unread
	p.remember(got)
	var list []modelForm
	for i, f := range p.forms {
		if f.repo != got.ID {
			list = append(list, f)
			continue
		}
		if i > 0 && p.forms[i-1].repo == got.ID {
			continue // its variants stand there already
		}
		for k, v := range got.Variants {
			if k == got.Chosen {
				p.form = len(list)
			}
			list = append(list, modelForm{got.ID, v.Name, variantLabel(v, k == got.Suggested), v.Bytes})
		}
	}
	p.forms = list
	if v, ok := p.variant(); ok && got.Chosen == got.Suggested { // not what a person tries out
		p.host.told(p.item.key(), v.Bytes)
	}
}

func variantLabel(v downloads.Variant, suggested bool) string {
	text := v.Name + " · " + humanize.Bytes(uint64(v.Bytes))
	if v.Fits != "" {
		text += " · " + v.Fits
	}
	if suggested && v.Fits != "" && v.Fits != fit.FitsNot {
		text += " · suggested"
	}
	return text
}

// variant is the form in view, as the Hub has it; false: it was not asked yet.
func (p *modelPage) variant() (downloads.Variant, bool) {
	form := p.forms[p.form]
	if p.preview == nil || form.repo != p.preview.ID {
		return downloads.Variant{}, false
	}
	for i, v := range p.preview.Variants {
		if form.variant == "" && i == p.preview.Chosen || form.variant != "" && v.Name == form.variant {
			return v, true
		}
	}
	return downloads.Variant{}, false
}

// size is how many bytes a download of the form in view has: as the model store said, or else the list.
func (p *modelPage) size() int64 {
	if v, ok := p.variant(); ok {
		return v.Bytes
	}
	return p.forms[p.form].bytes
}

// isHere reports whether the form in view of a model of the Hub is installed.
func (p *modelPage) isHere() bool {
	_, here := p.here()
	return here
}

// here is the installed model that the form in view is; false: it is not installed.
func (p *modelPage) here() (id string, ok bool) {
	form, architecture := p.forms[p.form], ""
	var files []string
	if e := p.item.entry; e != nil {
		architecture = e.Architecture
		for _, d := range e.Downloads {
			if d.Repo == form.repo {
				files = append(files, fileOf(d)...)
			}
		}
	}
	v, known := p.variant()
	if known {
		files = weightsOf(v)
	}
	id, ok = p.host.installed().copyOf(form.repo, architecture, files...)
	if !ok || strings.EqualFold(id, form.repo) && known && !p.host.installed().hasWeights(form.repo, v) {
		return "", false
	}
	return id, true
}

// stop ends what runs; false: nothing does.
func (p *modelPage) stop() bool {
	if p.running == nil {
		return false
	}
	p.running()
	return true
}

// draw shows what is known.
func (p *modelPage) draw() {
	if p.item == nil {
		return
	}
	m := *p.item
	title := kit.NewLine(m.name(), 18, theme.ColorNameForeground)
	title.Style.Bold = true
	head := kit.Column(2, title)
	if m.key() != m.name() {
		head.Add(kit.NewCaption(base.ShortPath(m.key())))
	}
	p.body.Objects = []fyne.CanvasObject{head}
	if e := m.entry; e != nil {
		about := kit.Column(4, kit.NewParagraph(kit.Sentence(e.Use), theme.ColorNameForeground).Flat)
		if e.Notes != "" {
			about.Add(kit.NewParagraph(e.Notes, kit.ColorMuted).Flat)
		}
		if e.Classic {
			about.Add(kit.NewParagraph("A classic: newer models of its size do the same better.", kit.ColorMuted).Flat)
		}
		p.body.Add(about)
	}
	if m.installed != nil && !m.installed.Usable {
		p.body.Add(kit.NewParagraph("Cannot be used: "+kit.Sentence(m.installed.Reason), theme.ColorNameWarning).Flat)
	}
	p.body.Add(container.New(&kit.Wrap{Gap: kit.GapSmall}, p.buttons()...))
	if p.finding != "" {
		p.body.Add(kit.NewParagraph(p.finding, theme.ColorNameForeground).Flat)
	}
	if e := m.entry; e != nil && e.Unchecked && m.installed == nil && p.preview == nil && !p.isHere() { // below the buttons, which stay where they are when it goes
		p.body.Add(kit.NewParagraph("Size and licence may have changed; they are checked before a download.", kit.ColorMuted).Flat)
	}
	if m.installed == nil {
		if why := panel.DiskTooSmall(p.size(), p.disk); why != "" && !p.isHere() && !p.loads {
			p.body.Add(kit.NewParagraph(why, theme.ColorNameWarning).Flat)
		}
		p.body.Add(p.drawForms())
	}
	if elsewhere := m.installed != nil && m.installed.Elsewhere(); !elsewhere {
		p.body.Add(p.drawVerdicts())
	}
	p.body.Add(kit.Column(6, kit.NewSection("About this model"), factRows(p.facts())))
	if m.installed == nil && !p.isHere() { // what comes is told before it comes
		if files := p.drawFiles(); files != nil {
			p.body.Add(files)
		}
	}
	p.drawDetails()
	p.body.Refresh()
	p.flow.Refresh()
}

// drawDetails adds what few people ask about: on demand, for all models once a person asked.
func (p *modelPage) drawDetails() {
	label, icon := "Technical details", theme.MenuDropDownIcon()
	if p.details {
		label, icon = "Hide technical details", theme.MenuDropUpIcon()
	}
	p.body.Add(container.NewHBox(kit.NewQuietButton(p.Keys, label, icon, func() {
		p.details = !p.details
		p.draw()
	})))
	if !p.details {
		return
	}
	p.body.Add(factRows(p.technical()))
	if i := p.item.installed; i != nil && !i.Elsewhere() {
		p.body.Add(p.drawFiles())
	}
}

// drawForms lets a person choose in which form to get the model.
func (p *modelPage) drawForms() fyne.CanvasObject {
	labels := make([]string, len(p.forms))
	for i, f := range p.forms {
		labels[i] = f.label
	}
	c := kit.NewChoice(p.Keys, labels, nil)
	c.SetSelectedIndex(p.form)
	c.OnChanged = func(string) {
		if i := c.SelectedIndex(); i >= 0 && i != p.form {
			p.form = i
			p.ask()
			p.draw()
		}
	}
	box := kit.Column(kit.GapSmall, kit.NewName("Version"), c)
	if v, ok := p.variant(); ok && v.Why != "" {
		box.Add(kit.NewParagraph(v.Why, kit.ColorMuted).Small().Flat)
	}
	if p.preview != nil && p.preview.LeftOut != "" {
		box.Add(kit.NewParagraph(p.preview.LeftOut, kit.ColorMuted).Small().Flat)
	}
	return box
}

// contexts are the lengths that a person may ask about.
var contexts = []int{512, 1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072}

// drawVerdicts shows what each device would do with the model, and how much memory
// that takes.
func (p *modelPage) drawVerdicts() fyne.CanvasObject {
	box := kit.Column(6)
	box.Add(kit.NewSection("On this computer"))
	p.waits.Set(p.asking != "")
	switch {
	case p.asking != "":
		box.Add(container.NewBorder(nil, nil, p.waits.View, nil, kit.NewParagraph(p.asking, kit.ColorMuted).Flat))
	case p.failed != "":
		box.Add(kit.NewParagraph(p.failed, theme.ColorNameWarning).Flat)
	case p.recalled:
		box.Add(kit.NewParagraph(checkedBefore, kit.ColorMuted).Small().Flat)
	}
	if p.compat == nil {
		for _, o := range p.drawEstimate() {
			box.Add(o)
		}
		kit.Show(box, len(box.Objects) > 1)
		return box
	}
	if why := kit.Sentence(p.compat.RunsNowhere()); why != "" {
		box.Add(kit.NewParagraph("It cannot run here: "+why, theme.ColorNameWarning).Flat)
		return box
	}
	box.Add(panel.CompatRows(p.App, p.compat.Devices, panel.SpeedBelow(p.past, "", panel.MeasureAgainInPerformance)))
	chatted := ""
	if i := p.item.installed; i != nil {
		chatted = panel.LastChat(p.app.LastRate(i.ID))
	}
	if chatted != "" {
		box.Add(kit.NewParagraph(chatted, theme.ColorNameForeground).Flat)
	}
	for _, o := range p.drawEstimate() {
		box.Add(o)
	}
	if !panel.HasGPU(p.App.Devices()) {
		box.Add(panel.NoGPU(p.Host))
	}
	for _, n := range p.compat.Notes {
		box.Add(kit.NewParagraph(n, kit.ColorMuted).Small().Flat)
	}
	if c := p.contextChoice(); c != nil {
		box.Add(c)
	}
	if p.asking == "" && !p.measured() && p.runsSomewhere() && (!p.predict || p.lacksSpeed()) {
		if why := p.noSpeed(); why != "" && chatted == "" {
			box.Add(kit.NewParagraph(why, theme.ColorNameWarning).Small().Flat)
		}
		box.Add(container.NewHBox(kit.NewQuietButton(p.Keys, "Estimate speed", theme.MediaFastForwardIcon(), func() {
			p.predict, p.estimated = true, p.item.key()
			p.ask()
			p.draw()
		})))
	}
	return box
}

// runsSomewhere reports whether a device of this computer can run the model in view.
func (p *modelPage) runsSomewhere() bool {
	return p.compat != nil && slices.ContainsFunc(p.compat.Devices, func(d fit.CompatDevice) bool { return d.Verdict != fit.VerdictNo })
}

// contextChoice offers contexts up to the model's own; nil: there is nothing to choose.
func (p *modelPage) contextChoice() fyne.CanvasObject {
	most := 0
	switch m := *p.item; {
	case m.installed != nil:
		most = m.installed.MaxLength
	case m.entry != nil:
		most = m.entry.Context
	case p.compat != nil && p.compat.Writes:
		most = contexts[len(contexts)-1]
	}
	if p.compat != nil && !p.compat.Writes {
		most = p.compat.Context
	}
	options, values, at := []string{"Memory for a chat of the usual length"}, []int{0}, 0
	for _, n := range contexts {
		if n > most {
			break
		}
		if n == p.context {
			at = len(values)
		}
		options, values = append(options, "Memory for a chat of "+kit.Words(n)), append(values, n)
	}
	if len(values) == 1 {
		return nil
	}
	c := kit.NewChoice(p.Keys, options, nil)
	c.SetSelectedIndex(at)
	c.OnChanged = func(string) {
		p.context = values[max(0, c.SelectedIndex())]
		p.ask()
		p.draw()
	}
	return container.NewHBox(container.New(&kit.FixedWidth{Width: contextWidth}, c))
}

// contextWidth has room for the longest of them.
const contextWidth float32 = 320

// factRows shows names and values.
func factRows(facts [][2]string) fyne.CanvasObject {
	rows := kit.Column(3)
	for _, f := range facts {
		rows.Add(container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: 104}, kit.NewLine(f[0], kit.TextBody, kit.ColorMuted)), nil, kit.NewLine(f[1], kit.TextBody, theme.ColorNameForeground)))
	}
	return rows
}
