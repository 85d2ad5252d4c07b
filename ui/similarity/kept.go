package similarity

import (
	"context"
	"image"
	"slices"

	"inglenook/app/base"
	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/app/texts"
)

// keepFound keeps what was found for the next start, where it is about the texts that are kept.
func (p *Panel) keepFound() {
	var kept *base.KeptComparison
	if r := p.result; r != nil && r.Pictures == nil && slices.Equal(p.resultIDs, p.texts.IDs()) {
		k := base.KeptComparison{
			Model: p.asked.model, Name: r.Model.Title(), Device: r.Device, Prompt: p.asked.prompt, EightBits: p.asked.eight,
			Took: r.Took, Groups: p.groupsAsked, Note: r.Note,
		}
		for i, cut := range r.Truncated {
			if cut {
				k.Truncated = append(k.Truncated, i)
			}
		}
		if p.sorted {
			k.Sorted = &base.KeptGroups{Of: r.Groups.Of, Order: r.Groups.Order, Names: r.Groups.Names, Colors: r.Groups.Colors}
		}
		if k.SetVectors(r.Vectors) {
			kept = &k
		}
	}
	p.Keep(func(s *base.Settings) { s.SimilarityFound = kept })
}

// restore shows what was found before the last end; false: nothing is kept, or it is about other texts or another
// model. Its figures are computed anew from the vectors, and no model is opened for that.
func (p *Panel) restore() bool {
	kept := p.App.Settings().SimilarityFound
	if kept == nil || p.result != nil || p.running != nil || p.texts.Seen() || !kept.Fits(p.texts.Len()) || kept.Model != p.picker.ID {
		return false
	}
	r := texts.SimilarityResult{
		Texts: p.texts.Lines(), Vectors: kept.Directions(), Truncated: make([]bool, p.texts.Len()),
		Took: kept.Took, Device: kept.Device, Note: kept.Note, Model: library.Model{ID: kept.Model, Name: kept.Name},
	}
	for _, i := range kept.Truncated {
		if i >= 0 && i < len(r.Truncated) {
			r.Truncated[i] = true
		}
	}
	if kept.EightBits {
		r.Held = held.Held{Weights: held.EightBits}
	}
	ids := p.texts.IDs()
	asked := request{kept.Model, "auto", kept.Prompt, kept.EightBits, ids}
	p.Work(func(ctx context.Context) {
		r, err := texts.Compared(ctx, r, kept.Groups)
		p.Do(func() {
			if err != nil || p.result != nil || p.running != nil || !slices.Equal(ids, p.texts.IDs()) {
				return
			}
			p.groupsAsked = kept.Groups
			if g, ok := sortedAs(kept, r.Texts); ok {
				r.Groups, p.sorted = g, true
			}
			p.found(&r, ids, asked, []image.Image(nil))
			p.view.Refresh()
		})
	})
	return true
}
