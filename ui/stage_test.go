package ui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	_ "inglenook/app/locale"

	"go.uber.org/goleak"
)

// verify runs the tests of a package and looks for goroutines that they left behind.
func verify(m *testing.M) {
	// The clock of the lexers ends a second after code was last coloured.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

// Size of the window of a stage.
const (
	stageWidth  float32 = 1240
	stageHeight float32 = 800
)

// stage is a window with one panel in it, and a double of the application behind that.
type stage struct {
	fyneApp fyne.App
	double  *double
	loop    *loop
	window  fyne.Window
	host    desk
	saver   *saver
	said    string // by the panel, last, in the status strip
	entered string // the panel that it led to

	panel panel
	busy  sync.WaitGroup
	end   context.CancelFunc
}

// newStage opens a window without a panel.
func newStage(t testing.TB, d *double) *stage {
	t.Helper()
	s := &stage{fyneApp: test.NewTempApp(t), double: d, loop: &loop{}, saver: newSaver(d)}
	life, end := context.WithCancel(context.Background())
	s.end = end
	s.window = s.fyneApp.NewWindow("test")
	s.fyneApp.Settings().SetTheme(newTheme(themeLight))
	s.host = desk{
		common: d, keys: &keyboard{}, do: s.loop.do, keep: s.saver.keep,
		tell: func(message string) { s.said = message }, ran: func(string) {},
		files:     func() fileDialogs { return windowDialogs{s.window, s.panel.showError} },
		copy:      func(text string) { s.fyneApp.Clipboard().SetContent(text) },
		focus:     func(f fyne.Focusable) { s.window.Canvas().Focus(f) },
		enterRoom: func(id string) { s.entered = id },
		life:      life,
		work:      func(f func(context.Context)) { s.busy.Go(func() { f(life) }) },
	}
	t.Cleanup(func() {
		s.end()
		s.saver.flush()
		s.busy.Wait()
	})
	return s
}

// put shows a panel in the window, which handles its keys.
func (s *stage) put(p panel) {
	s.panel = p
	s.host.keys.handle(nil, s.shortcut, p.escape)
	s.window.SetPadded(false)
	s.window.SetContent(p.content())
	s.host.keys.install(s.window.Canvas(), []keyGroup{newKeyGroup("", p.shortcuts())})
	s.window.Resize(fyne.NewSize(stageWidth, stageHeight))
}

// shortcut runs one of the panel's shortcuts.
func (s *stage) shortcut(is func(shortcut) bool) bool {
	for _, k := range s.panel.shortcuts() {
		if is(k) {
			k.run()
			return true
		}
	}
	return false
}

// press types a key together with the main modifier.
func (s *stage) press(name fyne.KeyName) bool { return s.host.keys.typed(ctrl(name)) }

// idle waits until no work is under way, and shows what came of it.
func (s *stage) idle() {
	s.busy.Wait()
	s.loop.run()
}

// loop stands in for the window's goroutine: what is handed to it waits until
// the test runs it.
type loop struct {
	mu    sync.Mutex
	queue []func()
}

// do runs a function later.
func (l *loop) do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, f)
}

// run runs what has come in.
func (l *loop) run() {
	l.mu.Lock()
	queue := l.queue
	l.queue = nil
	l.mu.Unlock()
	for _, f := range queue {
		f()
	}
}

// until runs what comes in until done says so.
func (l *loop) until(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		l.run()
		if done() {
			return
		}
	}
	t.Fatalf("in vain waited for: %s", what)
}

// lightApp is an application without a window, for tests of single widgets.
func lightApp(t testing.TB) fyne.App {
	a := test.NewTempApp(t)
	a.Settings().SetTheme(newTheme(themeLight))
	return a
}

// tempFile writes a file for a test.
func tempFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// key is a key that is pressed alone.
func key(name fyne.KeyName) *fyne.KeyEvent { return &fyne.KeyEvent{Name: name} }

// ctrl is a key that is pressed with the main modifier.
func ctrl(name fyne.KeyName) *desktop.CustomShortcut {
	return &desktop.CustomShortcut{KeyName: name, Modifier: fyne.KeyModifierShortcutDefault}
}

// allText joins the texts of lines and paragraphs.
func allText(o fyne.CanvasObject) string {
	switch o := o.(type) {
	case *line:
		return o.text + "\n"
	case *fyne.Container:
		var b strings.Builder
		for _, child := range o.Objects {
			b.WriteString(allText(child))
		}
		return b.String()
	case interface{ String() string }: // rich text
		return o.String() + "\n"
	case fyne.Widget:
		var b strings.Builder
		for _, child := range test.WidgetRenderer(o).Objects() {
			b.WriteString(allText(child))
		}
		return b.String()
	}
	return ""
}

// findButton finds a button by its text.
func findButton(t testing.TB, in fyne.CanvasObject, text string) *button {
	t.Helper()
	if found := search(in, text); found != nil {
		return found
	}
	t.Fatalf("there is no button %q", text)
	return nil
}

// search finds a button by its text; nil: there is none.
func search(o fyne.CanvasObject, text string) *button {
	b, _ := find(o, func(b *button) bool { return b.Text == text })
	return b
}

// find finds the first object of a type for which ok holds, in an object and below it.
func find[T fyne.CanvasObject](o fyne.CanvasObject, ok func(T) bool) (found T, is bool) {
	if x, is := o.(T); is && ok(x) {
		return x, true
	}
	var below []fyne.CanvasObject
	switch o := o.(type) {
	case *fyne.Container:
		below = o.Objects
	case fyne.Widget:
		below = test.WidgetRenderer(o).Objects()
	}
	for _, child := range below {
		if found, is = find(child, ok); is {
			return found, true
		}
	}
	return found, false
}
