package similarity

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// bench is a window that shows Similarity.
type bench struct {
	*uitest.Stage
	panel *Panel
	page  *page
}

// page stands in for the other area of the room, and remembers what it was told.
type page struct {
	view    fyne.CanvasObject
	panes   *panel.Panes
	buttons *fyne.Container
	told    []string
	own     []string
	taken   []string
	compare func([]string)
}

func (p *page) Own() []string                    { return p.own }
func (p *page) Take(lines []string)              { p.taken = lines }
func (p *page) OnCompare(compare func([]string)) { p.compare = compare }

func (p *page) Content() fyne.CanvasObject { return p.view }
func (p *page) Enter()                     { p.told = append(p.told, "enter") }
func (p *page) Escape()                    { p.told = append(p.told, "escape") }
func (p *page) Drop(d panel.Dropped)       { p.told = append(p.told, "drop "+d.Files[0]) }
func (p *page) ModelsChanged()             { p.told = append(p.told, "models") }
func (p *page) ShowError(err error)        { p.told = append(p.told, err.Error()) }
func (p *page) Use(model string)           { p.told = append(p.told, "use "+model) }
func (p *page) Start()                     { p.told = append(p.told, "start") }
func (p *page) WritesIn() fyne.Focusable   { p.told = append(p.told, "compose"); return nil }
func (p *page) OpenFile()                  { p.told = append(p.told, "file") }
func (p *page) OpenModel()                 { p.told = append(p.told, "model") }
func (p *page) ChooseModel()               { p.told = append(p.told, "choose") }
func (p *page) Undo()                      { p.told = append(p.told, "undo") }
func (p *page) Redo()                      { p.told = append(p.told, "redo") }
func (p *page) CopyCSV()                   { p.told = append(p.told, "copy") }
func (p *page) SaveCSV()                   { p.told = append(p.told, "save") }
func (p *page) Panes() *panel.Panes        { return p.panes }
func (p *page) Buttons() *fyne.Container   { return p.buttons }

// While the other area is in view, keys, files and errors are for it, and none of them changes
// the comparison.
func TestAreas(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p, before := b.panel, b.panel.texts.Len()
	p.areas.Pick(areaClassify)
	if p.panes.View.Visible() || p.buttons.Visible() || !b.page.view.Visible() {
		t.Fatal("the other area is not in view")
	}
	for _, key := range []fyne.KeyName{fyne.KeyReturn, fyne.KeyN, fyne.KeyO, fyne.KeyM, fyne.KeyZ} {
		b.Press(key)
	}
	p.Drop(panel.Dropped{Files: []string{"notes.txt"}})
	p.ShowError(errors.New("no"))
	p.Escape()
	p.Classify("org/other")
	b.Idle()
	if got := strings.Join(b.page.told, ", "); got != "enter, start, compose, file, choose, undo, drop notes.txt, no, escape, enter, use org/other" {
		t.Errorf("the page was told: %s", got)
	}
	if p.texts.Len() != before || len(b.Double.Requests()) != 1 || p.Failure() != "" {
		t.Error("the comparison heard of it")
	}
	p.Open("org/other")
	b.Idle()
	if !p.panes.View.Visible() || b.page.view.Visible() {
		t.Error("a model for the comparison does not bring that into view")
	}
}

// newBench opens the window; the first comparison waits.
func newBench(t *testing.T, d *uitest.App) *bench {
	t.Helper()
	b := &bench{Stage: uitest.NewStage(t, d)}
	panes := panel.NewPanes(b.Host.Keys, container.NewStack(), container.NewStack(), [2]string{"Texts", "Result"})
	b.page = &page{view: container.NewStack(), panes: panes, buttons: container.NewStack()}
	b.panel = New(b.Host, d, b.page)
	b.Put(b.panel)
	return b
}

// opened returns a window with its first result.
func opened(t *testing.T, d *uitest.App) *bench {
	t.Helper()
	b := newBench(t, d)
	b.panel.Open("")
	b.awaitResult(t, 1)
	return b
}

// awaitResult waits until the nth comparison is shown.
func (b *bench) awaitResult(t *testing.T, n int) {
	t.Helper()
	b.Loop.Until(t, "a result", func() bool {
		return len(b.Double.Requests()) >= n && b.panel.running == nil && b.panel.result != nil
	})
}

