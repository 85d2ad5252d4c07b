package classify

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/master"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// bench is a window that shows the page.
type bench struct {
	*uitest.Stage
	page *Page
}

// room is the page as if it were a room of its own.
type room struct {
	panel.Still
	*Page
}

func (room) Info() panel.Info           { return Info() }
func (r room) Escape()                  { r.Page.Escape() }
func (r room) WritesIn() fyne.Focusable { return r.Page.WritesIn() }
func (r room) ModelsChanged()           { r.Page.ModelsChanged() }
func (r room) Drop(d panel.Dropped)     { r.Page.Drop(d) }
func (room) Takes(panel.Dropped) bool   { return true }
func (r room) Shortcuts() []kit.Shortcut {
	return []kit.Shortcut{
		kit.NewShortcut(fyne.KeyReturn, "Classify", "Enter", r.Start),
		kit.NewShortcut(fyne.KeyZ, "", "", r.Undo), kit.NewShortcut(fyne.KeyY, "", "", r.Redo),
	}
}

// entered opens the window, and waits for the list of models.
func entered(t *testing.T, d *uitest.App, lines ...string) *bench {
	t.Helper()
	if lines != nil {
		d.Kept.Classify.Texts = lines
	}
	b := &bench{Stage: uitest.NewStage(t, d)}
	b.page = New(b.Host, d)
	b.Put(room{Page: b.page})
	b.page.Enter()
	b.Idle()
	return b
}

// classified presses the button and waits.
func (b *bench) classified(t *testing.T) *found {
	t.Helper()
	before := b.page.found
	test.Tap(b.page.classify)
	b.Idle()
	if b.page.found == before {
		t.Fatalf("nothing was found: %q", b.page.notice.Message())
	}
	return b.page.found
}

// withModel offers one more model, which is chosen.
func withModel(d *uitest.App, m library.Model) *uitest.App {
	m.Usable, m.Source = true, library.SourceFolder
	d.Offered = append(d.Offered, m)
	d.Kept.Classify.Model = m.ID
	return d
}

// The page is useful at once: the bundled model, sample texts and sample labels are there.
func TestFirstLook(t *testing.T) {
	b := entered(t, uitest.NewApp())
	if got := uitest.AllText(b.page.blank); !strings.Contains(got, "Press Classify. starter-embed says which of your labels fits each text best.") {
		t.Errorf("it says %q", got)
	}
	out := b.classified(t)
	asked := b.Double.Classifications()
	if len(asked) != 1 || asked[0].Model != "starter-embed" || asked[0].Device != "auto" || !slices.Equal(asked[0].Texts, texts.SampleTexts()) ||
		!slices.Equal(asked[0].Labels, []string{"animals", "travel", "cooking", "money", "astronomy"}) {
		t.Errorf("asked for %+v", asked)
	}
	if b.page.blank.Visible() || !b.page.results.view.Visible() {
		t.Error("the result is not in view")
	}
	if got := uitest.AllText(uitest.RowsOf(b.page.results.rows)[0]); !strings.Contains(got, out.Labels[0][0].Name) || !strings.Contains(got, kit.Percent(float64(out.Labels[0][0].Value))) {
		t.Errorf("the first row says %q", got)
	}
	if n := len(b.page.results.list); n != 5 {
		t.Errorf("%d labels of the chosen text", n)
	}
	if b.page.results.foot.Below().Visible() {
		t.Error("the details take room before a person asks for them")
	}
	test.Tap(b.page.results.foot.More)
	said := uitest.AllText(b.page.results.view)
	for _, want := range []string{"The shares of a text add up to 100 %.", "Each label was read as a sentence, such as “This is about animals.”", "how close in meaning the text is", "closer by 0.05 gets nearly three times the share", "10 texts in 40 ms", "computed by CPU"} {
		if !strings.Contains(said, want) {
			t.Errorf("it lacks %q", want)
		}
	}
	b.Saver.Flush()
	if kept := b.Double.Settings().Classify; kept.Texts != nil {
		t.Errorf("the samples are kept as if they were a person's own: %+v", kept)
	}
}

