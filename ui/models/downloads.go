package models

import (
	"context"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/downloads"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// downloadList shows the downloads in their order.
type downloadList struct {
	panel.Host
	app   Downloads
	host  downloadsHost
	view  *fyne.Container
	blank *kit.Hint
	list  *fyne.Container
	clear *kit.Button
	cards []*downloadCard
}

// downloadsHost is what the list asks of the panel around it.
type downloadsHost struct {
	follow func([]downloads.Download)                 // shows how far they are everywhere
	watch  func()                                     // goes on doing that
	use    func(id string) (name string, open func()) // what a model that is here can be used for; "": nothing
	name   func(id string) string                     // what people call a model of the Hub
	fail   func(error)

	cancel func(downloads.Download) // so that it can be undone
}

func newDownloadList(d panel.Host, a Downloads, h downloadsHost) *downloadList {
	l := &downloadList{Host: d, app: a, host: h, blank: kit.NewHint(modelsIcon(kit.ColorMuted)), list: kit.Column(10)}
	l.clear = kit.NewQuietButton(d.Keys, "Clear finished ones", nil, func() {
		a.ClearDownloads()
		l.show(a.Downloads())
	})
	scroll := d.Keys.Follow(container.NewVScroll(kit.Inset(l.list, kit.GapSmall, 10)))
	l.view = container.NewStack(kit.Card(container.NewStack(kit.Bordered(kit.Gap, nil, scroll, container.NewHBox(l.clear)), l.blank.View)))
	return l
}

// show shows the downloads as they are now, those that have ended below the others; cards stay as long as
// their downloads do.
func (l *downloadList) show(queue []downloads.Download) {
	var all, ended []downloads.Download
	var places []int // in the queue
	for i, d := range queue {
		if d.State == downloads.DownloadDone {
			ended = append(ended, d)
			continue
		}
		all, places = append(all, d), append(places, i)
	}
	all = append(all, ended...)
	same := len(all) == len(l.cards)
	for i := range all {
		same = same && l.cards[i].key == keyOf(all[i])
	}
	if !same {
		l.cards, l.list.Objects = nil, nil
		for _, d := range all {
			c := l.newCard(d)
			l.cards = append(l.cards, c)
			l.list.Add(c.view)
		}
	}
	done := false
	for i, d := range all {
		l.cards[i].set(d)
		l.cards[i].between(places, i)
		if d.State == downloads.DownloadDone {
			l.cards[i].offer(l.host.use(d.ID))
		}
		done = done || d.State == downloads.DownloadDone
	}
	kit.Show(l.clear, done)
	if len(all) == 0 {
		l.blank.Say("No downloads", "Choose a model under Discover. An interrupted download continues where it stopped, even after a restart.")
	} else {
		l.blank.View.Hide()
	}
	if !same {
		l.view.Refresh()
	}
}

func keyOf(d downloads.Download) string { return d.ID + "@" + d.Revision }

// downloadCard is one download.
type downloadCard struct {
	key      string
	d        downloads.Download
	before   int // the place in the queue of the card above; -1: there is none that is under way
	after    int // of the one below
	view     *fyne.Container
	name     *kit.Line
	figures  *kit.Line
	state    *kit.Line
	why      *panel.Trouble
	bar      *kit.Bar
	pause    *kit.Button
	resume   *kit.Button
	again    *kit.Button
	cancel   *kit.Button
	up, down *kit.Button
	use      *kit.Button
	ended    time.Time // when this card saw its download end; zero: it has not
}

// settles is how long after the end of a download a click counts for what stood there before: the
// button to use the model takes the place of the one to cancel.
const settles = time.Second

func (l *downloadList) newCard(d downloads.Download) *downloadCard {
	c := &downloadCard{key: keyOf(d), name: kit.NewLine(l.host.name(d.ID), kit.TextBody, theme.ColorNameForeground), figures: kit.NewCaption(""), state: kit.NewCaption(""), bar: kit.NewBar(6)}
	c.name.Style.Bold = true
	c.figures.Whole = true
	k := l.Keys
	c.why = panel.NewTrouble(k, func() { l.view.Refresh() })
	button := func(name string, icon fyne.Resource, action func(id, revision string) error) *kit.Button {
		return kit.NewQuietButton(k, name, icon, func() { l.do(c.d, action) })
	}
	move := func(icon fyne.Resource, tip string, by int) *kit.Button {
		return kit.NewIconButton(k, icon, tip, func() {
			to := c.before
			if by > 0 {
				to = c.after
			}
			l.do(c.d, func(id, revision string) error { return l.app.MoveDownload(id, revision, to) })
		})
	}
	c.pause = button("Pause", theme.MediaPauseIcon(), l.app.PauseDownload)
	c.resume = button("Resume", theme.MediaPlayIcon(), l.app.ResumeDownload)
	c.again = button("Try now", theme.ViewRefreshIcon(), l.tryNow)
	c.cancel = kit.NewQuietButton(k, "Cancel", theme.CancelIcon(), func() { l.host.cancel(c.d) })
	c.up, c.down = move(theme.MoveUpIcon(), "Download this earlier", -1), move(theme.MoveDownIcon(), "Download this later", 1)
	c.use = kit.NewButton(k, "", nil, nil)
	c.use.Hide()
	buttons := kit.Row(0, c.up, c.down, c.again, c.pause, c.resume, c.cancel, c.use)
	name := fyne.CanvasObject(c.name)
	if c.name.Text != d.ID { // the repository stands beside the name that people know
		c.name.Whole = true
		name = container.NewBorder(nil, nil, c.name, nil, kit.Inset(kit.NewCaption(d.ID), 2, kit.GapSmall))
	}
	head := container.NewBorder(nil, nil, nil, buttons, kit.Column(1, name, c.state))
	c.view = kit.Column(6, head, c.bar, c.figures, c.why.View)
	return c
}

// tryNow does not wait any longer.
func (l *downloadList) tryNow(id, revision string) error { return panel.TryNow(l.app, id, revision) }

// do has something done with a download, off the window's goroutine.
func (l *downloadList) do(d downloads.Download, action func(id, revision string) error) {
	l.Work(func(context.Context) {
		err := action(d.ID, d.Revision)
		list := l.app.Downloads()
		l.Do(func() {
			if err != nil {
				l.host.fail(err)
			}
			l.host.follow(list)
			l.host.watch()
		})
	})
}

// offer offers to use the model; an empty name: it cannot be used yet.
func (c *downloadCard) offer(name string, open func()) {
	if kit.Show(c.use, name != ""); name != "" {
		c.use.SetText(name)
		c.use.OnTapped = func() {
			if time.Since(c.ended) > settles {
				open()
			}
		}
	}
	c.up.Hide() // what is here need not come sooner
	c.down.Hide()
}

// between lets a download change places with those above and below it, of those under way; places are
// theirs in the queue.
func (c *downloadCard) between(places []int, i int) {
	c.before, c.after = -1, -1
	if i > 0 && i < len(places) {
		c.before = places[i-1]
	}
	if i+1 < len(places) {
		c.after = places[i+1]
	}
	c.up.SetEnabled(c.before >= 0)
	c.down.SetEnabled(c.after >= 0)
}

// set shows how far the download is.
func (c *downloadCard) set(d downloads.Download) {
	if c.d.State != "" && c.d.State != downloads.DownloadDone && d.State == downloads.DownloadDone {
		c.ended = time.Now()
	}
	c.d = d
	c.state.Set(panel.DownloadState(d))
	c.figures.Set(panel.DownloadFigures(d))
	kit.Show(c.figures, c.figures.Text != "")
	c.why.Set(d.Why, "")
	switch {
	case d.State == downloads.DownloadDone:
		c.bar.Set(1)
	case d.Total > 0:
		c.bar.Set(float64(d.Done) / float64(d.Total))
	default:
		c.bar.Set(0)
	}
	resting := d.State == downloads.DownloadPaused || d.State == downloads.DownloadFailed
	done := d.State == downloads.DownloadDone
	kit.Show(c.pause, !resting && !done)
	kit.Show(c.resume, resting)
	kit.Show(c.again, d.State == downloads.DownloadWaiting)
	kit.Show(c.cancel, !done)
	c.view.Refresh()
}

// showDownloads turns to the downloads.
func (p *Panel) showDownloads() {
	p.tabs.Select(tabDownloads)
	p.turn()
}
