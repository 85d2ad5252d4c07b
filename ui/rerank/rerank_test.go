package rerank

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/base"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// bench is a window that shows Rerank.
type bench struct {
	*uitest.Stage
	panel *Panel
}

// entered opens the window with these texts in it, and waits for the list of models.
func entered(t *testing.T, d *uitest.App, query string, lines ...string) *bench {
	t.Helper()
	if lines != nil {
		d.Kept.Rerank.Query, d.Kept.Rerank.Texts = query, lines
	}
	b := &bench{Stage: uitest.NewStage(t, d)}
	b.panel = New(b.Host, d)
	b.Put(b.panel)
	b.panel.Enter()
	b.Idle()
	return b
}

// ranked presses Rank and waits for the outcome.
func (b *bench) ranked(t *testing.T) *outcome {
	t.Helper()
	before := b.panel.found
	test.Tap(b.panel.rank)
	b.Idle()
	if b.panel.found == before {
		t.Fatalf("nothing was ranked: %q", b.panel.notice.Message())
	}
	return b.panel.found
}

// animals gives texts of which the double likes the last best.
var animals = []string{"zzz", "a dog", "cat"}

func TestFirstLook(t *testing.T) {
	b := entered(t, uitest.NewApp(), "")
	questions, lines := texts.Sample()
	query := questions[0].Text
	if b.panel.field.Text != query || b.panel.texts.Len() != len(lines) {
		t.Fatalf("the room opens with %q and %d texts", b.panel.field.Text, b.panel.texts.Len())
	}
	if hint := uitest.AllText(b.panel.blank); !strings.Contains(hint, "Try it with 8 sample texts") || !b.panel.begin.Visible() || b.panel.begin.Text != "Sort the sample texts" {
		t.Errorf("it says %q", hint)
	}
	b.ranked(t)
	if got := b.Double.Rankings(); len(got) != 1 || got[0].Query != query || got[0].Model != "starter-embed" || got[0].Pooling != "" || got[0].Device != "auto" || !slices.Equal(got[0].Texts, lines) {
		t.Errorf("asked for %+v", got)
	}
	if b.panel.blank.Visible() || !b.panel.results.view.Visible() {
		t.Error("the outcome is not in view")
	}
	b.Saver.Flush()
	if kept := b.Double.Settings().Rerank; kept.Texts != nil {
		t.Errorf("the samples are kept as if they were a person's own: %+v", kept)
	}
}

func TestOrderBeforeAndAfter(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	out := b.ranked(t)
	p := b.panel.results.picture
	if !slices.Equal(p.right.Texts, []int{2, 1, 0}) || !slices.Equal(p.left.Texts, []int{0, 1, 2}) {
		t.Fatalf("orders %v and %v", p.left.Texts, p.right.Texts)
	}
	rows := uitest.RowsOf(p.rows)
	first := uitest.AllText(rows[0])
	for _, want := range []string{"zzz", "↑ 2", "cat", "1.000"} {
		if !strings.Contains(first, want) {
			t.Errorf("the first row lacks %q: %q", want, first)
		}
	}
	if last := uitest.AllText(rows[2]); !strings.Contains(last, "↓ 2") || !strings.Contains(last, "0.000") {
		t.Errorf("the last row says %q", last)
	}
	if facts := b.panel.results.foot.Details.Segment.Text; !strings.Contains(facts, "starter-embed") || !strings.Contains(facts, "3 texts in 40 ms") || !strings.Contains(facts, "computed by CPU") {
		t.Errorf("facts: %q", facts)
	}
	if b.panel.picked != 2 || b.panel.results.full.Segment.Text != "cat" {
		t.Errorf("text %d is in full view: %q", b.panel.picked, b.panel.results.full.Segment.Text)
	}
	p.rows.TypedKey(uitest.Key(fyne.KeyDown))
	if b.panel.picked != 1 || b.panel.list.Selected != out.asked.ids[1] {
		t.Errorf("Down picks text %d, the list %d", b.panel.picked, b.panel.list.Selected)
	}
	b.panel.list.Rows.Pick(0)
	if b.panel.picked != 0 || p.rows.Current != 2 {
		t.Errorf("a text of the list: picked %d, row %d", b.panel.picked, p.rows.Current)
	}
}