// Where no label fits, the row says so in place of one, and the text says what that means. After Clear
// the result goes, and comes back with the texts.
func TestNoLabelFits(t *testing.T) {
	d := uitest.NewApp()
	d.Classified.Then = func(r *texts.ClassifyResult) { r.NoneFits = []bool{true, false} }
	b := entered(t, d, "the goalkeeper", "rain and snow")
	out := b.classified(t)
	if !d.Classifications()[0].Compare {
		t.Error("it is not asked for")
	}
	rows := uitest.RowsOf(b.page.results.rows)
	if first, second := uitest.AllText(rows[0]), uitest.AllText(rows[1]); !strings.Contains(first, "maybe "+out.Labels[0][0].Name) || strings.Contains(first, "%") || !strings.Contains(second, out.Labels[1][0].Name) {
		t.Errorf("the rows say %q and %q", first, second)
	}
	doubt := b.page.results.doubt
	if !b.page.results.none {
		t.Error("the bars of labels that do not fit have the colour of ones that do")
	}
	if want := "Even “" + out.Labels[0][0].Name + "” is no closer"; !doubt.Flat.Visible() || !strings.Contains(doubt.Segment.Text, want) {
		t.Errorf("the text says %q, want %q", doubt.Segment.Text, want)
	}
	b.page.results.rows.Pick(1)
	if strings.Contains(doubt.Segment.Text, "No label fits") {
		t.Error("it is said of a text that a label fits")
	}
	test.Tap(uitest.FindButton(t, b.page.Content(), "Clear"))
	b.Idle()
	if b.page.results.view.Visible() || !b.page.blank.Visible() || !b.page.export.Disabled() {
		t.Error("without texts the old result is in view")
	}
	b.page.list.Add([]string{"something else"})
	b.Idle()
	if b.page.results.view.Visible() || !b.page.blank.Visible() || !b.page.export.Disabled() {
		t.Error("beside new texts the result of deleted ones is in view")
	}
	b.page.Undo()
	b.page.Undo()
	b.Idle()
	if !b.page.results.view.Visible() || b.page.blank.Visible() {
		t.Error("with the texts the result does not come back")
	}
}

// A row shows all of its text, and marks it on the list; a text of the list shows its row.
func TestChoosing(t *testing.T) {
	b := entered(t, uitest.NewApp(), "a cat", "money money", "trains")
	b.classified(t)
	if b.page.list.Selected != 0 || b.page.results.rows.Current != 0 {
		t.Errorf("selected %d, row %d", b.page.list.Selected, b.page.results.rows.Current)
	}
	b.page.list.Rows.Pick(2)
	out := b.classified(t)
	if b.page.results.rows.Current != 2 || b.page.results.text.String() != "trains" {
		t.Errorf("the list marks text 3; row %d, text %q", b.page.results.rows.Current, b.page.results.text.String())
	}
	b.page.results.rows.Pick(1)
	if got := b.page.found.labelOf(1); b.page.list.Selected != out.asked.ids[1] || got != "money" || b.page.results.text.String() != "money money" {
		t.Errorf("selected %d, first label %q, text %q", b.page.list.Selected, got, b.page.results.text.String())
	}
	b.page.list.Rows.Pick(2)
	if b.page.results.rows.Current != 2 || b.page.results.text.String() != "trains" {
		t.Errorf("row %d, text %q", b.page.results.rows.Current, b.page.results.text.String())
	}
}

// What changes after a result is said, and a click does it again; labels and texts are kept.
func TestChangesAreSaid(t *testing.T) {
	b := entered(t, uitest.NewApp(), "a cat")
	b.classified(t)
	b.page.labels.SetText("cats; dogs,, horses ")
	if got := b.page.stale.Message(); got != "The labels have changed since this result." {
		t.Errorf("stale: %q", got)
	}
	test.Tap(b.page.stale.Act)
	b.Idle()
	if asked := b.Double.Classifications(); b.page.stale.Message() != "" || !slices.Equal(asked[1].Labels, []string{"cats", "dogs", "horses"}) {
		t.Errorf("stale: %q, asked for %+v", b.page.stale.Message(), asked[1])
	}
	b.page.labels.SetText("cats")
	if !b.page.classify.Disabled() || !strings.Contains(b.page.stale.Message(), "Write at least two labels") {
		t.Errorf("a single label: %q", b.page.stale.Message())
	}
	b.page.list.Add([]string{"one more"})
	b.Saver.Flush()
	if kept := b.Double.Settings().Classify; kept.Labels != "cats" || !slices.Equal(kept.Texts, []string{"a cat", "one more"}) {
		t.Errorf("kept %+v", kept)
	}
}

