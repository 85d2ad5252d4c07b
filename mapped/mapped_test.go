//go:build linux || darwin

package mapped

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
)

const page = 64 << 10 // of every system that this is tested on, or a multiple of it

// mapFile maps a new file of counting bytes.
func mapFile(t *testing.T, length, mapped int64) (m Bytes, f *os.File) {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "file"))
	must(t, err)
	t.Cleanup(func() { f.Close() })
	_, err = f.Write(counting(0, int(length)))
	must(t, err)
	m, err = Map(f, mapped)
	must(t, err)
	t.Cleanup(func() { must(t, m.Unmap()) })
	return m, f
}

func counting(from, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte((from + i) % 251)
	}
	return b
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestReadAt(t *testing.T) {
	const n = 3*page + 7
	m, _ := mapFile(t, n, n)
	for _, at := range []int64{0, 1, page - 1, page, n - 1, n} {
		for _, size := range []int{0, 1, 100, page, n} {
			p := make([]byte, size)
			got, err := m.ReadAt(p, at)
			want := min(size, n-int(at))
			if got != want || !bytes.Equal(p[:got], counting(int(at), want)) {
				t.Errorf("%d bytes at %d: %d bytes, or others", size, at, got)
			}
			if wantErr := got < size; (err == io.EOF) != wantErr || !wantErr && err != nil {
				t.Errorf("%d bytes at %d: %v", size, at, err)
			}
		}
	}
	for _, at := range []int64{-1, n + 1} {
		if got, err := m.ReadAt(make([]byte, 1), at); got != 0 || err != io.EOF {
			t.Errorf("at %d: %d bytes, %v", at, got, err)
		}
	}
}

// A file that is cut at a page, or to nothing, is an error where its bytes were; what is
// left of it can be read. Once it has grown again, so can the rest.
func TestShrunk(t *testing.T) {
	for _, left := range []int64{0, page, 2 * page} {
		m, f := mapFile(t, 4*page, 4*page)
		must(t, f.Truncate(left))
		p := make([]byte, 4*page)
		if n, err := m.ReadAt(p, 0); n != 0 || !errors.Is(err, ErrShrunk) {
			t.Errorf("%d bytes left: read %d, %v", left, n, err)
		}
		if err := m.Touch(page, 3*page); !errors.Is(err, ErrShrunk) {
			t.Errorf("%d bytes left: touched: %v", left, err)
		}
		if err := m.Touch(0, int(left)); err != nil {
			t.Errorf("%d bytes left: touched them: %v", left, err)
		}
		if n, err := m.ReadAt(p[:left], 0); n != int(left) || err != nil || !bytes.Equal(p[:n], counting(0, n)) {
			t.Errorf("%d bytes left: read %d of them, %v", left, n, err)
		}
		must(t, f.Truncate(4*page))
		if n, err := m.ReadAt(p, 0); n != len(p) || err != nil {
			t.Errorf("grown again: read %d, %v", n, err)
		}
	}
}

// A mapping may be made before the file has grown to its size.
func TestRoomToGrow(t *testing.T) {
	m, f := mapFile(t, page, 4*page)
	p := make([]byte, page)
	if _, err := m.ReadAt(p, 2*page); !errors.Is(err, ErrShrunk) {
		t.Errorf("past the end: %v", err)
	}
	_, err := f.Write(counting(page, 3*page))
	must(t, err)
	if n, err := m.ReadAt(p, 2*page); n != page || err != nil || !bytes.Equal(p, counting(2*page, page)) {
		t.Errorf("once it has grown: %d, %v", n, err)
	}
}

// Guard stops only faults of its own mapping, and leaves the goroutine as it was.
func TestGuard(t *testing.T) {
	m, _ := mapFile(t, page, page)
	other, f := mapFile(t, page, page)
	must(t, f.Truncate(0))
	var sum byte
	var nothing *byte
	for name, read := range map[string]func(){
		"a fault elsewhere": func() { sum += other[0] },
		"a mistake":         func() { panic("a mistake") },
		"nil":               func() { sum += *nothing },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: the panic was swallowed", name)
				}
			}()
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // of the other mapping
			m.Guard(read)
		}()
	}
	if debug.SetPanicOnFault(false) {
		t.Error("faults panic in this goroutine from now on")
	}
}

func TestMapRefuses(t *testing.T) {
	_, f := mapFile(t, page, page)
	for _, size := range []int64{0, -1} {
		if _, err := Map(f, size); !errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	must(t, f.Close())
	if _, err := Map(f, page); err == nil {
		t.Error("a closed file was mapped")
	}
	must(t, Bytes(nil).Unmap())
}