func TestFirstStartComparesTheSamples(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p := b.panel
	if got := b.Double.Requests()[0]; !slices.Equal(got.Texts, texts.SampleTexts()) || got.Model != "starter-embed" || got.Device != "auto" {
		t.Errorf("asked for %+v", got)
	}
	if p.blank.Visible() || !p.results.view.Visible() {
		t.Error("the result is not in view")
	}
	facts := p.facts.Segment.Text
	for _, want := range []string{"10 texts in 20 ms", "500 texts/s", "starter-embed", "computed by CPU", "opened in 5 ms"} {
		if !strings.Contains(facts, want) {
			t.Errorf("facts %q lack %q", facts, want)
		}
	}
	if p.list.Selected != p.resultIDs[0] || p.results.selected != 0 {
		t.Error("the first text is not selected")
	}
}

func TestKeptTextsAndModelAreUsed(t *testing.T) {
	d := uitest.NewApp()
	d.Kept = base.Settings{SimilarityTexts: []string{"one", "two"}, Model: "org/other", Device: "cpu"}
	b := opened(t, d)
	if got := d.Requests()[0]; !slices.Equal(got.Texts, []string{"one", "two"}) || got.Model != "org/other" || got.Device != "cpu" {
		t.Errorf("asked for %+v", got)
	}
	_ = b
}

func TestManyTextsAreNotComparedUnasked(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.SimilarityTexts = slices.Repeat([]string{"again"}, autoStart+1)
	b := newBench(t, d)
	b.panel.Open("")
	b.Loop.Until(t, "models", func() bool { return b.panel.models != nil })
	if b.panel.running != nil || len(d.Requests()) > 0 {
		t.Error("a long comparison began by itself")
	}
	if b.panel.compare.Disabled() {
		t.Error("Compare cannot be pressed")
	}
}

func TestSelectionIsTheSameEverywhere(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p := b.panel
	p.results.heat.SetOrder(nil, nil)
	check := func(how string, i, partner int) {
		t.Helper()
		r := p.results
		if p.list.Selected != p.resultIDs[i] || p.list.Rows.Current != i || r.heat.Row != i || r.points.Selected != i ||
			r.near.title.Text != "Nearest to text "+string(rune('1'+i)) {
			t.Errorf("%s: list %d, matrix %d, map %d, %q; want text %d", how, p.list.Rows.Current, r.heat.Row, r.points.Selected, r.near.title.Text, i)
		}
		if partner >= 0 && r.heat.Column != partner {
			t.Errorf("%s: column %d is chosen, want %d", how, r.heat.Column, partner)
		}
	}
	p.results.heat.Pick(2, 4)
	check("a click on a cell", 2, 4)
	if p.results.pair.Value.Text != kit.Cosine(p.result.Matrix[2][4]) {
		t.Errorf("the readout says %q", p.results.pair.Value.Text)
	}
	p.results.heat.TypedKey(uitest.Key(fyne.KeyRight))
	check("right in the matrix", 2, 5)
	p.results.heat.TypedKey(uitest.Key(fyne.KeyDown))
	check("down in the matrix", 3, 5)
	p.results.points.Chosen(7)
	check("a click on a point", 7, p.result.Nearest(7, 1)[0].Index)
	p.list.Rows.TypedKey(uitest.Key(fyne.KeyUp))
	check("up in the list", 6, -1)
	p.results.near.list.Clicked(0)
	check("a click on a neighbour", p.result.Nearest(6, 1)[0].Index, -1)
}

func TestPointerReadsPairsWithoutChoosing(t *testing.T) {
	b := opened(t, uitest.NewApp())
	h, pair := b.panel.results.heat, b.panel.results.pair
	h.SetOrder(nil, nil)
	g := h.Grid(h.Size())
	at := fyne.NewPos(g.Left+3.5*g.Cell.Width, g.Top+1.5*g.Cell.Height)
	h.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
	if want := kit.Cosine(b.panel.result.Matrix[1][3]); pair.Value.Text != want || !strings.HasPrefix(pair.First.Text, "2") || !strings.HasPrefix(pair.Second.Text, "4") {
		t.Errorf("the readout says %q %q %q, want %s", pair.Value.Text, pair.First.Text, pair.Second.Text, want)
	}
	h.MouseOut()
	if !strings.HasPrefix(pair.First.Text, "1") || b.panel.results.selected != 0 {
		t.Errorf("after leaving, the readout says %q", pair.First.Text)
	}
}