// One thing is said above the result at a time: what went wrong, until texts were added or it was closed, then that the
// result is an old one.
func TestOneBanner(t *testing.T) {
	b := entered(t, uitest.NewApp(), "a cat", "a dog")
	b.classified(t)
	b.page.labels.SetText("happy, sad")
	b.page.ShowError(errors.New("none of 3 files could be used"))
	if b.page.notice.Message() == "" || b.page.stale.Message() != "" || b.page.moods.Message() != "" {
		t.Errorf("it says %q, %q and %q", b.page.notice.Message(), b.page.stale.Message(), b.page.moods.Message())
	}
	b.page.list.Add([]string{"a horse"})
	if b.page.notice.Message() != "" || b.page.stale.Message() == "" {
		t.Errorf("with more texts it says %q and %q", b.page.notice.Message(), b.page.stale.Message())
	}
	b.page.ShowError(errors.New("none of 3 files could be used"))
	if test.Tap(b.page.notice.Close); b.page.notice.Message() != "" || b.page.stale.Message() == "" {
		t.Errorf("after Close it says %q and %q", b.page.notice.Message(), b.page.stale.Message())
	}
}

// A model with results of its own takes no labels: entities are marked in the text.
func TestEntities(t *testing.T) {
	const text = "Last week Ada Lovelace met Bob."
	b := entered(t, withModel(uitest.NewApp(), library.Model{ID: "/models/names", Name: "names", Kind: library.KindEncoder, Classifies: "entities"}), text, "nobody")
	if b.page.asks.Visible() || !strings.Contains(b.page.gives.String(), "marks names") {
		t.Errorf("labels are asked for: %q", b.page.gives.String())
	}
	b.classified(t)
	if asked := b.Double.Classifications()[0]; asked.Labels != nil {
		t.Errorf("asked for labels %q", asked.Labels)
	}
	if got := b.page.results.text.String(); got != "Last NAME week Ada NAME Lovelace NAME met Bob NAME." {
		t.Errorf("the text is shown as %q", got)
	}
	rows := uitest.RowsOf(b.page.results.rows)
	if first, second := uitest.AllText(rows[0]), uitest.AllText(rows[1]); !strings.Contains(first, "Last, Ada, Lovelace, Bob") || !strings.Contains(second, "nothing found") {
		t.Errorf("rows %q and %q", first, second)
	}
	if got := uitest.AllText(uitest.RowsOf(b.page.results.lines)[3]); !strings.Contains(got, "Bob") || !strings.Contains(got, "90 %") {
		t.Errorf("a line says %q", got)
	}
}

// A model that fills gaps says how a gap is written, and lists its words.
func TestWords(t *testing.T) {
	b := entered(t, withModel(uitest.NewApp(), library.Model{ID: "/models/gaps", Name: "gaps", Kind: library.KindEncoder, Classifies: "words"}), "a cup of ___")
	if !strings.Contains(b.page.gives.String(), "write ___") {
		t.Errorf("it says %q", b.page.gives.String())
	}
	b.classified(t)
	if got := uitest.AllText(b.page.results.view); !strings.Contains(got, "Best words for the gaps") || !strings.Contains(got, "tea") || !strings.Contains(got, "milk") || !strings.Contains(got, "30 %") {
		t.Errorf("it shows %q", got)
	}
}

// Pictures get labels from a model that reads them, and no other.
func TestPictures(t *testing.T) {
	d := uitest.NewApp()
	b := entered(t, d, "a text")
	b.page.Drop(panel.Dropped{Files: []string{"/p/cat.png"}})
	b.Idle()
	if !b.page.classify.Disabled() || !strings.Contains(uitest.AllText(b.page.blank), "such as CLIP") {
		t.Errorf("it says %q", uitest.AllText(b.page.blank))
	}
	withModel(d, library.Model{ID: "/models/clip", Name: "clip", Kind: library.KindEmbedding, Pictures: true})
	b.page.Use("/models/clip")
	b.Idle()
	b.classified(t)
	if asked := d.Classifications()[0]; !slices.Equal(asked.Pictures, []string{"", "/p/cat.png"}) || !slices.Equal(asked.Texts, []string{"a text", "cat.png"}) {
		t.Errorf("asked for %+v", asked)
	}
	if got := b.page.results.foot.Details.Segment.Text; !strings.Contains(got, "“This is a photo of animals.”") || !strings.Contains(got, "closer by 0.01") || !strings.Contains(got, "closer by 0.05") {
		t.Errorf("details: %q", got)
	}
	r := b.page.results
	if r.title.Text != "Best label for each text or picture" {
		t.Errorf("the heading is %q", r.title.Text)
	}
	if r.show(0); r.shown.Text != "This text" {
		t.Errorf("the heading of a text is %q", r.shown.Text)
	}
	if r.show(1); r.shown.Text != "This picture" {
		t.Errorf("the heading of a picture is %q", r.shown.Text)
	}
}

