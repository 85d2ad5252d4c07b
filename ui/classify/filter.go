package classify

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/ui/kit"
)

// The labels above the rows have a share of the height of both, two lines at least and four at most. More
// of them are scrolled.
const (
	filterShare float32 = 0.3
	filterLeast float32 = 62
	filterMost  float32 = 126
)

// filter shows how many texts each label has, and which of them the rows show.
type filter struct {
	view    *fyne.Container
	keys    *kit.Keyboard
	chips   *fyne.Container
	scroll  *container.Scroll
	room    *kit.Capped
	changed func() // a person chose other texts

	heaps []heap
	name  string // of the chosen one; "": all texts
}

func newFilter(k *kit.Keyboard) *filter {
	f := &filter{keys: k, changed: func() {}, chips: container.New(&kit.Wrap{Gap: kit.GapSmall})}
	f.scroll = container.NewVScroll(f.chips)
	f.room = &kit.Capped{Most: filterLeast}
	f.view = container.New(f.room, f.scroll)
	return f
}

// fit gives the labels what they need of that height of them and the rows.
func (f *filter) fit(height float32) {
	f.room.Most = min(filterMost, max(filterLeast, height*filterShare))
}

// set counts other texts. The choice stays where there is such a label still.
func (f *filter) set(out *found) {
	f.heaps = out.heaps()
	if f.chosen() == nil {
		f.name = ""
	}
	f.chips.Objects = nil
	if len(f.heaps) > 0 {
		f.chips.Add(f.newChip("", "All", len(out.lines), false))
	}
	for _, h := range f.heaps {
		f.chips.Add(f.newChip(h.name, kit.Brief(h.name), len(h.texts), h.doubt))
	}
	kit.Show(f.view, len(f.heaps) > 0)
	f.view.Refresh()
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
	for i, o := range f.chips.Objects {
		chip := o.(*kit.Chip)
		chip.On = names[i] == name
		chip.Refresh()
	}
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
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}
