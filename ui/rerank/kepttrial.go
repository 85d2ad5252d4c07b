package rerank

import (
	"slices"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/app/texts"
)

// keepTried keeps where models found the texts for the next start, where it is about the texts that are kept.
func (t *trial) keepTried() {
	var tried []base.KeptTrial
	var questions []string
	if out := t.done; out != nil && slices.Equal(out.ids, t.texts.IDs()) && len(out.ids)*len(out.questions) <= base.MostPlaces {
		questions = out.questions
		for _, r := range out.results {
			one := base.KeptTrial{Model: r.Model.ID, Name: r.Model.Title(), Bytes: r.Model.Bytes, Dimension: r.Dimension, TextsPerS: r.TextsPerS, Notes: r.Notes}
			for _, o := range r.Orders {
				one.Places = append(one.Places, o.Places)
			}
			tried = append(tried, one)
		}
	}
	t.Keep(func(kept *base.Settings) { kept.Rerank.Tried, kept.Rerank.TriedWith = tried, questions })
}

// restoreTried shows where models found the texts before the last end. Anything that does not fit is left out.
func (t *trial) restoreTried(kept base.RerankSettings) {
	if len(kept.Tried) == 0 || len(kept.TriedWith) == 0 || len(kept.Tried[0].Places[0]) != t.texts.Len() {
		return
	}
	out := &tried{ids: t.texts.IDs(), lines: t.texts.Lines(), questions: kept.TriedWith, device: "auto"}
	for i, k := range kept.Tried {
		r := texts.FindResult{Dimension: k.Dimension, TextsPerS: k.TextsPerS, Notes: k.Notes, Model: library.Model{ID: k.Model, Name: k.Name, Bytes: k.Bytes}}
		for _, places := range k.Places {
			r.Orders = append(r.Orders, texts.OrderOf(places))
		}
		out.pair[i] = k.Model
		out.results = append(out.results, r)
	}
	t.done, t.pair = out, out.pair
}
