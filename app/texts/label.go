package texts

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/pipeline"
	"inglenook/pipeline/labels"
	"inglenook/plain"
	"inglenook/vecmath"
)

// How a label becomes a sentence, which stands closer to a text or a picture than a bare word.
const (
	TextSentence    = "This is about {}."
	PictureSentence = "This is a photo of {}."

	FeelingSentence   = "The writer feels {}." // of labels that name feelings
	StatementSentence = "{}"                   // of labels that are sentences already
)

// A softmax turns the cosines of labels, times a scale, into shares of 1. The scale for texts is
// that of the loss by which sentence-transformers trains most embedders. The one for pictures is
// that of CLIP, whose training ends at it. SigLIP was trained to judge each text by itself, so its
// labels have probabilities that do not depend on each other.
const (
	TextScale    = 20
	PictureScale = 100
)

// label gives texts and pictures a person's own labels: an embedder reads the labels as
// sentences, and a text has the more of a label the closer it is to its sentence.
func (t *Service) label(ctx context.Context, r ClassifyRequest, report func(base.Progress)) (ClassifyResult, error) {
	names, notes, err := ownLabels(r.Labels)
	if err != nil {
		return ClassifyResult{}, err
	}
	if r.Sentence != "" && strings.Count(r.Sentence, "{}") != 1 {
		return ClassifyResult{}, fmt.Errorf("the sentence %q has no single place for a label; write {} once where the label goes", r.Sentence)
	}
	ctx, done, err := t.life.Begin(ctx)
	if err != nil {
		return ClassifyResult{}, err
	}
	defer done()
	e, err := t.library.Usable(ctx, r.Model)
	if err != nil {
		return ClassifyResult{}, err
	}
	if e.Kind == library.KindReranker || e.Classifies == "labels" || e.Classifies == "entities" {
		return ClassifyResult{}, fmt.Errorf("%s has results of its own and takes no other labels; choose an embedding model for these, or leave the labels out", e.Name)
	}
	got, err := t.embedUnknown(ctx, r, e.Task(library.TaskLabels), report)
	if err != nil {
		return ClassifyResult{}, err
	}
	out := ClassifyResult{
		Kind: labels.Softmax, Names: names, Tokens: got.Tokens, Truncated: got.Truncated, Took: got.Took, Model: got.Model,
		Device: got.Device, Fallbacks: got.Fallbacks, Notices: got.Notices, Notes: append(notes, got.Notes...), Match: got.Match,
	}
	if got.Match != nil && !slices.Contains(r.Pictures, "") && len(r.Pictures) == len(r.Texts) {
		out.Kind = labels.Sigmoid
	}
	near := map[bool]closeness{} // to texts, and to pictures
	items := normalized(got.Vectors)
	if !anyPicture(r.Pictures) {
		out.Vectors = items
	}
	for i := range r.Texts {
		picture := isPicture(r.Pictures, i)
		if _, read := near[picture]; !read {
			c := closeness{names: names, sentence: r.SentenceFor(picture), scale: TextScale}
			sentences := inSentence(c.sentence, names)
			if picture {
				c.scale, c.match = PictureScale, got.Match
			} else if r.Compare {
				sentences = append(sentences, inSentence(c.sentence, otherLabels)...)
			}
			asked, err := t.Embed(ctx, EmbedRequest{Model: r.Model, Target: r.Target, Task: e.Task(library.TaskLabels), Texts: sentences}, inLabels(report))
			if err != nil {
				return ClassifyResult{}, err
			}
			c.vectors = normalized(asked.Vectors)
			c.vectors, c.others = c.vectors[:len(names)], c.vectors[len(names):]
			if !picture {
				c.learn(items, r.Texts, r.Pictures, r.Examples)
			}
			near[picture] = c
			if out.Device == "" { // nothing else was computed
				out.Model, out.Device = asked.Model, asked.Device
			}
			out.Took += asked.Took
			out.Fallbacks, out.Notices = union(out.Fallbacks, asked.Fallbacks), union(out.Notices, asked.Notices)
		}
		list, cosines := near[picture].of(items[i])
		out.Labels, out.Cosines = append(out.Labels, list), append(out.Cosines, cosines)
		if r.Compare {
			out.NoneFits = append(out.NoneFits, near[picture].noneFits(items[i], cosines[0]))
		}
	}
	return out, nil
}

// inLabels reports progress with labels as its unit.
func inLabels(report func(base.Progress)) func(base.Progress) {
	return func(p base.Progress) {
		if p.Unit == "texts" {
			p.Unit = "labels"
		}
		if report != nil {
			report(p)
		}
	}
}

// union appends what is not there yet.
func union[T comparable](list, more []T) []T {
	for _, x := range more {
		if !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

// SentenceFor is how a label becomes a sentence for a text, or for a picture.
func (r ClassifyRequest) SentenceFor(picture bool) string {
	standard := TextSentence
	if picture {
		standard = PictureSentence
	}
	return cmp.Or(r.Sentence, standard)
}

// ownLabels are labels without white space around them. There are several, each once; notes
// say which were given more often.
func ownLabels(list []string) (names, notes []string, _ error) {
	known := map[string]bool{}
	for _, name := range list {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if known[name] {
			notes = union(notes, []string{fmt.Sprintf("The label “%s” was given twice and counts once.", plain.Line(name, 60))})
			continue
		}
		known[name] = true
		names = append(names, name)
	}
	if len(names) < 2 {
		return nil, nil, errors.New("a single label has nothing to be told from; give at least two labels")
	}
	return names, notes, nil
}

// inSentence makes a sentence of each label.
func inSentence(sentence string, names []string) []string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = strings.ReplaceAll(sentence, "{}", name)
	}
	return list
}

// closeness judges by how close a text or a picture is to the sentences of labels.
type closeness struct {
	names    []string
	sentence string
	scale    float64
	match    *pipeline.Match // in place of a softmax, or nil
	vectors  [][]float32     // [labels, dimension], of the sentences, each of length 1
	others   [][]float32     // those of labels about something else; empty: not asked for
	learned  []lesson        // of labels, from examples; nil: there are none
}

// noneFits reports whether the best label is no closer to a text than labels about something else. What labels learned
// takes no text away from all of them: one that a label fits by its words has one.
func (c closeness) noneFits(vector []float32, best float32) bool {
	if c.learned != nil {
		best = max(best, c.byWords(vector))
	}
	cosines := make([]float32, len(c.others))
	for i, v := range c.others {
		cosines[i] = float32(vecmath.Dot(vector, v))
	}
	slices.Sort(cosines)
	return len(cosines) > 1 && best <= cosines[len(cosines)-2] // the highest may fit by chance
}

// of returns the labels with their shares for a vector of length 1, the largest first, and the
// cosines in the same order.
func (c closeness) of(vector []float32) ([]Label, []float32) {
	all := make([]Neighbour, len(c.names))
	for i, v := range c.vectors {
		all[i] = Neighbour{i, float32(vecmath.Dot(vector, v) + c.lesson(i, vector))}
	}
	bestFirst(all)
	kind := labels.Softmax
	names, cosines, scaled := make([]string, len(all)), make([]float32, len(all)), make([]float32, len(all))
	for i, one := range all {
		names[i], cosines[i], scaled[i] = c.names[one.Index], one.Score, one.Score*float32(c.scale)
		if m := c.match; m != nil {
			kind, scaled[i] = labels.Sigmoid, float32(float64(one.Score)*m.Scale+m.Bias)
		}
	}
	return labels.Of(scaled, names, kind), cosines
}
