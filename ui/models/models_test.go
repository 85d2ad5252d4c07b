package models

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/pool"
	"inglenook/hub/fault"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// bench is a window that shows Models.
type bench struct {
	*uitest.Stage
	models *Panel
	used   []string // names of models that were opened for use
}

// inModels returns a window that shows Models with the installed models.
func inModels(t *testing.T, d *uitest.App) *bench {
	t.Helper()
	b := &bench{Stage: uitest.NewStage(t, d)}
	use := Use{
		In:   panel.Info{ID: "elsewhere", Name: "Similarity", Icon: modelsIcon},
		Fits: func(m library.Model) (string, bool) { return "", m.Usable },
		Open: func(m library.Model) { b.used = append(b.used, m.Name) },
	}
	b.models = New(b.Host, d, []Use{use}, func(string) {})
	b.Put(b.models)
	b.models.Enter()
	b.Loop.Until(t, "the library, and what suits", func() bool { return b.models.loaded && !b.models.suggesting })
	return b
}

// turnTo opens a tab like a click does.
func turnTo(b *bench, tab int) { b.models.tabs.Pick(tab) }

// pickModel selects a row by its name.
func pickModel(t *testing.T, b *bench, name string) {
	t.Helper()
	i := slices.IndexFunc(b.models.items, func(m shownItem) bool { return m.name() == name })
	if i < 0 {
		t.Fatalf("%s is not on the list: %v", name, modelNames(b))
	}
	b.models.list.Pick(i)
}

func modelNames(b *bench) (names []string) {
	for _, m := range b.models.items {
		names = append(names, m.name())
	}
	return names
}

// pageButton returns the button of the page whose label begins with the text, or nil.
func pageButton(b *bench, label string) *kit.Button {
	var found *kit.Button
	eachObject(b.models.page.body, func(o fyne.CanvasObject) {
		if x, ok := o.(*kit.Button); ok && strings.HasPrefix(x.Text, label) {
			found = x
		}
	})
	return found
}

// pageTip returns the button of the page with that tip, or nil.
func pageTip(b *bench, tip string) (found *kit.Button) {
	eachObject(b.models.page.body, func(o fyne.CanvasObject) {
		if x, ok := o.(*kit.Button); ok && x.Tip == tip {
			found = x
		}
	})
	return found
}

// act does with the model in view what the menu beside its buttons offers.
func act(t *testing.T, b *bench, name string) {
	t.Helper()
	test.Tap(pageTip(b, "What else can be done with this model"))
	for _, a := range b.models.page.actions(*b.models.page.item.installed) {
		if a.name == name && a.rare {
			a.run()
			return
		}
	}
	t.Fatalf("the menu has no %q", name)
}

// eachObject visits a container and everything in it.
func eachObject(o fyne.CanvasObject, visit func(fyne.CanvasObject)) {
	visit(o)
	if c, ok := o.(*fyne.Container); ok {
		for _, x := range c.Objects {
			eachObject(x, visit)
		}
	}
}

// pageText returns all text of the page.
func pageText(b *bench) string {
	var parts []string
	eachObject(b.models.page.body, func(o fyne.CanvasObject) {
		switch x := o.(type) {
		case *kit.Line:
			parts = append(parts, x.Text)
		case *widget.RichText:
			parts = append(parts, x.String())
		}
	})
	return strings.Join(parts, "\n")
}

