package chat

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/dustin/go-humanize"

	"inglenook/app/chat"
	"inglenook/ui/kit"
)

// leastMeter is the width of the meter at least, so that the row that it is in has room in the narrowest
// window.
const leastMeter float32 = 70

// meterTight is the part of the context from which the meter warns.
const meterTight = 0.8

// contextMeter shows how much of the context a message would take, before it is
// sent.
type contextMeter struct {
	widget.BaseWidget

	keys *kit.Keyboard
	bar  *kit.Bar
	text *kit.TextButton
	last chat.Meter

	length length // of what would be sent
}

// meterTip says what the meter is.
const meterTip = "How much of what the model can read at once this chat fills. Click for more."

func newContextMeter(k *kit.Keyboard, explain func()) *contextMeter {
	m := &contextMeter{keys: k, bar: kit.NewBar(5), text: kit.NewTextButton(k, "", explain)}
	m.text.Line.Whole = false
	m.text.Tip = meterTip
	m.ExtendBaseWidget(m)
	return m
}

// show shows a count, or what came in its way.
func (m *contextMeter) show(at chat.Meter, err error) {
	if err != nil {
		m.forget()
		return
	}
	m.last = at
	kit.Show(m.bar, at.Context > 0)
	m.bar.Fill, m.text.Color = m.colors()
	m.bar.Set(fullness(at))
	m.bar.Mark(float64(passageTokens(at)) / float64(max(1, at.Context)))
	m.bar.Refresh()
	m.text.Set(m.line())
	m.Refresh()
}

// hide shows nothing until the next count.
func (m *contextMeter) hide() {
	m.text.Set("")
	m.bar.Hide()
	m.Refresh()
}

// forget shows nothing, and knows nothing: what was counted is about another chat.
func (m *contextMeter) forget() {
	m.last, m.length = chat.Meter{}, length{}
	m.hide()
}

// MouseIn says what the bar is.
func (m *contextMeter) MouseIn(*desktop.MouseEvent) { m.keys.Explain(m, m.bar.Visible(), meterTip, "") }

// MouseMoved is of no interest.
func (m *contextMeter) MouseMoved(*desktop.MouseEvent) {}

// MouseOut takes that away.
func (m *contextMeter) MouseOut() { m.keys.Explain(m, false, "", "") }

// fit shows the whole line, or where it has no room, what counts most of it: no word is cut.
func (m *contextMeter) fit(width float32) {
	text := m.line()
	if m.text.NaturalOf(text) > width {
		text = shortMeterText(m.last)
	}
	if text != m.text.Line.Text && m.text.Line.Text != "" {
		m.text.Set(text)
	}
}

// line is what the meter says.
func (m *contextMeter) line() string {
	if m.last.Context == 0 && m.length.words > 0 { // nobody knows what the model will read
		return m.length.String()
	}
	return meterText(m.last)
}

// shortMeterText is the same in a few words.
func shortMeterText(at chat.Meter) string {
	if cannotGo(at) {
		return "too long"
	}
	text, _, _ := strings.Cut(meterText(at), " · ")
	return text
}

// cannotGo reports whether what is written is too long to be sent. Where nothing is written yet the chat
// is full, and the next message may still go.
func cannotGo(at chat.Meter) bool { return at.Context > 0 && at.Room < 0 && at.Draft > 0 }

func (m *contextMeter) colors() (bar, text fyne.ThemeColorName) {
	switch at := m.last; {
	case cannotGo(at):
		return theme.ColorNameError, theme.ColorNameError
	case at.Context > 0 && fullness(at) > meterTight:
		return theme.ColorNameWarning, theme.ColorNameWarning
	}
	return theme.ColorNamePrimary, kit.ColorMuted
}

// fullness is the part of what the model can read that a chat fills: all of it where messages would
// be left out, whatever room that would make. It is the one figure that is told everywhere.
func fullness(at chat.Meter) float64 {
	share := float64(at.Prompt) / float64(max(1, at.Context))
	switch {
	case len(at.Dropped) > 0:
		return max(1, share)
	case at.Draft == 0: // nothing is too long yet
		return min(1, share)
	}
	return share
}

// meterText says in a line how much of what the model can read at once a message would take.
func meterText(at chat.Meter) string {
	if at.Context == 0 {
		return kit.Words(at.Prompt)
	}
	share := fullness(at)
	text := kit.Percent(share) + " full"
	switch {
	case cannotGo(at) && share >= guessTimes:
		return humanize.Comma(int64(share+0.5)) + " times too long to send"
	case cannotGo(at):
		return kit.Percent(share) + " full · too long to send"
	case share < 0.01:
		text = "under 1 % full"
	case !at.Exact:
		text = "about " + text
	}
	if n := passageTokens(at); n > 0 {
		text += " · " + kit.Percent(float64(n)/float64(at.Context)) + " from documents"
	}
	if len(at.Dropped) > 0 {
		text += " · " + kit.Count(len(at.Dropped), "message") + " would be left out"
	}
	return text
}

// passageTokens is how much of a message its passages take.
func passageTokens(m chat.Meter) (n int) {
	for _, one := range m.Passages {
		n += one
	}
	return n
}

