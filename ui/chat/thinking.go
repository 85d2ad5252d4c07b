package chat

import (
	"strings"

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
	dotSize, dotGap float32 = 7, 6
	// dotBeat is after how many redraws another dot glows.
	dotBeat = 6
)

// dots stand in the place of an answer of which nothing has come yet. One of them glows,
// and with each beat the next.
type dots struct {
	widget.BaseWidget
	glows int
}

func newDots() *dots {
	d := &dots{}
	d.ExtendBaseWidget(d)
	return d
}

// beat has the next dot glow.
func (d *dots) beat() {
	d.glows = (d.glows + 1) % 3
	d.Refresh()
}

// CreateRenderer draws the dots.
func (d *dots) CreateRenderer() fyne.WidgetRenderer {
	r := &dotsRenderer{dots: d}
	for range 3 {
		r.all = append(r.all, &canvas.Circle{})
	}
	r.Refresh()
	return r
}

type dotsRenderer struct {
	dots *dots
	all  []fyne.CanvasObject
}

func (r *dotsRenderer) Destroy()                     {}
func (r *dotsRenderer) Objects() []fyne.CanvasObject { return r.all }

// MinSize is as high as a line of the answer.
func (r *dotsRenderer) MinSize() fyne.Size {
	return fyne.NewSize(3*dotSize+2*dotGap, kit.Reading()*1.4)
}

func (r *dotsRenderer) Layout(size fyne.Size) {
	for i, o := range r.all {
		o.Move(fyne.NewPos(float32(i)*(dotSize+dotGap), (size.Height-dotSize)/2))
		o.Resize(fyne.NewSquareSize(dotSize))
	}
}

func (r *dotsRenderer) Refresh() {
	for i, o := range r.all {
		c := o.(*canvas.Circle)
		c.FillColor = kit.Themed(kit.ColorLine)
		if i == r.dots.glows {
			c.FillColor = kit.Themed(theme.ColorNamePrimary)
		}
		canvas.Refresh(c)
	}
}