func TestInstalledModels(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Licences = map[string]string{"org/other": "mit"}
	d.Hub.Open = []pool.OpenModel{{Model: "org/other", Name: "org/other", Job: "embed", Device: "cpu", Bytes: 100 << 20}}
	b := inModels(t, d)
	if got := modelNames(b); len(got) != 4 {
		t.Fatalf("listed are %v", got)
	}
	if got := b.models.memory.Text; got != "1 model in memory, 105 MB · 4.3 GB of memory free" {
		t.Errorf("memory: %s", got)
	}
	pickModel(t, b, "org/other")
	b.Loop.Until(t, "a verdict", func() bool { return b.models.page.compat != nil })
	for _, want := range []string{"mit", "105 MB", "Runs well", "No supported GPU.", "for comparing texts on CPU"} {
		if text := pageText(b); want != "105 MB" && !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	test.Tap(pageButton(b, "Unload"))
	b.Loop.Until(t, "unloading", func() bool { return len(d.Hub.Closed) == 1 && pageButton(b, "Unload") == nil })
	pickModel(t, b, "org/pickle")
	if text := pageText(b); !strings.Contains(text, "pickle file") || pageButton(b, "Use in Similarity") != nil {
		t.Errorf("an unusable model shows\n%s", text)
	}
	pickModel(t, b, "org/other")
	test.Tap(pageButton(b, "Use in Similarity"))
	if !slices.Equal(b.used, []string{"org/other"}) {
		t.Errorf("used are %q", b.used)
	}
}

func TestDeleteAndUndo(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	pickModel(t, b, "org/other")
	test.Tap(pageButton(b, "Delete"))
	b.Loop.Until(t, "the deletion", func() bool { return len(b.models.installed) == 3 })
	if got := b.models.notice.Message(); !strings.Contains(got, "90 MB") {
		t.Errorf("told: %s", got)
	}
	test.Tap(b.models.notice.Act)
	b.Loop.Until(t, "the return", func() bool { return len(b.models.installed) == 4 })
	if !slices.Equal(d.Hub.Restored, []string{"org/other"}) || b.models.page.item.key() != "org/other" { // which is in view again
		t.Errorf("restored %v, in view %s", d.Hub.Restored, b.models.page.item.key())
	}
}

// Ctrl+Z undoes the deletions of models, the last one first.
func TestUndoByKey(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	before := len(b.models.installed)
	undo := b.models.undo
	if undo(); b.Said != "There is nothing to undo." {
		t.Errorf("with nothing deleted: %q", b.Said)
	}
	for i, id := range []string{"org/other", "org/pickle"} {
		pickModel(t, b, id)
		test.Tap(pageButton(b, "Delete"))
		b.Loop.Until(t, "the deletion", func() bool { return len(b.models.installed) == before-1-i })
	}
	for i, id := range []string{"org/pickle", "org/other"} {
		undo()
		b.Loop.Until(t, "the return", func() bool { return len(b.models.installed) == before-1+i })
		if got := d.Hub.Restored; got[len(got)-1] != id {
			t.Errorf("restored %v", got)
		}
	}
}

// A model of which a part is still being downloaded is not deleted under the download: that is
// said, and the download is a click away.
func TestDeletedWhileItDownloads(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	if err := d.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/other"}); err != nil {
		t.Fatal(err)
	}
	pickModel(t, b, "org/other")
	test.Tap(pageButton(b, "Delete"))
	if got := b.models.notice.Message(); !strings.Contains(got, "still being downloaded") || len(d.Trash()) != 0 {
		t.Errorf("told %q; deleted are %v", got, d.Trash())
	}
	if test.Tap(b.models.notice.Act); b.models.tabs.Index != tabDownloads {
		t.Error("it does not lead to the download")
	}
	d.SetDownload("org/other", func(x *downloads.Download) { x.State = downloads.DownloadDone })
	b.Idle()
	turnTo(b, tabInstalled)
	pickModel(t, b, "org/other")
	test.Tap(pageButton(b, "Delete"))
	b.Loop.Until(t, "the deletion", func() bool { return len(d.Trash()) == 1 })
}

// A model of the catalogue has its name there wherever it is shown, whatever repository it came
// from, and stands on the list once.
func TestOneName(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Found = []downloads.Found{{ID: "org/talker-GGUF", Task: "text-generation"}, {ID: "org/unknown"}, {ID: "org/giant"}}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.models.filter.text.SetText("talk")
	b.models.search()
	b.Loop.Until(t, "what the Hub has", func() bool { return b.models.query != "" })
	if got := modelNames(b); !slices.Equal(got, []string{"Talker 1B", "Giant 70B", "org/unknown"}) {
		t.Errorf("listed are %q", got)
	}
	if err := d.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/talker-GGUF"}); err != nil {
		t.Fatal(err)
	}
	turnTo(b, tabDownloads)
	if c := b.models.downloads.cards[0]; c.name.Text != "Talker 1B" || !strings.Contains(uitest.AllText(c.view), "org/talker-GGUF") {
		t.Errorf("the download shows %q", uitest.AllText(c.view))
	}
	d.SetDownload("org/talker-GGUF", func(x *downloads.Download) { x.State = downloads.DownloadDone })
	b.Idle()
}

