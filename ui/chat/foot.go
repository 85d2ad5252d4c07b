package chat

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// bubbleFoot is the line below a message: its branches, how it was made, and
// what can be done with it.
type bubbleFoot struct {
	view    *fyne.Container
	facts   *kit.TextButton
	lines   []string // that facts may say, the longest first
	actions *fyne.Container

	addActions func()
	buttons    map[string]*kit.TextButton // of the actions in the line, by their names
	more       *kit.TextButton            // opens the menu of the others; nil: there is none
}

func newBubbleFoot(k *kit.Keyboard, b *bubble) *bubbleFoot {
	f := &bubbleFoot{actions: kit.Row(0), buttons: map[string]*kit.TextButton{}}
	m := b.message
	branches := kit.Row(0)
	if ids, at := b.session.tree.branches(m.ID); len(ids) > 1 && !b.session.inPair(m.ID) {
		before := kit.NewSmallIcon(k, theme.NavigateBackIcon(), "Version before (←)", func() { b.host.turn(m.ID, -1) })
		after := kit.NewSmallIcon(k, theme.NavigateNextIcon(), "Next version (→)", func() { b.host.turn(m.ID, 1) })
		where := kit.NewCaption(strconv.Itoa(at+1) + "/" + strconv.Itoa(len(ids)))
		where.Whole = true
		for _, o := range []fyne.CanvasObject{before, container.NewCenter(where), after} {
			branches.Add(o)
		}
		before.Near, after.Near = b.point, b.point
	}
	f.facts = kit.NewTextButton(k, "", func() { b.host.explain(m) })
	f.facts.Near = b.point
	f.facts.Line.Whole = false
	f.say(replyTip(m), replyLines(m)...)
	if m.Reply != nil && (len(m.Reply.Fallbacks) > 0 || len(m.Reply.Notices) > 0) {
		f.facts.Color = theme.ColorNameWarning
	}
	f.addActions = func() { f.fill(k, b) }
	f.addActions()
	f.view = container.New(&footLayout{own: b.own, foot: f}, branches, f.facts, f.actions)
	return f
}

// moreName is what the button says behind which the actions are that fewer need.
const moreName = "More to do with this message"

// fill puts the actions into the line: those that most need as buttons, the others into a menu. A single
// other one is a button too.
func (f *bubbleFoot) fill(k *kit.Keyboard, b *bubble) {
	add := func(icon fyne.Resource, tip string, run func()) *kit.TextButton {
		t := kit.NewSmallIcon(k, icon, tip, run)
		t.Near = b.point
		f.actions.Add(t)
		return t
	}
	list := b.host.actions(b.message)
	rare := 0
	for _, a := range list {
		if a.rare {
			rare++
		}
	}
	for _, a := range list {
		if !a.rare || rare == 1 {
			f.buttons[a.name] = add(a.icon, a.tip(), a.run)
		}
	}
	if rare > 1 {
		f.more = add(theme.MoreHorizontalIcon(), moreName, func() { f.openMore(k, b) })
	}
}

// openMore opens the menu of the actions that are not in the line.
func (f *bubbleFoot) openMore(k *kit.Keyboard, b *bubble) {
	c := fyne.CurrentApp().Driver().CanvasForObject(f.view)
	if c == nil {
		return
	}
	var items []*fyne.MenuItem
	for _, a := range b.host.actions(b.message) {
		if !a.rare {
			continue
		}
		if a.apart && len(items) > 0 {
			items = append(items, fyne.NewMenuItemSeparator())
		}
		items = append(items, fyne.NewMenuItem(a.tip(), a.run))
	}
	if len(items) > 0 {
		kit.ShowMenu(k, c, items, positionAbove(f.button(moreName), items), 0)
	}
}

// say says how the answer was made, or is being made, in the longest of some lines that has room; the
// tip is for the pointer.
func (f *bubbleFoot) say(tip string, lines ...string) {
	f.facts.Tip = tip
	if !slices.Equal(lines, f.lines) {
		f.lines = lines
		f.facts.Set(lines[0])
		if f.view != nil {
			f.view.Refresh() // it takes another width
		}
	}
	kit.Show(f.facts, lines[0] != "")
}

// fit says as much as has room.
func (f *bubbleFoot) fit(width float32) {
	at := slices.IndexFunc(f.lines, func(line string) bool { return f.facts.NaturalOf(line) <= width })
	if at < 0 {
		at = len(f.lines) - 1
	}
	if says := f.lines[at]; says != f.facts.Line.Text {
		f.facts.Set(says)
	}
}

func (f *bubbleFoot) showActions(on bool) { kit.Show(f.actions, on) }
func (f *bubbleFoot) refresh()            { f.view.Refresh() }

// button is that of an action, at which its menu opens, or else the one behind which the action is; where there
// is none, the whole line.
func (f *bubbleFoot) button(name string) fyne.CanvasObject {
	switch b := f.buttons[name]; {
	case !f.actions.Visible():
	case b != nil:
		return b
	case f.more != nil:
		return f.more
	}
	return f.view
}

// action is something that can be done with a message.
type action struct {
	name string
	icon fyne.Resource
	key  fyne.KeyName // for the selected message
	run  func()

	rare  bool // it is in the menu, which shows its name
	apart bool // it begins a group there: of what answers anew, or of what deletes
}

// tip says what it does, with the key for that where the message is selected.
func (a action) tip() string { return a.name + " (" + string(a.key) + ")" }

