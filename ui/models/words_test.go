package models

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/app/pool"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// The list and the page say first what a model is for and how large it is, in words that everybody
// has; the rest comes on demand, and stays for the next model.
func TestDetailsOnDemand(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	pickModel(t, b, "org/other")
	row := b.models.items[b.models.list.Current]
	row.installed.Bytes, row.installed.Parameters, row.installed.Format, row.installed.DType, row.installed.Architecture = 90e6, 292800, "gguf", "q8_0", "BertModel"
	b.models.page.draw()
	if got, _ := row.detail(); got != "Comparing texts of any kind · 90 MB" {
		t.Errorf("the row says %q", got)
	}
	for _, word := range []string{"BertModel", "q8_0", "292,800"} {
		if strings.Contains(pageText(b), word) {
			t.Errorf("the page says %q before anybody asked", word)
		}
	}
	test.Tap(pageButton(b, "Technical details"))
	for _, word := range []string{"BertModel", "q8_0", "292,800"} {
		if !strings.Contains(pageText(b), word) {
			t.Errorf("the details lack %q:\n%s", word, pageText(b))
		}
	}
	pickModel(t, b, "starter-embed")
	if pageButton(b, "Hide technical details") == nil {
		t.Error("the details of the next model are hidden again")
	}
}

// What was measured on this computer is told at once and marked as that; nothing is estimated
// beside it.
func TestMeasuredComesFirst(t *testing.T) {
	d := uitest.NewApp()
	row := func(threads int, v float64) measure.Row {
		return measure.Row{Target: devices.Target{Device: "cpu", Threads: threads}, Measures: []measure.Measure{{Work: fit.WorkEmbed, Median: v}}}
	}
	d.Measured.Kept = []measure.Result{
		{Model: "org/other", Rows: []measure.Row{row(2, 999)}},
		{Model: "org/other", Rows: []measure.Row{row(1, 40), row(2, 62)}},
	}
	b := inModels(t, d)
	pickModel(t, b, "org/other")
	b.Loop.Until(t, "a verdict", func() bool { return b.models.page.compat != nil })
	if text := pageText(b); !strings.Contains(text, "Measured here (CPU, 2 threads): reads 62 texts a second.") || strings.Contains(text, "Estimated") {
		t.Errorf("the page says\n%s", text)
	}
	if pageButton(b, "Estimate speed") != nil {
		t.Error("an estimate is offered of what was measured")
	}
	both := fit.CompatDevice{Device: "cpu", Predicted: []fit.Prediction{{Work: fit.WorkEmbed, Value: 500}, {Work: fit.WorkRerank, Value: 30}}}
	if got := panel.SpeedText(both, []measure.Result{{Rows: []measure.Row{row(2, 62)}}}, panel.MeasureAgainInPerformance); got != "Measured here (CPU, 2 threads): reads 62 texts a second. Estimated: ranks about 30 texts a second." {
		t.Errorf("it says %q", got)
	}
}

// A measurement that is not reliable is marked as that wherever its speed is told.
func TestDoubtfulSpeedIsMarked(t *testing.T) {
	row := measure.Row{Target: devices.Target{Device: "cpu"}, Others: 0.5, Measures: []measure.Measure{{Work: fit.WorkEmbed, Median: 62}}}
	cpu := fit.CompatDevice{Device: "cpu"}
	if got := panel.SpeedText(cpu, []measure.Result{{Rows: []measure.Row{row}}}, panel.MeasureAgain); got != "Measured here (CPU): reads 62 texts a second. Not reliable: it was measured while the computer was busy. Measure it again." {
		t.Errorf("it says %q", got)
	}
	row.Others, row.Measures[0].Least, row.Measures[0].Most = 0, 30, 90
	if got := panel.SpeedText(cpu, []measure.Result{{Rows: []measure.Row{row}}}, panel.MeasureAgainInPerformance); !strings.HasSuffix(got, " Not reliable: the speed varied much. Measure it again in Performance.") {
		t.Errorf("it says %q", got)
	}
}

