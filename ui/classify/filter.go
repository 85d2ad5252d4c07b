package classify

import (
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"github.com/dustin/go-humanize"

	"inglenook/ui/kit"
)

// The labels above the rows have a share of the height of both, so many lines at least and at most, but for one in a
// low window. Those that have no place there are in a menu.
const (
	filterShare float32 = 0.3
	filterLeast         = 2
	filterMost          = 4
	filterLine  float32 = 32  // height of one
	filterLow   float32 = 190 // below which there is a single line
)

// filter shows how many texts each label has, and which of them the rows show.
type filter struct {
	keys    *kit.Keyboard
	chips   *fyne.Container // one for each label, and the one for those without a place
	more    *kit.Chip       // has the others in a menu
	rest    *kit.Line       // how many these are
	fold    *fold
	changed func() // a person chose other texts

	heaps []heap
	name  string // of the chosen one; "": all texts
	out   *found // what is sorted; nil: nothing yet
	words string // that are searched for: only texts with these are counted
	has   []bool // of each text, whether it has these; nil: none are searched for
}

func newFilter(k *kit.Keyboard) *filter {
	f := &filter{keys: k, changed: func() {}, rest: kit.NewLine("", kit.TextSmall, kit.ColorMuted)}
	f.rest.Whole = true
	f.more = kit.NewChip(k, kit.Inset(f.rest, 1, 0), f.openRest)
	f.more.Tip = "Show the other labels"
	f.fold = &fold{filter: f, lines: filterLeast}
	f.chips = container.New(f.fold)
	return f
}

// fit gives the labels what they need of that height of them and the rows.
func (f *filter) fit(height float32) {
	if height < filterLow {
		f.fold.lines = 1
		return
	}
	f.fold.lines = min(filterMost, max(filterLeast, int(height*filterShare/filterLine+0.5)))
}

// set counts other texts. The choice stays where there is such a label still.
func (f *filter) set(out *found) {
	f.out, f.heaps = out, out.heaps()
	if f.chosen() == nil {
		f.name = ""
	}
	f.showChips()
}

// search counts only the texts with these words.
func (f *filter) search(words string) {
	if f.words = words; f.out != nil {
		f.showChips()
	}
}

// count is how many of some texts have the words that are searched for.
func (f *filter) count(some []int) int {
	if f.has == nil {
		return len(some)
	}
	n := 0
	for _, i := range some {
		if f.has[i] {
			n++
		}
	}
	return n
}

// look finds the texts that have the words, once for all labels.
func (f *filter) look() {
	if f.has = nil; f.words == "" {
		return
	}
	f.has = make([]bool, len(f.out.lines))
	for _, i := range f.out.having(f.words, upTo(len(f.has))) {
		f.has[i] = true
	}
}

// showChips makes a chip of each label, and one for all texts.
func (f *filter) showChips() {
	f.look()
	f.chips.Objects = nil
	if len(f.heaps) > 0 {
		f.chips.Add(f.newChip("", "All", f.count(upTo(len(f.out.lines))), false))
	}
	for _, h := range f.heaps {
		f.chips.Add(f.newChip(h.name, kit.Brief(h.name), f.count(h.texts), h.doubt))
	}
	f.chips.Add(f.more)
	kit.Show(f.chips, len(f.heaps) > 0)
	f.chips.Refresh()
}

// newChip is a label with the number of its texts.
func (f *filter) newChip(name, says string, n int, doubt bool) *kit.Chip {
	color := theme.ColorNameForeground
	if doubt {
		color = theme.ColorNameWarning
	}
	label := kit.NewLine(kit.Ellipsize(says, 170, kit.TextSmall, fyne.TextStyle{}), kit.TextSmall, color)
	count := kit.NewLine(humanize.Comma(int64(n)), kit.TextSmall, kit.ColorMuted)
	label.Whole, count.Whole, count.Style.Bold = true, true, true
	chip := kit.NewChip(f.keys, kit.Inset(kit.Row(6, label, count), 1, 0), func() { f.choose(name) })
	chip.On = name == f.name
	chip.Tip = "Show only these texts"
	if name == "" {
		chip.Tip = "Show all texts"
	}
	return chip
}

// choose shows the texts of one label alone; "" or the chosen one again: all.
func (f *filter) choose(name string) {
	if name == f.name {
		name = ""
	}
	f.name = name
	names := []string{""}
	for _, h := range f.heaps {
		names = append(names, h.name)
	}
	for i, other := range names {
		chip := f.chips.Objects[i].(*kit.Chip)
		chip.On = other == name
		chip.Refresh()
	}
	f.chips.Refresh() // the chosen one has its name there, even in the menu
	f.changed()
}