// footLayout puts the branches first, then the facts, which give way, and the
// actions at the end; for the person's own messages all to the right.
type footLayout struct {
	own  bool
	foot *bubbleFoot
}

func (footLayout) MinSize(o []fyne.CanvasObject) fyne.Size { return fyne.NewSize(60, bubbleFooter) }

func (l footLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	branches, facts, actions := o[0], o[1], o[2]
	right := size.Width
	put := func(o fyne.CanvasObject, x, width float32) {
		h := o.MinSize().Height
		o.Move(fyne.NewPos(x, (size.Height-h)/2))
		o.Resize(fyne.NewSize(width, h))
	}
	b, a := branches.MinSize().Width, actions.MinSize().Width
	put(actions, right-a, a)
	if l.own {
		if actions.Visible() {
			right -= a
		}
		put(branches, right-b, b)
		return
	}
	put(branches, -5, b)
	left := b - 5
	if actions.Visible() {
		right -= a + kit.Gap
	}
	l.foot.fit(right - left)
	put(facts, left, max(0, min(right-left, l.foot.facts.Natural())))
}

// replyLines tell in a few words which model wrote an answer, how fast, and what a person has to know of
// it. [replyTip] tells more, and the sheet that a click opens all. The later ones are for less room: without
// the model, which the head of the chat names, and then what a person has to know alone.
func replyLines(m chat.Message) []string {
	r := m.Reply
	if r == nil {
		return []string{""}
	}
	without := ""
	if r.Dropped > 0 {
		without = "without " + kit.Count(r.Dropped, "message")
	}
	speed, must := speedInWords(chat.Speed(r)), joined(" · ", without, reasonInWords(m))
	lines := []string{joined(" · ", writerOf(r), speed, must)}
	for _, shorter := range []string{joined(" · ", speed, must), must} {
		if shorter != "" && shorter != lines[len(lines)-1] {
			lines = append(lines, shorter)
		}
	}
	return lines
}

// writerOf is the name of the model that made an answer.
func writerOf(r *chat.ReplyRecord) string { return kit.Brief(chat.WriterName(r)) }

// liveLine tells the same of an answer that is being written.
func liveLine(a *answer) string {
	if a.shown.Answer == 0 && a.shown.Stage == chat.StageSearching {
		return searching
	}
	return joined(" · ", kit.Brief(a.model), speedInWords(a.rate()), waitsFor(a))
}

// waitsFor says what one of two answers waits for while nothing of it has come; "": it is written, or is alone: of
// that the line above the field tells.
func waitsFor(a *answer) string {
	if a.which == 0 && a.beside == nil || !a.silent() {
		return ""
	}
	switch a.shown.Stage {
	case base.StageReading:
		return "reading the chat…"
	case chat.StageOpening:
		return "loading the model…"
	case chat.StageWriting:
		return ""
	}
	return "waiting for its turn…"
}

// speedInWords is how fast a model writes, for people; "": that is not known.
func speedInWords(tokens float64) string {
	if tokens <= 0 {
		return ""
	}
	return kit.WordsPerSecond(tokens)
}

// replyTip is how an answer was made, in a few lines.
func replyTip(m chat.Message) string {
	r := m.Reply
	if r == nil {
		return ""
	}
	if r.Reason == chat.FinishEdited {
		return writerOf(r) + "\nYou changed the words of this answer."
	}
	device, speed, first := panel.DeviceName(r.Device), "", ""
	if rate := chat.Speed(r); rate > 0 {
		speed = kit.Rate(rate) + " tokens a second"
	}
	if r.FirstToken > 0 {
		first = "first word after " + kit.Duration(r.FirstToken)
	}
	fallbacks := ""
	if n := len(r.Fallbacks); n > 0 {
		fallbacks = kit.Count(n, "operation") + " on the CPU instead"
	}
	when := ""
	if !m.Time.IsZero() {
		when = m.Time.Local().Format("2 January 2006, 15:04")
	}
	return joined("\n", writerOf(r), joined(" · ", device, speed, chat.DraftNote(r.DraftGain)), joined(" · ", first, kit.Count(r.Tokens, "token")),
		fallbacks, when, "Click for all of it")
}

// joined joins the parts that say something.
func joined(between string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), between)
}

// reasonInWords says why an answer ended.
func reasonInWords(m chat.Message) string {
	switch r := m.Reply; {
	case m.State == chat.MessageStopped:
		return "stopped"
	case m.State == chat.MessageFailed:
		return "failed"
	case r.Reason == chat.FinishEdited:
		return "edited"
	case r.Reason == chat.FinishNotFound:
		return "not in your documents"
	case r.Reason == chat.FinishQuoted && len(r.Claims) == 0: // which cites no documents
		return "quoted from your files"
	case r.Reason == chat.FinishQuoted:
		return "quoted from your documents"
	case r.Reason == chat.FinishStop && r.Stop != "" && !chat.IsEndMark(r.Stop):
		return fmt.Sprintf("stopped at %q", kit.Brief(r.Stop))
	case r.Reason == chat.FinishLength:
		return "stopped at the length limit"
	case r.Reason == chat.FinishContext && len(m.Thinking) > len(m.Text()): // which the next message does not carry on
		return "stopped: thinking took all the room"
	case r.Reason == chat.FinishContext:
		return "stopped: the chat was full"
	case r.Reason == chat.FinishRepeats:
		return "stopped: the model repeated itself"
	case r.Reason == chat.FinishFiltered:
		return "stopped by a filter of the server"
	case r.Reason == chat.FinishOther:
		return "stopped before its end"
	}
	return ""
}
