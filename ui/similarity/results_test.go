package similarity

import (
	"bytes"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"inglenook/app/texts"
	"inglenook/ui/chart"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// A layout that makes new objects each time would be run again and again and keep the
// processor busy.
func TestLayoutsKeepTheirObjects(t *testing.T) {
	b := opened(t, uitest.NewApp())
	r := b.panel.results
	for name, w := range map[string]fyne.Widget{"matrix": r.heat, "map": r.points, "list": b.panel.list.Rows, "legend": r.legend} {
		renderer := test.WidgetRenderer(w)
		before := slices.Clone(renderer.Objects())
		renderer.Layout(w.Size())
		renderer.Refresh()
		if !slices.Equal(before, renderer.Objects()) {
			t.Errorf("%s: other objects after a layout", name)
		}
	}
}

// A person asks in words of their own which text is closest, and the list answers.
func TestFindTheClosest(t *testing.T) {
	b := opened(t, uitest.NewApp())
	near := b.panel.results.near
	b.panel.list.Pick(b.panel.texts.IDs()[2])
	question := b.panel.result.Texts[3] + " zzz"
	near.asks.SetText(question)
	near.asks.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Idle()
	if near.title.Text != "Closest to your words" || near.full.Segment.Text != question || len(near.found) != len(b.panel.result.Texts) || near.found[0].Index != 3 {
		t.Errorf("%q about %q finds %+v", near.title.Text, near.full.Segment.Text, near.found)
	}
	if asked := b.Double.Embedded; len(asked) != 1 || asked[0].Model != "starter-embed" {
		t.Errorf("it asked for %+v", asked)
	}
	near.chosen(near.found[0].Index)
	if near.title.Text != "Nearest to text 4" {
		t.Errorf("a click on an answer leads to %q", near.title.Text)
	}
	b.Double.Failing = errors.New("the model is gone")
	near.asks.TypedKey(uitest.Key(fyne.KeyReturn))
	b.Idle()
	if b.panel.Failure() != "The model is gone." || near.title.Text != "Nearest to text 4" {
		t.Errorf("after a failure %q stands under %q", near.title.Text, b.panel.Failure())
	}
}

// files answers the file dialogs in a test.
type answers struct {
	path    string
	written *buffer
}

func (a answers) OpenFile(_ []string, chosen func(string))        { chosen(a.path) }
func (a answers) OpenFiles(chosen func([]string))                 { chosen([]string{a.path}) }
func (a answers) OpenFolder(chosen func(string))                  { chosen(a.path) }
func (a answers) OpenSeveral(chosen func([]string))               { chosen([]string{a.path}) }
func (a answers) Save(_ string, chosen func(fyne.URIWriteCloser)) { chosen(a.written) }

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
	b := opened(t, uitest.NewApp())
	p := b.panel
	var want bytes.Buffer
	if err := p.result.WriteCSV(&want); err != nil {
		t.Fatal(err)
	}
	p.exports()[0].Action()
	if b.FyneApp.Clipboard().Content() != want.String() {
		t.Error("the clipboard holds another matrix")
	}
	out := &buffer{}
	p.Files = func() kit.FileDialogs { return answers{written: out} }
	p.exports()[1].Action()
	b.Loop.Until(t, "the file", func() bool { return strings.HasPrefix(b.Said, "Saved") })
	if out.String() != want.String() || !out.closed {
		t.Error("the file holds another matrix")
	}
	out = &buffer{}
	b.Said = ""
	p.exports()[2].Action()
	b.Loop.Until(t, "the picture", func() bool { return strings.HasPrefix(b.Said, "Saved") })
	if c, err := png.DecodeConfig(&out.Buffer); err != nil || c.Width != int(kit.PictureWidth*kit.PictureScale) {
		t.Errorf("the picture is %d wide, %v", c.Width, err)
	}
	out = &buffer{full: true}
	p.exports()[1].Action()
	b.Loop.Until(t, "the error", func() bool { return p.notice.Message() != "" })
	if got := p.notice.Message(); !strings.Contains(got, "was not saved: no space left on device") || !out.closed {
		t.Errorf("a full disk: %q", got)
	}
}

