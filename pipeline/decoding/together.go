package decoding

import (
	"context"
	"slices"

	"inglenook/engine"
	"inglenook/models"
)

// MostSequences is how many texts one model writes at once at most.
const MostSequences = 32

// Alone reports whether the model reads one sequence only.
func (d *Decoder) Alone() bool { return d.model.Alone() }

// Sequences gives the decoder a cache for each of so many sequences. They take no memory
// before they are used.
func (d *Decoder) Sequences(n int) error {
	for len(d.others) < n-1 {
		c, err := d.model.NewCache(d.cache.Keys[0].DType, d.context)
		if err != nil {
			return err
		}
		d.others = append(d.others, c)
	}
	return nil
}

// read is what one sequence reads in a pass.
type read struct {
	sequence int
	past     int
	ids      []int32
	scores   int // of the last ids
}

// cacheOf returns the cache of a sequence, which then holds past tokens.
func (d *Decoder) cacheOf(r read) *models.Cache {
	c := d.cache
	if r.sequence > 0 {
		c = d.others[r.sequence-1]
	}
	c.Len = r.past
	return c
}

// extend is Extend for several sequences. The scores follow one another in d.values. Either
// each read wants scores, or there is one read alone.
func (d *Decoder) extend(ctx context.Context, reads []read) error {
	past := 0
	for _, r := range reads {
		past = max(past, r.past)
	}
	if err := d.arrive(past); err != nil {
		return err
	}
	if err := d.run(ctx, d.recordReads(reads), reads[0].scores > 0); err != nil {
		return err
	}
	for _, r := range reads {
		d.cacheOf(r).Advance()
	}
	return nil
}

// recordReads records the pass of several sequences, as Record does for one.
func (d *Decoder) recordReads(reads []read) *engine.Tensor {
	d.Graph.Reset()
	d.wanted = d.wanted[:0]
	parts := make([]models.Part, len(reads))
	end := 0
	for i, r := range reads {
		parts[i] = models.Part{Tokens: r.ids, Cache: d.cacheOf(r)}
		end += len(r.ids)
		for row := end - max(r.scores, 1); row < end; row++ {
			d.wanted = append(d.wanted, int32(row))
		}
	}
	out := models.Hidden
	if reads[0].scores > 0 {
		out = models.Logits
	}
	if len(reads) == 1 {
		in := models.Input{Tokens: reads[0].ids}
		return d.Graph.Want(d.model.Forward(d.Graph, in, parts[0].Cache, d.wanted, out))
	}
	return d.Graph.Want(d.model.Together(d.Graph, parts, d.wanted, out))
}

// sameKind reports whether reads can share a pass: each is short and wants scores.
func sameKind(a, b read) bool {
	return !slices.ContainsFunc([]read{a, b}, func(r read) bool { return r.scores == 0 || len(r.ids) > mostShared })
}

// mostShared is how many ids a sequence reads at most in a pass that it shares: a token and
// guesses, or the end of a prompt. More would make the others wait.
const mostShared = 16
