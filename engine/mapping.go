package engine

// Mapper is a weight's source that is also mapped in memory, byte by byte as
// stored.
type Mapper interface {
	// Map returns the mapping of the file and the weight's offset in it, nil if
	// there is none. The caller releases the mapping.
	Map() (Mapping, int64)
}

// Mapping is a memory-mapped file, for devices that read it in place. The host
// reads weights through [Tensor.Source] instead: touching memory beyond the end
// of a truncated file would end the program, and only the owner of the mapping
// guards against that. So Mapping returns an address, not bytes.
type Mapping interface {
	// Address returns where the file begins in memory, at the start of a page,
	// and its length in bytes.
	Address() (address uintptr, bytes int64)
	// Changed returns an error once the file differs from what was opened.
	Changed() error
	// Release gives up the mapping. It is unmapped when all its holders have
	// done so.
	Release() error
}

// Mapping returns the memory-mapped file of a weight's bytes and their offset,
// nil if they are not mapped. The caller releases it.
func (t *Tensor) Mapping() (Mapping, int64) {
	if t.weight == nil {
		return nil, 0
	}
	if s, ok := t.weight.src.(*weightSource); ok {
		if m, ok := s.from.(Mapper); ok {
			return m.Map()
		}
	}
	return nil, 0
}
