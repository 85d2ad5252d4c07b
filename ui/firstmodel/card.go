package firstmodel

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/dustin/go-humanize"

	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// App is what the card asks of the application.
type App interface {
	Suggest(ctx context.Context) ([]fit.Suggestion, error)
	Downloads() []downloads.Download
	StartDownload(ctx context.Context, r downloads.DownloadRequest) error
	PauseDownload(id, revision string) error
	ResumeDownload(id, revision string) error
	CancelDownload(id, revision string) error
	Offline() bool
	FreeDisk() int64 // bytes; 0: unknown
}

// Host is what the card asks of the panel around it.
type Host struct {
	Arrived    func(repo string) // a model of the card is here
	Began      func()            // a download began: it has to be followed
	Asked      func()            // a person pressed Download; the button that had the keyboard goes
	OpenFolder func()
	OpenFile   func()
	NotNow     func() // goes back to what was in view before the card

	Here    func(fit.Suggestion) (library.Model, bool) // the model where it is on this computer already
	Use     func(library.Model)                        // has that one answer
	Resized func()                                     // the card has another height
}

// Card offers models for a first chat, and shows the download of one. All its methods belong
// to the window's goroutine.
type Card struct {
	View *fyne.Container

	window panel.Host
	app    App
	host   Host
	asking bool
	leaves bool // there is something to go back to

	offers  []fit.Suggestion // the recommended one first
	disk    int64            // bytes that were free when they were asked for; 0: unknown
	chosen  int              // the one in view
	drawn   []bool           // which of them were on this computer when they were drawn
	getting *downloads.Download
	failed  string // why nothing can be offered, or why a download did not begin

	rows   *fyne.Container
	bar    *kit.Bar
	far    *kit.Line // how far the download is
	why    *panel.Trouble
	cancel *kit.Button
}

// width is that of the card's text.
const width float32 = 440

// New returns a card that asks for its models when it is shown.
func New(w panel.Host, a App, h Host) *Card {
	if h.Here == nil {
		h.Here = func(fit.Suggestion) (library.Model, bool) { return library.Model{}, false }
	}
	c := &Card{window: w, app: a, host: h, rows: kit.Column(kit.Gap), bar: kit.NewBar(6), far: kit.NewCaption("")}
	c.why = panel.NewTrouble(w.Keys, func() { c.rows.Refresh(); c.View.Refresh(); h.Resized() })
	c.View = container.NewCenter(container.New(&kit.FixedWidth{Width: width}, c.rows))
	c.View.Hide()
	return c
}

// Show shows the card, or takes it away. leaves tells whether a person can do without a
// model of the card.
func (c *Card) Show(on, leaves bool) {
	was := c.View.Visible()
	kit.Show(c.View, on)
	switch {
	case !on:
		c.getting = nil // what is under way is found again
	case c.offers == nil && !c.asking:
		c.leaves = leaves
		c.ask()
	case !was || c.leaves != leaves || !slices.Equal(c.drawn, c.here()):
		c.leaves = leaves
		c.Follow(c.app.Downloads())
		c.draw()
	}
}

// here tells which models of the card are on this computer.
func (c *Card) here() (list []bool) {
	for _, s := range c.offers {
		_, here := c.host.Here(s)
		list = append(list, here)
	}
	return list
}

// ask finds out which models suit this computer.
func (c *Card) ask() {
	c.asking, c.failed = true, ""
	c.draw()
	c.window.Work(func(ctx context.Context) {
		list, err := c.app.Suggest(ctx)
		disk := c.app.FreeDisk()
		c.window.Do(func() {
			c.asking, c.disk = false, disk
			c.offers = append([]fit.Suggestion{}, list...)
			if err != nil {
				c.failed = kit.Sentence(err.Error())
			} else if len(list) == 0 {
				c.failed = "This computer has little memory, so none is recommended. Models has smaller ones."
			}
			c.Follow(c.app.Downloads())
			c.draw()
		})
	})
}

// Follow shows how far the downloads are, where one of them is a model of the card.
func (c *Card) Follow(list []downloads.Download) {
	was := c.getting
	c.getting = nil
	for i, d := range list {
		if at := c.offerOf(d.ID); at >= 0 && (d.State != downloads.DownloadDone || was != nil && was.ID == d.ID) {
			c.getting, c.chosen = &list[i], at
		}
	}
	d := c.getting
	switch {
	case was != nil && d != nil && was.ID == d.ID && resting(*was) == resting(*d) && waiting(*was) == waiting(*d):
		c.progress()
	case was != nil || d != nil:
		c.draw()
	}
	if d != nil && d.State == downloads.DownloadDone && was.State != downloads.DownloadDone {
		c.host.Arrived(d.ID)
	}
}

// offerOf returns the place of a repository among the models; -1: it is not there.
func (c *Card) offerOf(repo string) int {
	return slices.IndexFunc(c.offers, func(s fit.Suggestion) bool { return strings.EqualFold(s.Download.Repo, repo) })
}

