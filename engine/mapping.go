package engine

// Mapper is a weight's source whose bytes lie in memory just as they are stored.
type Mapper interface {
	// Map returns the mapping of the file and where the weight begins in it, nil
	// where there is none. The caller releases the mapping.
	Map() (Mapping, int64)
}

// Mapping is a file in memory, for devices that read it in place. The host reads
// weights through [Tensor.Source] instead: touching memory behind the end of a
// file that was cut short would end the program, and only the owner of the
// mapping guards against that. So it returns an address, not bytes.
type Mapping interface {
	// Address is where the file begins in memory, at the start of a page, and how
	// many bytes it has.
	Address() (address uintptr, bytes int64)
	// Changed is an error once the file is no longer what it was when opened.
	Changed() error
	// Release gives up the mapping. It stays until everyone who has it has done so.
	Release() error
}

// Mapping returns the file in which a weight's bytes lie in memory, and their offset,
// nil where they do not. The caller releases it.
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