// No row of Discover moves once it is in view: nothing is listed until it is known what is
// recommended, and free memory that changes meanwhile changes no order.
func TestDiscoverKeepsItsOrder(t *testing.T) {
	d := uitest.NewApp()
	b := &bench{Stage: uitest.NewStage(t, d)}
	b.models = New(b.Host, d, nil, func(string) {})
	b.Put(b.models)
	b.models.asked, b.models.suggesting = true, true // the answer is on its way
	turnTo(b, tabDiscover)
	if len(b.models.items) != 0 || !strings.Contains(uitest.AllText(b.models.none.View), "what this computer can run") {
		t.Errorf("listed are %q before it is known what is recommended", modelNames(b))
	}
	b.models.asked = false
	b.models.recommend()
	b.Loop.Until(t, "the list", func() bool { return len(b.models.items) == 3 })
	before := modelNames(b)
	d.Mu.Lock()
	d.Hub.Free = 100e6 // all are too large now
	d.Hub.Open = []pool.OpenModel{{Model: "org/other", Job: "embed"}}
	d.Mu.Unlock()
	b.models.ModelsChanged() // as other rooms do
	b.Loop.Until(t, "the library", func() bool { return strings.Contains(b.models.memory.Text, "1 model in memory") })
	if got := modelNames(b); !slices.Equal(got, before) {
		t.Errorf("the order was %q and is %q", before, got)
	}
}

// A model that is open in two ways has one line that says so.
func TestInMemoryTwoWays(t *testing.T) {
	open := []pool.OpenModel{{Job: "embed", Device: "cpu", Bytes: 90e6}, {Job: "embed", Device: "cpu", Bytes: 30e6, Weights: "q8_0", InUse: true}, {Job: "rerank", Device: "cpu"}}
	want := []string{"for comparing texts on CPU, as in the file and 8-bit weights, 120 MB, in use", "for ranking texts on CPU, idle"}
	if got := inMemory(open); !slices.Equal(got, want) {
		t.Errorf("in memory: %q", got)
	}
}

func TestVerifyAndRepair(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Bad = downloads.Verification{}
	b := inModels(t, d)
	pickModel(t, b, "org/other")
	act(t, b, "Verify")
	b.Loop.Until(t, "the hashes", func() bool { return strings.Contains(pageText(b), "Verified: 3 files") })
	d.Mu.Lock()
	d.Hub.Bad.Bad = append(d.Hub.Bad.Bad, downloads.FileCheck{Path: "model.safetensors", Why: "its data differs from that of the model store"})
	d.Mu.Unlock()
	act(t, b, "Verify")
	b.Loop.Until(t, "the damage", func() bool { return strings.Contains(b.models.notice.Message(), "model.safetensors") })
	test.Tap(b.models.notice.Act)
	b.Loop.Until(t, "the repair", func() bool { return strings.Contains(pageText(b), "Repaired.") })
}

func TestDiscoverFilters(t *testing.T) {
	b := inModels(t, uitest.NewApp())
	turnTo(b, tabDiscover)
	f := b.models.filter
	for _, c := range []struct {
		set  func()
		want []string
	}{
		{func() {}, []string{"Talker 1B", "Other", "Giant 70B"}},
		{func() { f.text.SetText("talking anything") }, []string{"Talker 1B"}},
		{func() { f.text.SetText(""); f.tasks.SetSelectedIndex(1) }, []string{"Talker 1B", "Giant 70B"}},
		{func() { f.fits.SetChecked(true) }, []string{"Talker 1B"}},
		{func() { f.formats.SetSelectedIndex(1) }, []string{"Talker 1B"}},
		{func() { f.fits.SetChecked(false); f.licences.SetSelectedIndex(2) }, []string{"Giant 70B"}},
		{func() { f.sizes.SetSelectedIndex(1) }, nil},
		{func() { f.tasks.SetSelectedIndex(0); f.licences.SetSelectedIndex(1) }, []string{"Other"}},
	} {
		c.set()
		if got := modelNames(b); !slices.Equal(got, c.want) {
			t.Errorf("listed are %v, want %v", got, c.want)
		}
	}
	if b.models.items[0].mark() != "installed" {
		t.Error("an installed model is not marked")
	}
}