func TestCancelAndLateResults(t *testing.T) {
	d := uitest.NewApp()
	free := make(chan struct{})
	d.Slow = func(ctx context.Context, n int) bool {
		if n == 1 {
			<-free
			return true // it returns a result although it was cancelled
		}
		return false
	}
	b := newBench(t, d)
	b.panel.Open("")
	b.Loop.Until(t, "progress", func() bool { return strings.Contains(b.panel.Stage.Text, "1 of 10") })
	if b.panel.Left.Text != "3 s left" || b.panel.Bar.Value != 0.1 {
		t.Errorf("progress says %q at %v", b.panel.Left.Text, b.panel.Bar.Value)
	}
	first := b.panel.running
	test.Tap(b.panel.Cancel)
	if b.panel.running != nil || !b.panel.compare.Visible() || b.panel.Progress.Visible() {
		t.Fatal("Cancel does not free the panel at once")
	}
	b.panel.list.Add([]string{"another text", "one more"}) // the samples make room
	b.panel.start()
	b.Loop.Until(t, "the second result", func() bool { return b.panel.result != nil })
	close(free)
	b.Idle()
	if len(b.panel.result.Texts) != 2 {
		t.Error("a late result took the place of a newer one")
	}
	b.panel.finish(first, &texts.SimilarityResult{}, nil)
	if len(b.panel.result.Texts) != 2 {
		t.Error("a dropped run finished")
	}
}

func TestErrorsAreSentencesInThePanel(t *testing.T) {
	d := uitest.NewApp()
	d.Failing = errors.New("the model gives no finite numbers for text 3; try another model")
	b := newBench(t, d)
	b.panel.Open("")
	b.Loop.Until(t, "the error", func() bool { return b.panel.notice.Message() != "" })
	if got := b.panel.notice.Message(); got != "The model gives no finite numbers for text 3; try another model." {
		t.Errorf("the panel says %q", got)
	}
	if b.panel.compare.Disabled() || b.panel.running != nil {
		t.Error("the panel is stuck")
	}
	if top := b.Window.Canvas().Overlays().Top(); top != nil {
		t.Error("the error is a dialog")
	}
	b.panel.Escape()
	if b.panel.notice.Message() != "" {
		t.Error("Escape does not close the message")
	}
}

func TestAChangeMakesTheResultStale(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.SimilarityTexts = []string{"alpha", "beta", "gamma"}
	b := opened(t, d)
	p := b.panel
	if p.stale.Message() != "" {
		t.Fatalf("fresh result, but %q", p.stale.Message())
	}
	p.list.Add([]string{"new"})
	if p.stale.Message() != "The texts have changed since this comparison." {
		t.Errorf("the panel says %q", p.stale.Message())
	}
	if p.results.near.hint.Title.Text != "Not compared yet" {
		t.Errorf("neighbours of a new text: %q", p.results.near.hint.Title.Text)
	}
	p.list.Undo()
	if p.stale.Message() != "" {
		t.Error("the texts are the same again, but the result counts as old")
	}
	p.device.SetSelectedIndex(1)
	if !strings.HasPrefix(p.stale.Message(), "The device") {
		t.Errorf("the panel says %q", p.stale.Message())
	}
	test.Tap(p.stale.Act)
	b.awaitResult(t, 2)
	if p.stale.Message() != "" || b.Double.Requests()[1].Device != "cpu" {
		t.Error("comparing again does not help")
	}
}

func TestEmptyStates(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.SimilarityTexts = []string{}
	b := newBench(t, d)
	b.panel.Open("")
	b.Loop.Until(t, "models", func() bool { return b.panel.models != nil })
	p := b.panel
	if !strings.Contains(uitest.AllText(p.list.View), "No texts yet") || p.hint.Title.Text != "Bring some texts" || !p.compare.Disabled() {
		t.Errorf("without texts: %q", p.hint.Title.Text)
	}
	p.setModels(nil, nil)
	if p.hint.Title.Text != "No model" {
		t.Errorf("without models: %q", p.hint.Title.Text)
	}
	p.setModels(d.Offered[2:3], nil)
	if p.hint.Title.Text != "No model chosen" {
		t.Errorf("with a model that can't be used: %q", p.hint.Title.Text)
	}
}