func TestTwoModels(t *testing.T) {
	d := uitest.NewApp()
	b := entered(t, d, "cat", animals...)
	test.Tap(uitest.FindButton(t, b.panel.Content(), "Second model"))
	if m, _ := b.panel.model(1); m.Name != "judge" {
		t.Fatalf("the second model is %q, not the reranker", m.Name)
	}
	out := b.ranked(t)
	if len(out.rankings) != 2 || out.rankings[1].Model.Name != "judge" {
		t.Fatalf("%d rankings", len(out.rankings))
	}
	r := b.panel.results
	if got := r.agreement.Segment.Text; got != "The models put the texts in opposite orders." {
		t.Errorf("agreement: %q", got)
	}
	if got := r.foot.Details.Segment.Text; !strings.Contains(got, "tau-b is -1.00") {
		t.Errorf("details: %q", got)
	}
	if row := uitest.AllText(uitest.RowsOf(r.picture.rows)[0]); !strings.Contains(row, scoreText(out.rankings[0].Ranking[0].Score, 1)) || !strings.Contains(row, scoreText(out.rankings[1].Ranking[0].Score, r.picture.high)) {
		t.Errorf("a row of both models lacks a score: %q", row)
	}
	if r.picture.heads[0].Text != "starter-embed" || r.picture.heads[1].Text != "judge" || !r.which.Visible() {
		t.Errorf("heads %q and %q", r.picture.heads[0].Text, r.picture.heads[1].Text)
	}
	for tab, want := range map[int][2]string{showFirst: {"Your order", "starter-embed"}, showSecond: {"Your order", "judge"}} {
		r.tabs.Index = showBoth
		r.tabs.Pick(tab)
		if r.picture.heads[0].Text != want[0] || r.picture.heads[1].Text != want[1] {
			t.Errorf("tab %d shows %q and %q", tab, r.picture.heads[0].Text, r.picture.heads[1].Text)
		}
	}
	if !strings.Contains(r.foot.Details.Segment.Text, "reads question and text together") || !strings.Contains(r.foot.Details.Segment.Text, "judge") {
		t.Errorf("facts: %q", r.foot.Details.Segment.Text)
	}
	b.Saver.Flush()
	if kept := d.Settings().Rerank.Models; !slices.Equal(kept, []string{"starter-embed", "/models/judge"}) {
		t.Errorf("kept %q", kept)
	}
	remove, _ := uitest.Find(b.panel.sides.second.view, func(b *kit.TextButton) bool { return b.Line.Text == "Remove" })
	remove.Tapped(nil)
	if b.panel.stale.Message() != "The second model was removed since this was sorted." {
		t.Errorf("stale: %q", b.panel.stale.Message())
	}
	if b.ranked(t); r.agreement.Flat.Visible() || r.which.Visible() {
		t.Error("one model agrees with itself")
	}
}

// The same text stands at one place, however often it is in the list.
func TestEqualTextsShareAPlace(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", "cat", "zzz", "cat")
	b.ranked(t)
	rows := uitest.RowsOf(b.panel.results.picture.rows)
	for i, want := range []string{"1\ncat\n=\n1\ncat\n1.000", "2\nzzz\n↑ 1\n1\ncat\n1.000", "3\ncat\n↓ 1\n3\nzzz\n0.000"} {
		if got := uitest.AllText(rows[i]); strings.Join(strings.Fields(got), "\n") != strings.Join(strings.Fields(want), "\n") {
			t.Errorf("row %d says %q, want %q", i, got, want)
		}
	}
}

// What is said of the work fits beside Cancel.
func TestStageTextFits(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.panel.Left.Set("3 s left")
	kit.Show(b.panel.Progress, true)
	b.panel.view.Refresh()
	for _, models := range []int{1, 2} {
		for _, p := range []base.Progress{{}, {Stage: base.StageScoring}, {Stage: base.StageScoring, Done: 9999, Total: 10_000}} {
			text := stageText(p, models-1, models)
			if room, width := b.panel.Stage.Size().Width, fyne.MeasureText(text, kit.TextSmall, fyne.TextStyle{}).Width; width > room {
				t.Errorf("%q is %v wide and there is room for %v", text, width, room)
			}
		}
	}
}

