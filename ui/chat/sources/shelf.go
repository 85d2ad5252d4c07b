package sources

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/chat"
	"inglenook/ui/kit"
)

// shelfRows is how many passages are seen at once.
const shelfRows = 4

// Shelf shows above the field for a message which passages go with it, before anything is
// sent. A person can leave one out and add another.
type Shelf struct {
	View *fyne.Container
	host ShelfHost

	chip  *kit.Chip
	name  *kit.Line
	head  *kit.TextButton
	notes *kit.Paragraph
	rows  *kit.Rows
	list  *fyne.Container
	more  *kit.TextButton

	open   bool // the passages are listed
	others bool // those that do not go along are, too
	items  []Item
	in     int // of items go along
	asked  Asked
}

// ShelfHost is what a shelf asks of the panel around it.
type ShelfHost struct {
	Keys    *kit.Keyboard
	Choose  func(at fyne.CanvasObject) // asks for another collection
	Remove  func()                     // asks no documents any more
	Decide  func(part chat.Part, goes bool)
	Open    func(part chat.Part, sentence string) // shows it in its document
	Resized func()
}

// Asked is the collection that a conversation asks.
type Asked struct {
	Name    string
	Gone    bool  // it was removed
	Shares  []int // tokens of each passage that goes along, as far as they are known
	Context int   // tokens that the model can read; 0: not known
}

// NewShelf makes a shelf, which is hidden.
func NewShelf(h ShelfHost) *Shelf {
	s := &Shelf{host: h, name: kit.NewLine("", kit.TextSmall, theme.ColorNameForeground), notes: kit.NewParagraph("", theme.ColorNameWarning).Small()}
	s.name.Style.Bold, s.name.Whole = true, true
	icon := container.NewGridWrap(fyne.NewSquareSize(14), newIcon(theme.DocumentIcon()))
	s.chip = kit.NewChip(h.Keys, kit.Row(6, container.NewCenter(icon), s.name), func() { h.Choose(s.chip) })
	remove := kit.NewSmallIcon(h.Keys, theme.CancelIcon(), "Stop asking these documents", h.Remove)
	s.head = kit.NewTextButton(h.Keys, "", s.Toggle)
	s.head.Line.Whole = false
	s.rows = kit.NewRows(h.Keys, s.length, s.create, s.fill)
	s.rows.Opened = func(i int) { h.Open(s.items[i].Part, "") }
	s.rows.Typed = s.typed
	s.more = kit.NewTextButton(h.Keys, "", s.toggleOthers)
	s.list = container.New(&listLayout{s}, s.rows, container.NewHBox(s.more))
	chosen := kit.Row(0, s.chip, container.NewCenter(remove))
	s.View = kit.Column(kit.GapSmall, container.NewBorder(nil, nil, chosen, nil, kit.Inset(s.head, 0, kit.GapSmall)), s.notes.Flat, s.list)
	s.View.Hide()
	return s
}

// Show shows what goes with a question to a collection.
func (s *Shelf) Show(a Asked, p *Picked) {
	s.asked = a
	s.name.Set(kit.Ellipsize(a.Name, 180, kit.TextSmall, s.name.Style))
	s.items = p.Items()
	s.in = len(p.Parts())
	if len(s.items) == 0 {
		s.open, s.others = false, false
	}
	s.head.Color = kit.ColorMuted
	if a.Gone || p.Err != nil || p.Found.Missing != "" && s.in == 0 {
		s.head.Color = theme.ColorNameWarning
	}
	s.head.Set(s.title(p))
	notes := ""
	for _, n := range p.Found.Notes {
		notes += kit.Sentence(n) + " "
	}
	s.notes.Set(notes)
	kit.Show(s.notes.Flat, notes != "")
	s.showList()
	s.View.Show()
	s.View.Refresh()
}

// Hide hides the shelf, where no documents are asked.
func (s *Shelf) Hide() {
	s.open, s.others = false, false
	s.View.Hide()
}

