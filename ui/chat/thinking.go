package chat

import (
	"math"
	"slices"
	"strings"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/chat"
	"inglenook/ui/kit"
)

// thinkingShown is how many bytes of a thought are drawn at most, the last ones:
// it is for a look, and Copy in the details gives all of it.
const thinkingShown = 12_000

// thinkingFold holds what a model thought before it answered, folded away.
type thinkingFold struct {
	view    *fyne.Container
	head    *kit.TextButton
	text    *kit.Paragraph
	inner   *fyne.Container
	title   string
	thought string
	open    bool
	grown   func()
}

func newThinkingFold(k *kit.Keyboard, grown func()) *thinkingFold {
	f := &thinkingFold{text: kit.NewParagraph("", kit.ColorMuted), grown: grown}
	f.head = kit.NewTextButton(k, "", f.toggle)
	bar := container.New(&kit.FixedWidth{Width: 2}, kit.NewSurface(kit.ColorLine, "", 1))
	f.inner = container.NewBorder(nil, nil, kit.Inset(bar, 0, kit.GapSmall), nil, f.text.Flat)
	f.inner.Hide()
	f.view = kit.Column(kit.GapSmall, kit.Inset(container.NewHBox(f.head), 0, -5), f.inner)
	f.view.Hide()
	return f
}

// show shows a thought under a title; an empty one hides the fold.
func (f *thinkingFold) show(thought, title string) {
	f.thought, f.title = thought, title
	kit.Show(f.view, strings.TrimSpace(thought) != "")
	f.fill()
}

func (f *thinkingFold) fill() {
	sign := "▸ "
	if f.open {
		sign = "▾ "
		text := strings.TrimSpace(f.thought)
		if len(text) > thinkingShown {
			text = "… " + strings.ToValidUTF8(text[len(text)-thinkingShown:], "")
		}
		f.text.Set(text)
	}
	f.head.Set(sign + f.title)
	kit.Show(f.inner, f.open)
}

func (f *thinkingFold) toggle() {
	f.open = !f.open
	f.fill()
	f.grown()
}

// thoughtTitle says that a model thinks, or thought, and for how long as far as
// that is known.
func thoughtTitle(m chat.Message, a *answer, writing bool) string {
	if writing && a != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.thoughts == 0 {
			return "Thinking…"
		}
		return "Thought for " + kit.Duration(a.thoughts)
	}
	if m.Reply != nil && m.Reply.Thought > 0 {
		return "Thought for " + kit.Duration(m.Reply.Thought)
	}
	return "Thought, " + kit.Count(len(strings.Fields(m.Thinking)), "word")
}

const (
	emberSize, emberGap float32 = 8, 6
	// emberBeat is after how many redraws the embers glow otherwise.
	emberBeat = 2
	// emberTurn is how many beats it takes an ember to glow and to fade.
	emberTurn = 18
)

// embers stand in the place of an answer of which nothing has come yet. They glow and fade, one
// after the other. Where nothing is to move, nobody calls beat, and they only glow.
type embers struct {
	widget.BaseWidget
	beats int
}

func newEmbers() *embers {
	e := &embers{}
	e.ExtendBaseWidget(e)
	return e
}

// beat has them glow on.
func (e *embers) beat() {
	e.beats++
	e.Refresh()
}

// glow is how much one of them glows, from 0 to 1.
func (e *embers) glow(i int) float64 {
	turn := float64(e.beats)/emberTurn - float64(i)/3
	return 0.5 + 0.5*math.Cos(2*math.Pi*turn)
}

// CreateRenderer draws the embers.
func (e *embers) CreateRenderer() fyne.WidgetRenderer {
	r := &embersRenderer{embers: e}
	for range 3 {
		r.all = append(r.all, &canvas.Circle{})
	}
	r.Refresh()
	return r
}

type embersRenderer struct {
	embers *embers
	all    []fyne.CanvasObject
}

func (r *embersRenderer) Destroy()                     {}
func (r *embersRenderer) Objects() []fyne.CanvasObject { return r.all }

// MinSize is as high as a line of the answer.
func (r *embersRenderer) MinSize() fyne.Size {
	return fyne.NewSize(3*emberSize+2*emberGap, kit.Reading()*1.4)
}

func (r *embersRenderer) Layout(size fyne.Size) {
	for i, o := range r.all {
		o.Move(fyne.NewPos(float32(i)*(emberSize+emberGap), (size.Height-emberSize)/2))
		o.Resize(fyne.NewSquareSize(emberSize))
	}
}

// Refresh gives them the colours of ashes, of embers, and of a flame where they glow most.
func (r *embersRenderer) Refresh() {
	ash, ember, flame := kit.Themed(kit.ColorLine), kit.Themed(theme.ColorNamePrimary), kit.Themed(theme.ColorNameWarning)
	for i, o := range r.all {
		c := o.(*canvas.Circle)
		switch glow := r.embers.glow(i); {
		case glow < 0.7:
			c.FillColor = kit.Mix(ash, ember, glow/0.7)
		default:
			c.FillColor = kit.Mix(ember, flame, (glow-0.7)/0.6)
		}
		canvas.Refresh(c)
	}
}

// wordless reports whether a text shows nothing: it is empty, or of spaces and line ends.
func wordless(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) })
}

// wroteNothing says that a model ended an answer by itself and without a word; "": it wrote some, or
// what ended it is said elsewhere.
func wroteNothing(m chat.Message) string {
	shows := slices.ContainsFunc(m.Parts, func(p chat.Part) bool {
		return p.Kind != chat.PartText && p.Kind != chat.PartTool && p.Kind != chat.PartPassage
	})
	if m.Role != chat.RoleAssistant || m.State != chat.MessageComplete || shows || !wordless(m.Text()) {
		return ""
	}
	name := "The model"
	if m.Reply != nil && writerOf(m.Reply) != "" {
		name = writerOf(m.Reply)
	}
	if m.Thinking != "" {
		return name + " thought about it, and then wrote no answer."
	}
	return name + " wrote nothing."
}

// addWordless says below an answer without a word that there is none, with what can be done. One of
// two side by side has buttons of its own.
func (b *bubble) addWordless(k *kit.Keyboard) {
	says := wroteNothing(b.message)
	if says == "" {
		return
	}
	line := kit.NewParagraph(says, kit.ColorMuted)
	if b.session.inPair(b.message.ID) {
		b.body.Add(line.Flat)
		return
	}
	again := kit.NewButton(k, "Try again", theme.ViewRefreshIcon(), func() { b.host.again(b.message.ID) })
	ways := []fyne.CanvasObject{again}
	if b.host.others() {
		ways = append(ways, kit.NewButton(k, "Try another model", theme.AccountIcon(), func() { b.host.byOther(b.message.ID) }))
	}
	b.body.Add(kit.Column(kit.GapSmall, line.Flat, container.New(&kit.Wrap{Gap: kit.Gap}, ways...)))
}