func TestPooling(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	for i, want := range []string{"pooler", "cls", "mean", ""} {
		b.panel.sides.first.pooling.SetSelected(poolingNames[want])
		b.ranked(t)
		if got := b.Double.Rankings()[i].Pooling; got != want {
			t.Errorf("asked for pooling %q, want %q", got, want)
		}
		if facts := b.panel.results.foot.Details.Segment.Text; strings.Contains(facts, "  compares ") != (want != "") {
			t.Errorf("pooling %q: facts %q", want, facts)
		}
	}
	for _, way := range texts.Poolings() {
		if poolingNames[way] == "" {
			t.Errorf("%s has no name", way)
		}
	}
}

// Nothing can be ranked while something is missing, and the room says what.
func TestWhatIsMissing(t *testing.T) {
	for what, c := range map[string]struct {
		query  string
		lines  []string
		models []library.Model
		want   string
	}{
		"question": {" ", animals, nil, "No question"},
		"texts":    {"cat", []string{}, nil, "No texts"},
		"models":   {"cat", animals, []library.Model{}, "No model"},
		"usable":   {"cat", animals, []library.Model{{ID: "a", Name: "a", Usable: true, Kind: library.KindChat}}, "No model chosen"},
	} {
		d := uitest.NewApp()
		if c.models != nil {
			d.Offered = c.models
		}
		b := entered(t, d, c.query, c.lines...)
		if got := uitest.AllText(b.panel.blank); !strings.Contains(got, c.want) || !b.panel.rank.Disabled() {
			t.Errorf("%s: it says %q", what, got)
		}
		b.panel.start()
		b.panel.field.TypedKey(uitest.Key(fyne.KeyReturn))
		if len(d.Rankings()) > 0 {
			t.Errorf("%s: something was ranked", what)
		}
	}
	if why, ok := Fits(library.Model{Usable: true, Kind: library.KindChat}); ok || !strings.Contains(why, "language model") {
		t.Errorf("a language model: %q", why)
	}
}

func TestOddScores(t *testing.T) {
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		scores []float32
		want   string
		rows   string
	}{
		"equal":   {[]float32{0.5, 0.5, 0.5}, "", "0.500"},
		"NaN":     {[]float32{nan, 0.25, nan}, "starter-embed gave no score to 2 texts", "none"},
		"all NaN": {[]float32{nan, nan, nan}, "starter-embed gave no score to 3 texts", "none"},
		"logits":  {[]float32{-11.25, 0, 9.5}, "", "-11.25"},
		"huge":    {[]float32{float32(math.Inf(1)), 3e38, -3e38}, "gave no score to 1 text", "+Inf"},
	} {
		d := uitest.NewApp()
		d.Ranked.Change = func(r *texts.RerankResult) {
			for i := range r.Ranking {
				r.Ranking[i].Score = c.scores[r.Ranking[i].Index]
			}
		}
		b := entered(t, d, "cat", animals...)
		b.ranked(t)
		if got := b.panel.results.foot.Remarks.Segment.Text; !strings.Contains(got, c.want) {
			t.Errorf("%s: remarks %q", name, got)
		}
		if got := uitest.AllText(b.panel.results.picture.rows); !strings.Contains(got, c.rows) {
			t.Errorf("%s: rows %q", name, got)
		}
	}
}

func TestUntrustedScoresSaySo(t *testing.T) {
	d := uitest.NewApp()
	d.Ranked.Change = func(r *texts.RerankResult) {
		r.Untrusted = "it gives texts that have nothing in common nearly the same score"
	}
	b := entered(t, d, "cat", animals...)
	b.ranked(t)
	want := "Do not rely on these scores: starter-embed was tested with an obvious question, and it gives texts that have nothing in common nearly the same score."
	if got := b.panel.results.foot.Remarks; got.Segment.Text != want || !got.Flat.Visible() {
		t.Errorf("remarks: %q", got.Segment.Text)
	}
}

func TestChangesMakeTheRankingStale(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.ranked(t)
	p := b.panel
	for want, change := range map[string]func(){
		"The question has changed": func() { p.field.SetText("dog") },
		"The texts have changed":   func() { p.list.Add([]string{"new"}) },
		"The model has changed":    func() { p.choose(0, "org/other") },
		"The device has changed":   func() { p.device.SetSelectedIndex(1) },
	} {
		b.ranked(t)
		change()
		if got := p.stale.Message(); got != want+" since this was sorted." {
			t.Errorf("%s: %q", want, got)
		}
		test.Tap(p.stale.Act)
		b.Idle()
		if p.stale.Message() != "" {
			t.Errorf("%s: Rank again does not help: %q", want, p.stale.Message())
		}
	}
}

