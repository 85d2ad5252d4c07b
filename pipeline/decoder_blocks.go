package pipeline

import "inglenook/engine"

// causalBlocks are the caches of a decoder, on whatever device they are.
type causalBlocks struct{ engine.CacheBlocks }

func (c causalBlocks) size() (form string, bytes, count int) { return c.Form, c.Bytes, c.Count }

// blocks implements blockKeeper. On a device that has left the list, nothing that
// was read is held any more.
func (p *causal) blocks() (memoryBlocks, error) {
	if p.on.moved() {
		return nil, errForgotten
	}
	p.record(0, []int32{0}, false)
	c, err := p.graph.CacheBlocks(p.on.backends...)
	if err != nil {
		return nil, err
	}
	return causalBlocks{c}, nil
}