// resting reports whether a download goes on only if a person wants it.
func resting(d downloads.Download) bool {
	return d.State == downloads.DownloadPaused || d.State == downloads.DownloadFailed
}

// waiting reports whether a download could not go on and tries again by itself.
func waiting(d downloads.Download) bool { return d.State == downloads.DownloadWaiting }

// tryNow does not wait any longer.
func (c *Card) tryNow(id, revision string) error { return panel.TryNow(c.app, id, revision) }

// get downloads the model in view, unless it has come meanwhile.
func (c *Card) get() {
	if m, here := c.host.Here(c.offers[c.chosen]); here {
		c.host.Use(m)
		return
	}
	d := c.offers[c.chosen].Download
	c.failed = ""
	c.host.Asked()
	c.window.Work(func(ctx context.Context) {
		err := c.app.StartDownload(ctx, downloads.DownloadRequest{ID: d.Repo, Files: []string{d.File}})
		c.window.Do(func() {
			if err != nil {
				c.failed = kit.Sentence(err.Error())
				c.draw()
				return
			}
			c.Follow(c.app.Downloads())
			c.host.Began()
		})
	})
}

// do has something done with the download in view.
func (c *Card) do(what func(id, revision string) error) {
	d := *c.getting
	c.window.Work(func(context.Context) {
		err := what(d.ID, d.Revision)
		c.window.Do(func() {
			if err != nil {
				c.failed = kit.Sentence(err.Error())
			}
			c.Follow(c.app.Downloads())
			c.draw()
			c.host.Began()
		})
	})
}

// draw shows what is known.
func (c *Card) draw() {
	head := kit.NewLine("Let's get you a model", 18, theme.ColorNameForeground)
	head.Style.Bold, head.Align = true, fyne.TextAlignCenter
	free := kit.NewCaption("It runs on this computer, free and private.")
	free.Align = fyne.TextAlignCenter
	title := kit.Column(2, head, free)
	if !c.leaves { // it is the first that a person sees
		more := kit.NewCaption("Searching documents and sorting texts into labels work without it.")
		more.Align = fyne.TextAlignCenter
		title.Add(more)
	}
	c.rows.Objects, c.drawn = []fyne.CanvasObject{title}, c.here()
	switch {
	case c.asking:
		look := kit.NewCaption("Looking at what this computer can run…")
		look.Align = fyne.TextAlignCenter
		c.rows.Add(look)
	case len(c.offers) > 0:
		c.rows.Add(kit.Card(c.offer(c.offers[c.chosen])))
		if c.getting == nil {
			c.rows.Add(c.others())
		}
	}
	if c.failed != "" {
		c.rows.Add(kit.NewParagraph(c.failed, theme.ColorNameWarning).Flat)
	}
	ways := kit.Row(kit.GapSmall)
	if stuck := c.getting != nil && (waiting(*c.getting) || resting(*c.getting)); (c.getting == nil || stuck) && !c.asking { // none moves away when the answer comes
		ways.Add(kit.NewQuietButton(c.window.Keys, "See all models", theme.SearchIcon(), c.window.FindModel))
		ways.Add(kit.NewQuietButton(c.window.Keys, "I have a file…", theme.FileIcon(), c.host.OpenFile))
		ways.Add(kit.NewQuietButton(c.window.Keys, "I have a folder…", theme.FolderOpenIcon(), c.host.OpenFolder))
	}
	if c.leaves {
		ways.Add(kit.NewQuietButton(c.window.Keys, "Back", theme.NavigateBackIcon(), c.host.NotNow))
	}
	c.rows.Add(container.NewCenter(ways))
	c.rows.Refresh()
	c.View.Refresh()
	c.host.Resized()
}