// The picture is drawn in parts, between which the window answers; Escape ends it, and leaves no
// file.
func TestPictureInParts(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p := b.panel
	name := filepath.Join(t.TempDir(), "similarity.png")
	start := func() {
		w, err := storage.Writer(storage.NewFileURI(name))
		if err != nil {
			t.Fatal(err)
		}
		p.Files = func() kit.FileDialogs { return opens{w: w} }
		p.savePNG()
	}
	turn := func() bool {
		b.Busy.Wait()
		return b.Loop.Run()
	}
	start()
	turn()
	p.Escape()
	b.Idle()
	if _, err := os.Stat(name); !os.IsNotExist(err) {
		t.Errorf("a picture that was stopped leaves a file: %v", err)
	}
	start()
	turns := 0
	for turn() {
		turns++
	}
	if turns < 3 {
		t.Errorf("the window had a turn %d times", turns)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if size := m.Bounds().Size(); size.X != int(kit.PictureScale*kit.PictureWidth) || size.Y < int(kit.PictureScale*cardsHeight) {
		t.Errorf("the picture is %v", size)
	}
	if shot := os.Getenv("SHOT"); shot != "" {
		os.WriteFile(shot, data, 0o644)
	}
}

// opens answers the dialog for saving with a file.
type opens struct {
	kit.FileDialogs
	w fyne.URIWriteCloser
}

func (o opens) Save(_ string, chosen func(fyne.URIWriteCloser)) { chosen(o.w) }

func TestExportsNeedAResult(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.SimilarityTexts = []string{}
	b := newBench(t, d)
	b.panel.copyCSV()
	b.panel.saveCSV()
	b.panel.savePNG()
	if !b.panel.export.Disabled() {
		t.Error("nothing can be exported")
	}
}

func TestModelList(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p := b.panel.picker
	p.TypedKey(uitest.Key(fyne.KeySpace))
	if p.Popup == nil || !p.Popup.Visible() || p.List.Current != 0 {
		t.Fatal("the space bar does not open the list")
	}
	rows := uitest.AllText(p.List)
	for _, want := range []string{"7.4 M parameters · 15 MB", "comes with Inglenook", "downloaded", "The weights are a pickle file, which can run code.", "This is a reranker"} {
		if !strings.Contains(rows, want) {
			t.Errorf("the list lacks %q", want)
		}
	}
	p.Take(2) // not usable
	if p.ID != "starter-embed" || p.Popup == nil {
		t.Error("a model that can't be used was chosen")
	}
	b.panel.Escape()
	if p.Popup != nil {
		t.Error("Escape does not close the list")
	}
	p.Open()
	p.List.TypedKey(uitest.Key(fyne.KeyDown))
	p.List.TypedKey(uitest.Key(fyne.KeyReturn))
	b.awaitResult(t, 2)
	if b.Double.Requests()[1].Model != "org/other" {
		t.Errorf("compared with %q", b.Double.Requests()[1].Model)
	}
	b.Saver.Flush()
	if b.Double.Settings().Model != "org/other" {
		t.Error("the model is not kept")
	}
	p.Open()
	p.List.Pick(3)
	test.Tap(uitest.FindButton(t, p.Popup.Content, "Remove from list"))
	b.Loop.Until(t, "the shorter list", func() bool { return len(b.panel.models) == 3 })
}

func TestPromptsOfAModel(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p := b.panel.prompt
	if p.Text() != "" || !slices.Equal(p.Choice.Options, []string{panel.NoPrompt, panel.OwnPrompt}) {
		t.Errorf("a model that states no prompts offers %q", p.Choice.Options)
	}
	p.Offer(map[string]string{"query": "query: ", "document": "passage: ", "none": ""}, "document")
	if p.Text() != "passage: " || !slices.Equal(p.Choice.Options, []string{panel.NoPrompt, "document", "query", panel.OwnPrompt}) {
		t.Errorf("offers %q, uses %q", p.Choice.Options, p.Text())
	}
	p.Choice.SetSelected(panel.OwnPrompt)
	test.Type(p.Own, "title: ")
	if p.Text() != "title: " || !p.Own.Visible() {
		t.Errorf("own prompt: %q", p.Text())
	}
	if got := b.panel.stale.Message(); !strings.HasPrefix(got, "The prompt has changed") {
		t.Errorf("the panel says %q", got)
	}
	b.panel.start()
	b.awaitResult(t, 2)
	if got := b.Double.Requests()[1].Prompt; got != "title: " {
		t.Errorf("compared with the prompt %q", got)
	}
}

// The matrix of many texts is too long for the clipboard, so it is offered as a file.
func TestCopyOfManyTextsIsOfferedAsAFile(t *testing.T) {
	b := opened(t, uitest.NewApp())
	lines := make([]string, 1000)
	many := texts.SimilarityResult{Texts: lines, Matrix: make([][]float32, len(lines))}
	for i := range many.Matrix {
		many.Matrix[i] = make([]float32, len(lines))
	}
	b.panel.result = &many
	b.Said = ""
	b.panel.copyCSV()
	top := b.Window.Canvas().Overlays().Top()
	if top == nil || uitest.Search(top, "Save as a file…") == nil || b.FyneApp.Clipboard().Content() != "" || b.Said != "" {
		t.Errorf("%d bytes were copied; it said %q", len(b.FyneApp.Clipboard().Content()), b.Said)
	}
}

// The numbers of neighbours are shown in full, however many there are.
func TestNeighbourNumbersAreWhole(t *testing.T) {
	uitest.LightApp(t)
	for _, n := range []int{3, 1000, 12_345} {
		near := newNeighbours(&kit.Keyboard{})
		test.NewTempWindow(t, near.view).Resize(fyne.NewSize(400, 300))
		scores := make([][]float32, n)
		scores[0] = make([]float32, n)
		near.show(0, &texts.SimilarityResult{Texts: slices.Repeat([]string{"row"}, n), Matrix: scores}, chart.NewScale(scores, false))
		near.list.TypedKey(uitest.Key(fyne.KeyEnd))
		uitest.NumbersAreWhole(t, near.list)
	}
}

// The texts are kept for the next start, unless they are long; they can be ranked too.
func TestTextsAreKept(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.SimilarityTexts = []string{"alpha", "beta"}
	b := opened(t, d)
	b.panel.list.Add([]string{"gamma"})
	b.Saver.Flush()
	if got := d.Settings().SimilarityTexts; !slices.Equal(got, []string{"alpha", "beta", "gamma"}) {
		t.Errorf("kept %q", got)
	}
	b.panel.list.Undo()
	if b.panel.stale.Message() != "" {
		t.Error("all is as compared, but the result counts as old")
	}
	test.Tap(uitest.FindButton(t, b.panel.Content(), "Open in Rerank…"))
	if !slices.Equal(b.Sent.Texts, []string{"alpha", "beta"}) || b.Sent.Query != "" {
		t.Errorf("sent to Rerank: %+v", b.Sent)
	}
	b.panel.list.Add([]string{strings.Repeat("long ", 1<<20)})
	b.Saver.Flush()
	if got := d.Settings().SimilarityTexts; got == nil || len(got) != 0 {
		t.Errorf("%d texts of 5 MB are kept in the settings", len(got))
	}
}