// What arrives after the texts were replaced is in view once the texts that were asked about are back.
func TestTextsChangeMeanwhile(t *testing.T) {
	d := uitest.NewApp()
	free := make(chan struct{})
	d.Ranked.Slow = func(context.Context) { <-free }
	b := entered(t, d, "cat", animals...)
	test.Tap(b.panel.rank)
	b.panel.list.Replace([]string{"quite", "other"})
	close(free)
	b.Idle()
	if got := b.panel.found.lines; !slices.Equal(got, animals) {
		t.Errorf("the outcome has the texts %q", got)
	}
	if b.panel.inView() != nil || b.panel.stale.Message() != "" {
		t.Errorf("beside other texts the outcome is in view, stale: %q", b.panel.stale.Message())
	}
	b.panel.list.Undo()
	b.panel.pickResult(1)
}

func TestCancelIsImmediate(t *testing.T) {
	d := uitest.NewApp()
	free := make(chan struct{})
	defer close(free)
	d.Ranked.Slow = func(ctx context.Context) {
		select {
		case <-free:
		case <-ctx.Done():
		}
	}
	b := entered(t, d, "cat", slices.Repeat([]string{"many texts"}, 10_000)...)
	test.Tap(b.panel.rank)
	b.Loop.Until(t, "progress", func() bool { return strings.Contains(b.panel.Stage.Text, "Reading 1 of 10,000") })
	if b.panel.Left.Text != "3 s left" || b.panel.rank.Visible() || !b.panel.Cancel.Visible() {
		t.Errorf("progress says %q", b.panel.Left.Text)
	}
	began := time.Now()
	test.Tap(b.panel.Cancel)
	if b.panel.running != nil || !b.panel.rank.Visible() || b.panel.Progress.Visible() {
		t.Error("Cancel does not free the room at once")
	}
	b.Idle()
	t.Logf("cancelled after %v", time.Since(began))
	if b.panel.found != nil || b.panel.notice.Message() != "" {
		t.Errorf("a cancelled ranking shows %v, %q", b.panel.found, b.panel.notice.Message())
	}
}

// Of 10,000 texts only those in view are drawn, with their lines.
func TestManyTexts(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", slices.Repeat(animals, 3334)...)
	b.ranked(t)
	p := b.panel.results.picture
	rows := len(uitest.RowsOf(p.rows))
	if most := int(p.rows.Size().Height/p.rows.Height) + 4; rows > most {
		t.Errorf("%d rows exist for %d in view", rows, most)
	}
	check := func(when string) {
		t.Helper()
		drawn := 0
		for _, l := range p.moves.lines {
			if !l.Visible() {
				continue
			}
			drawn++
			for _, at := range []fyne.Position{l.Position1, l.Position2} {
				if at.Y < 0 || at.Y > p.moves.Size().Height {
					t.Errorf("%s: a line runs to %v of %v", when, at.Y, p.moves.Size().Height)
				}
			}
		}
		if drawn == 0 || drawn > 2*rows {
			t.Errorf("%s: %d lines for %d rows", when, drawn, rows)
		}
	}
	check("at the top")
	p.rows.TypedKey(uitest.Key(fyne.KeyEnd))
	check("at the end")
	uitest.NumbersAreWhole(t, p.rows)
	if m := drawn(b.panel.results); m.Bounds().Dy() > 5000 {
		t.Errorf("the picture is %v", m.Bounds())
	}
}

// A text of a megabyte is listed and ranked like another.
func TestHugeText(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", "small", strings.Repeat("cat ", 1<<18))
	b.ranked(t)
	b.panel.pickResult(1)
	if n := len(b.panel.results.full.Segment.Text); n > 13_000 {
		t.Errorf("%d bytes are laid out", n)
	}
}

func TestAModelThatIsGone(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.Rerank.Models = []string{"org/other", "/models/judge"}
	b := entered(t, d, "cat", animals...)
	if len(b.panel.judges) != 2 || b.panel.judges[0].model != "org/other" {
		t.Fatalf("the models of before are not chosen: %v", b.panel.judges)
	}
	if err := d.ForgetModel("org/other"); err != nil {
		t.Fatal(err)
	}
	b.panel.ModelsChanged()
	b.Idle()
	if m, ok := b.panel.model(0); !ok || m.ID != "starter-embed" || !strings.Contains(b.Said, "org/other is no longer there") {
		t.Errorf("%v ranks now; the strip says %q", m.ID, b.Said)
	}
	d.Ranked.Fails = func(texts.RerankRequest) error { return errors.New("the model is gone; choose another one") }
	test.Tap(b.panel.rank)
	b.Idle()
	if got := b.panel.notice.Message(); got != "The model is gone; choose another one." && got != "the model is gone; choose another one." {
		t.Errorf("the room says %q", got)
	}
	if b.panel.rank.Disabled() || b.panel.running != nil {
		t.Error("the room is stuck")
	}
	b.panel.Escape()
	if b.panel.notice.Message() != "" {
		t.Error("Escape does not close the message")
	}
}

