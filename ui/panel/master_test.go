package panel

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/master"
)

// models are some that can be picked and one that cannot.
var models = []library.Model{
	{ID: "a", Name: "starter-embed", Source: library.SourceBundled, Usable: true, Dimension: 26, Parameters: 7_400_000, Bytes: 15_000_000},
	{ID: "b", Name: "org/pickle", Source: library.SourceHubCache, Reason: "the weights are a pickle file, which can run code"},
}

// fits returns why a model cannot be used.
func fits(m library.Model) (string, bool) { return kit.Sentence(m.Reason), m.Usable }

func plainApp(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(kit.NewTheme(kit.ThemeLight))
}

func TestMasters(t *testing.T) {
	for name, make := range map[string]func() fyne.CanvasObject{
		"picker":       func() fyne.CanvasObject { return picker("a") },
		"picker-wrong": func() fyne.CanvasObject { return picker("b") },
		"picker-empty": func() fyne.CanvasObject { return NewModelPicker(&kit.Keyboard{}) },
		"prompt": func() fyne.CanvasObject {
			p := NewPromptChoice(&kit.Keyboard{}, func() {})
			p.Offer(map[string]string{"query": "query: "}, "query")
			return kit.Column(kit.Gap, p.Choice, p.Own)
		},
		"compat": func() fyne.CanvasObject {
			return kit.Column(kit.Gap, compatRow(fit.CompatDevice{Device: "cpu", Verdict: fit.VerdictFull}),
				compatRow(fit.CompatDevice{Device: "metal", Verdict: fit.VerdictNo, Reason: "Metal exists on Apple computers only"}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			plainApp(t)
			master.Check(t, name, make(), fyne.NewSize(420, 80))
		})
	}
}

// What a model takes is read in lines, not letter by letter, where there is little room.
func TestVerdictInLittleRoom(t *testing.T) {
	plainApp(t)
	text := func(width float32) float32 {
		row := compatRow(fit.CompatDevice{Device: "cpu", Verdict: fit.VerdictFull, Memory: fit.CompatMemory{Total: 125e6, Available: 22e9}})
		w := test.NewTempWindow(t, row)
		w.SetPadded(false)
		w.Resize(fyne.NewSize(width, 200))
		return row.MinSize().Height
	}
	if narrow, wide := text(240), text(900); narrow > wide {
		t.Errorf("the verdict is %v high in 240, %v in 900", narrow, wide)
	}
}

func TestMasterOfTheOpenPicker(t *testing.T) {
	plainApp(t)
	p := picker("a")
	w := test.NewTempWindow(t, p)
	w.Resize(fyne.NewSize(700, 400))
	p.Open()
	master.CheckCanvas(t, "picker-open", w.Canvas())
}

func picker(id string) *ModelPicker {
	p := NewModelPicker(&kit.Keyboard{})
	p.Fits = fits
	p.Offer(models, id)
	return p
}

// The rows are those that the search left.
func TestPickerSearches(t *testing.T) {
	plainApp(t)
	p := NewModelPicker(&kit.Keyboard{})
	var many []library.Model
	for _, name := range []string{"oak", "elm", "ash", "fir", "yew", "box", "lime", "pine"} {
		many = append(many, library.Model{ID: name, Name: name, Usable: true})
	}
	p.Offer(many, "oak")
	w := test.NewTempWindow(t, p)
	w.Resize(fyne.NewSize(700, 400))
	p.Open()
	p.search.SetText("pine")
	row := NewModelRow()
	p.fillRow(0, row)
	if name := row.(*fyne.Container).Objects[0].(*fyne.Container).Objects[0].(*fyne.Container).Objects[0].(*kit.Line).Text; len(p.listed) != 1 || name != "pine" {
		t.Errorf("%d are listed, the first is shown as %q", len(p.listed), name)
	}
	p.CloseOpen()
}

// Also a short list is searched while one types; Enter without a word leaves the chosen one, and a word
// that no model has says so.
func TestShortListIsSearched(t *testing.T) {
	plainApp(t)
	p := NewModelPicker(&kit.Keyboard{})
	p.Offer([]library.Model{{ID: "oak", Name: "oak", Usable: true}, {ID: "elm", Name: "elm", Usable: true}}, "elm")
	w := test.NewTempWindow(t, p)
	w.Resize(fyne.NewSize(700, 400))
	enter := &fyne.KeyEvent{Name: fyne.KeyReturn}
	p.Open()
	if w.Canvas().Focused() != p.search {
		t.Fatal("what is typed goes nowhere")
	}
	if p.search.TypedKey(enter); p.ID != "elm" || p.Popup != nil {
		t.Errorf("Enter alone chooses %s", p.ID)
	}
	p.Open()
	test.Type(p.search, "zz")
	if !p.none.Flat.Visible() || len(p.listed) > 0 {
		t.Errorf("of a word that no model has it lists %d", len(p.listed))
	}
	p.search.SetText("")
	if p.none.Flat.Visible() || p.List.Current != 1 {
		t.Errorf("without a word row %d is chosen", p.List.Current)
	}
	p.List.TypedRune('o') // in the list, typing goes on in the field
	if p.search.Text != "o" || len(p.listed) != 1 {
		t.Errorf("typed in the list: %q", p.search.Text)
	}
	if p.search.TypedKey(enter); p.ID != "oak" {
		t.Errorf("Enter chooses %s", p.ID)
	}
}

// A model that cannot be used is shown with the reason and cannot be picked.
func TestPickerRefuses(t *testing.T) {
	plainApp(t)
	p := picker("a")
	test.NewTempWindow(t, p).Resize(fyne.NewSize(700, 400))
	picked := ""
	p.Chosen = func(m library.Model) { picked = m.ID }
	p.Open()
	if p.Take(1); picked != "" || p.ID != "a" || !p.CloseOpen() {
		t.Errorf("picked %q", picked)
	}
	p.Open()
	if p.Take(0); picked != "a" || p.CloseOpen() {
		t.Errorf("picked %q", picked)
	}
}
