package weights

import (
	"errors"
	"os"
	"testing"
	"time"
	"unsafe"

	"inglenook/engine"
)

// TestMapping checks that a device can read a tensor in place, and that the mapping
// exists until both the set and the device have released it.
func TestMapping(t *testing.T) {
	root := onDisk(t, 1<<12)
	s := mustOpen(t, root.FS(), Options{})
	w, err := s.Tensor("w")
	must(t, err)
	copied := make([]byte, w.Bytes())
	_, err = w.Source().ReadAt(copied, 0)
	must(t, err)
	m, begin := w.Mapping()
	if m == nil {
		t.Skip("this system maps no files")
	}
	address, bytes := m.Address()
	if int(address)%os.Getpagesize() != 0 || begin+int64(w.Bytes()) > bytes {
		t.Fatalf("%d bytes from %d of %d at %#x", w.Bytes(), begin, bytes, address)
	}
	must(t, s.Close())
	lies := unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), bytes)[begin:][:w.Bytes()]
	if string(lies) != string(copied) {
		t.Error("the bytes in place are others than those that are read")
	}
	must(t, m.Changed())
	must(t, m.Release())
	if m, _ := w.Mapping(); m != nil {
		t.Error("a closed file is mapped anew")
	}
}

// TestMappingChanges: a reader in place can ask whether the file has changed.
func TestMappingChanges(t *testing.T) {
	root := onDisk(t, 1<<12)
	s := mustOpen(t, root.FS(), Options{})
	w, err := s.Tensor("w")
	must(t, err)
	m, _ := w.Mapping()
	if m == nil {
		t.Skip("this system maps no files")
	}
	later := time.Now().Add(time.Hour)
	must(t, root.Chtimes(singleFile, later, later))
	if err := m.Changed(); !errors.Is(err, ErrFileChanged) {
		t.Errorf("the error is %v", err)
	}
	must(t, m.Release())
}

// TestUnmappedSources: bytes that are computed while they are read have no mapping, and
// neither have those of a file that is not mapped.
func TestUnmappedSources(t *testing.T) {
	root := onDisk(t, 1<<12)
	for name, w := range map[string]*engine.Tensor{
		"a part":      mustOpen(t, root.FS(), Options{}).Scope().Transposed("w", 0, 0),
		"a read file": mustOpen(t, root.FS(), Options{NoMap: true}).Scope().Matrix("w", 0, 0),
	} {
		if m, _ := w.Mapping(); m != nil {
			t.Errorf("%s has a mapping", name)
		}
	}
}
