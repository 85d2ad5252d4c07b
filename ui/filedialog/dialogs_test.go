package filedialog

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/filedialog/system"
	"inglenook/ui/kit"
)

// scripted is a chooser that answers as it is told.
type scripted struct {
	path  string
	err   error
	asked []system.Ask
}

func (s *scripted) Choose(_ context.Context, a system.Ask) ([]string, error) {
	s.asked = append(s.asked, a)
	if s.path == "" {
		return nil, s.err
	}
	return []string{s.path}, s.err
}

// own stands in for the window's own dialogs.
type own struct{ shown []string }

func (o *own) OpenFile([]string, func(string))               { o.shown = append(o.shown, "file") }
func (o *own) OpenFiles(func([]string))                      { o.shown = append(o.shown, "files") }
func (o *own) OpenFolder(func(string))                       { o.shown = append(o.shown, "folder") }
func (o *own) OpenSeveral(func([]string))                    { o.shown = append(o.shown, "several") }
func (o *own) Save(name string, _ func(fyne.URIWriteCloser)) { o.shown = append(o.shown, "save "+name) }

// bench are dialogs whose work is done at once, and whose results wait in a queue.
type bench struct {
	*Dialogs
	own    *own
	queue  []func()
	said   string
	failed error
}

func newBench(choosers ...system.Chooser) *bench {
	b := &bench{own: &own{}}
	b.Dialogs = New(choosers, Host{
		Work: func(f func(context.Context)) { f(context.Background()) }, Do: func(f func()) { b.queue = append(b.queue, f) },
		Tell: func(s string) { b.said = s }, Failed: func(err error) { b.failed = err },
		Window: func() string { return "x11:7" }, Own: func() kit.FileDialogs { return b.own },
	})
	return b
}

// settle runs what waits for the window's goroutine.
func (b *bench) settle() {
	for len(b.queue) > 0 {
		f := b.queue[0]
		b.queue = b.queue[1:]
		f()
	}
}

// The first chooser that shows a dialog is asked, and what is not there is not asked again.
func TestTheFirstThatIsThere(t *testing.T) {
	missing, there := &scripted{err: system.ErrNone}, &scripted{path: "/a/model.gguf"}
	b := newBench(missing, there)
	var got []string
	for range 2 {
		b.OpenFile([]string{".gguf"}, func(path string) { got = append(got, path) })
		b.settle()
	}
	if !slices.Equal(got, []string{"/a/model.gguf", "/a/model.gguf"}) || len(missing.asked) != 1 || len(there.asked) != 2 || len(b.own.shown) > 0 {
		t.Errorf("chosen %q; asked %d and %d times; own %q", got, len(missing.asked), len(there.asked), b.own.shown)
	}
	if a := there.asked[0]; a.Kind != system.File || a.Window != "x11:7" || !slices.Equal(a.Extensions, []string{".gguf"}) {
		t.Errorf("asked %+v", a)
	}
}

// Where no dialog of the system is there, the window's own is shown, each time.
func TestOwnDialogs(t *testing.T) {
	missing := &scripted{err: system.ErrNone}
	for _, b := range []*bench{newBench(missing), newBench()} {
		b.OpenFile(nil, nil)
		b.settle()
		b.OpenFolder(nil)
		b.settle()
		b.Save("a.csv", nil)
		b.settle()
		b.OpenSeveral(nil)
		b.OpenFiles(nil)
		b.settle()
		if !slices.Equal(b.own.shown, []string{"file", "folder", "save a.csv", "several", "files"}) || b.Open() {
			t.Errorf("own dialogs: %q", b.own.shown)
		}
	}
	if len(missing.asked) != 1 {
		t.Errorf("what is not there was asked %d times", len(missing.asked))
	}
}

// One dialog is open at a time.
func TestOneAtATime(t *testing.T) {
	there := &scripted{path: "/a"}
	b := newBench(there)
	chosen := 0
	b.OpenFolder(func(string) { chosen++ })
	if !b.Open() {
		t.Error("no dialog is open")
	}
	b.OpenFile(nil, func(string) { chosen++ })
	b.OpenSeveral(nil)
	b.Save("x", nil)
	if b.said == "" || len(there.asked) != 1 || len(b.own.shown) > 0 {
		t.Errorf("asked %d times, own %q, said %q", len(there.asked), b.own.shown, b.said)
	}
	b.settle()
	if chosen != 1 || b.Open() {
		t.Errorf("chosen %d times", chosen)
	}
}

// Nothing chosen changes nothing; an error is told; the end of the window is none.
func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		err  error
		tell bool
	}{{nil, false}, {context.Canceled, false}, {errors.New("it is on a server"), true}} {
		b := newBench(&scripted{err: c.err})
		b.OpenFile(nil, func(string) { t.Error("something was chosen") })
		b.settle()
		if (b.failed != nil) != c.tell || len(b.own.shown) > 0 {
			t.Errorf("%v: failed %v, own %q", c.err, b.failed, b.own.shown)
		}
	}
}

// A file is written where the dialog said; one that cannot be written is told.
func TestSave(t *testing.T) {
	test.NewTempApp(t)
	path := filepath.Join(t.TempDir(), "ä b.csv")
	b := newBench(&scripted{path: path})
	b.Save("a.csv", func(w fyne.URIWriteCloser) {
		if _, err := w.Write([]byte("1,2")); err != nil {
			t.Error(err)
		}
		w.Close()
	})
	b.settle()
	if got, err := os.ReadFile(path); err != nil || string(got) != "1,2" {
		t.Errorf("%q, %v", got, err)
	}
	b = newBench(&scripted{path: filepath.Join(t.TempDir(), "none", "a.csv")})
	b.Save("a.csv", func(fyne.URIWriteCloser) { t.Error("a file in no folder was opened") })
	b.settle()
	if b.failed == nil {
		t.Error("nothing is told")
	}
}
