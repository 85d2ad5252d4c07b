package chat

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

const (
	// pasteLimit is the length in bytes from which a pasted text becomes an
	// attachment: a text field lays out all of its text with every key.
	pasteLimit = 8000
	// mostShelf is how high the chips of the files get, about four rows.
	mostShelf float32 = 112
	// composerRows are the most lines that the field grows to.
	composerRows = 8
	// typingPause is how long a person pauses before the tokens are counted.
	typingPause = 200 * time.Millisecond
)

// composer is where a person writes.
type composer struct {
	panel.Host
	session *session
	host    composerHost
	view    *fyne.Container
	entry   *kit.Entry
	files   []chat.Part
	paths   map[fileKey]string // of files that were read from the disk
	chips   *fyne.Container
	shelf   *fyne.Container // of chips
	editBar *fyne.Container // that a message is being edited
	what    *kit.Line
	send    *kit.Button
	halt    *kit.Button
	twice   *kit.Button // sends for two answers
	meter   *contextMeter
	asks    *asker
	unread  *kit.Notice // that the guide reads no files
	warned  bool        // a person closed that

	pause    *time.Timer
	counting context.CancelFunc // of the count under way
}

// composerHost is what a composer asks of the panel around it.
type composerHost struct {
	send, stop func()
	twice      func()
	edit       func(id int64)
	endEditing func() bool
	attach     func() // asks for files
	open       func(a chat.Part)
	explain    func() // what takes the context
	getModel   func()
	larger     func() string // what the button for that says
	resized    func()

	openPassage func(p chat.Part, sentence string)
	asksOthers  func() // documents
	failed      func(error)
}

func newComposer(d panel.Host, s *session, documents Documents, h composerHost) *composer {
	k := d.Keys
	c := &composer{Host: d, session: s, host: h, entry: kit.NewEntry(k), paths: map[fileKey]string{}, chips: container.New(&kit.Wrap{Gap: kit.GapSmall}), meter: newContextMeter(k, h.explain)}
	c.entry.MultiLine, c.entry.Wrapping, c.entry.NewLine = true, fyne.TextWrapWord, true
	c.entry.SetPlaceHolder("Write a message")
	c.entry.Submit, c.entry.Paste, c.entry.Escape = h.send, c.pasted, h.endEditing
	c.entry.Typed = c.typedKey
	c.entry.OnChanged = func(string) { c.changed() }
	c.what = kit.NewCaption("")
	c.editBar = container.NewBorder(nil, nil, nil, kit.NewTextButton(k, "Cancel", func() { h.endEditing() }), c.what)
	c.send = kit.NewButton(k, "Send", theme.MailSendIcon(), h.send)
	c.send.Importance = widget.HighImportance
	c.twice = newTwiceButton(k, h.twice)
	c.halt = kit.NewButton(k, "Stop", theme.MediaStopIcon(), func() {
		h.stop()
		c.Focus(c.entry)
	})
	c.halt.Tip = "Stop the answer (Esc)"
	attach := kit.NewQuietButton(k, "Attach files", theme.MailAttachmentIcon(), h.attach)
	attach.Tip = attachKey
	c.asks = newAsker(d, s, documents, askerHost{
		open: h.openPassage, failed: h.failed,
		chosen: h.asksOthers, written: func() string { return c.entry.Text }, measure: c.measure, resized: h.resized, write: func() { c.Focus(c.entry) },
	})
	foot := container.NewBorder(nil, nil, kit.Row(0, attach, c.asks.button), kit.Row(0, c.twice, container.NewStack(c.send, c.halt)), kit.Inset(c.meter, 0, kit.GapSmall))
	c.shelf = container.New(&kit.Capped{Most: mostShelf}, container.NewVScroll(c.chips))
	c.unread = kit.NewNotice(k)
	c.view = kit.Card(kit.Column(6, c.editBar, c.asks.shelf.View, c.shelf, c.unread.View, c.entry, foot))
	c.editBar.Hide()
	c.halt.Hide()
	c.fill(s.drafts[s.conversation.ID])
	return c
}

// draft is what it holds.
func (c *composer) draft() draft { return draft{c.entry.Text, c.files, c.session.passages} }
func (c *composer) holds() bool  { return c.draft().holds() }

