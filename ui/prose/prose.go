package prose

import (
	"context"
	"slices"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"inglenook/markdown"
	"inglenook/ui/kit"
)

// Text shows a message: Markdown that can be selected with the mouse and
// copied. It lays out only what changed, and makes canvas objects only for
// what is in view: who scrolls it has to call InView.
//
// Nothing in a message does anything by itself: a click on a link calls
// openLink, and there are no pictures.
type Text struct {
	widget.BaseWidget

	keys     *kit.Keyboard
	openLink func(address string)
	Do       func(func())                 // runs what a goroutine found out on the window's own
	Copy     func(text, file string) bool // to the clipboard, or else into a file of that name; false: not to the clipboard
	Selects  func()                       // a person begins to select here: others may give up theirs
	Near     func(bool)                   // the pointer came, or left
	Over     func(string, fyne.Position)  // the pointer is on what the program put into the text: the address of a reference, [Doubted] or ""
	reveal   func(y float32)              // the selection or the chosen link went there: it should be in view
	Wheel    func(*fyne.ScrollEvent)      // the wheel turned over something that moves sideways only; may be nil
	Rest     func(*fyne.KeyEvent)         // a key that means nothing here; may be nil
	Source   string                       // the Markdown, for "Copy as Markdown"; empty: not offered

	Offers func(selected string) []*fyne.MenuItem // what else the menu offers; nil: nothing

	blocks   []markdown.Block
	finished int // of blocks: those after it may still grow
	sets     []*set
	width    float32 // of the sets; 0: nothing is laid out
	sizes    sizes   // of the sets
	total    float32 // height of the sets
	faces    faces
	maths    maths
	colors   colors

	top, bottom float32 // what is in view; both 0: nobody said
	Mark        Marked
	found       found
	press       press
	hover       fyne.Position
	focused     bool
	byMouse     bool // got the focus with a click
	passed      bool // the Tab key goes past it
	copied      *markdown.Code
	link        *markdown.Link // chosen with the keyboard
	drawn       *proseRenderer
}

// Doubted is what [Text.Over] gets on a text in the style [markdown.Doubted].
const Doubted = "doubted"

func New(k *kit.Keyboard, openLink func(address string)) *Text {
	p := &Text{keys: k, openLink: openLink, Do: fyne.Do, Copy: func(text, _ string) bool { return kit.ToClipboard(text) }, Selects: func() {}, Near: func(bool) {}, Over: func(string, fyne.Position) {}, reveal: func(float32) {}, faces: faces{}, maths: maths{}}
	p.colors.do = func(f func()) { p.Do(f) }
	p.colors.changed = p.recolored
	p.colors.counts = map[int]int{}
	p.ExtendBaseWidget(p)
	return p
}

// Set shows a whole message, another one or the one that was coming.
func (p *Text) Set(blocks []markdown.Block) {
	if len(blocks) == 0 || len(p.blocks) == 0 || blocks[0] != p.blocks[0] {
		p.Mark = Marked{}
		p.colors.forget()
	}
	p.show(blocks, len(blocks))
}

// Stream shows a message as it comes. The first frozen blocks are finished;
// those that are the same as before are not laid out again, frozen or not, and
// what is selected stays so.
func (p *Text) Stream(blocks []markdown.Block, frozen int) { p.show(blocks, frozen) }

func (p *Text) show(blocks []markdown.Block, finished int) {
	p.blocks, p.finished = blocks, finished
	before := p.total
	if p.width > 0 {
		p.layOut(p.width)
	}
	if p.total != before {
		p.Refresh()
	} else {
		p.Draw()
	}
}

// InView says which part of the message can be seen, from its upper edge on.
func (p *Text) InView(top, bottom float32) {
	if top != p.top || bottom != p.bottom {
		p.top, p.bottom = top, bottom
		p.Draw()
	}
}

// layOut lays out what is not yet, or was for another width.
func (p *Text) layOut(width float32) {
	z := sizesOf(kit.Reading())
	same := width == p.width && z == p.sizes
	p.width, p.sizes = width, z
	sets := make([]*set, len(p.blocks))
	y := float32(0)
	for i, b := range p.blocks {
		// The last block may grow; one before it that is not frozen hardly does.
		grows := i >= p.finished && i == len(p.blocks)-1
		var s *set
		if same && i < len(p.sets) && p.sets[i].block == b && p.sets[i].colors == p.colors.version(i) && p.sets[i].grew == grows {
			s = p.sets[i]
		} else {
			s = setBlock(b, width, z, p.faces, p.maths, func(c *markdown.Code) []markdown.Span { return p.colors.spans(i, c, grows) })
			s.colors, s.grew = p.colors.version(i), grows
		}
		if i > 0 {
			y += blockGap + above(b)
		}
		s.top = y
		y += s.height
		sets[i] = s
	}
	p.sets, p.total = sets, y
	p.Mark.clip(sets)
}

