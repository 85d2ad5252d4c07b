package classify

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/base"
	"inglenook/ui/kit"
	"inglenook/ui/textlist"
)

// lowWork is the height below which the left side has no room for labels and texts: the labels are behind a line.
const lowWork float32 = 560

// leastWork is the height that the left side asks for at most: what it shows in a higher window must not keep that high.
const leastWork float32 = 300

// mostTagRows is how many rows of labels are in view at most; more are scrolled. Each beyond the second
// needs that much more height.
const (
	mostTagRows         = 6
	tagRow      float32 = 37
	tagRowOf    float32 = 35
	tagsHeight          = 2 * tagRow
)

// tagRoom is the height of the labels on a left side of that height.
func tagRoom(height float32) float32 {
	return tagRow * float32(min(mostTagRows, 2+int(max(0, height-lowWork)/tagRowOf)))
}

// labelsChanged follows a change of the labels, which Undo takes back with what it did to the result.
func (p *Page) labelsChanged(c relabelling) {
	p.hideLearned()
	p.relabel(c.now, c.from, c.to)
	turn := func(names []string, from, to string) func() {
		return func() {
			p.labels.set(names)
			p.relabel(names, from, to)
		}
	}
	change := textlist.Aside{What: c.what, Back: turn(c.was, c.to, c.from), Again: turn(c.now, c.from, c.to)}
	if c.plain {
		p.list.RememberQuietly(change)
	} else {
		p.list.Remember(change)
	}
}

// relabel keeps the labels, gives one of them another name in the result, and sorts the texts again where that is fast.
func (p *Page) relabel(names []string, from, to string) {
	if typed := p.labels.Text(); len(typed) <= keepLimit {
		p.Keep(func(s *base.Settings) { s.Classify.Labels = typed })
	}
	if p.found != nil {
		renamed := from != "" && p.found.rename(from, to)
		if reordered := p.found.reorder(names); renamed || reordered {
			p.keepFound()
			p.results.showGiven()
		}
	}
	if len(names) > 0 && !slices.Equal(names, split(sampleLabels)) {
		p.sampled = false
	}
	p.left.Refresh()
	p.refresh()
	p.again()
}

// rename gives a label another name, in the result and among those given by hand; false: it is not there.
func (f *found) rename(from, to string) bool {
	names := split(f.asked.labels)
	at := slices.Index(names, from)
	if f.Cosines == nil || at < 0 || slices.Contains(f.LabelNames(), to) {
		return false
	}
	now := func(name string) string {
		if name == from {
			return to
		}
		return name
	}
	each := func(list []string) []string {
		list = slices.Clone(list)
		for i, name := range list {
			list[i] = now(name)
		}
		return list
	}
	f.asked.labels, f.asked.renamed = join(each(names)), true // the model has read the other name
	f.Names = each(f.Names)
	for _, list := range f.Labels {
		for i := range list {
			list[i].Name = now(list[i].Name)
		}
	}
	for i, name := range f.own {
		f.own[i] = now(name)
	}
	for i, list := range f.earlier {
		f.earlier[i] = each(list)
	}
	for key, list := range f.gone {
		f.gone[key] = each(list)
	}
	return true
}

// reorder puts the labels of the result in the order of these, where they are the same ones; false: they are not.
func (f *found) reorder(names []string) bool {
	asked := split(f.asked.labels)
	if f.Cosines == nil || slices.Equal(asked, names) || !slices.Equal(slices.Sorted(slices.Values(asked)), slices.Sorted(slices.Values(names))) {
		return false
	}
	f.asked.labels, f.Names = join(names), slices.Clone(names)
	return true
}

// newSampleRow says that the labels are those of the samples, once the texts are a person's own.
func (p *Page) newSampleRow() *fyne.Container {
	says := kit.NewCaption("Labels of the samples")
	says.Whole = true
	own := kit.NewTextButton(p.Keys, "Write my own", func() {
		p.labels.change(relabelling{what: "Sample labels removed"})
		p.Focus(p.labels.next)
	})
	own.Color = kit.ColorAccent
	keep := kit.NewTextButton(p.Keys, "Keep these", func() {
		p.sampled = false
		p.refresh()
	})
	return kit.Row(kit.GapSmall, container.NewCenter(says), own, keep)
}

// sampleLabelsLeft reports whether the labels of the samples stand beside a person's own texts.
func (p *Page) sampleLabelsLeft() bool {
	return p.sampled && p.texts.Len() > 0 && !p.texts.Sampled() && slices.Equal(p.labels.names, split(sampleLabels))
}
