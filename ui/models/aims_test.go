package models

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"

	"inglenook/app/downloads"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/catalogue"
	"inglenook/ui/uitest"

	"fyne.io/fyne/v2/test"
)

// entryFor is a model of the catalogue of a task.
func entryFor(id, task, use string, bytes int64) library.CatalogueEntry {
	return library.CatalogueEntry{ID: id, Name: id, Task: task, Use: use, Languages: "English", Downloads: []library.CatalogueDownload{{Repo: id, Bytes: bytes}}}
}

// An aim takes models by what they do, not by a part of a word of their description.
func TestAimsGoByTheTask(t *testing.T) {
	all, err := catalogue.Entries()
	if err != nil {
		t.Fatal(err)
	}
	search := aims[len(aims)-1]
	for i := range all {
		e := &all[i]
		wants := e.Task == library.KindEmbedding || e.Task == library.KindReranker
		if got := search.takes(modelItem{entry: e}); got != wants {
			t.Errorf("%s searches documents: %v", e.Name, got)
		}
	}
	for _, a := range aims {
		n := 0
		for i := range all {
			if a.takes(modelItem{entry: &all[i]}) {
				n++
			}
		}
		if n < 5 || n == len(all) {
			t.Errorf("%q: %d of %d models", a.name, n, len(all))
		}
	}
	for task, want := range map[string]bool{"feature-extraction": true, "sentence-similarity": true, "text-ranking": true, "text-generation": false} {
		if got := search.takes(modelItem{found: &downloads.Found{ID: "a/b", Task: task}}); got != want {
			t.Errorf("what the model store calls %s searches documents: %v", task, got)
		}
	}
}

// Those that fit and are quick come before those that fit and are slow, and those that are too
// large come last.
func TestQuickOnesComeFirst(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Entries = []library.CatalogueEntry{
		entryFor("large", library.KindChat, "a", 900e9), entryFor("slow", library.KindChat, "a", 3e9), entryFor("quick", library.KindChat, "a", 1e9),
	}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Loop.Until(t, "the list", func() bool { return len(b.models.items) == 3 })
	b.models.pace = fit.Pace(5e9)
	b.models.fill()
	if got := modelNames(b); !slices.Equal(got, []string{"quick", "slow", "large"}) {
		t.Errorf("the order is %q", got)
	}
}

// Whoever narrows the list sees its beginning.
func TestNarrowedListBeginsAtTheTop(t *testing.T) {
	d := uitest.NewApp()
	for i := range 60 {
		d.Hub.Entries = append(d.Hub.Entries, entryFor("model"+string(rune('a'+i%26))+string(rune('a'+i/26)), library.KindChat, "talks", 1e9))
	}
	b := inModels(t, d)
	b.Window.Resize(fyne.NewSize(900, 600))
	turnTo(b, tabDiscover)
	b.Loop.Until(t, "the list", func() bool { return len(b.models.items) == 60 })
	for name, change := range map[string]func(){
		"typing":   func() { b.models.filter.text.SetText("model") },
		"a filter": func() { b.models.filter.tasks.SetSelectedIndex(1) },
		"an aim":   func() { b.models.lookFor(&aims[0]) },
	} {
		b.models.list.Pick(40)
		if b.models.list.Scroll.Offset.Y == 0 {
			t.Fatal("the list is not scrolled")
		}
		change()
		if at := b.models.list.Scroll.Offset.Y; at != 0 || len(b.models.items) != 60 {
			t.Errorf("after %s %d models begin at %v", name, len(b.models.items), at)
		}
	}
}

// A row says that its model is on its way, and how far it is.
func TestRowsSayHowFarADownloadIs(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Entries = []library.CatalogueEntry{entryFor("org/a", library.KindChat, "a", 1e9), entryFor("org/b", library.KindChat, "b", 1e9)}
	b := inModels(t, d)
	turnTo(b, tabDiscover)
	b.Loop.Until(t, "the list", func() bool { return len(b.models.items) == 2 })
	plain := b.models.items[0].beside
	for _, c := range []struct {
		d    downloads.Download
		want string
	}{
		{downloads.Download{ID: "org/a", State: "downloading", Done: 24, Total: 100}, "1.0 GB · downloading 24 %"},
		{downloads.Download{ID: "org/a", State: downloads.DownloadPaused, Done: 24, Total: 100}, "1.0 GB · paused"},
		{downloads.Download{ID: "org/a", State: downloads.DownloadDone, Done: 100, Total: 100}, plain},
	} {
		b.models.follow([]downloads.Download{c.d})
		if got := b.models.items[0].beside; got != c.want {
			t.Errorf("of %s the row says %q, not %q", c.d.State, got, c.want)
		}
		if got := b.models.items[1].beside; got != plain {
			t.Errorf("the other row says %q", got)
		}
	}
}

