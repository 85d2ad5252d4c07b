package pipeline

import "inglenook/engine"

// decoderBlocks are the caches of a decoder, on whatever device they are.
type decoderBlocks struct{ engine.CacheBlocks }

func (c decoderBlocks) size() (form string, bytes, count int) { return c.Form, c.Bytes, c.Count }

// blocks implements blockKeeper. On a device that has left the list, nothing that
// was read is held any more.
func (d *decoder) blocks() (memoryBlocks, error) {
	if d.on.Moved() {
		return nil, errForgotten
	}
	d.record(0, []int32{0}, false)
	c, err := d.graph.CacheBlocks(d.on.Backends...)
	if err != nil {
		return nil, err
	}
	return decoderBlocks{c}, nil
}
