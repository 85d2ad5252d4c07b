package decoding

import "inglenook/models"

// A text-to-text model reads a text whole before it writes. What it has read is, as for
// every model, a sequence of ids: here those of that text, the source, and then those of
// the answer. The start token, from which the model writes, is not among them: it stands
// behind the last id of the source.

// Whole is a predictor that may have to read a text whole.
type Whole interface {
	// Begin says how many ids the source has that is read next. It reports whether the
	// model has one: then it forgets everything.
	Begin(source int) bool
}

// Begin says that ids will be read which begin with so many of a source.
func (h *History) Begin(source int) {
	if m, ok := h.Model.(Whole); ok && m.Begin(source) {
		h.Cut(0)
	}
}

// Begin implements Whole.
func (d *Decoder) Begin(source int) bool {
	if !d.model.Config().TextToText {
		return false
	}
	d.source = source
	return true
}

// input returns what the model reads for ids behind past others, and tells the cache what it
// holds before.
func (d *Decoder) input(past int, ids []int32) models.Input {
	c := d.model.Config()
	d.cache.Len = past
	if !c.TextToText {
		return models.Input{Tokens: ids}
	}
	source := min(d.source, past+len(ids))
	if source == 0 { // a pass for measuring: all that comes first is the source
		if source = past; past == 0 {
			source = len(ids)
		}
	}
	if past > 0 {
		d.cache.Len, d.cache.Source = past-source+1, source
		return models.Input{Tokens: ids}
	}
	tokens := append([]int32{int32(c.Start)}, ids[source:]...)
	return models.Input{Tokens: tokens, Source: ids[:source]}
}