// A model for something else is refused with where it belongs.
func TestFits(t *testing.T) {
	for want, m := range map[string]library.Model{
		"Use it in Rerank":                 {Kind: library.KindReranker, Classifies: "labels"},
		"Use it in Chat":                   {Kind: library.KindTask},
		"writes text":                      {Kind: library.KindChat},
		"Choose one for pictures and text": {Kind: library.KindPictures},
	} {
		m.Usable = true
		if why, ok := Fits(m); ok || !strings.Contains(why, want) {
			t.Errorf("%s: %q", m.Kind, why)
		}
	}
	own := library.Model{Usable: true, Kind: library.KindEncoder, Classifies: "entities"}
	if _, ok := Fits(own); !ok {
		t.Error("a model that marks entities does not fit")
	}
	if _, ok := FitsItsOwn(library.Model{Usable: true, Kind: library.KindEmbedding}); ok {
		t.Error("an embedder is offered as a classifier")
	}
}

// A run can be cancelled, and what goes wrong is said.
func TestCancelAndFailure(t *testing.T) {
	d := uitest.NewApp()
	d.Classified.Slow = func(ctx context.Context) { <-ctx.Done() }
	b := entered(t, d, "a cat")
	test.Tap(b.page.classify)
	if b.page.classify.Visible() || !b.page.Progress.Visible() {
		t.Error("there is no way to cancel")
	}
	test.Tap(b.page.Cancel)
	b.Idle()
	if b.page.running != nil || b.page.found != nil || b.page.notice.Message() != "" || b.Said != "Cancelled." {
		t.Errorf("after Cancel: %q, %q", b.page.notice.Message(), b.Said)
	}
	d.Classified.Slow, d.Classified.Fails = nil, errors.New("text 1 has no gap to fill")
	test.Tap(b.page.classify)
	b.Idle()
	if got := b.page.notice.Message(); got != "Text 1 has no gap to fill." {
		t.Errorf("it says %q", got)
	}
	b.page.Escape()
	if b.page.notice.Message() != "" {
		t.Error("Escape leaves the notice")
	}
}

// Ten thousand texts are shown without a wait: only what is in view is drawn.
func TestManyTexts(t *testing.T) {
	b := entered(t, uitest.NewApp(), slices.Repeat([]string{"a cat", "a dog"}, 5000)...)
	b.classified(t)
	if n := len(uitest.RowsOf(b.page.results.rows)); n > 40 {
		t.Errorf("%d rows exist", n)
	}
}

// The masters show the page in its main states.
func TestMasters(t *testing.T) {
	for name, arrange := range map[string]func(t *testing.T) *bench{
		"first": func(t *testing.T) *bench { return entered(t, uitest.NewApp()) },
		"labels": func(t *testing.T) *bench {
			b := entered(t, uitest.NewApp(), "a fire in winter", "money for a train", "cats and dogs")
			b.classified(t)
			return b
		},
		"entities-small": func(t *testing.T) *bench {
			b := entered(t, withModel(uitest.NewApp(), library.Model{ID: "/models/names", Name: "names", Kind: library.KindEncoder, Classifies: "entities"}), "Last week Ada Lovelace met Bob.", "nobody")
			b.classified(t)
			b.Window.Resize(fyne.NewSize(816, 570))
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := arrange(t)
			b.Idle()
			master.CheckCanvas(t, name, b.Window.Canvas())
		})
	}
}

// A dropped model that cannot classify is led to its room.
func TestMisplaced(t *testing.T) {
	d := uitest.NewApp()
	d.AddedKind = library.KindReranker
	b := entered(t, d)
	b.page.Drop(panel.Dropped{Models: []string{"/models/ranker"}})
	b.Idle()
	if got := b.page.notice.Message(); !strings.Contains(got, "Use it in Rerank") || b.page.notice.Act.Text != "Go to Rerank" || b.page.picker.ID != "starter-embed" {
		t.Fatalf("it says %q, %q; the model is %s", got, b.page.notice.Act.Text, b.page.picker.ID)
	}
	test.Tap(b.page.notice.Act)
	if b.Entered != panel.Rerank || b.Brought != "/models/ranker" || b.page.notice.Message() != "" {
		t.Errorf("it leads to %q", b.Entered)
	}
}