// chosen is the label whose texts are shown alone; nil: all are shown.
func (f *filter) chosen() *heap {
	if i := slices.IndexFunc(f.heaps, func(h heap) bool { return h.name == f.name }); i >= 0 {
		return &f.heaps[i]
	}
	return nil
}

// of are the texts that are shown, of so many.
func (f *filter) of(n int) []int {
	if h := f.chosen(); h != nil {
		return h.texts
	}
	return upTo(n)
}

// upTo are the first n places.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// openRest offers the labels that have no place among the others.
func (f *filter) openRest() { kit.ShowMenuBelow(f.keys, f.more, f.restItems, 0) }

// restItems are these labels with the number of their texts.
func (f *filter) restItems() (items []*fyne.MenuItem) {
	for _, h := range f.heaps[max(0, f.fold.shown-1):] {
		item := fyne.NewMenuItem(fmt.Sprintf("%s  (%s)", kit.Brief(h.name), humanize.Comma(int64(f.count(h.texts)))), func() { f.choose(h.name) })
		item.Checked = h.name == f.name
		items = append(items, item)
	}
	return items
}

// markRest shows whether the chosen label is among those in the menu.
func (f *filter) markRest() {
	f.more.On = f.name != "" && f.placeOfChosen() >= f.fold.shown
	f.more.Refresh()
}

// fold puts chips beside each other in so many lines at most. Of those that have no place, the last chip says how many
// they are.
type fold struct {
	filter *filter
	lines  int
	width  float32 // that it had last
	shown  int     // chips, without the one for the others
}

// place counts the lines that the first n chips of these sizes need, with the one for the others where there are some.
func (l *fold) place(sizes []fyne.Size, n int, put func(i, line int, at fyne.Position)) (lines int, height float32) {
	last := len(sizes) - 1
	x, y := float32(0), float32(0)
	for i, size := range sizes {
		if i >= n && (i < last || n == last) {
			continue
		}
		lines = max(lines, 1)
		if x > 0 && x+size.Width > l.width {
			x, y, lines = 0, height+kit.GapSmall, lines+1
		}
		put(i, lines, fyne.NewPos(x, y))
		x, height = x+size.Width+kit.GapSmall, max(height, y+size.Height)
	}
	return lines, height
}

// choose finds how many chips have a place, and says how many have none.
func (l *fold) choose(o []fyne.CanvasObject) (sizes []fyne.Size, n int) {
	all := len(o) - 1
	for _, one := range o {
		sizes = append(sizes, one.MinSize())
	}
	l.place(sizes, all, func(_, line int, _ fyne.Position) {
		if line <= l.lines {
			n++
		}
	})
	for ; ; n-- { // the one for the others needs room too
		l.filter.rest.Text = l.filter.restSays(n, all)
		sizes[all] = o[all].MinSize()
		if lines, _ := l.place(sizes, n, func(int, int, fyne.Position) {}); lines <= l.lines || n <= 1 {
			return sizes, n
		}
	}
}

// restSays is what the chip for the others says where n of all have a place: how many they are, and the chosen one
// of them, which stays in view.
func (f *filter) restSays(n, all int) string {
	if at := f.placeOfChosen(); at >= n {
		name := kit.Ellipsize(kit.Brief(f.name), 120, kit.TextSmall, fyne.TextStyle{})
		if all-n == 1 {
			return name
		}
		return fmt.Sprintf("%s, %d more…", name, all-n-1)
	}
	return fmt.Sprintf("%d more…", all-n)
}

// placeOfChosen is where the chip of the chosen label stands; 0: all texts are shown.
func (f *filter) placeOfChosen() int {
	return 1 + slices.IndexFunc(f.heaps, func(h heap) bool { return h.name == f.name && f.name != "" })
}

func (l *fold) MinSize(o []fyne.CanvasObject) fyne.Size {
	if len(o) == 0 {
		return fyne.Size{}
	}
	sizes, n := l.choose(o)
	_, height := l.place(sizes, n, func(int, int, fyne.Position) {})
	return fyne.NewSize(60, height)
}

func (l *fold) Layout(o []fyne.CanvasObject, size fyne.Size) {
	if l.width = size.Width; len(o) == 0 {
		return
	}
	sizes, n := l.choose(o)
	l.shown = n
	for i, one := range o {
		kit.Show(one, i < n || i == len(o)-1 && n < len(o)-1)
	}
	l.filter.markRest()
	l.place(sizes, n, func(i, _ int, at fyne.Position) {
		o[i].Move(at)
		o[i].Resize(sizes[i])
	})
}