func TestTextsFromElsewhere(t *testing.T) {
	b := &bench{Stage: uitest.NewStage(t, uitest.NewApp())}
	b.panel = New(b.Host, b.Double)
	b.Put(b.panel)
	b.panel.Enter()
	b.panel.Rank("cat", animals) // before the models are known
	b.Idle()
	if got := b.Double.Rankings(); len(got) != 1 || got[0].Query != "cat" || !slices.Equal(got[0].Texts, animals) {
		t.Fatalf("asked for %+v", got)
	}
	b.panel.Rank("", []string{"one", "two"})
	b.Idle()
	if got := b.Double.Rankings(); len(got) != 1 || b.panel.field.Text != "" || b.panel.inView() != nil || b.Window.Canvas().Focused() != b.panel.field {
		t.Errorf("without a question it asked for %+v, by %q", got, b.panel.field.Text)
	}
	if b.Offered.Button != "Undo" || b.Offered.What != "2 texts took the place of your 3 texts." {
		t.Errorf("it offers %+v", b.Offered)
	}
	b.panel.Rank("which is it", []string{"three", "four"})
	b.Idle()
	found := b.panel.found
	b.Offered.Act()
	if b.panel.texts.Len() != 2 || b.panel.field.Text != "" || b.panel.found == found || b.panel.found != nil || b.panel.stale.Message() != "" {
		t.Errorf("brought back: %q with %d texts, and %q", b.panel.field.Text, b.panel.texts.Len(), b.panel.stale.Message())
	}
	b.panel.list.Undo()
	if b.panel.texts.Len() != 3 || b.panel.field.Text != "cat" || b.panel.inView() == nil {
		t.Errorf("of what was before come back %d texts for %q", b.panel.texts.Len(), b.panel.field.Text)
	}
	b.panel.Rank("cat", animals)
	if strings.Contains(uitest.AllText(b.panel.list.View), "Replaced by") {
		t.Error("a second Undo is on offer beside that of the strip")
	}
}

func TestDrops(t *testing.T) {
	d := uitest.NewApp()
	d.Files["/notes.txt"] = texts.Texts{Lines: []string{"one", "two"}}
	b := entered(t, d, "cat", animals...)
	b.panel.Drop(panel.Dropped{Files: []string{"/notes.txt"}, Models: []string{"/models/new"}})
	b.Idle()
	b.panel.Drop(panel.Dropped{Files: []string{"/noise.bin"}})
	b.Idle()
	if b.panel.texts.Len() != 5 || b.panel.judges[0].model != "/models/new" {
		t.Errorf("%d texts, model %q", b.panel.texts.Len(), b.panel.judges[0].model)
	}
	if !strings.Contains(b.panel.notice.Message(), "noise.bin is not a text file") {
		t.Errorf("a file that is no text: %q", b.panel.notice.Message())
	}
	if b.panel.Takes(panel.Dropped{Folders: []string{"/papers"}}) {
		t.Error("a folder of documents is taken")
	}
}

// A second model that is still to be chosen holds nothing up, and a dropped model takes its place.
func TestDropTheSecondModel(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.ranked(t)
	b.panel.judges = append(b.panel.judges, judge{})
	b.panel.refresh()
	if got := b.panel.stale.Message(); got != "" || b.panel.rank.Disabled() {
		t.Errorf("stale: %q, and the texts can be sorted: %v", got, !b.panel.rank.Disabled())
	}
	if out := b.ranked(t); len(out.rankings) != 1 {
		t.Errorf("%d models sorted without a second one", len(out.rankings))
	}
	b.panel.Drop(panel.Dropped{Models: []string{"/models/new"}})
	b.Idle()
	if j := b.panel.judges; len(j) != 2 || j[0].model != "starter-embed" || j[1].model != "/models/new" {
		t.Errorf("the models are %+v", j)
	}
	if !b.panel.stale.Act.Visible() || b.panel.stale.Message() != "A second model was added since this was sorted." {
		t.Errorf("stale: %q", b.panel.stale.Message())
	}
}