// offer is one model, with the button that gets it or the progress of its download.
func (c *Card) offer(s fit.Suggestion) fyne.CanvasObject {
	name := kit.NewSection(s.Model.Name)
	tag := kit.NewLine("", kit.TextSmall, kit.ColorAccent)
	m, here := c.host.Here(s)
	if c.chosen == 0 && !here {
		tag.Set("Recommended for this computer")
	}
	tag.Whole = true
	rows := kit.Column(kit.GapSmall, container.NewBorder(nil, nil, name, container.NewCenter(tag)),
		kit.NewParagraph(kit.Sentence(s.Model.Use), theme.ColorNameForeground).Flat,
		kit.NewCaption(figures(s, c.getting == nil)))
	if here && c.getting == nil {
		use := kit.NewButton(c.window.Keys, "Use "+kit.Brief(m.Title()), theme.ConfirmIcon(), func() { c.host.Use(m) })
		use.Importance = widget.HighImportance
		rows.Add(kit.NewCaption("It is on this computer already."))
		rows.Add(kit.Inset(use, kit.GapSmall, 0))
		return rows
	}
	if c.getting == nil {
		get := kit.NewButton(c.window.Keys, "Download "+humanize.Bytes(uint64(s.Download.Bytes)), theme.DownloadIcon(), c.get)
		get.Importance = widget.HighImportance
		if why := panel.DiskTooSmall(s.Download.Bytes, c.disk); why != "" {
			get.Importance = widget.MediumImportance
			rows.Add(kit.NewParagraph(why, theme.ColorNameWarning).Flat)
		}
		rows.Add(kit.Inset(get, kit.GapSmall, 0))
		if c.app.Offline() {
			get.SetEnabled(false)
			rows.Add(container.NewBorder(nil, nil, nil, kit.NewQuietButton(c.window.Keys, "Open Settings", theme.SettingsIcon(), func() { c.window.GoTo(panel.Settings) }),
				kit.NewParagraph("Offline mode is on in Settings, so nothing can be downloaded.", kit.ColorMuted).Small().Flat))
		}
		return rows
	}
	again := kit.NewButton(c.window.Keys, "Go on", theme.MediaPlayIcon(), func() { c.do(c.app.ResumeDownload) })
	again.Importance = widget.HighImportance
	kit.Show(again, resting(*c.getting))
	now := kit.NewButton(c.window.Keys, "Try now", theme.ViewRefreshIcon(), func() { c.do(c.tryNow) })
	kit.Show(now, waiting(*c.getting))
	c.cancel = kit.NewQuietButton(c.window.Keys, "Cancel", theme.CancelIcon(), func() { c.do(c.app.CancelDownload) })
	rows.Add(c.bar)
	if waiting(*c.getting) || resting(*c.getting) { // what it says is long, and there are two buttons
		rows.Add(c.far)
		rows.Add(kit.Row(kit.GapSmall, again, now, c.cancel))
	} else {
		rows.Add(container.NewBorder(nil, nil, nil, kit.Row(kit.GapSmall, again, now, c.cancel), c.far))
	}
	rows.Add(c.why.View)
	c.progress()
	return rows
}

// progress shows how far the download is.
func (c *Card) progress() {
	d := *c.getting
	if d.Total > 0 {
		c.bar.Set(float64(d.Done) / float64(d.Total))
	} else {
		c.bar.Set(0)
	}
	kit.Show(c.cancel, d.State != downloads.DownloadDone)
	parts := []string{panel.DownloadState(d)}
	if figures := panel.DownloadFigures(d); figures != "" {
		parts = append(parts, figures)
	}
	c.far.Set(strings.Join(parts, " · "))
	why, note := d.Why, ""
	if waiting(d) {
		note = "The download tries again by itself and keeps what has arrived."
		if why == "" {
			why, note = note, ""
		}
	}
	c.why.Set(why, note)
}

// figures are what a model costs and how fast it is, in a line. What it takes to download is said until it comes.
func figures(s fit.Suggestion, toDownload bool) string {
	var parts []string
	if toDownload {
		parts = append(parts, humanize.Bytes(uint64(s.Download.Bytes))+" to download")
	}
	if speed := speed(s); speed != "" {
		parts = append(parts, speed+" here")
	}
	line := strings.Join(append(parts, s.Model.Licence), " · ")
	if line == "" {
		return ""
	}
	return strings.ToUpper(line[:1]) + line[1:]
}

// InShort names a model, with what it costs and how fast it is here.
func InShort(s fit.Suggestion) string {
	text := s.Model.Name + ", " + humanize.Bytes(uint64(s.Download.Bytes))
	if speed := speed(s); speed != "" {
		text += ", " + speed + " here"
	}
	return text + "."
}

// speed is how fast a model writes, in words; "": that is not known.
func speed(s fit.Suggestion) string {
	switch words := s.TokensPerS * kit.WordsPerToken; {
	case words >= 1:
		return "writes about " + kit.Count(int(words+0.5), "word") + " a second"
	case words > 0:
		return "slow: less than a word a second"
	}
	return ""
}

// others are the models that can be had instead.
func (c *Card) others() fyne.CanvasObject {
	rows := kit.Column(kit.GapSmall)
	for i, s := range c.offers {
		if i == c.chosen {
			continue
		}
		name := kit.NewLine(s.Model.Name, kit.TextBody, theme.ColorNameForeground)
		name.Style.Bold, name.Whole = true, true
		costs := humanize.Bytes(uint64(s.Download.Bytes))
		if _, here := c.host.Here(s); here {
			costs = "here already"
		}
		about := kit.NewCaption(costs + " · " + beside(s, c.offers[c.chosen]))
		rows.Add(kit.NewChip(c.window.Keys, kit.Inset(container.NewBorder(nil, nil, name, nil, kit.Inset(about, 2, kit.GapSmall)), 3, 2), func() {
			c.chosen, c.failed = i, ""
			c.draw()
		}))
	}
	return rows
}

// beside says what a model is beside another one.
func beside(s, other fit.Suggestion) string {
	if s.Download.Bytes < other.Download.Bytes {
		return "quicker, and knows less"
	}
	return "knows more, and is slower"
}