// title says in a line what was found.
func (s *Shelf) title(p *Picked) string {
	tokens := 0
	for _, n := range s.asked.Shares {
		tokens += n
	}
	switch {
	case s.asked.Gone:
		return "Removed. Choose others…"
	case p.Err != nil:
		return kit.Sentence(p.Err.Error())
	case len(s.items) == 0 && p.Busy:
		return "Searching…"
	case p.Found.Missing != "" && s.in == 0 && len(s.items) > 0:
		return sign(s.open) + p.Found.Missing
	case p.Found.Missing != "" && s.in == 0:
		return p.Found.Missing
	case len(s.items) == 0:
		return "Questions also go to these documents. What is found appears here first."
	}
	return sign(s.open) + goWith(s.in, tokens, s.asked.Context)
}

// Toggle lists the passages, or folds them away. Where the documents were removed, it asks for others.
func (s *Shelf) Toggle() {
	if s.asked.Gone {
		s.host.Choose(s.chip)
		return
	}
	if len(s.items) > 0 {
		s.open = !s.open
		s.others = s.open && s.in == 0
		s.refresh()
	}
}

// Close folds the passages away; false: they were.
func (s *Shelf) Close() bool {
	was := s.open && s.View.Visible()
	if was {
		s.Toggle()
	}
	return was
}

func (s *Shelf) toggleOthers() {
	s.others = !s.others
	s.refresh()
}

func (s *Shelf) refresh() {
	if text := s.head.Line.Text; len(s.items) > 0 {
		s.head.Set(sign(s.open) + trimSign(text))
	}
	s.showList()
	s.host.Resized()
}

// showList shows the rows that are wanted.
func (s *Shelf) showList() {
	kit.Show(s.list, s.open && len(s.items) > 0)
	out := len(s.items) - s.in
	kit.Show(s.more, out > 0)
	s.more.Set(sign(s.others) + "Add another passage (" + humanize.Comma(int64(out)) + " more)")
	if s.rows.Current >= s.length() {
		s.rows.Choose(-1)
	}
	s.rows.Refresh()
	s.list.Refresh()
}

func (s *Shelf) length() int {
	if s.others {
		return len(s.items)
	}
	return s.in
}

func (s *Shelf) create() fyne.CanvasObject {
	return newRow(s.host.Keys, func(i Item) { s.host.Open(i.Part, "") }, func(i Item) { s.host.Decide(i.Part, !i.In) })
}

func (s *Shelf) fill(i int, o fyne.CanvasObject) {
	share := ""
	if i < len(s.asked.Shares) && s.asked.Context > 0 {
		share = Share(s.asked.Shares[i], s.asked.Context)
	}
	o.(*row).show(s.items[i], i+1, share)
}

// typed leaves the chosen passage out, or adds it.
func (s *Shelf) typed(e *fyne.KeyEvent) bool {
	at := s.rows.Current
	if at < 0 || at >= s.length() {
		return false
	}
	item := s.items[at]
	switch {
	case e.Name == fyne.KeySpace, item.In && (e.Name == fyne.KeyDelete || e.Name == fyne.KeyBackspace):
		s.host.Decide(item.Part, !item.In)
		return true
	}
	return false
}

// listLayout puts the rows above the button for more of them.
type listLayout struct{ shelf *Shelf }

// rowsHeight is that of the rows in view.
func (l *listLayout) rowsHeight() float32 {
	return l.shelf.rows.Height * float32(min(shelfRows, l.shelf.length()))
}

// moreHeight is that of the button, where there is something to add.
func (l *listLayout) moreHeight(o []fyne.CanvasObject) float32 {
	if l.shelf.more.Visible() {
		return o[1].MinSize().Height
	}
	return 0
}

func (l *listLayout) MinSize(o []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(200, l.rowsHeight()+l.moreHeight(o))
}

func (l *listLayout) Layout(o []fyne.CanvasObject, size fyne.Size) {
	h := l.rowsHeight()
	o[0].Resize(fyne.NewSize(size.Width, h))
	o[1].Move(fyne.NewPos(0, h))
	o[1].Resize(fyne.NewSize(size.Width, l.moreHeight(o)))
}
