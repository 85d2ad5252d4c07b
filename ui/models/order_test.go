package models

import (
	"slices"
	"testing"
	"time"

	"inglenook/app/library"
	"inglenook/ui/uitest"
)

// The installed models stand in the order that a person chose, which the next start keeps; few need none.
func TestInstalledInOrder(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	model := func(id string, bytes int64, used time.Time) library.Model {
		return library.Model{ID: id, Name: id, Source: library.SourceFolder, Kind: library.KindChat, Usable: true, Bytes: bytes, LastUsed: used}
	}
	d := uitest.NewApp()
	d.Offered = []library.Model{model("never", 1, time.Time{}), model("Beta", 30, day(1)), model("alpha", 20, day(3)), model("gamma", 40, day(2))}
	b := inModels(t, d)
	order := b.models.filter.orders
	if !order.Visible() {
		t.Fatal("four models cannot be sorted")
	}
	for i, want := range [][]string{{"alpha", "gamma", "Beta", "never"}, {"alpha", "Beta", "gamma", "never"}, {"gamma", "Beta", "alpha", "never"}} {
		order.SetSelectedIndex(i)
		if got := modelNames(b); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", orderNames[i], got, want)
		}
	}
	b.Saver.Flush()
	if again := inModels(t, d); again.models.filter.orders.Selected != "Largest first" || again.models.items[0].name() != "gamma" {
		t.Errorf("the next start has %q", again.models.filter.orders.Selected)
	}
	if turnTo(b, tabDiscover); order.Visible() {
		t.Error("the order of installed models is offered under Discover")
	}
	d.Offered = d.Offered[:3]
	if few := inModels(t, d); few.models.filter.orders.Visible() {
		t.Error("three models can be sorted")
	}
}

// A row says what its model is for in words for everybody: those of the catalogue, or what its kind does.
func TestRowsSayWhatFor(t *testing.T) {
	d := uitest.NewApp()
	own := func(id, kind, classifies string) library.Model {
		return library.Model{ID: id, Name: id, Source: library.SourceFolder, Kind: kind, Classifies: classifies, Usable: true, Bytes: 5e6}
	}
	d.Offered = append(d.Offered, own("a", library.KindChat, ""), own("b", library.KindText, ""), own("c", library.KindTask, ""), own("d", library.KindEncoder, ""), own("e", library.KindPictures, ""),
		own("f", library.KindEncoder, "labels"), own("g", library.KindEncoder, "entities"), own(library.StarterChat, library.KindChat, ""))
	b := inModels(t, d)
	for name, want := range map[string]string{
		"org/other": "Comparing texts of any kind", "judge": "Judges which text answers a question best", "starter-embed": "Finds similar texts, small and quick · 15 MB",
		"a": "Chats and answers questions · 5.0 MB", "b": "Goes on with a text that you begin · 5.0 MB", "c": "Turns one text into another, as in translating · 5.0 MB", "d": "Fills gaps in texts · 5.0 MB", "e": "Finds pictures that look alike · 5.0 MB",
		"f": "Sorts texts into the labels that it was trained on · 5.0 MB", "g": "Marks names in texts · 5.0 MB", "Inglenook guide": "A tiny guide to Inglenook · 5.0 MB",
	} {
		i := slices.IndexFunc(b.models.items, func(m shownItem) bool { return m.name() == name })
		if got, _ := b.models.items[i].detail(); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