// fill puts a draft in the place of what it holds.
func (c *composer) fill(d draft) {
	c.files, c.session.passages = d.files, d.passages
	c.entry.SetText(d.text)
	c.showFiles()
	c.changed()
	if d.text != "" {
		c.entry.ToEnd()
	}
	for _, f := range c.files {
		if f.Tokens == 0 {
			c.weigh(f)
		}
	}
}

// changed follows every change of the text.
func (c *composer) changed() {
	c.session.putAside(c.draft())
	rows := c.rows()
	c.entry.SetMinRowsVisible(rows)
	c.refresh()
	c.measure()
	c.asks.look() // and the room follows the field, if that grew
}

// rows is how many lines the text takes, within bounds.
func (c *composer) rows() int {
	text := c.entry.Text
	if len(text) > 4000 {
		return composerRows
	}
	width := max(200, c.entry.Size().Width-4*kit.Gap)
	rows := 0
	for part := range strings.SplitSeq(text, "\n") {
		rows += 1 + int(fyne.MeasureText(part, kit.TextBody, fyne.TextStyle{}).Width/width)
	}
	return min(max(rows, 1), composerRows)
}

// refresh shows what can be done now.
func (c *composer) refresh() {
	c.send.SetEnabled(c.session.running == nil && (c.holds() || c.session.editing != 0))
	c.twice.SetEnabled(c.session.running == nil && c.holds() && !c.tooLong())
	kit.Show(c.twice, c.session.editing == 0)
	c.warnUnread()
	c.nameSend()
}

// warnUnread says before a file is sent to the guide what little it does with that.
func (c *composer) warnUnread() {
	on := len(c.files) > 0 && !c.warned && c.session.kindOfBlank() == guides
	if on == c.unread.View.Visible() {
		return
	}
	c.unread.Hide()
	if on {
		c.unread.Say("The tiny guide only finds words in attached files and quotes them. A larger model reads them.", c.host.larger(), c.host.getModel)
		c.unread.Closes(func() { c.warned = true; c.host.resized() })
	}
	if c.view != nil {
		c.view.Refresh()
		c.host.resized()
	}
}

// nameSend says on the button what it does: a message that is too long is not sent, and the
// button tells what can be done about that.
func (c *composer) nameSend() {
	name, tip, icon, importance := "Send", "", theme.MailSendIcon(), widget.HighImportance
	switch {
	case c.tooLong():
		name, tip, icon, importance = "Too long…", "This message is too long for the model. Click to see what can be done.", theme.WarningIcon(), widget.MediumImportance
	case c.session.editsAnswer():
		name = "Save"
	}
	if c.send.Text == name {
		return
	}
	c.send.Tip, c.send.Importance = tip, importance
	c.send.SetIcon(icon)
	c.send.SetText(name)
	if c.view != nil {
		c.view.Refresh() // it takes another width
	}
}

// tooLong reports whether the model cannot read the message, whatever is left out before it.
// Before the model is loaded the length is a guess, which has to be far off.
func (c *composer) tooLong() bool {
	m := c.meter.last
	if !m.Exact {
		return c.holds() && m.Context > 0 && m.Draft >= guessTimes*m.Context
	}
	return c.holds() && (m.Draft >= m.Context || m.Room < 0 && len(m.Dropped) == 0)
}

// guessTimes is how much longer than the model can read a message has to be by a guess.
const guessTimes = 2

// showEditing says what is being edited; "": nothing is.
func (c *composer) showEditing(what string) {
	c.what.Set(what)
	kit.Show(c.editBar, what != "")
	c.nameSend()
	c.asks.look()
}

// showSending shows Stop in the place of Send while an answer is written.
func (c *composer) showSending(on bool) {
	kit.Show(c.send, !on)
	kit.Show(c.halt, on)
	c.refresh()
}

// typedKey edits the last message with Up where nothing is written.
func (c *composer) typedKey(e *fyne.KeyEvent) bool {
	if e.Name == fyne.KeyUp && c.entry.Text == "" && c.session.editing == 0 {
		if m := c.session.tree.last(chat.RoleUser); m != nil {
			c.host.edit(m.ID)
		}
		return true
	}
	return false
}