func TestTruncatedTextsAreNamed(t *testing.T) {
	r := uitest.LetterResult([]string{"a", "b", "c"}, uitest.NewApp().Offered[0])
	r.Truncated = []bool{false, true, true}
	r.Note = "2 texts are longer than the 256 tokens that the model reads; their ends were left out"
	got := strings.Join(remarksOf(&r), " ")
	want := "2 texts are longer than the 256 tokens that the model reads; their ends were left out. Cut short: texts 2, 3."
	if got != want {
		t.Errorf("remarks: %q", got)
	}
}

func TestRunAndCancelByKeyboard(t *testing.T) {
	d := uitest.NewApp()
	b := opened(t, d)
	b.panel.list.Composer.TypedShortcut(uitest.Ctrl(fyne.KeyReturn))
	b.awaitResult(t, 2)
	free := make(chan struct{})
	d.Mu.Lock()
	d.Slow = uitest.BlockUntil(free)
	d.Mu.Unlock()
	defer close(free)
	for name, escape := range map[string]func(){
		"a text field": func() { b.panel.list.Composer.TypedKey(uitest.Key(fyne.KeyEscape)) },
		"a button":     func() { b.panel.Cancel.TypedKey(uitest.Key(fyne.KeyEscape)) },
		"the list":     func() { b.panel.list.Rows.TypedKey(uitest.Key(fyne.KeyEscape)) },
		"the matrix":   func() { b.panel.results.heat.TypedKey(uitest.Key(fyne.KeyEscape)) },
		"the map":      func() { b.panel.results.points.TypedKey(uitest.Key(fyne.KeyEscape)) },
		"the models":   func() { b.panel.picker.TypedKey(uitest.Key(fyne.KeyEscape)) },
		"the devices":  func() { b.panel.device.TypedKey(uitest.Key(fyne.KeyEscape)) },
		"nothing":      func() { b.Window.Canvas().OnTypedKey()(uitest.Key(fyne.KeyEscape)) },
	} {
		b.panel.start()
		if b.panel.running == nil {
			t.Fatal("nothing runs")
		}
		if escape(); b.panel.running != nil {
			t.Errorf("Escape with the focus on %s does not cancel", name)
		}
	}
}

// Tab reaches every control that takes keys.
func TestTabOrder(t *testing.T) {
	b := opened(t, uitest.NewApp())
	c := b.Window.Canvas()
	reached := map[fyne.Focusable]bool{}
	for range 60 {
		c.FocusNext()
		if f := c.Focused(); f != nil {
			reached[f] = true
		}
	}
	p := b.panel
	for name, f := range map[string]fyne.Focusable{
		"models": p.picker, "device": p.device.Choice, "list": p.list.Rows, "field": p.list.Composer,
		"Compare": p.compare, "matrix": p.results.heat, "map": p.results.points, "neighbours": p.results.near.list, "Export": p.export,
	} {
		if !reached[f] {
			t.Errorf("Tab does not reach: %s", name)
		}
	}
}

// A small window shows one figure at a time.
func TestFiguresTakeTurnsInASmallWindow(t *testing.T) {
	b := opened(t, uitest.NewApp())
	b.Window.Resize(fyne.NewSize(716, 530))
	tabs := b.panel.results.tabs
	if !tabs.Visible() || !b.panel.results.heat.Visible() {
		t.Error("there are no tabs in a small window")
	}
	tabs.TypedKey(uitest.Key(fyne.KeyRight))
	if tabs.Index != 1 || b.panel.results.view.Objects[1].Visible() || !b.panel.results.view.Objects[2].Visible() {
		t.Error("the tabs do not change the figure")
	}
	b.Window.Resize(fyne.NewSize(1156, 770))
	if tabs.Visible() || !b.panel.results.view.Objects[1].Visible() {
		t.Error("the tabs stay in a large window")
	}
}

