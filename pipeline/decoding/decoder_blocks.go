package decoding

import (
	"errors"

	"inglenook/engine"
	"inglenook/models"
)

// decoderBlocks are the caches of a decoder, on whatever device they are.
type decoderBlocks struct {
	engine.CacheBlocks
	cache *models.Cache
}

func (c decoderBlocks) Size() (form string, bytes, count int) { return c.Form, c.Bytes, c.Count }

// Blocks implements BlockKeeper. A device that has left the list no longer
// holds anything that was read.
func (d *Decoder) Blocks() (Blocks, error) {
	if d.List.Moved() {
		return nil, errForgotten
	}
	if d.model.Config().TextToText { // a row is not a token of what was read
		return nil, engine.ErrCacheStays
	}
	d.Record(0, []int32{0}, 0)
	c, err := d.Graph.CacheBlocks(d.List.Backends...)
	if err != nil {
		return nil, err
	}
	return decoderBlocks{c, d.cache}, nil
}

// StateSize implements StateBlocks.
func (c decoderBlocks) StateSize() int { return c.StateBytes }

// States implements StateBlocks.
func (c decoderBlocks) States() (tokens []int, alone []bool) { return c.cache.Kept() }

// ForgetStates implements StateBlocks.
func (c decoderBlocks) ForgetStates(n int) { c.cache.Forget(n) }

// ReadState implements StateBlocks.
func (c decoderBlocks) ReadState(tokens int, to []byte) error {
	row := c.cache.StateRow(tokens)
	if row < 0 {
		return errNoState
	}
	return c.CacheBlocks.ReadState(row, to)
}

// WriteState implements StateBlocks.
func (c decoderBlocks) WriteState(tokens int, from []byte) error {
	return c.cache.PutState(tokens, func(row int) error { return c.CacheBlocks.WriteState(row, from) })
}

var errNoState = errors.New("this state is not kept any more")
