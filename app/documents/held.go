package documents

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/documents/store"
	"inglenook/pipeline"
)

// Held is how weights are held for the vectors of a collection: chosen once, by a check
// on its own passages, and kept, so that its vectors do not mix with others.
type Held struct {
	Weights string  `json:"weights"`           // as in the flag --weights
	Checked int     `json:"checked,omitempty"` // passages that were embedded in both ways; 0: not checked
	Times   float64 `json:"times,omitempty"`   // how often as fast 8 bits were
	Alike   float64 `json:"alike,omitempty"`   // the smallest cosine between the vectors of both
}

const (
	// onProcessor is how the processor holds weights for documents where that is safe.
	onProcessor = "q8_0"
	asInFile    = "auto"

	heldKey = "weights" // map[string]Held: of the vectors of each embedder id

	checkedTexts = 8               // at most
	checkTime    = 3 * time.Second // after which no more are begun
	alikeEnough  = 0.999
	fasterEnough = 1.05
)

// About says in a sentence how weights are held and why, "" where that was not checked.
func (h Held) About() string {
	switch percent := math.Floor(h.Alike*1e4) / 100; {
	case h.Checked == 0:
		return ""
	case h.Weights == onProcessor && h.Checked == 1: // too little to time
		return fmt.Sprintf("The model reads in 8 bits: results were %.2f %% alike on the first passage.", percent)
	case h.Weights == onProcessor:
		return fmt.Sprintf("The model reads in 8 bits: %.1f times as fast, and results were %.2f %% alike on the first %d passages.", h.Times, percent, h.Checked)
	case h.Alike < alikeEnough:
		return fmt.Sprintf("The model reads as it is in its file: in 8 bits results were only %.2f %% alike on the first %d passages.", percent, h.Checked)
	}
	return fmt.Sprintf("The model reads as it is in its file: 8 bits were not faster on the first %d passages.", h.Checked)
}

func heldOf(c store.Collection) map[string]Held {
	held := map[string]Held{}
	_ = json.Unmarshal(c.Setting(heldKey), &held)
	return held
}

// heldFor returns how weights are held for the vectors that the collections have of a
// model with its files as they are, the zero Held where nothing is noted.
func heldFor(ctx context.Context, entry library.Entry, from []store.Collection) (Held, error) {
	print, err := entry.Fingerprint(ctx)
	if err != nil {
		return Held{}, err
	}
	for _, c := range from {
		for id, h := range heldOf(c) {
			if strings.HasPrefix(id, idOf(entry, print)) {
				return h, nil
			}
		}
	}
	return Held{}, nil
}

// settled reports whether there is nothing to decide: the collection has vectors of this
// embedder already, perhaps of an earlier version that noted nothing.
func settled(ctx context.Context, c store.Collection, id string) (bool, error) {
	sets, err := c.Sets(ctx)
	return len(sets) > 0 && sets[0].Embedder == id, err
}

// settle decides on the first passages how weights are held for a collection that has no
// vectors yet, and notes it. Weights that were asked for, and those on a device other
// than the processor, are noted without a check.
func (s *Service) settle(ctx context.Context, c store.Collection, e *embedder, passages []string) error {
	if _, known := heldOf(c)[e.id]; known {
		return nil
	}
	h := Held{Weights: e.weights}
	if e.chosen {
		var err error
		if h, err = s.check(ctx, e, passages); err != nil {
			return err
		}
	}
	err := changeJSON(c, heldKey, func(held map[string]Held) map[string]Held {
		if first, known := held[e.id]; known { // another computer was faster
			h = first
			return held
		}
		if held == nil {
			held = map[string]Held{}
		}
		held[e.id] = h
		return held
	})
	if err != nil || h.Weights == e.weights {
		return s.sentence(err)
	}
	return s.holdAs(ctx, e, h.Weights)
}

// holdAs has an embedder go on with weights that are held in another way.
func (s *Service) holdAs(ctx context.Context, e *embedder, weights string) error {
	if !e.chosen {
		return otherWeights(weights)
	}
	t := devices.Target{Device: "cpu", Hold: devices.Hold{Weights: weights}}
	open, err := s.pool.OpenEmbedder(ctx, e.entry, t, pipeline.EmbedderOptions{Weights: weights}, nil)
	if err != nil {
		return err
	}
	e.change(open, weights)
	return nil
}

// otherWeights refuses to add vectors of weights that are held in another way.
func otherWeights(held string) error {
	return fmt.Errorf("the vectors of this collection were made with weights held as %s, and others do not mix with them; leave --weights out, or index into another collection", held)
}

// check embeds some passages both in 8 bits and as in the file, in turn, and leaves e
// with what is to be kept. Where the second model does not fit into memory, 8 bits stay,
// unchecked.
func (s *Service) check(ctx context.Context, e *embedder, passages []string) (Held, error) {
	eight := Held{Weights: onProcessor}
	t := devices.Target{Device: "cpu", Hold: devices.Hold{Weights: asInFile}}
	plain, err := s.pool.OpenEmbedder(ctx, e.entry, t, pipeline.EmbedderOptions{Weights: asInFile}, nil)
	if err != nil {
		if ctx.Err() != nil {
			return Held{}, ctx.Err()
		}
		s.log.Warn("8 bits are not checked", "model", e.entry.ID, "error", err)
		return eight, nil
	}
	var took [2]time.Duration
	eight.Alike = 1
	began := time.Now()
	for _, text := range passages[:min(len(passages), checkedTexts)] {
		var vectors [2][]float32
		for i, model := range []pipeline.Embedder{e.open.Model, plain.Model} {
			start := time.Now()
			got, err := model.Embed(ctx, []string{text}, e.prompts.passage)
			if err != nil {
				plain.Release()
				return Held{}, err
			}
			vectors[i] = got.Vectors[0]
			if eight.Checked > 0 { // the first text warms both up
				took[i] += time.Since(start)
			}
		}
		eight.Checked++
		eight.Alike = min(eight.Alike, cosine(vectors[0], vectors[1]))
		if time.Since(began) > checkTime {
			break
		}
	}
	if took[0] > 0 {
		eight.Times = took[1].Seconds() / took[0].Seconds()
	}
	if eight.keeps() {
		plain.Release()
		return eight, nil
	}
	e.change(plain, asInFile)
	eight.Weights = asInFile
	return eight, nil
}

// keeps reports whether a check speaks for 8 bits. A single text is too little to time.
func (h Held) keeps() bool {
	return h.Alike >= alikeEnough && (h.Checked < 2 || h.Times >= fasterEnough)
}

// cosine returns the cosine between two vectors, 0 if one of them has no direction.
func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i, x := range a {
		y := b[i]
		dot, aa, bb = dot+float64(x)*float64(y), aa+float64(x)*float64(x), bb+float64(y)*float64(y)
	}
	if length := math.Sqrt(aa * bb); length > 0 {
		return dot / length
	}
	return 0
}
