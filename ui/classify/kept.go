package classify

import (
	"cmp"
	"image"
	"math"
	"slices"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/app/texts"
)

// keepFound keeps what was found for the next start, where it is about the texts that are kept.
func (p *Page) keepFound() {
	var kept *base.KeptClasses
	if out := p.found; out != nil && slices.Equal(out.asked.ids, p.texts.IDs()) && out.seen() == 0 {
		if k := out.toKeep(); k.Fits(len(out.lines)) {
			kept = &k
		}
	}
	p.Keep(func(s *base.Settings) { s.Classify.Found = kept }) // also nothing: what is kept may wait to be written still
}

// knowsTable follows when it is known again which table the texts came from.
func (p *Page) knowsTable() {
	if out := p.found; out != nil && slices.Equal(out.asked.ids, p.texts.IDs()) {
		out.from = p.texts.Origins()
	}
}

// toKeep is what was found as it is kept.
func (f *found) toKeep() base.KeptClasses {
	k := base.KeptClasses{
		Model: f.Model.ID, Name: f.Model.Title(), Kind: f.Kind, Device: f.Device, Took: f.Took, Learned: f.learned, Renamed: f.asked.renamed, Asked: f.asked.labels, Reads: f.asked.sentence,
		NoneFits: f.NoneFits, Entities: f.Entities, Words: f.Words, Notes: f.Notes,
	}
	for i := range f.lines {
		if hand := f.hand(i); hand != nil {
			if k.Hand == nil {
				k.Hand = map[int][]string{}
			}
			k.Hand[i] = hand
		}
	}
	if f.Vectors != nil {
		read := &base.KeptVectors{}
		if read.SetVectors(f.Vectors) {
			k.Read = read
		}
	}
	if f.Labels == nil {
		return k
	}
	k.Names = slices.Sorted(slices.Values(f.LabelNames()))
	for _, list := range f.Labels {
		row := make([]float32, len(k.Names))
		for _, l := range list {
			if at, ok := slices.BinarySearch(k.Names, l.Name); ok && !math.IsNaN(float64(l.Value)) && !math.IsInf(float64(l.Value), 0) {
				row[at] = l.Value
			}
		}
		k.Values = append(k.Values, row)
	}
	return k
}

// restore shows what was found before the last end. Anything that does not fit is left out.
func (p *Page) restore(kept *base.KeptClasses) {
	lines := p.texts.Lines()
	if kept == nil || p.found != nil || p.running != nil || !kept.Fits(len(lines)) {
		return
	}
	out := &found{asked: request{model: kept.Model, device: "auto", labels: kept.Asked, sentence: kept.Reads, renamed: kept.Renamed, ids: p.texts.IDs()}, lines: lines, from: p.texts.Origins(), small: make([]image.Image, len(lines)), own: map[int]string{}, earlier: map[int][]string{}, learned: kept.Learned}
	out.ClassifyResult = texts.ClassifyResult{
		Kind: kept.Kind, NoneFits: kept.NoneFits, Entities: kept.Entities, Words: kept.Words, Took: kept.Took, Device: kept.Device, Notes: kept.Notes,
		Model: library.Model{ID: kept.Model, Name: kept.Name}, Names: split(kept.Asked),
	}
	for _, row := range kept.Values {
		var list []texts.Label
		for i, v := range row {
			list = append(list, texts.Label{Name: kept.Names[i], Value: v})
		}
		slices.SortStableFunc(list, func(a, b texts.Label) int { return cmp.Compare(b.Value, a.Value) })
		out.Labels = append(out.Labels, list)
	}
	if kept.Asked != "" {
		out.Cosines = [][]float32{} // they are not kept, but there were some
		if kept.Read != nil {
			out.Vectors = kept.Read.Directions()
		}
	}
	for i, name := range kept.Own {
		out.take(i, kept.Names[name])
	}
	for i, hand := range kept.Hand {
		if len(hand) > 0 {
			out.own[i], out.earlier[i] = hand[0], hand[1:]
		}
		if out.own[i] == "" {
			delete(out.own, i)
		}
	}
	for i, list := range out.Entities {
		for _, e := range list {
			if e.Start < 0 || e.End < e.Start || e.End > len(lines[i]) {
				return
			}
		}
	}
	p.found = out
	p.results.set(out, false)
}
