package decoding

import "inglenook/engine"

// decoderBlocks are the caches of a decoder, on whatever device they are.
type decoderBlocks struct{ engine.CacheBlocks }

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
	return decoderBlocks{c}, nil
}