// What fits the free memory stands above what does not, which is marked.
func TestLargeModelsComeLast(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Entries = []library.CatalogueEntry{
		{ID: "a/giant", Name: "Giant", Task: "chat", Use: "Everything", Downloads: []library.CatalogueDownload{{Repo: "a/giant", Bytes: 40 << 30}}},
		{ID: "a/small", Name: "Small", Task: "chat", Use: "Something", Downloads: []library.CatalogueDownload{{Repo: "a/small", Bytes: 1 << 30}}},
	}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	if got, want := modelNames(b), []string{"Small", "Giant"}; !slices.Equal(got, want) {
		t.Errorf("listed are %v, want %v", got, want)
	}
	if s, g := b.models.items[0].mark(), b.models.items[1].mark(); s != "1.1 GB · fits in memory" || g != "43 GB · too large" {
		t.Errorf("the marks are %q and %q", s, g)
	}
}

// What is recommended for this computer stands first and says so, with what it is good for. A
// person may sort by size instead.
func TestRecommendedComeFirst(t *testing.T) {
	d := uitest.NewApp() // it recommends org/small, then org/large
	entry := func(id string, bytes int64) library.CatalogueEntry {
		return library.CatalogueEntry{ID: id, Name: id, Task: "chat", Use: "Use of " + id, Downloads: []library.CatalogueDownload{{Repo: id, Bytes: bytes}}}
	}
	d.Hub.Entries = []library.CatalogueEntry{entry("a/other", 2e9), entry("org/large", 25e8), entry("a/giant", 50e9), entry("org/small", 6e8)}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Loop.Until(t, "what is recommended", func() bool { return len(b.models.best) > 0 })
	if got, want := modelNames(b), []string{"org/small", "org/large", "a/other", "a/giant"}; !slices.Equal(got, want) {
		t.Errorf("listed are %v, want %v", got, want)
	}
	first := b.models.items[0]
	if text, _ := first.detail(); text != "Use of org/small" || first.mark() != "600 MB · recommended" {
		t.Errorf("the first says %q, marked %q", text, first.mark())
	}
	for sort, want := range map[int][]string{
		sortSmallest: {"org/small", "a/other", "org/large", "a/giant"}, sortLargest: {"a/giant", "org/large", "a/other", "org/small"},
	} {
		b.models.filter.sorts.SetSelectedIndex(sort)
		if got := modelNames(b); !slices.Equal(got, want) {
			t.Errorf("sorted by %q they are %v, want %v", filterSorts[sort], got, want)
		}
	}
}

func TestSearchTheHub(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Found = []downloads.Found{{ID: "someone/found-GGUF", Task: "text-generation", Licence: "mit", Downloads: 12345, Formats: []string{"gguf"}}, {ID: "org/other"}}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.models.filter.text.SetText("found")
	b.models.filter.tasks.SetSelectedIndex(1)
	b.models.filter.text.Submit()
	b.Loop.Until(t, "an answer", func() bool { return !b.models.searching })
	if got := modelNames(b); !slices.Equal(got, []string{"someone/found-GGUF"}) || len(d.Hub.Searched) != 1 || d.Hub.Searched[0].Task != library.KindChat {
		t.Errorf("listed are %v after %+v", got, d.Hub.Searched)
	}
	d.Mu.Lock()
	d.Hub.Failing = fault.New(fault.ErrUnreachable, nil, "hub.test cannot be reached (no such host); check the connection")
	d.Mu.Unlock()
	b.models.search()
	b.Loop.Until(t, "plain words", func() bool { return b.models.notice.Message() == noConnection })
	if b.models.notice.Act.Text != "Try again" {
		t.Errorf("the button is %q", b.models.notice.Act.Text)
	}
	d.Mu.Lock()
	d.Hub.Failing = nil
	d.Mu.Unlock()
	test.Tap(b.models.notice.Act)
	b.Loop.Until(t, "the models after another try", func() bool { return b.models.notice.Message() == "" && !b.models.searching })
	d.Mu.Lock()
	d.Hub.Failing = errors.New("the Hub cannot be reached; check the connection")
	d.Mu.Unlock()
	b.models.search()
	b.Loop.Until(t, "a failure", func() bool { return b.models.notice.Message() != "" })
	if got := b.models.notice.Message(); got != "The Hub cannot be reached; check the connection." && got != "the Hub cannot be reached; check the connection." {
		t.Errorf("told: %s", got)
	}
	b.models.tabs.Pick(tabInstalled)
	if said := b.models.notice.Message(); said != "" {
		t.Errorf("among the installed models it says %q", said)
	}
}

