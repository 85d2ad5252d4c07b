package uitest

import (
	"context"
	"slices"
	"strings"
	"time"

	"inglenook/app/base"
	"inglenook/app/texts"
)

// classifying is what Classify was asked, and how it answers.
type classifying struct {
	asked []texts.ClassifyRequest
	Slow  func(context.Context)         // before it answers; nil: it answers at once
	Fails error                         // why it does not answer; nil: it does
	Then  func(r *texts.ClassifyResult) // what it answers instead; nil: nothing else

	Vectors bool // it gives vectors, so that other labels are read at once
}

// Classifications lists what Classify was asked.
func (d *App) Classifications() []texts.ClassifyRequest {
	d.Mu.Lock()
	defer d.Mu.Unlock()
	return slices.Clone(d.Classified.asked)
}

// Classify gives texts labels by how often they have the letters of these. A model that marks
// entities marks words that begin with a capital letter, and one that fills gaps knows tea and
// milk.
func (d *App) Classify(ctx context.Context, r texts.ClassifyRequest, report func(base.Progress)) (texts.ClassifyResult, error) {
	d.Mu.Lock()
	d.Classified.asked = append(d.Classified.asked, r)
	how := d.Classified
	d.Mu.Unlock()
	report(base.Progress{Stage: base.StageEmbedding, Done: 1, Total: int64(len(r.Texts)), Unit: "texts"})
	if how.Slow != nil {
		how.Slow(ctx)
	}
	if ctx.Err() != nil {
		return texts.ClassifyResult{}, ctx.Err()
	}
	m, err := d.Resolve(ctx, r.Model)
	if err == nil {
		err = how.Fails
	}
	if err != nil {
		return texts.ClassifyResult{}, err
	}
	out := texts.ClassifyResult{Model: m, Device: "cpu", Took: 40 * time.Millisecond, Kind: m.Classifies}
	for i, text := range r.Texts {
		switch m.Classifies {
		case "entities":
			out.Entities = append(out.Entities, capitals(text))
		case "words":
			out.Words = append(out.Words, [][]texts.Label{{{Name: "tea", Value: 0.7}, {Name: "milk", Value: 0.3}}})
		default:
			labels, cosines := byLetters(text, r.Labels)
			if how.Vectors {
				out.Vectors = append(out.Vectors, letters(text))
				labels = byExample(labels, r, i)
			}
			out.Kind, out.Names, out.Labels, out.Cosines = "softmax", r.Labels, append(out.Labels, labels), append(out.Cosines, cosines)
		}
	}
	if how.Then != nil {
		how.Then(&out)
	}
	return out, nil
}

// byExample gives a text the label of an example that begins with the same word.
func byExample(labels []texts.Label, r texts.ClassifyRequest, i int) []texts.Label {
	first := func(i int) string { return strings.Fields(r.Texts[i])[0] }
	for k, name := range r.Examples {
		if first(k) != first(i) {
			continue
		}
		labels = slices.DeleteFunc(labels, func(l texts.Label) bool { return l.Name == name })
		for n := range labels {
			labels[n].Value *= 0.1
		}
		return slices.Insert(labels, 0, texts.Label{Name: name, Value: 0.9})
	}
	return labels
}

// byLetters gives each label its part of the likenesses of all.
func byLetters(text string, names []string) (labels []texts.Label, likenesses []float32) {
	sum := float32(0)
	for _, name := range names {
		likeness := dot(letters(text), letters(name))
		labels = append(labels, texts.Label{Name: name, Value: likeness})
		sum += likeness
	}
	slices.SortStableFunc(labels, func(a, b texts.Label) int { return int(1e6 * (b.Value - a.Value)) })
	for i, l := range labels {
		likenesses = append(likenesses, l.Value)
		labels[i].Value /= max(sum, 1e-6)
	}
	return labels, likenesses
}

// capitals are the words of a text that begin with a capital letter.
func capitals(text string) []texts.Entity {
	list := []texts.Entity{}
	at := 0
	for _, word := range strings.SplitAfter(text, " ") {
		name := strings.TrimRight(word, " .,")
		if name != "" && name[0] >= 'A' && name[0] <= 'Z' {
			list = append(list, texts.Entity{Label: "NAME", Score: 0.9, Start: at, End: at + len(name)})
		}
		at += len(word)
	}
	return list
}
