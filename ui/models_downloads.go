package ui

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app"
)

// downloadList shows the downloads in their order.
type downloadList struct {
	owner *modelsPanel
	view  *fyne.Container
	blank *hint
	list  *fyne.Container
	clear *button
	cards []*downloadCard
}

func newDownloadList(owner *modelsPanel) *downloadList {
	l := &downloadList{owner: owner, blank: newHint(modelsIcon(colorMuted)), list: column(10)}
	l.clear = quiet(owner.keys, "Clear finished ones", nil, func() {
		owner.app.ClearDownloads()
		l.show(owner.app.Downloads())
	})
	scroll := container.NewVScroll(inset(l.list, gapSmall, 10))
	l.view = container.NewStack(card(container.NewStack(bordered(gap, nil, scroll, container.NewHBox(l.clear)), l.blank.view)))
	return l
}

// show shows the downloads as they are now; cards stay as long as their downloads do.
func (l *downloadList) show(downloads []app.Download) {
	same := len(downloads) == len(l.cards)
	for i := range downloads {
		same = same && l.cards[i].key == keyOf(downloads[i])
	}
	if !same {
		l.cards, l.list.Objects = nil, nil
		for _, d := range downloads {
			c := newDownloadCard(l.owner, d)
			l.cards = append(l.cards, c)
			l.list.Add(c.view)
		}
	}
	done := false
	for i, d := range downloads {
		l.cards[i].set(d, i, len(downloads))
		done = done || d.State == app.DownloadDone
	}
	show(l.clear, done)
	if len(downloads) == 0 {
		l.blank.say("No downloads", "Choose a model under Discover. A download that is cut off goes on where it was, also after the program was closed.")
	} else {
		l.blank.view.Hide()
	}
	if !same {
		l.view.Refresh()
	}
}

func keyOf(d app.Download) string { return d.ID + "@" + d.Revision }

// downloadCard is one download.
type downloadCard struct {
	owner    *modelsPanel
	key      string
	d        app.Download
	place    int
	view     *fyne.Container
	name     *line
	figures  *line
	state    *line
	why      *paragraph
	bar      *bar
	pause    *button
	resume   *button
	cancel   *button
	up, down *button
}

func newDownloadCard(owner *modelsPanel, d app.Download) *downloadCard {
	c := &downloadCard{owner: owner, key: keyOf(d), name: newLine(d.ID, textBody, theme.ColorNameForeground), figures: newCaption(""), state: newCaption(""), bar: newBar(6)}
	c.name.style.Bold = true
	c.figures.whole = true
	c.why = newParagraph("", theme.ColorNameWarning).small()
	k := owner.keys
	c.pause = quiet(k, "Pause", theme.MediaPauseIcon(), func() { c.do(owner.app.PauseDownload) })
	c.resume = quiet(k, "Resume", theme.MediaPlayIcon(), func() { c.do(owner.app.ResumeDownload) })
	c.cancel = quiet(k, "Cancel", theme.CancelIcon(), func() { c.do(owner.app.CancelDownload) })
	c.up = quiet(k, "", theme.MoveUpIcon(), func() { c.move(c.place - 1) })
	c.down = quiet(k, "", theme.MoveDownIcon(), func() { c.move(c.place + 1) })
	buttons := row(0, c.up, c.down, c.pause, c.resume, c.cancel)
	head := container.NewBorder(nil, nil, nil, buttons, column(1, c.name, c.state))
	c.view = column(6, head, c.bar, c.figures, c.why.flat)
	return c
}

// do has something done with the download, off the window's goroutine.
func (c *downloadCard) do(action func(id, revision string) error) {
	id, revision := c.d.ID, c.d.Revision
	c.owner.work(func(context.Context) {
		err := action(id, revision)
		list := c.owner.app.Downloads()
		c.owner.do(func() {
			if err != nil {
				c.owner.showError(err)
			}
			c.owner.downloads.show(list)
			c.owner.watch()
		})
	})
}

func (c *downloadCard) move(to int) {
	c.do(func(id, revision string) error { return c.owner.app.MoveDownload(id, revision, to) })
}

// set shows how far the download is, at place i of n.
func (c *downloadCard) set(d app.Download, i, n int) {
	c.d, c.place = d, i
	c.state.set(stateText(d))
	c.figures.set(figuresText(d))
	show(c.figures, c.figures.text != "")
	c.why.set(sentence(d.Why))
	show(c.why.flat, d.Why != "")
	switch {
	case d.State == app.DownloadDone:
		c.bar.set(1)
	case d.Total > 0:
		c.bar.set(float64(d.Done) / float64(d.Total))
	default:
		c.bar.set(0)
	}
	resting := d.State == app.DownloadPaused || d.State == app.DownloadFailed
	done := d.State == app.DownloadDone
	show(c.pause, !resting && !done)
	show(c.resume, resting)
	show(c.cancel, !done)
	c.up.setEnabled(i > 0)
	c.down.setEnabled(i < n-1)
	c.view.Refresh()
}

// stateText says in a few words what a download does.
func stateText(d app.Download) string {
	switch d.State {
	case app.DownloadDone:
		return "Whole and verified"
	case app.DownloadPaused:
		return "Paused"
	case app.DownloadQueued:
		return "In line"
	case app.DownloadFailed:
		if d.Done > 0 {
			return "Failed; what came is kept"
		}
		return "Failed"
	case app.DownloadWaiting:
		if left := time.Until(d.Until); left > time.Second {
			return "Waiting, tries again in " + duration(left.Round(time.Second))
		}
		return "Waiting, tries again"
	case app.DownloadAsking:
		return "Asking the Hub what there is"
	}
	return "Downloading"
}

// figuresText says how much of it is here, how fast it comes and how long it takes.
func figuresText(d app.Download) string {
	var parts []string
	if d.Total > 0 {
		parts = append(parts, humanize.Bytes(uint64(max(0, d.Done)))+" of "+humanize.Bytes(uint64(d.Total)))
	}
	if d.Files > 1 {
		parts = append(parts, humanize.Comma(int64(d.FilesDone))+" of "+count(d.Files, "file"))
	}
	if d.Speed > 0 {
		parts = append(parts, humanize.Bytes(uint64(d.Speed))+"/s")
	}
	if d.Left >= time.Second {
		parts = append(parts, duration(d.Left.Round(time.Second))+" left")
	}
	return strings.Join(parts, " · ")
}

// downloadText is a download in a few words, for a button.
func downloadText(d app.Download) string {
	text := stateText(d)
	if d.Total > 0 && d.Done < d.Total {
		text += " " + percent(float64(d.Done)/float64(d.Total))
	}
	return text
}

// showDownloads turns to the downloads.
func (p *modelsPanel) showDownloads() {
	p.tabs.show(tabDownloads)
	p.turn()
}