func TestDownloadFromThePage(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Previews = map[string]downloads.Preview{"org/talker-GGUF": uitest.TalkerPreview()}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	pickModel(t, b, "Talker 1B")
	b.Loop.Until(t, "a preview", func() bool { return b.models.page.preview != nil })
	text := pageText(b)
	for _, want := range []string{"Talking about anything at all.", "The best that fits", "What will be downloaded", "talker-q8_0.gguf", "Not needed", "its format can run code", "writes about 9.4 words a second", "Apache-2.0"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page lacks %q:\n%s", want, text)
		}
	}
	if n := len(b.models.page.forms); n != 3 { // two of the GGUF repository, and the original
		t.Errorf("%d forms: %+v", n, b.models.page.forms)
	}
	test.Tap(pageButton(b, "Download 600 MB"))
	b.Loop.Until(t, "the download", func() bool { return pageButton(b, "In line") != nil })
	if got := d.Hub.Started; len(got) != 1 || got[0].ID != "org/talker-GGUF" {
		t.Errorf("started %+v", got)
	}
	test.Tap(pageButton(b, "In line"))
	if b.models.tabs.Index != tabDownloads || len(b.models.downloads.cards) != 1 {
		t.Fatalf("tab %d, %d downloads in view", b.models.tabs.Index, len(b.models.downloads.cards))
	}
	card := b.models.downloads.cards[0]
	d.SetDownload("org/talker-GGUF", func(x *downloads.Download) { x.State, x.Done, x.Total, x.Speed = "downloading", 150e6, 600e6, 1e6 })
	b.Loop.Until(t, "progress", func() bool { return card.figures.Text == "150 MB of 600 MB · 1.0 MB/s" && card.bar.Value == 0.25 })
	if got := b.models.tabs.Options[tabDownloads]; got != "Downloads 1" {
		t.Errorf("the tab is called %q", got)
	}
	test.Tap(card.pause)
	b.Loop.Until(t, "the pause", func() bool { return card.state.Text == "Paused" && !card.pause.Visible() })
	test.Tap(card.resume)
	b.Loop.Until(t, "the resumption", func() bool { return card.state.Text == "In line" })
	d.Mu.Lock()
	d.Offered = append(d.Offered, library.Model{ID: "org/talker-GGUF", Name: "org/talker-GGUF", Kind: library.KindChat, Source: library.SourceHubCache, Usable: true})
	d.Mu.Unlock()
	d.SetDownload("org/talker-GGUF", func(x *downloads.Download) { x.State = downloads.DownloadDone })
	b.Loop.Until(t, "the end", func() bool { return card.state.Text == "Complete and verified" && !b.models.watching })
	b.Loop.Until(t, "a way to use it", func() bool { return card.use.Visible() && strings.HasPrefix(card.use.Text, "Use in ") })
	test.Tap(b.models.downloads.clear)
	if len(b.models.downloads.cards) != 0 {
		t.Error("what is done stays on the list")
	}
}

func TestPreviewThatFails(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Failing = errors.New("its weights are in a format that can run code")
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	pickModel(t, b, "Talker 1B")
	b.Loop.Until(t, "a failure", func() bool { return b.models.page.failed != "" })
	if text := pageText(b); !strings.Contains(text, "can run code") || !pageButton(b, "Download").Disabled() || pageButton(b, "Try again") == nil {
		t.Errorf("the page says\n%s", text)
	}
}

// A model that no device can run is not recommended, and its page says so once.
func TestModelThatCannotRun(t *testing.T) {
	d := uitest.NewApp()
	p := uitest.TalkerPreview()
	for i := range p.Compat.Devices {
		p.Compat.Devices[i] = fit.CompatDevice{Device: p.Compat.Devices[i].Device, Verdict: fit.VerdictNo, Reason: "the architecture is not supported"}
	}
	d.Hub.Previews = map[string]downloads.Preview{"org/talker-GGUF": p}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	pickModel(t, b, "Talker 1B")
	b.Loop.Until(t, "a preview", func() bool { return b.models.page.preview != nil })
	get := pageButton(b, "Download anyway")
	if text := pageText(b); strings.Count(text, "is not supported") != 1 || get == nil || get.Importance == widget.HighImportance {
		t.Errorf("the page says\n%s", text)
	}
}