// CreateRenderer draws the bar above the text.
func (m *contextMeter) CreateRenderer() fyne.WidgetRenderer { return &meterRenderer{m} }

type meterRenderer struct{ meter *contextMeter }

func (r *meterRenderer) Destroy() {}
func (r *meterRenderer) Refresh() { r.Layout(r.meter.Size()) }
func (r *meterRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.meter.bar, r.meter.text}
}

func (r *meterRenderer) MinSize() fyne.Size {
	return fyne.NewSize(leastMeter, r.meter.text.MinSize().Height)
}

// Layout puts the bar before the text; where there is little room, the text alone.
func (r *meterRenderer) Layout(size fyne.Size) {
	const barWidth = 90
	m := r.meter
	m.fit(size.Width)
	natural := m.text.Natural()
	left := float32(0)
	if m.bar.Visible() && size.Width > barWidth+natural {
		left = barWidth + kit.Gap
		m.bar.Move(fyne.NewPos(0, (size.Height-5)/2))
		m.bar.Resize(fyne.NewSize(barWidth, 5))
	} else {
		m.bar.Move(fyne.NewPos(-1000, 0)) // out of view
	}
	h := m.text.MinSize().Height
	m.text.Move(fyne.NewPos(left, (size.Height-h)/2))
	m.text.Resize(fyne.NewSize(min(size.Width-left, natural), h))
}

// countedWell is how many words a text has at least from which its length in tokens tells how many of its words
// a model can read.
const countedWell = 50

// lengthInWords is how long an attached text is, counted or as a model read it; "": neither is known.
func lengthInWords(a chat.Part) string {
	if n, counted := wordsIn(a.Text); counted {
		return kit.Count(n, "word")
	}
	if a.Tokens > 0 {
		return kit.Words(a.Tokens)
	}
	return ""
}

// What is counted as words: texts up to a length, of words with spaces between them.
const (
	countedBytes = 1 << 20
	wordBytes    = 20 // of a word and its space, on average at most
)

// wordsIn counts the words of a text; false: it is too long for that, or is not written in words
// with spaces between them.
func wordsIn(text string) (n int, counted bool) {
	if len(text) > countedBytes {
		return 0, false
	}
	for range strings.FieldsSeq(text) {
		n++
	}
	return n, n > 0 && len(text) <= n*wordBytes
}

// length is how long some texts are: as a person counts, and as a model does.
type length struct {
	words  int // 0: they are not counted
	tokens int
}

// add counts the words of another text; false: they cannot be counted.
func (l *length) add(text string) bool {
	n, counted := wordsIn(text)
	l.words += n
	return counted || text == ""
}

// textLength is the length of what a model reads of messages and other texts, which are so many tokens.
func textLength(tokens int, messages []chat.Message, texts ...string) length {
	l, counted := length{tokens: tokens}, true
	for _, m := range messages {
		for _, p := range m.Parts {
			if p.Kind != chat.PartTool && (p.Kind != chat.PartPassage || m.Role != chat.RoleAssistant) {
				counted = l.add(p.Text) && counted
			}
		}
	}
	for _, text := range texts {
		counted = l.add(text) && counted
	}
	if !counted || l.words > tokens { // no word is less than a token: not all of it is sent
		l.words = 0
	}
	return l
}

// String tells the length in words.
func (l length) String() string {
	if l.words > 0 {
		return kit.Count(l.words, "word")
	}
	return kit.Words(l.tokens)
}

// both tells the length in words and in tokens, as models count.
func (l length) both() string { return l.String() + " (" + kit.Count(l.tokens, "token") + ")" }

// room is how many words like these so many tokens are.
func (l length) room(tokens int) string {
	if l.words < countedWell || l.tokens == 0 {
		return kit.Words(tokens)
	}
	return kit.AboutWords(float64(tokens) * float64(l.words) / float64(l.tokens))
}

// roomInBoth is the same with the tokens; where the words are estimated from these texts, it says so.
func (l length) roomInBoth(tokens int) string {
	like := ""
	if l.words >= countedWell && l.tokens > 0 {
		like = " like these"
	}
	return l.room(tokens) + like + " (" + kit.Count(tokens, "token") + ")"
}

// lengthToSend is the length of what would be sent with what is written, of which a meter tells. Where only a part of the
// chat is sent, its words cannot be compared with the tokens.
func (s *session) lengthToSend(d draft, m chat.Meter) length {
	if m.LeftOut > 0 || s.kindOfBlank() == guides {
		return length{tokens: m.Prompt}
	}
	r := s.meter(d)
	var sent []chat.Message
	if slices.Contains(s.tree.path, r.After) {
		sent = slices.DeleteFunc(s.tree.upTo(r.After), func(one chat.Message) bool { return slices.Contains(m.Dropped, one.ID) })
	}
	return textLength(m.Prompt, append(sent, chat.Message{Role: chat.RoleUser, Parts: r.Draft}), s.systemSent())
}

// systemSent are the instructions that the model gets.
func (s *session) systemSent() string {
	preset, _ := s.preset(s.choices.Preset)
	return cmp.Or(s.conversation.System, preset.System)
}
