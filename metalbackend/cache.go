package metalbackend

import "inglenook/engine"

// CacheMemory returns the memory of a cache, allocated now if there is none.
func (b *Backend) CacheMemory(t *engine.Tensor) (engine.Buffer, error) {
	return t.Memory(b.device.ID, b.allocCache)
}

// CacheLayout returns the name of the layout of a cache's rows.
func (b *Backend) CacheLayout() string { return "rows" }

// allocCache returns zeroed memory. A command buffer wires all of it at its first
// use, so that leaving pages untouched would save nothing.
func (b *Backend) allocCache(bytes int) (engine.Buffer, error) {
	m, err := b.newMemory("a cache", bytes)
	if err != nil {
		return nil, err
	}
	clear(m.Bytes())
	return m, nil
}
