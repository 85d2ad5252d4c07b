package weights

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// onDisk makes a folder with a model.safetensors whose one weight "w" [1, n]
// holds counting bytes.
func onDisk(t testing.TB, n int) *os.Root {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, singleFile), encode("", tensor{"w", "F16", []int{n / 2}, counting(n)}))
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// changes are the ways in which an open file can change.
var changes = []struct {
	name  string
	to    func(t *testing.T, name string)
	alive bool // the old bytes can still be read
}{
	{"cut to nothing", func(t *testing.T, name string) { truncate(t, name, 0) }, false},
	{"cut in the header", func(t *testing.T, name string) { truncate(t, name, 20) }, false},
	{"cut at a page", func(t *testing.T, name string) { truncate(t, name, 1<<16) }, false},
	{"cut within a page", func(t *testing.T, name string) { truncate(t, name, 1<<16+100) }, false},
	{"cut by one byte", func(t *testing.T, name string) { truncate(t, name, size(t, name)-1) }, false},
	{"cut and filled up again", func(t *testing.T, name string) {
		n := size(t, name)
		truncate(t, name, 0)
		truncate(t, name, n)
	}, false},
	{"longer", func(t *testing.T, name string) { truncate(t, name, size(t, name)+1) }, false},
	{"overwritten in place by the same length", func(t *testing.T, name string) {
		write(t, name, make([]byte, size(t, name)))
	}, false},
	{"overwritten in place by something shorter", func(t *testing.T, name string) { write(t, name, one(8)) }, false},
	{"deleted", func(t *testing.T, name string) { must(t, os.Remove(name)) }, true},
	{"deleted and made anew", func(t *testing.T, name string) {
		must(t, os.Remove(name))
		write(t, name, one(8))
	}, true},
	{"replaced by a rename", func(t *testing.T, name string) {
		write(t, name+".new", one(8))
		must(t, os.Rename(name+".new", name))
	}, true},
	{"renamed away", func(t *testing.T, name string) { must(t, os.Rename(name, name+".old")) }, true},
}

func truncate(t *testing.T, name string, n int64) { t.Helper(); must(t, os.Truncate(name, n)) }

func size(t *testing.T, name string) int64 {
	t.Helper()
	info, err := os.Stat(name)
	must(t, err)
	return info.Size()
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestFileChanges changes the file at three moments, mapped and not, and then reads the
// whole weight again. It must get the old bytes or ErrFileChanged.
func TestFileChanges(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not let an open file be changed")
	}
	const n = 1 << 20
	moments := []struct {
		name  string
		first int // bytes that are read before the change
	}{{"after opening", 0}, {"after a first read", 4096}, {"after reading everything", n}}
	for _, c := range changes {
		for _, m := range moments {
			for _, noMap := range []bool{false, true} {
				name := c.name + " " + m.name
				if noMap {
					name += ", read"
				}
				t.Run(name, func(t *testing.T) {
					root := onDisk(t, n)
					file := filepath.Join(root.Name(), singleFile)
					// A change within the clock's tick would go unseen; real
					// ones come later.
					old := time.Now().Add(-time.Minute)
					must(t, os.Chtimes(file, old, old))
					s := mustOpen(t, root.FS(), Options{NoMap: noMap})
					w, err := s.Tensor("w")
					must(t, err)
					p := make([]byte, n)
					if _, err := w.Source().ReadAt(p[:m.first], 0); err != nil {
						t.Fatal(err)
					}
					c.to(t, file)
					_, err = w.Source().ReadAt(p, 0)
					switch {
					case c.alive && (err != nil || string(p) != string(counting(n))):
						t.Errorf("the old bytes are gone: %v", err)
					case !c.alive && !errors.Is(err, ErrFileChanged):
						t.Errorf("reading gave %v", err)
					case err != nil:
						checkSentence(t, err, "model.safetensors: the file was cut short or replaced while it was open: load the model again")
					}
				})
			}
		}
	}
}

// TestCutDuringReads cuts the file while goroutines read from the mapping.
func TestCutDuringReads(t *testing.T) {
	const n = 8 << 20
	want := counting(256)
	for _, keep := range []int64{0, 4096, 1<<20 + 17} {
		root := onDisk(t, n)
		s := mustOpen(t, root.FS(), Options{})
		w, err := s.Tensor("w")
		must(t, err)
		var started sync.WaitGroup
		var readers sync.WaitGroup
		var good atomic.Int64
		for range 4 {
			started.Add(1)
			readers.Go(func() {
				p := make([]byte, n)
				for first := true; ; first = false {
					got, err := w.Source().ReadAt(p, 0)
					if first {
						started.Done()
					}
					if errors.Is(err, ErrFileChanged) {
						return
					}
					if err != nil || got != n || string(p[n-256:]) != string(want) {
						t.Errorf("%d bytes, %v, the last are % x", got, err, p[n-8:])
						return
					}
					good.Add(1)
				}
			})
		}
		started.Wait()
		truncate(t, filepath.Join(root.Name(), singleFile), keep)
		readers.Wait()
		if good.Load() < 4 {
			t.Errorf("only %d reads before the cut", good.Load())
		}
	}
}

// TestAnotherModelStillAnswers reads from a second file after the first has failed.
func TestAnotherModelStillAnswers(t *testing.T) {
	bad, good := onDisk(t, 1<<20), onDisk(t, 1<<20)
	s1, s2 := mustOpen(t, bad.FS(), Options{}), mustOpen(t, good.FS(), Options{})
	w1, err1 := s1.Tensor("w")
	w2, err2 := s2.Tensor("w")
	must(t, errors.Join(err1, err2))
	truncate(t, filepath.Join(bad.Name(), singleFile), 0)
	p := make([]byte, 1<<20)
	if _, err := w1.Source().ReadAt(p, 0); !errors.Is(err, ErrFileChanged) {
		t.Error(err)
	}
	if _, err := w2.Source().ReadAt(p, 0); err != nil || string(p) != string(counting(1<<20)) {
		t.Error("the other model no longer answers:", err)
	}
}

// TestNoMapping checks the three ways of reading against each other.
func TestNoMapping(t *testing.T) {
	root := onDisk(t, 1<<16)
	ways := map[string]struct {
		fsys fs.FS
		o    Options
	}{
		"mapped": {root.FS(), Options{}},
		"read":   {root.FS(), Options{NoMap: true}},
		"memory": {single(encode("", tensor{"w", "F16", []int{1 << 15}, counting(1 << 16)})), Options{}},
		"stream": {&countingFS{FS: root.FS()}, Options{}},
	}
	for name, way := range ways {
		w, err := mustOpen(t, way.fsys, way.o).Tensor("w")
		must(t, err)
		for _, off := range []int{0, 1, 4095, 65535} {
			p := make([]byte, 5000)
			n, err := w.Source().ReadAt(p, int64(off))
			want := counting(1 << 16)[off:min(off+5000, 1<<16)]
			if string(p[:n]) != string(want) || (n < 5000) != (err == io.EOF) {
				t.Errorf("%s at %d: %d bytes, %v", name, off, n, err)
			}
		}
	}
}