// pasted makes an attachment of a long text; a message that is edited has none.
func (c *composer) pasted(text string) bool {
	if len(text) < pasteLimit && c.entry.Holds(text) || c.session.editing != 0 {
		return false
	}
	if len(text) > documents.MaxAttached {
		c.host.failed(fmt.Errorf("the clipboard holds %s of text, and a message takes at most %s; paste a part of it, or save it as a file and add that in Documents",
			humanize.Bytes(uint64(len(text))), humanize.Bytes(documents.MaxAttached)))
		return true
	}
	c.attach(chat.File("Pasted text", text))
	return true
}

// attach adds a text file to the message.
func (c *composer) attach(a chat.Part) {
	c.files = append(slices.Clone(c.files), a)
	c.showFiles()
	c.changed()
	c.weigh(a)
	if c.session.editing == 0 && c.draft().kept().Size() > base.MaxDraft {
		c.Tell("This text is too large to be saved with your draft; it is lost when you quit.")
	}
}

// weigh counts the tokens of an attached text.
func (c *composer) weigh(a chat.Part) {
	r := chat.MeterRequest{Draft: []chat.Part{a}, Choices: c.session.choices}
	c.Work(func(ctx context.Context) {
		m, err := c.session.conversations.Meter(ctx, r)
		c.Do(func() {
			if i := slices.IndexFunc(c.files, a.SameFile); err == nil && i >= 0 {
				c.files = slices.Clone(c.files)
				c.files[i].Tokens = m.Draft
				c.showFiles()
			}
		})
	})
}

func (c *composer) showFiles() {
	c.chips.Objects = nil
	for i, a := range c.files {
		remove := kit.NewSmallIcon(c.Keys, theme.CancelIcon(), "Do not attach this", func() {
			c.files = append(c.files[:i:i], c.files[i+1:]...)
			c.showFiles()
			c.changed()
			c.Focus(c.entry)
		})
		c.chips.Add(kit.Row(0, newFileChip(c.Keys, a, func() { c.host.open(a) }), container.NewCenter(remove)))
	}
	kit.Show(c.shelf, len(c.files) > 0)
	c.shelf.Refresh()
	if c.view != nil {
		c.view.Refresh() // the chips know how many rows they need once they have a width
		c.host.resized()
	}
}

// newFileChip names a file and its length.
func newFileChip(k *kit.Keyboard, a chat.Part, open func()) *kit.Chip {
	name := kit.NewLine(kit.Ellipsize(kit.Brief(a.Name), 220, kit.TextSmall, fyne.TextStyle{Bold: true}), kit.TextSmall, theme.ColorNameForeground)
	name.Style.Bold, name.Whole = true, true
	amount := kit.NewCaption(cmp.Or(lengthInWords(a), humanize.Bytes(uint64(len(a.Text)))))
	amount.Whole = true
	return kit.NewChip(k, kit.Row(6, name, amount), open)
}

// measure counts the tokens of what is written, once the person pauses.
func (c *composer) measure() {
	if c.pause != nil {
		c.pause.Stop()
	}
	c.pause = time.AfterFunc(typingPause, func() { c.Do(c.count) })
}

// showMeter shows a count, or what came in its way.
func (c *composer) showMeter(m chat.Meter, err error) {
	c.meter.length = c.session.lengthToSend(c.draft(), m)
	c.meter.show(m, err)
}

// forgetCount shows no count until there is one of the chat in view: one under way is about another.
func (c *composer) forgetCount() {
	if c.counting != nil {
		c.counting()
		c.counting = nil
	}
	c.meter.forget()
}

// count asks how full the context would be.
func (c *composer) count() {
	if c.counting != nil {
		c.counting()
	}
	ctx, cancel := context.WithCancel(c.Life)
	c.counting = cancel
	r := c.session.meter(c.draft())
	c.Work(func(context.Context) {
		m, err := c.session.conversations.Meter(ctx, r)
		late := ctx.Err() != nil
		cancel()
		c.Do(func() {
			if !late {
				c.showMeter(m, err)
				if !c.holds() && len(c.session.tree.path) == 0 { // nothing is said yet
					c.meter.hide()
				}
				c.asks.weigh(m)
				c.refresh()
			}
		})
	})
}
