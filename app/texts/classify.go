package texts

import (
	"context"
	"errors"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/pipeline/labels"
)

// ClassifyRequest asks for the labels of texts.
type ClassifyRequest struct {
	Model string
	devices.Target
	Texts    []string
	Pictures []string // path of each that is a picture and whose text is its name, else ""; nil: none is
	Labels   []string // a person's own, for a model that makes vectors; nil: what the model gives by itself
	Sentence string   // of Labels, with {} in the place of a label; "": TextSentence, or PictureSentence
	Compare  bool     // texts are compared with labels about something else too

	Vectors  [][]float32    // of Texts, as a result of the same model has them; those that are nil are computed; nil: all are
	Examples map[int]string // the labels that a person gave some of Texts: labels learn from them
}

type (
	Label  = pipeline.Label
	Entity = pipeline.Entity
)

// ClassifyResult has what a classifier gives each text: labels, the largest first, entities in
// the order of the text, or for each of its gaps the most probable words.
type ClassifyResult struct {
	Labels    [][]Label
	Names     []string    // of a person's own labels, in the person's order; nil: they are none
	Cosines   [][]float32 // of each text with the sentences of its labels; nil: they are no person's own
	NoneFits  []bool      // of each text, whether no label is closer to it than labels about something else; nil: not asked for
	Vectors   [][]float32 // of each text, of length 1; nil: the labels are no person's own, or there are pictures
	Numbers   []int       // of each text, as it is exported; nil: from 1 on
	Entities  [][]Entity
	Words     [][][]Label
	Match     *pipeline.Match // of pictures: each label is judged by itself; nil: the shares of a picture's labels add up to 1
	Kind      string          // what the numbers of labels are: "softmax", "sigmoid" or "values"; "entities" or "words"
	Tokens    []int
	Truncated []bool
	Took      time.Duration
	Model     library.Model
	Device    string
	Fallbacks []engine.Fallback
	Notices   []string // as in EmbedResult
	Notes     []string
}

// Classify gives texts labels, marks entities in them, or fills their gaps, whatever the model is
// for. Texts and pictures get a person's own labels from a model that makes vectors of them.
func (t *Service) Classify(ctx context.Context, r ClassifyRequest, report func(base.Progress)) (ClassifyResult, error) {
	if len(r.Texts) == 0 {
		return ClassifyResult{}, errors.New("there is nothing to classify; give at least one text")
	}
	if r.Labels != nil {
		return t.label(ctx, r, report)
	}
	if anyPicture(r.Pictures) {
		return ClassifyResult{}, errors.New("pictures have no labels by themselves; give the labels to choose from")
	}
	open := func(ctx context.Context, e library.Entry) (pool.Opened[*pipeline.Classifier], error) {
		return t.pool.OpenClassifier(ctx, e, r.Target, report)
	}
	return with(ctx, t, r.Model, t.library.Usable, open, func(ctx context.Context, e library.Entry, open pool.Opened[*pipeline.Classifier]) (ClassifyResult, error) {
		got, err := open.Model.Classify(ctx, r.Texts, base.NewStage(base.StageScoring, "texts", report).Texts)
		if err != nil {
			return ClassifyResult{}, base.InContext(ctx, err)
		}
		notices := append(open.Notices, got.Notices...)
		t.devices.LogWork("classify", e.ID, got.Device, len(r.Texts), got.Took, got.Fallbacks, notices)
		t.devices.Note(devices.Work{Job: "classify", Model: e.ID, Took: got.Took}, got.Profile)
		return ClassifyResult{
			Labels: got.Labels, Entities: got.Entities, Words: whole(r.Texts, got.Words), Kind: got.Kind, Tokens: got.Tokens, Truncated: got.Truncated, Took: got.Took,
			Model: e.Model, Device: got.Device, Fallbacks: got.Fallbacks, Notices: notices,
			Notes: append(cutNotes(open.Model.MaxLength(), got.Truncated), got.Notes...),
		}, nil
	})
}

// whole shows pieces of words for gaps as whole words.
func whole(texts []string, words [][][]Label) [][][]Label {
	for i, gaps := range words {
		for gap, list := range gaps {
			for k := range list {
				list[k].Name = labels.Whole(texts[i], gap, list[k].Name)
			}
		}
	}
	return words
}