// recolored follows when the colours of code are there.
func (p *Text) recolored() {
	if p.width > 0 {
		p.layOut(p.width)
		p.Draw()
	}
}

// visible are the sets in view, and the part of the message that is.
func (p *Text) visible() (sets []*set, top, bottom float32) {
	top, bottom = p.top, p.bottom
	if top == 0 && bottom == 0 {
		bottom = p.total
		driver := fyne.CurrentApp().Driver()
		if c := driver.CanvasForObject(p); c != nil {
			top = -driver.AbsolutePositionForObject(p).Y
			bottom = top + c.Size().Height
		}
	}
	first := sort.Search(len(p.sets), func(i int) bool { return p.sets[i].top+p.sets[i].height >= top })
	last := sort.Search(len(p.sets), func(i int) bool { return p.sets[i].top > bottom })
	if first >= last {
		return nil, top, bottom
	}
	return p.sets[first:last], top, bottom
}

// Resize lays the message out for its new width.
func (p *Text) Resize(size fyne.Size) {
	if size.Width != p.width && size.Width > 0 {
		p.layOut(size.Width)
	}
	p.resize()
	p.BaseWidget.Resize(size)
	p.Draw()
}

// MinSize is as high as the message is at its width.
func (p *Text) MinSize() fyne.Size {
	p.resize()
	return fyne.NewSize(narrowest, p.total)
}

// resize lays the message out anew where text has another size now.
func (p *Text) resize() {
	if p.width > 0 && p.sizes.text != kit.Reading() {
		p.layOut(p.width)
	}
}

// Refresh redraws the message. It may have another size of text since the last time.
func (p *Text) Refresh() {
	p.resize()
	p.Draw()
	p.BaseWidget.Refresh()
}

func (p *Text) Draw() {
	if p.drawn != nil {
		p.drawn.arrange()
		canvas.Refresh(p) // there may be objects that were never drawn
	}
}

// colors are the colours of code, found on a goroutine, one block after the
// other. Code is known by the place of its block, so that it keeps its colours
// while it grows.
type colors struct {
	do      func(func())
	changed func()
	found   map[colorKey]*colored
	counts  map[int]int // by block: how often its colours changed
	queue   []uncolored // the first of them is being looked at
}

// uncolored is code whose colours are to be found.
type uncolored struct {
	known          *colored
	block          int
	language, text string
}

type colorKey struct {
	block    int
	language string
	start    string // the first bytes of the code
}

// colored is code whose colours are known, and whether more are being found.
type colored struct {
	text  string
	spans []markdown.Span
	busy  bool
}

func (c *colors) version(block int) int { return c.counts[block] }

// spans returns what is known of the colours of code, and has the rest found:
// of code that grows only now and then, since all of it is looked at again.
func (c *colors) spans(block int, code *markdown.Code, grows bool) []markdown.Span {
	if code.Language == "" || code.Text == "" {
		return nil
	}
	key := colorKey{block, code.Language, code.Text[:min(len(code.Text), 24)]}
	if c.found == nil {
		c.found = map[colorKey]*colored{}
	}
	known := c.found[key]
	if known == nil {
		known = &colored{}
		c.found[key] = known
	}
	enough := len(known.text)
	if grows {
		enough += enough/3 + 60
	}
	if known.text != code.Text && !known.busy && (len(code.Text) >= enough || !strings.HasPrefix(code.Text, known.text)) {
		known.busy = true
		c.find(uncolored{known, block, code.Language, code.Text})
	}
	if !strings.HasPrefix(code.Text, known.text) {
		return nil
	}
	return known.spans
}

// find has code coloured once that before it is.
func (c *colors) find(u uncolored) {
	c.queue = append(c.queue, u)
	if len(c.queue) == 1 {
		c.next()
	}
}

// next colours the first code in the queue on a goroutine, which ends within
// markdown.Highlight's own limit of time.
func (c *colors) next() {
	u := c.queue[0]
	go func() {
		spans := slices.Clip(markdown.Highlight(context.Background(), u.language, u.text))
		c.do(func() {
			u.known.text, u.known.spans, u.known.busy = u.text, spans, false
			c.counts[u.block]++
			if c.queue = c.queue[1:]; len(c.queue) > 0 {
				c.next()
			}
			c.changed()
		})
	}()
}

// forget drops what belongs to another message, except for the code that is being
// looked at.
func (c *colors) forget() {
	c.found, c.queue = nil, c.queue[:min(1, len(c.queue))]
}