// What the model store answered stands by the list, also where it has nothing more.
func TestAnswerOfTheModelStore(t *testing.T) {
	b := inModels(t, uitest.NewApp())
	turnTo(b, tabDiscover)
	b.models.found, b.models.query = nil, "talk"
	b.models.filter.text.SetText("talk")
	if got := b.models.filter.answer; !got.Visible() || got.Text != "The model store has no further model for “talk”." {
		t.Errorf("it says %q", got.Text)
	}
	if b.models.filter.text.SetText("talke"); b.models.filter.answer.Visible() {
		t.Error("the answer to other words is in view")
	}
}

// Rerank leads to the rerankers, and to nothing else.
func TestDiscoverRerankers(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Entries = []library.CatalogueEntry{
		entryFor("judge", library.KindReranker, "ranks", 1e9), entryFor("vectors", library.KindEmbedding, "searches", 1e9), entryFor("chat", library.KindChat, "talks to rerank", 1e9),
	}
	b := inModels(t, d)
	b.models.DiscoverRerankers()
	b.Loop.Until(t, "the list", func() bool { return len(b.models.items) == 1 })
	if got := b.models.items[0]; got.entry == nil || got.entry.ID != "judge" || b.models.filter.aim.aim != &reranking || b.models.list.Current != 0 {
		t.Errorf("the list has %+v, shown is row %d", got, b.models.list.Current)
	}
}

// Another room can lead to the models with some words, and these can be changed like any that were typed.
func TestDiscoverByWords(t *testing.T) {
	d := uitest.NewApp()
	d.Hub.Entries = []library.CatalogueEntry{entryFor("sentiment", library.KindEncoder, "tells moods apart", 1e9), entryFor("vectors", library.KindEmbedding, "searches", 1e9)}
	b := inModels(t, d)
	b.models.DiscoverByWords("sentiment")
	b.Loop.Until(t, "the list", func() bool { return len(b.models.items) == 1 })
	if got := b.models.items[0]; got.entry == nil || got.entry.ID != "sentiment" || b.models.filter.text.Text != "sentiment" {
		t.Errorf("the list has %+v, for %q", got, b.models.filter.text.Text)
	}
}

// The status strip does not go on telling of a download that was cancelled; what ended well and was
// cleared away is no news.
func TestCancelledDownloadIsToldOf(t *testing.T) {
	b := inModels(t, uitest.NewApp())
	b.models.follow([]downloads.Download{{ID: "org/a", Revision: "main", State: "downloading"}, {ID: "org/b", Revision: "main", State: downloads.DownloadDone}})
	b.Said = "Downloading org/a…"
	b.models.follow([]downloads.Download{{ID: "org/a", Revision: "main", State: "downloading"}})
	if b.Said != "Downloading org/a…" {
		t.Errorf("of one that was cleared away it says %q", b.Said)
	}
	if b.models.follow(nil); b.Said != "The download of org/a was cancelled." {
		t.Errorf("it says %q", b.Said)
	}
}

// A cancelled download can be put back for a while; then what came of it is deleted.
func TestCancelledDownloadCanBePutBack(t *testing.T) {
	d := uitest.NewApp()
	b := inModels(t, d)
	if err := d.StartDownload(t.Context(), downloads.DownloadRequest{ID: "org/a"}); err != nil {
		t.Fatal(err)
	}
	p := b.models
	turnTo(b, tabDownloads)
	b.Loop.Until(t, "the download", func() bool { return len(p.downloads.cards) == 1 })
	test.Tap(p.downloads.cards[0].cancel)
	b.Loop.Until(t, "the offer", func() bool { return len(p.downloads.cards) == 0 && p.notice.Message() != "" })
	test.Tap(p.notice.Act)
	b.Loop.Until(t, "the download back", func() bool { return len(p.downloads.cards) == 1 })
	if p.notice.Message() != "" || len(p.undos) != 0 || slices.Contains(d.Hub.Did, "cancel org/a") {
		t.Errorf("after Undo it says %q, and the download %q", p.notice.Message(), d.Hub.Did)
	}
	test.Tap(p.downloads.cards[0].cancel)
	b.Loop.Until(t, "the offer again", func() bool { return len(p.undos) == 1 })
	p.drop(p.undos[0], p.notice.Message(), downloads.Download{ID: "org/a"})
	b.Loop.Until(t, "its end", func() bool {
		d.Mu.Lock()
		defer d.Mu.Unlock()
		return slices.Contains(d.Hub.Did, "cancel org/a")
	})
	if p.notice.Message() != "" || len(p.undos) != 0 {
		t.Errorf("once it is gone it says %q", p.notice.Message())
	}
}
