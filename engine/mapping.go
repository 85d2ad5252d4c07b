package engine

import (
	"io"
	"os"
)

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

// FileMapping is the Mapping of a file that can be read at its offsets as well.
type FileMapping interface {
	Mapping
	// File returns the file, which stays open until Release.
	File() *os.File
}

// place is where the matrices of a weight lie in a file.
type place struct {
	source        io.ReaderAt // has the mapping of the stored tensor; nil in an outline
	first, stride int64       // bytes of the stored tensor before the first matrix, and from each to the next
	left          bool
}

// SetPlace says that the matrices of a weight lie in its file byte by byte: the first
// one so many bytes from the start of the stored tensor, and each stride bytes after
// the one before. source is the stored tensor's, a [Mapper], or nil for a weight without
// data.
func (t *Tensor) SetPlace(source io.ReaderAt, first, stride int64) {
	t.weight.place = &place{source: source, first: first, stride: stride}
}

// LeaveInFile leaves the matrices of a weight in their file, or not any more. A backend
// that can reads those that it multiplies, each time, and keeps no copy of any. It
// reports whether the weight is left there; one whose bytes are not stored as they are
// read, or not in a mapped file, is not. Nothing may be prepared of the weight.
func (t *Tensor) LeaveInFile(leave bool) bool {
	if t.weight == nil || t.weight.place == nil {
		return false
	}
	p := t.weight.place
	p.left = leave
	if p.left && p.source != nil {
		m, _, _ := t.File()
		if p.left = m != nil; p.left {
			_ = m.Release()
		}
	}
	return p.left
}

// InFile reports whether the matrices of a weight are left in their file.
func (t *Tensor) InFile() bool {
	return t.weight != nil && t.weight.place != nil && t.weight.place.left
}

// File returns the file in which the matrices of a weight lie, where the first one begins
// in it, and how far each is from the one before; nil if they lie in none. The caller
// releases it.
func (t *Tensor) File() (file FileMapping, first, stride int64) {
	if t.weight == nil || t.weight.place == nil {
		return nil, 0, 0
	}
	p := t.weight.place
	s, ok := p.source.(Mapper)
	if !ok {
		return nil, 0, 0
	}
	m, begin := s.Map()
	if m == nil {
		return nil, 0, 0
	}
	f, ok := m.(FileMapping)
	if !ok || f.File() == nil {
		_ = m.Release()
		return nil, 0, 0
	}
	return f, begin + p.first, p.stride
}
