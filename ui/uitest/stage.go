package uitest

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

	"inglenook/app/documents"
	"inglenook/app/library"
	_ "inglenook/app/locale"
	"inglenook/ui/kit"
	"inglenook/ui/panel"

	"go.uber.org/goleak"
)

// Main runs the tests of a package and looks for goroutines that they left behind.
func Main(m *testing.M) {
	// The clock of the lexers ends a second after code was last coloured.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

// Size of the window of a stage.
const (
	stageWidth  float32 = 1240
	stageHeight float32 = 800
)

// Stage is a window with one panel in it, and a double of the application behind that.
type Stage struct {
	FyneApp   fyne.App
	Double    *App
	Loop      *Loop
	Window    fyne.Window
	Host      panel.Host
	Saver     *panel.Saver
	Clipboard *panel.Clipboard
	Said      string  // by the panel, last, in the status strip
	Offered   Offered // by the panel, last, in any room
	Asked     Choice  // by the panel, last
	Entered   string  // the panel that it led to
	Brought   string  // the model that it brought there
	Found     bool    // it led to the models that can be downloaded

	FoundReranker bool                    // it led to the rerankers among these
	FoundWords    string                  // it led to those with these words
	Sampled       bool                    // it led to the sample documents
	Documents     []string                // files that it led to in Documents
	Held          func(collection string) // what waits for files that come among the documents
	Watched       int                     // times that the downloads were to be followed
	Shown         []documents.Result      // passages that it led to
	Looked        [2]string               // the collection and the question that it led to
	Inquired      [2]string               // the name and the text that a chat was begun about
	Question      string                  // that came with these
	Sent          sent                    // what it sent to Rerank, last

	Panel panel.Panel
	Busy  sync.WaitGroup
	end   context.CancelFunc
}

// Choice is a question of a panel: which of several.
type Choice struct {
	Title  string
	Names  []string
	Picked func(i int)
}

// Offered says what happened, with a button.
type Offered struct {
	What, Button string
	Act          func()
}

// sent are texts for Rerank, and what they should answer.
type sent struct {
	Query string
	Texts []string
	From  []panel.Sent // with where they came from
}

// NewStage opens a window without a panel.
func NewStage(t testing.TB, d *App) *Stage {
	t.Helper()
	s := &Stage{FyneApp: LightApp(t), Double: d, Loop: &Loop{}, Saver: panel.NewSaver(d)}
	life, end := context.WithCancel(context.Background())
	s.end = end
	s.Window = s.FyneApp.NewWindow("test")
	tell := func(message string) { s.Said = message }
	tip := kit.NewTip(s.Loop.Do)
	tip.Layer.Resize(fyne.NewSize(stageWidth, stageHeight))
	s.Host = panel.Host{
		App: d, Keys: &kit.Keyboard{Tell: tell, Tip: tip}, Do: s.Loop.Do, Keep: s.Saver.Keep, Settle: s.Saver.Flush,
		Tell: tell, Offer: func(what, button string, act func()) { s.Offered = Offered{what, button, act} }, Ran: func(string) {},
		Files: func() kit.FileDialogs {
			return kit.WindowDialogs{Window: s.Window, Failed: s.Panel.ShowError}
		},
		Choose: func(title string, names []string, picked func(int)) { s.Asked = Choice{title, names, picked} },
		Copy:   func(text, file string) bool { return s.Clipboard.Copy(text, file) },
		Focus:  func(f fyne.Focusable) { s.Window.Canvas().Focus(f) },
		GoTo:   func(id string) { s.Entered = id },
		UseIn:  func(id string, m library.Model) { s.Entered, s.Brought = id, m.ID },
		RankTexts: func(query string, some []panel.Sent) {
			s.Sent = sent{Query: query, From: some}
			for _, one := range some {
				s.Sent.Texts = append(s.Sent.Texts, one.Text)
			}
		},
		FindModel: func() { s.Found = true }, FindReranker: func() { s.FoundReranker = true }, FindByWords: func(words string) { s.FoundWords = words },

		SampleDocuments: func() { s.Sampled = true },
		SearchFiles: func(paths []string, question string) {
			s.Documents, s.Looked[1] = append(s.Documents, paths...), question
		},
		HoldFiles: func(paths []string, then func(string)) {
			s.Documents, s.Held = append(s.Documents, paths...), then
		},
		ShowPassage:     func(r documents.Result) { s.Shown = append(s.Shown, r) },
		SearchDocuments: func(collection, question string) { s.Looked = [2]string{collection, question} },
		AskAbout:        func(name, text, question string) { s.Inquired, s.Question = [2]string{name, text}, question },

		AnnounceModels: func() { s.Panel.ModelsChanged() },
		WatchDownloads: func() { s.Watched++ },
		Life:           life,
		Work:           func(f func(context.Context)) { s.Busy.Go(func() { f(life) }) },
	}
	s.Clipboard = panel.NewClipboard(s.Host, func() fyne.CanvasObject { return s.Panel.Content() }, func(err error) { s.Panel.ShowError(err) })
	t.Cleanup(func() {
		s.end()
		s.Saver.Flush()
		s.Busy.Wait()
	})
	return s
}

// Put shows a panel in the window, which handles its keys.
func (s *Stage) Put(p panel.Panel) {
	s.Panel = p
	s.Host.Keys.Handle(nil, s.shortcut, func() {
		if !s.Host.Keys.Tip.Hide() && !s.Clipboard.Close() {
			p.Escape()
		}
	})
	s.Window.SetPadded(false)
	s.Window.SetContent(p.Content())
	s.Host.Keys.Install(s.Window.Canvas(), []kit.KeyGroup{kit.NewKeyGroup("", p.Shortcuts())})
	s.Window.Resize(fyne.NewSize(stageWidth, stageHeight))
}

// shortcut runs one of the panel's shortcuts.
func (s *Stage) shortcut(is func(kit.Shortcut) bool) bool {
	for _, k := range s.Panel.Shortcuts() {
		if is(k) {
			k.Run()
			return true
		}
	}
	return false
}

// Press types a key together with the main modifier.
func (s *Stage) Press(name fyne.KeyName) bool { return s.Host.Keys.Typed(Ctrl(name)) }

// Idle waits until no work is under way, and shows what came of it.
func (s *Stage) Idle() {
	for more := true; more; {
		s.Busy.Wait()
		more = s.Loop.Run()
	}
}

// Loop stands in for the window's goroutine: what is handed to it waits until
// the test runs it.
type Loop struct {
	mu    sync.Mutex
	queue []func()
}

// Do runs a function later.
func (l *Loop) Do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue = append(l.queue, f)
}

