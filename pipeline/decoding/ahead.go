package decoding

import (
	"context"
	"errors"
	"fmt"

	"github.com/dustin/go-humanize"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/memory"
	"inglenook/pipeline/placement"
)

// Ahead is the head of a decoder that guesses tokens, as a predictor of its own: its scores are
// those of the token after the next one. While it is on, each pass of the decoder has the head
// read the tokens too. What it reads of its own guesses is read again by the next such pass.
type Ahead struct {
	History *History // of the head

	decoder *Decoder
	guesser models.Guesser
	cache   *models.Cache
	graph   *engine.Graph
	on      bool

	// Entry i of the cache is of the token first+1+i: a head does not read the first token.
	first, entries int
	ids            []int32   // that the model has read
	states         []float32 // after the last ones of them [some, hidden]

	next   []float32 // the state from which the head guesses on
	at     int       // at the token with this number
	scores []float32
}

// Guesses returns an error of one sentence where the model has no head that guesses.
func (d *Decoder) Guesses() error {
	if _, ok := d.model.(models.Guesser); !ok {
		return errors.New("this checkpoint has no head that guesses what comes next, or an incomplete one, so there are no guesses; choose lookup, or a smaller model that guesses")
	}
	return nil
}

// RoomAhead returns an error of one sentence where there is no memory for the head, which has
// not been used yet. The model has one.
func (d *Decoder) RoomAhead() error {
	free := d.List.Free()
	if d.ahead != nil || free <= 0 {
		return nil
	}
	need, err := d.aheadNeeds()
	if err == nil && need > free {
		err = fmt.Errorf("the head that guesses what comes next needs %s of memory and %s are free, so there are no guesses; close other programs or models, or choose lookup", humanize.Bytes(uint64(need)), humanize.Bytes(uint64(free)))
	}
	return err
}

// aheadNeeds returns the bytes of the computer's memory that the head takes beside its model:
// its weights and its cache of the whole context.
func (d *Decoder) aheadNeeds() (int64, error) {
	g := d.model.(models.Guesser)
	cache, err := g.NewAhead(d.cache.Keys[0].DType, d.context)
	if err != nil {
		return 0, err
	}
	graph := engine.NewGraph()
	defer graph.Close()
	scores, next := g.Guess(graph, cache, 0, 0, make([]float32, d.model.Config().Hidden))
	if err := graph.Err(); err != nil {
		return 0, err
	}
	graph.Want(scores)
	graph.Want(next)
	needs, _, err := memory.Weigh(graph, d.List.Backends, 0)
	d.Record(0, []int32{0}, 1)
	own := weightsOf(d.Graph)
	for w := range weightsOf(graph) {
		if own[w] { // the table of words and the output layer
			needs.Weights -= int64(w.Bytes())
		}
	}
	return max(0, needs.Host()-needs.Text), err
}

// Guessed has the model's head read what the model reads from now on, and returns what it has
// read. The model has one.
func (d *Decoder) Guessed() (*History, error) {
	if d.ahead == nil {
		g := d.model.(models.Guesser)
		cache, err := g.NewAhead(d.cache.Keys[0].DType, d.context)
		if err != nil {
			return nil, fmt.Errorf("the head that guesses what comes next has no cache: %w", err)
		}
		d.ahead = &Ahead{decoder: d, guesser: g, cache: cache, graph: engine.NewGraph()}
		d.ahead.History = NewHistory(d.ahead, d.context, d.context)
	}
	if a := d.ahead; !a.on {
		a.on = true
		a.forget()
	}
	return d.ahead.History, nil
}

// Unguessed ends that.
func (d *Decoder) Unguessed() {
	if d.ahead != nil {
		d.ahead.on = false
	}
}

// forget forgets what was read; the cache keeps its memory.
func (a *Ahead) forget() {
	a.first, a.entries, a.ids, a.states, a.at = 0, 0, a.ids[:0], a.states[:0], 0
	a.History.IDs = a.History.IDs[:0]
}

// wants returns what the head wants of a pass of its decoder that reads ids behind past
// others; nil: it is off.
func (a *Ahead) wants(past int, ids []int32) *models.Ahead {
	if a == nil || !a.on {
		return nil
	}
	w := &models.Ahead{Cache: a.cache}
	entry := past - a.first - 1 // of the first of ids
	switch {
	case past > len(a.ids) || entry < 0 || entry > a.entries: // tokens before are unknown to it
		a.first, a.entries = past, 0
		w.Skip = 1
	default:
		before, known := a.state(past - 1)
		if !known && entry < a.entries && past < len(a.ids) && a.ids[past] == ids[0] {
			entry, w.Skip = entry+1, 1 // it has read this token, when it knew the state before
		}
		w.Before, a.entries = before, entry
	}
	a.cache.Len, a.at = a.entries, 0
	kept := min(past, len(a.ids))
	a.ids, a.states = a.ids[:kept], a.states[:0]
	for len(a.ids) < past { // they are not known, and nothing is looked up there
		a.ids = append(a.ids, -1)
	}
	return w
}

// state returns the state after a token that the model has read, if it is kept.
func (a *Ahead) state(token int) (state []float32, known bool) {
	hidden := a.decoder.model.Config().Hidden
	i := token - (len(a.ids) - len(a.states)/hidden)
	if i < 0 || token >= len(a.ids) {
		return nil, false
	}
	return append([]float32(nil), a.states[i*hidden:][:hidden]...), true
}

// saw takes what a pass of the decoder did for the head.
func (a *Ahead) saw(w *models.Ahead, ids []int32) (err error) {
	a.states, err = a.decoder.Graph.AppendResult(a.states[:0], w.States)
	a.ids = append(a.ids, ids...)
	a.entries += len(ids) - w.Skip
	return err
}

// Extend implements Predictor. All ids but the last are those that the decoder has read, or
// guesses of the head.
func (a *Ahead) Extend(ctx context.Context, past int, ids []int32, scores int) ([]float32, error) {
	if scores == 0 {
		return nil, nil
	}
	at := past + len(ids) - 1
	state, known := a.next, at == a.at
	if !known { // not a guess after a guess
		state, known = a.state(at - 1)
	}
	if entry := at - a.first - 1; !a.on || !known || entry < 0 {
		return nil, errors.New("the state before a token is not known")
	} else {
		a.cache.Len = entry
	}
	a.graph.Reset()
	list, next := a.guesser.Guess(a.graph, a.cache, ids[len(ids)-1], at, state)
	if err := a.graph.Err(); err != nil {
		return nil, err
	}
	list, next = a.graph.Want(list), a.graph.Want(next)
	if _, err := a.graph.Run(ctx, a.decoder.List.Backends...); err != nil {
		return nil, err
	}
	var err error
	if a.scores, err = a.graph.AppendResult(a.scores[:0], list); err != nil {
		return nil, err
	}
	if a.next, err = a.graph.AppendResult(a.next[:0], next); err != nil {
		return nil, err
	}
	a.at = at + 1
	return a.scores, nil
}

// Recovers implements Predictor: the answer goes on without guesses.
func (a *Ahead) Recovers(error) bool { return false }

// Notices implements Predictor.
func (a *Ahead) Notices() []string { return nil }

// Ran implements Predictor. Where the head runs, its decoder tells.
func (a *Ahead) Ran(bool) placement.Outcome { return placement.Outcome{} }

// Close implements Predictor.
func (a *Ahead) Close() error { return errors.Join(a.graph.Close(), a.release()) }

// release empties the cache.
func (a *Ahead) release() error {
	if a == nil {
		return nil
	}
	a.forget()
	return a.cache.Release()
}
