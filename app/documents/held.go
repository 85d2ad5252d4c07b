package documents

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"inglenook/app/devices"
	"inglenook/app/held"
	"inglenook/app/library"
	"inglenook/documents/store"
	"inglenook/pipeline"
)

// Held is how weights are held for the vectors of a collection: chosen once, by a check
// on its own passages, and kept, so that its vectors do not mix with others.
type Held = held.Held

const heldKey = "weights" // map[string]Held: of the vectors of each embedder id

func heldOf(c store.Collection) map[string]Held {
	all := map[string]Held{}
	_ = json.Unmarshal(c.Setting(heldKey), &all)
	return all
}

// heldFor returns how weights are held for the vectors that the collections have of a
// model with its files as they are, the zero Held where nothing is noted.
func heldFor(ctx context.Context, entry library.Entry, from []store.Collection) (Held, error) {
	if entry.Elsewhere() {
		return Held{}, nil
	}
	print, err := entry.Fingerprint(ctx)
	if err != nil {
		return Held{}, err
	}
	for _, c := range from {
		for id, h := range heldOf(c) {
			if strings.HasPrefix(id, idOf(entry.Name, print)) {
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
	err := changeJSON(c, heldKey, func(all map[string]Held) map[string]Held {
		if first, known := all[e.id]; known { // another computer was faster
			h = first
			return all
		}
		if all == nil {
			all = map[string]Held{}
		}
		all[e.id] = h
		return all
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
func otherWeights(weights string) error {
	return fmt.Errorf("the vectors of this collection were made with weights held as %s, and others do not mix with them; leave --weights out, or index into another collection", weights)
}

// check embeds some passages both in 8 bits and as in the file, in turn, and leaves e
// with what is to be kept. Where the second model does not fit into memory, 8 bits stay,
// unchecked.
func (s *Service) check(ctx context.Context, e *embedder, passages []string) (Held, error) {
	t := devices.Target{Device: "cpu", Hold: devices.Hold{Weights: held.AsInFile}}
	plain, err := s.pool.OpenEmbedder(ctx, e.entry, t, pipeline.EmbedderOptions{Weights: held.AsInFile, Task: e.entry.Task(e.task)}, nil)
	if err != nil {
		if ctx.Err() != nil {
			return Held{}, ctx.Err()
		}
		s.log.Warn("8 bits are not checked", "model", e.entry.ID, "error", err)
		return Held{Weights: held.EightBits}, nil
	}
	h, err := held.Compare(ctx, passages, e.reader(e.open.Model), e.reader(plain.Model), held.Vectors)
	if err != nil || h.Good() {
		plain.Release()
		return h, err
	}
	e.change(plain, held.AsInFile)
	return h, nil
}

// reader returns the vectors of a model for passages.
func (e *embedder) reader(model pipeline.Embedder) held.Reader {
	return func(ctx context.Context, text string) ([]float32, error) {
		got, err := model.Embed(ctx, []string{text}, e.prompts.passage)
		if err != nil {
			return nil, err
		}
		return got.Vectors[0], nil
	}
}