// A download that the disk has no room for is known before it begins.
func TestDiskTooSmall(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Disk = 1000
	d.Hub.Previews = map[string]downloads.Preview{"org/talker-GGUF": uitest.TalkerPreview()}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	pickModel(t, b, "Talker 1B")
	b.Loop.Until(t, "a preview", func() bool { return b.models.page.preview != nil })
	if text := pageText(b); !strings.Contains(text, "The disk has too little room") || !strings.Contains(text, "1.0 kB are free") {
		t.Errorf("the page says\n%s", text)
	}
}

func TestModelsOffline(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Offline = true
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	pickModel(t, b, "Talker 1B")
	const said = "Offline mode is on: nothing is searched online"
	if text := uitest.AllText(b.models.view); strings.Count(strings.ToLower(text), "offline") != 1 || !strings.Contains(text, said) || !pageButton(b, "Download").Disabled() {
		t.Errorf("the panel says\n%s", text)
	}
	if len(d.Hub.Previewed) != 0 {
		t.Errorf("%d previews", len(d.Hub.Previewed))
	}
	turnTo(b, tabInstalled)
	if b.models.offline.Visible() {
		t.Error("what needs no connection is said to be offline")
	}
	pickModel(t, b, "org/other")
	if slices.ContainsFunc(b.models.page.actions(*b.models.page.item.installed), func(a action) bool { return a.name == "Look for an update" }) {
		t.Error("an update is on offer")
	}
}

func TestModelsTakesDrops(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	folder := filepath.Dir(uitest.TempFile(t, "config.json", "{}"))
	takes := func(paths ...string) bool { return b.models.Takes(panel.Sorted(paths)) }
	if !takes(folder, "/x/m.gguf") || takes("/x/notes.txt") || takes(t.TempDir()) {
		t.Error("it takes other things than models")
	}
	b.models.Drop(panel.Sorted([]string{folder}))
	b.Loop.Until(t, "the model", func() bool { return len(b.models.installed) == 5 })
	b.Loop.Until(t, "its page", func() bool { return b.models.page.item.key() == folder })
	test.Tap(pageButton(b, "Remove from list"))
	b.Loop.Until(t, "its removal", func() bool { return len(b.models.installed) == 4 })
}

// All models of a folder are added, and the first is shown.
func TestModelsOfOneFolder(t *testing.T) {
	d := uitest.NewApp()
	d.Within = []string{"a.gguf", "b"}
	b := inModels(t, d)
	said := ""
	b.models.Tell = func(message string) { said = message }
	b.models.add("/models")
	b.Loop.Until(t, "the models", func() bool { return b.models.installed.has("/models/a.gguf") && b.models.installed.has("/models/b") })
	b.Loop.Until(t, "the page of the first", func() bool { return b.models.page.item.key() == "/models/a.gguf" })
	if said != "2 models found and added. They stay where they are." {
		t.Errorf("it says %q", said)
	}
}

// A model of the catalogue that is here can be used at once, also on its page under Discover.
func TestUseUnderDiscover(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	var entry library.CatalogueEntry
	for _, e := range d.Catalogue() {
		if e.Task == library.KindEmbedding {
			entry = e
		}
	}
	repo := entry.Downloads[0].Repo
	d.Mu.Lock()
	d.Offered = append(d.Offered, library.Model{ID: repo, Name: repo, Source: library.SourceHubCache, Kind: library.KindEmbedding, Usable: true})
	d.Mu.Unlock()
	b.models.reload()
	b.Loop.Until(t, "the model", func() bool { return b.models.installed.has(repo) })
	turnTo(b, tabDiscover)
	pickModel(t, b, entry.Name)
	if pageButton(b, "Show in Installed") == nil || pageButton(b, "Download") != nil {
		t.Errorf("the page has no way to the model that is here: %s", pageText(b))
	}
	test.Tap(pageButton(b, "Use in Similarity"))
	if !slices.Equal(b.used, []string{repo}) {
		t.Errorf("used was %q", b.used)
	}
}