// In a low window the texts have the room, not what the ranking took; in a higher one that may have its share.
func TestLowResults(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	b.ranked(t)
	r := b.panel.results
	for height, most := range map[float32]float32{lowResults - 1: lowFootHeight, lowResults: max(footHeight, footShare*lowResults), 1000: footShare * 1000} {
		r.view.Resize(fyne.NewSize(500, height))
		if r.foot.Room.Most != most {
			t.Errorf("of %v the foot takes up to %v, not %v", height, r.foot.Room.Most, most)
		}
	}
}

func TestExports(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	if !b.panel.export.Disabled() {
		t.Error("there is nothing to export yet")
	}
	b.panel.beside(true)
	b.ranked(t)
	test.Tap(b.panel.export)
	if menu := uitest.AllText(b.Window.Canvas().Overlays().Top()); !strings.Contains(menu, "Save CSV…") || !strings.Contains(menu, "Save picture…") {
		t.Errorf("it offers %q", menu)
	}
	b.Host.Keys.Key(uitest.Key(fyne.KeyEscape))
	b.panel.copyCSV()
	rows := strings.Split(strings.TrimSpace(b.FyneApp.Clipboard().Content()), "\n")
	if len(rows) != 4 || rows[0] != "question,text,given,starter-embed place,starter-embed score,judge place,judge score" || !strings.HasPrefix(rows[1], "cat,cat,3,1,0.99") {
		t.Errorf("copied %q", rows)
	}
	m := drawn(b.panel.results)
	if size := m.Bounds().Size(); size.X != int(kit.PictureWidth*kit.PictureScale) || size.Y < 400 {
		t.Errorf("the picture is %v", size)
	}
	if b.panel.results.of != b.panel.found || b.panel.results.picture.selected != b.panel.picked {
		t.Error("drawing changed what is in view")
	}
}

// All of the room is in view in the smallest window, 640 by 480, which leaves it 552 by 442.
func TestSmallWindow(t *testing.T) {
	b := entered(t, uitest.NewApp(), "cat", animals...)
	check := func(what string) {
		t.Helper()
		b.Window.Resize(fyne.NewSize(1150, 766))
		if m := b.panel.Content().MinSize(); m.Width > 552 || m.Height > 442 {
			t.Errorf("%s keeps a large window from getting small: it needs %v", what, m)
		}
		b.Window.Resize(fyne.NewSize(552, 442))
		if m := b.panel.Content().MinSize(); m.Width > 552 || m.Height > 442 {
			t.Errorf("%s needs %v", what, m)
		}
	}
	check("nothing")
	b.panel.beside(true)
	b.ranked(t)
	check("two models")
	b.panel.tabs.Pick(viewTry)
	b.panel.trial.ask("cat")
	b.panel.trial.mark(b.panel.texts.IDs()[2], true)
	test.Tap(b.panel.rank)
	b.Idle()
	check("a trial")
	if rows := b.panel.workbench.answers.rows; rows.Size().Height < 3*28 {
		t.Errorf("of the texts only %v points are in view", rows.Size().Height)
	}
	b.panel.tabs.Pick(viewRank)
	b.panel.beside(false)
	b.panel.panes.Front(panel.PaneResult)
	b.ranked(t)
	check("one model")
	if rows := b.panel.results.picture.rows; rows.Size().Height < 5*oneLine {
		t.Errorf("of what was sorted only %v points are in view", rows.Size().Height)
	}
}

func TestSettingsAreKept(t *testing.T) {
	d := uitest.NewApp()
	b := entered(t, d, "")
	test.Type(b.panel.field, "?")
	b.Saver.Flush()
	questions, lines := texts.Sample()
	query := questions[0].Text
	if kept := d.Settings().Rerank; kept.Query == query || !slices.Equal(kept.Texts, lines) {
		t.Errorf("kept %+v", kept)
	}
	b.panel.list.Add([]string{strings.Repeat("long ", 1<<20)})
	b.Saver.Flush()
	if kept := d.Settings().Rerank; kept.Texts == nil || len(kept.Texts) > 0 {
		t.Errorf("%d texts are kept", len(kept.Texts))
	}
}
