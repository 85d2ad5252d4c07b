package ui

import (
	"bytes"
	"errors"
	"image/png"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"
)

// A layout that hands out new objects each time would be run again and again
// and keep the processor busy.
func TestLayoutsKeepTheirObjects(t *testing.T) {
	b := opened(t, newDouble())
	r := b.panel.results
	for name, w := range map[string]fyne.Widget{"matrix": r.heat, "map": r.points, "list": b.panel.list.list.area, "legend": r.legend} {
		renderer := test.WidgetRenderer(w)
		before := slices.Clone(renderer.Objects())
		renderer.Layout(w.Size())
		renderer.Refresh()
		if !slices.Equal(before, renderer.Objects()) {
			t.Errorf("%s: other objects after a layout", name)
		}
	}
}

// files answers the dialogs of a test.
type answers struct {
	path    string
	written *buffer
}

func (a answers) openFile(_ []string, chosen func(string))        { chosen(a.path) }
func (a answers) openFolder(chosen func(string))                  { chosen(a.path) }
func (a answers) save(_ string, chosen func(fyne.URIWriteCloser)) { chosen(a.written) }

type buffer struct {
	bytes.Buffer
	full   bool
	closed bool
}

func (b *buffer) URI() fyne.URI { return storage.NewFileURI("/tmp/some/similarity.csv") }
func (b *buffer) Close() error  { b.closed = true; return nil }
func (b *buffer) Write(p []byte) (int, error) {
	if b.full {
		return 0, errors.New("no space left on device")
	}
	return b.Buffer.Write(p)
}

func TestExports(t *testing.T) {
	b := opened(t, newDouble())
	p := b.panel
	var want bytes.Buffer
	if err := p.result.WriteCSV(&want); err != nil {
		t.Fatal(err)
	}
	test.Tap(p.exports[0])
	if b.fyneApp.Clipboard().Content() != want.String() {
		t.Error("the clipboard holds another matrix")
	}
	out := &buffer{}
	p.files = func() fileDialogs { return answers{written: out} }
	test.Tap(p.exports[1])
	b.loop.until(t, "the file", func() bool { return strings.HasPrefix(b.said, "Saved") })
	if out.String() != want.String() || !out.closed {
		t.Error("the file holds another matrix")
	}
	out = &buffer{}
	b.said = ""
	test.Tap(p.exports[2])
	b.loop.until(t, "the picture", func() bool { return strings.HasPrefix(b.said, "Saved") })
	if c, err := png.DecodeConfig(&out.Buffer); err != nil || c.Width != int(pictureWidth*pictureScale) {
		t.Errorf("the picture is %d wide, %v", c.Width, err)
	}
	out = &buffer{full: true}
	test.Tap(p.exports[1])
	b.loop.until(t, "the error", func() bool { return p.notice.message() != "" })
	if got := p.notice.message(); !strings.Contains(got, "was not saved: no space left on device") || !out.closed {
		t.Errorf("a full disk: %q", got)
	}
}

func TestExportsNeedAResult(t *testing.T) {
	d := newDouble()
	d.settings.SimilarityTexts = []string{}
	b := newBench(t, d)
	b.panel.copyCSV()
	b.panel.saveCSV()
	b.panel.savePNG()
	for _, e := range b.panel.exports {
		if !e.Disabled() {
			t.Errorf("%s can be pressed", e.Text)
		}
	}
}

func TestModelList(t *testing.T) {
	b := opened(t, newDouble())
	p := b.panel.picker
	p.TypedKey(key(fyne.KeySpace))
	if p.popup == nil || !p.popup.Visible() || p.list.current != 0 {
		t.Fatal("the space bar does not open the list")
	}
	rows := allText(p.list.area)
	for _, want := range []string{"26 dimensions · 7.4 M parameters · 15 MB", "bundled", "hub cache", "The weights are a pickle file, which can run code.", "This is a reranker"} {
		if !strings.Contains(rows, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
	p.take(2) // not usable
	if p.id != "starter-embed" || p.popup == nil {
		t.Error("a model that can't be used was chosen")
	}
	b.panel.escape()
	if p.popup != nil {
		t.Error("Escape does not close the list")
	}
	p.open()
	p.list.TypedKey(key(fyne.KeyDown))
	p.list.TypedKey(key(fyne.KeyReturn))
	b.awaitResult(t, 2)
	if b.double.requests()[1].Model != "org/other" {
		t.Errorf("compared with %q", b.double.requests()[1].Model)
	}
	b.saver.flush()
	if b.double.Settings().Model != "org/other" {
		t.Error("the model is not kept")
	}
	p.open()
	p.list.pick(3)
	test.Tap(findButton(t, p.popup.Content, "Remove from list"))
	b.loop.until(t, "the shorter list", func() bool { return len(b.panel.models) == 3 })
}

func TestPromptsOfAModel(t *testing.T) {
	b := opened(t, newDouble())
	p := b.panel.prompt
	if p.text() != "" || !slices.Equal(p.choice.Options, []string{noPrompt, ownPrompt}) {
		t.Errorf("a model that states no prompts offers %q", p.choice.Options)
	}
	p.show(map[string]string{"query": "query: ", "document": "passage: ", "none": ""}, "document")
	if p.text() != "passage: " || !slices.Equal(p.choice.Options, []string{noPrompt, "document", "query", ownPrompt}) {
		t.Errorf("offers %q, uses %q", p.choice.Options, p.text())
	}
	p.choice.SetSelected(ownPrompt)
	test.Type(p.own, "title: ")
	if p.text() != "title: " || !p.own.Visible() {
		t.Errorf("own prompt: %q", p.text())
	}
	if got := b.panel.stale.message(); !strings.HasPrefix(got, "The prompt has changed") {
		t.Errorf("the panel says %q", got)
	}
	b.panel.start()
	b.awaitResult(t, 2)
	if got := b.double.requests()[1].Prompt; got != "title: " {
		t.Errorf("compared with the prompt %q", got)
	}
}