// A model that wrote in a chat has that speed on its page, and then nobody is told that it cannot be
// estimated.
func TestSpeedOfTheLastChat(t *testing.T) {
	d := uitest.NewApp()
	d.Measured.Busy = true
	b := inModels(t, d)
	asked := func() bool { return b.models.page.compat != nil && b.models.page.asking == "" }
	pickModel(t, b, "org/other")
	b.Loop.Until(t, "a verdict", asked)
	test.Tap(pageButton(b, "Estimate speed"))
	b.Loop.Until(t, "an estimate", asked)
	if text := pageText(b); !strings.Contains(text, panel.TooBusyToEstimate) || strings.Contains(text, "last chat") {
		t.Errorf("before a chat the page says\n%s", text)
	}
	d.Measured.Rates = map[string]float64{"org/other": 80}
	b.models.page.draw()
	if text := pageText(b); strings.Contains(text, panel.TooBusyToEstimate) || !strings.Contains(text, "In your last chat: 60 words a second.") {
		t.Errorf("after a chat the page says\n%s", text)
	}
	d.Measured.Rates = nil
	pickModel(t, b, "starter-embed")
	b.Loop.Until(t, "a verdict", asked)
	if text := pageText(b); strings.Contains(text, panel.TooBusyToEstimate) {
		t.Errorf("of a model that nobody asked about the page says\n%s", text)
	}
}

// On a busy computer the page says why there is no estimate, for each model, and a person can ask again.
func TestNoEstimateOnABusyComputer(t *testing.T) {
	d := uitest.NewApp()
	d.Measured.Busy = true
	b := inModels(t, d)
	asked := func() bool { return b.models.page.compat != nil && b.models.page.asking == "" }
	pickModel(t, b, "org/other")
	b.Loop.Until(t, "a verdict", asked)
	if text := pageText(b); strings.Contains(text, "keep the processor busy") {
		t.Errorf("before anybody asked:\n%s", text)
	}
	for _, name := range []string{"org/other", "starter-embed"} {
		pickModel(t, b, name)
		b.Loop.Until(t, "a verdict", asked)
		test.Tap(pageButton(b, "Estimate speed"))
		b.Loop.Until(t, "an estimate", asked)
		if text := pageText(b); !strings.Contains(text, panel.TooBusyToEstimate) || strings.Contains(text, "Estimated:") {
			t.Errorf("%s: the page says\n%s", name, text)
		}
	}
	d.Mu.Lock()
	d.Measured.Busy = false
	d.Mu.Unlock()
	test.Tap(pageButton(b, "Estimate speed"))
	b.Loop.Until(t, "an estimate", asked)
	if text := pageText(b); !strings.Contains(text, "Estimated: reads about 200 texts a second.") || pageButton(b, "Estimate speed") != nil {
		t.Errorf("once it is quiet, the page says\n%s", text)
	}
}

// One model is recommended, the same as on the card for a first model.
func TestOneIsRecommended(t *testing.T) {
	d := uitest.NewApp()
	list, err := d.Suggest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		s.Model.Task, s.Model.Downloads = library.KindChat, []library.CatalogueDownload{s.Download}
		d.Hub.Entries = append(d.Hub.Entries, s.Model)
	}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Loop.Until(t, "the list", func() bool { return len(b.models.items) == 2 })
	if got := []string{b.models.items[0].mark(), b.models.items[1].mark()}; !slices.Equal(got, []string{"600 MB · recommended", "2.5 GB · knows more"}) {
		t.Errorf("the rows say %q", got)
	}
}

// A model that is open in two ways is one model in memory.
func TestModelsInMemoryAreCountedOnce(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Open = []pool.OpenModel{{Model: "org/other", Job: "embed"}, {Model: "org/other", Job: "rerank"}, {Model: "starter-embed", Job: "embed"}}
	b := inModels(t, d)
	if got := b.models.memory.Text; !strings.HasPrefix(got, "2 models in memory") {
		t.Errorf("it says %q", got)
	}
}

// A model that was taken off the list comes back with the button that says so, and by key.
func TestRemoveFromListAndUndo(t *testing.T) {
	d := uitest.NewApp()
	d.Offered = append(d.Offered, library.Model{ID: "/models/mine", Name: "mine", Path: "/models/mine", Kind: library.KindEmbedding, Source: library.SourceFolder, Usable: true})
	b := inModels(t, d)
	back := []func(){func() { test.Tap(b.models.notice.Act) }, b.models.undo}
	for _, undo := range back {
		pickModel(t, b, "mine")
		test.Tap(pageButton(b, "Remove from list"))
		b.Loop.Until(t, "the offer", func() bool { return !slices.Contains(modelNames(b), "mine") && b.models.notice.Message() != "" })
		if said, act := b.models.notice.Message(), b.models.notice.Act.Text; !strings.HasPrefix(said, "mine is no longer on the list.") || act != "Undo" || b.Offered.Act != nil {
			t.Errorf("offered is %q, %q", said, act)
		}
		undo()
		b.Loop.Until(t, "the model", func() bool { return slices.Contains(modelNames(b), "mine") })
		if said := b.models.notice.Message(); said != "" {
			t.Errorf("the model is back, and the notice says %q", said)
		}
	}
}
