package weights

import (
	"fmt"
	"io"
	"os"
	"unsafe"

	"inglenook/engine"
)

// section is the byte range of a stored tensor in a file.
type section struct {
	*io.SectionReader
	file  *file
	begin int64
}

// Map implements engine.Mapper if the file is mapped.
func (s *section) Map() (engine.Mapping, int64) {
	f := s.file
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.mapped == nil {
		return nil, 0
	}
	f.held++
	return inPlace{f}, s.begin
}

// inPlace is a mapped file in use by a device: Close leaves unmapping to the
// device.
type inPlace struct{ f *file }

func (p inPlace) Address() (uintptr, int64) {
	return uintptr(unsafe.Pointer(unsafe.SliceData(p.f.mapped))), int64(len(p.f.mapped))
}

func (p inPlace) Changed() error {
	if p.f.changed() {
		return fmt.Errorf("%s: %w: load the model again", quote(p.f.name), ErrFileChanged)
	}
	return nil
}

func (p inPlace) Release() error {
	p.f.mu.Lock()
	defer p.f.mu.Unlock()
	p.f.held--
	return p.f.giveBack()
}

// File implements engine.FileMapping.
func (p inPlace) File() *os.File { return p.f.disk }