// What are too many texts for a comparison is said when they are added, not after Compare.
func TestTooManyTexts(t *testing.T) {
	b := newBench(t, uitest.NewApp())
	p := b.panel
	p.Open("")
	b.Loop.Until(t, "models", func() bool { return p.models != nil })
	b.Idle()
	lines := make([]string, texts.MostMapped+1)
	for i := range lines {
		lines[i] = fmt.Sprint("text ", i)
	}
	p.list.Replace(lines[:texts.MostMapped])
	if p.compare.Disabled() || !strings.Contains(b.Said, "More than 2,000 texts are compared without a matrix") {
		t.Fatalf("as many as can be compared cannot be compared: %q", b.Said)
	}
	p.list.Replace(lines)
	if !p.compare.Disabled() || !strings.Contains(b.Said, "10,000 can be compared at once, and 10,001 are here") {
		t.Errorf("the strip says %q", b.Said)
	}
	p.list.Undo()
	if p.compare.Disabled() {
		t.Error("after Undo nothing can be compared")
	}
}

// A dropped text-to-text model is led to Chat.
func TestMisplaced(t *testing.T) {
	d := uitest.NewApp()
	d.AddedKind = library.KindTask
	b := opened(t, d)
	b.panel.Drop(panel.Dropped{Models: []string{"/models/t5"}})
	b.Idle()
	if got := b.panel.Failure(); !strings.Contains(got, "turns a text into another one, in Chat") || b.panel.notice.Act.Text != "Go to Chat" {
		t.Fatalf("it says %q, %q", got, b.panel.notice.Act.Text)
	}
	test.Tap(b.panel.notice.Act)
	if b.Entered != panel.Chat || b.Brought != "/models/t5" || b.panel.Failure() != "" {
		t.Errorf("it leads to %q", b.Entered)
	}
}

// More texts than a matrix has room for are compared all the same: the map and the nearest texts
// have them, and the matrix says why it is empty.
func TestManyTexts(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p := b.panel
	lines := make([]string, texts.MostCompared+1)
	for i := range lines {
		lines[i] = fmt.Sprintf("%c%c text about %s", 'a'+i%26, 'a'+i%7, []string{"snow", "bread"}[i%2]) + strings.Repeat("!", i/182)
	}
	p.list.Replace(lines)
	p.start()
	b.Loop.Until(t, "the comparison", func() bool { return p.running == nil && p.result != nil && len(p.result.Texts) == len(lines) })
	b.Idle()
	if p.result.Matrix != nil || !p.results.tooBig.View.Visible() {
		t.Error("there is a matrix, or no word about it")
	}
	if n := len(p.results.near.found); n != len(lines)-1 {
		t.Errorf("%d nearest texts", n)
	}
	if cards := p.results.layout.cards; cards[0].Visible() || !cards[1].Visible() || cards[1].Size().Height != p.results.view.Size().Height {
		t.Error("the map does not have the place of the matrix")
	}
	for i, way := range p.exports() {
		if matrix := i < 3; way.Disabled != matrix && (matrix || p.result.Groups.Count > 0) {
			t.Errorf("%s: disabled %v", way.Label, way.Disabled)
		}
	}
	p.copyCSV()
	p.saveCSV()
	p.savePNG()
}

// The matrix stands by group, and in the order of the list where a person prefers that; a cell is
// the same pair of texts in both.
func TestSortedByGroup(t *testing.T) {
	b := opened(t, uitest.NewApp())
	p := b.panel
	p.list.Replace([]string{"zzzz zzz", "eeee eee", "zzz zz", "eee eeee", "zzzzz", "ee eee e", "zz zz", "eeeee e"})
	p.start()
	b.Loop.Until(t, "the comparison", func() bool { return p.running == nil && len(p.result.Texts) == 8 })
	b.Idle()
	r := p.results
	if g := p.result.Groups; g.Count != 2 || !r.sort.Visible() || r.order.Text != "By group" {
		t.Fatalf("%+v, %q", g, r.order.Text)
	}
	r.choose(1)
	row, column := r.heat.Row, r.heat.Column
	if row != 1 || p.result.Texts[column][0] != 'e' {
		t.Errorf("text 1 is beside text %d", column)
	}
	r.heat.TypedKey(uitest.Key("Home"))
	if first := p.result.Groups.Order[0]; r.heat.Column != first {
		t.Errorf("Home leads to text %d, not to %d", r.heat.Column, first)
	}
	test.Tap(r.sort)
	r.heat.TypedKey(uitest.Key("End"))
	if r.order.Text != "As listed" || r.heat.Column != 7 {
		t.Errorf("%q, End leads to text %d", r.order.Text, r.heat.Column)
	}
}