// Run runs what has come in; false: nothing has.
func (l *Loop) Run() bool {
	l.mu.Lock()
	queue := l.queue
	l.queue = nil
	l.mu.Unlock()
	for _, f := range queue {
		f()
	}
	return len(queue) > 0
}

// Until runs what comes in until done says so.
func (l *Loop) Until(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		l.Run()
		if done() {
			return
		}
	}
	t.Fatalf("in vain waited for: %s", what)
}

// TempFile writes a file for a test.
func TempFile(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// Key is a key that is pressed alone.
func Key(name fyne.KeyName) *fyne.KeyEvent { return &fyne.KeyEvent{Name: name} }

// Ctrl is a key that is pressed with the main modifier.
func Ctrl(name fyne.KeyName) *desktop.CustomShortcut {
	return &desktop.CustomShortcut{KeyName: name, Modifier: fyne.KeyModifierShortcutDefault}
}

// AllText joins the texts of lines and paragraphs.
func AllText(o fyne.CanvasObject) string {
	switch o := o.(type) {
	case *kit.Line:
		return o.Text + "\n"
	case *fyne.Container:
		var b strings.Builder
		for _, child := range o.Objects {
			b.WriteString(AllText(child))
		}
		return b.String()
	case interface{ String() string }: // rich text
		return o.String() + "\n"
	case fyne.Widget:
		var b strings.Builder
		for _, child := range test.WidgetRenderer(o).Objects() {
			b.WriteString(AllText(child))
		}
		return b.String()
	}
	return ""
}

// FindButton finds a button by its text.
func FindButton(t testing.TB, in fyne.CanvasObject, text string) *kit.Button {
	t.Helper()
	if found := Search(in, text); found != nil {
		return found
	}
	t.Fatalf("there is no button %q", text)
	return nil
}

// Search finds a button by its text; nil: there is none.
func Search(o fyne.CanvasObject, text string) *kit.Button {
	b, _ := Find(o, func(b *kit.Button) bool { return b.Text == text })
	return b
}

// Find finds the first object of a type for which ok holds, in an object and below it.
func Find[T fyne.CanvasObject](o fyne.CanvasObject, ok func(T) bool) (found T, is bool) {
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
		if found, is = Find(child, ok); is {
			return found, true
		}
	}
	return found, false
}

// Each calls see with an object and what is below it, as far as it can be seen.
func Each(o fyne.CanvasObject, see func(fyne.CanvasObject)) {
	if !o.Visible() {
		return
	}
	see(o)
	var below []fyne.CanvasObject
	switch o := o.(type) {
	case *fyne.Container:
		below = o.Objects
	case fyne.Widget:
		below = test.WidgetRenderer(o).Objects()
	}
	for _, child := range below {
		Each(child, see)
	}
}
