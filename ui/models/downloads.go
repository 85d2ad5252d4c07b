package models

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/downloads"
	"inglenook/ui/kit"

	"github.com/dustin/go-humanize"
)

// downloadList shows the downloads in their order.
type downloadList struct {
	owner *Panel
	view  *fyne.Container
	blank *kit.Hint
	list  *fyne.Container
	clear *kit.Button
	cards []*downloadCard
}

func newDownloadList(owner *Panel) *downloadList {
	l := &downloadList{owner: owner, blank: kit.NewHint(modelsIcon(kit.ColorMuted)), list: kit.Column(10)}
	l.clear = kit.NewQuietButton(owner.Keys, "Clear finished ones", nil, func() {
		owner.app.ClearDownloads()
		l.show(owner.app.Downloads())
	})
	scroll := container.NewVScroll(kit.Inset(l.list, kit.GapSmall, 10))
	l.view = container.NewStack(kit.Card(container.NewStack(kit.Bordered(kit.Gap, nil, scroll, container.NewHBox(l.clear)), l.blank.View)))
	return l
}

// show shows the downloads as they are now; cards stay as long as their downloads do.
func (l *downloadList) show(Downloads []downloads.Download) {
	same := len(Downloads) == len(l.cards)
	for i := range Downloads {
		same = same && l.cards[i].key == keyOf(Downloads[i])
	}
	if !same {
		l.cards, l.list.Objects = nil, nil
		for _, d := range Downloads {
			c := newDownloadCard(l.owner, d)
			l.cards = append(l.cards, c)
			l.list.Add(c.view)
		}
	}
	done := false
	for i, d := range Downloads {
		l.cards[i].set(d, i, len(Downloads))
		done = done || d.State == downloads.DownloadDone
	}
	kit.Show(l.clear, done)
	if len(Downloads) == 0 {
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
	owner    *Panel
	key      string
	d        downloads.Download
	place    int
	view     *fyne.Container
	name     *kit.Line
	figures  *kit.Line
	state    *kit.Line
	why      *kit.Paragraph
	bar      *kit.Bar
	pause    *kit.Button
	resume   *kit.Button
	cancel   *kit.Button
	up, down *kit.Button
}

func newDownloadCard(owner *Panel, d downloads.Download) *downloadCard {
	c := &downloadCard{owner: owner, key: keyOf(d), name: kit.NewLine(d.ID, kit.TextBody, theme.ColorNameForeground), figures: kit.NewCaption(""), state: kit.NewCaption(""), bar: kit.NewBar(6)}
	c.name.Style.Bold = true
	c.figures.Whole = true
	c.why = kit.NewParagraph("", theme.ColorNameWarning).Small()
	k := owner.Keys
	c.pause = kit.NewQuietButton(k, "Pause", theme.MediaPauseIcon(), func() { c.do(owner.app.PauseDownload) })
	c.resume = kit.NewQuietButton(k, "Resume", theme.MediaPlayIcon(), func() { c.do(owner.app.ResumeDownload) })
	c.cancel = kit.NewQuietButton(k, "Cancel", theme.CancelIcon(), func() { c.do(owner.app.CancelDownload) })
	c.up = kit.NewQuietButton(k, "", theme.MoveUpIcon(), func() { c.move(c.place - 1) })
	c.down = kit.NewQuietButton(k, "", theme.MoveDownIcon(), func() { c.move(c.place + 1) })
	buttons := kit.Row(0, c.up, c.down, c.pause, c.resume, c.cancel)
	head := container.NewBorder(nil, nil, nil, buttons, kit.Column(1, c.name, c.state))
	c.view = kit.Column(6, head, c.bar, c.figures, c.why.Flat)
	return c
}

// do has something done with the download, off the window's goroutine.
func (c *downloadCard) do(action func(id, revision string) error) {
	id, revision := c.d.ID, c.d.Revision
	c.owner.Work(func(context.Context) {
		err := action(id, revision)
		list := c.owner.app.Downloads()
		c.owner.Do(func() {
			if err != nil {
				c.owner.ShowError(err)
			}
			c.owner.downloads.show(list)
			c.owner.Watch()
		})
	})
}

func (c *downloadCard) move(to int) {
	c.do(func(id, revision string) error { return c.owner.app.MoveDownload(id, revision, to) })
}

// set shows how far the download is, at place i of n.
func (c *downloadCard) set(d downloads.Download, i, n int) {
	c.d, c.place = d, i
	c.state.Set(stateText(d))
	c.figures.Set(figuresText(d))
	kit.Show(c.figures, c.figures.Text != "")
	c.why.Set(kit.Sentence(d.Why))
	kit.Show(c.why.Flat, d.Why != "")
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
	kit.Show(c.cancel, !done)
	c.up.SetEnabled(i > 0)
	c.down.SetEnabled(i < n-1)
	c.view.Refresh()
}

// stateText says in a few words what a download does.
func stateText(d downloads.Download) string {
	switch d.State {
	case downloads.DownloadDone:
		return "Complete and verified"
	case downloads.DownloadPaused:
		return "Paused"
	case downloads.DownloadQueued:
		return "In line"
	case downloads.DownloadFailed:
		if d.Done > 0 {
			return "Failed; the part that arrived is kept"
		}
		return "Failed"
	case downloads.DownloadWaiting:
		if left := time.Until(d.Until); left > time.Second {
			return "Waiting to try again in " + kit.Duration(left.Round(time.Second))
		}
		return "Waiting to try again"
	case downloads.DownloadAsking:
		return "Asking the Hub for its files"
	}
	return "Downloading"
}

// figuresText says how much of it is here, how fast it comes and how long it takes.
func figuresText(d downloads.Download) string {
	var parts []string
	if d.Total > 0 {
		parts = append(parts, humanize.Bytes(uint64(max(0, d.Done)))+" of "+humanize.Bytes(uint64(d.Total)))
	}
	if d.Files > 1 {
		parts = append(parts, humanize.Comma(int64(d.FilesDone))+" of "+kit.Count(d.Files, "file"))
	}
	if d.Speed > 0 {
		parts = append(parts, humanize.Bytes(uint64(d.Speed))+"/s")
	}
	if d.Left >= time.Second {
		parts = append(parts, kit.Duration(d.Left.Round(time.Second))+" left")
	}
	return strings.Join(parts, " · ")
}

// downloadText is a download in a few words, for a button.
func downloadText(d downloads.Download) string {
	text := stateText(d)
	if d.Total > 0 && d.Done < d.Total {
		text += " " + kit.Percent(float64(d.Done)/float64(d.Total))
	}
	return text
}

// showDownloads turns to the downloads.
func (p *Panel) showDownloads() {
	p.tabs.Select(tabDownloads)
	p.turn()
}
