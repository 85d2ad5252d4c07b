package settings

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// What is searched for stands out on its card, until something else is: settings have a colour
// behind them, what stands between them changes its own.
func TestMarks(t *testing.T) {
	uitest.NewStage(t, uitest.NewApp())
	title, note := kit.NewSection("Look of the window"), kit.NewLine("A note on speed", kit.TextBody, kit.ColorMuted)
	scale, dark := field("Size of answers", kit.NewLine("Large", kit.TextBody, kit.ColorMuted), ""), field("Theme", kit.NewLine("Dark", kit.TextBody, kit.ColorMuted), "")
	card := container.NewVBox(title, scale, dark, note)
	var m marks
	for _, c := range []struct {
		search             string
		scale, dark, noted bool
	}{
		{"larg", true, false, false},
		{"night", false, true, false},       // which no setting shows
		{"dark theme", false, true, false},  // both words
		{"larger theme", true, true, false}, // one has the one, the other the other
		{"speed answers", true, false, true},
		{"s", false, false, false}, // a letter alone
		{"", false, false, false},
	} {
		m.set([]fyne.CanvasObject{card}, c.search)
		is := func(row fyne.CanvasObject) bool { return row.(*fyne.Container).Objects[0].Visible() }
		if is(scale) != c.scale || is(dark) != c.dark || (note.Color == theme.ColorNamePrimary) != c.noted {
			t.Errorf("%q marks %v, %v, note %v; want %v", c.search, is(scale), is(dark), note.Color, c)
		}
	}
	if m.set([]fyne.CanvasObject{card}, "accessibility"); !slices.ContainsFunc(textsIn(card), func(l *kit.Line) bool { return l.Text == "Look of the window" && l.Color == theme.ColorNamePrimary }) {
		t.Error("a card that was found by a word of its own has no mark")
	}
}

// textsIn are the lines of a card that are of no setting.
func textsIn(card fyne.CanvasObject) (lines []*kit.Line) {
	each(card, func(*fyne.Container) {}, func(l *kit.Line) { lines = append(lines, l) })
	return lines
}

// Every word by which a setting is found belongs to one that there is, and each search that names a
// setting by another word marks it.
func TestEveryRowIsFoundByItsWords(t *testing.T) {
	_, p := inSettings(t, uitest.NewApp())
	names := map[string]bool{}
	for _, view := range p.sections.views {
		each(view, func(row *fyne.Container) {
			for name := range rowWords {
				if words := row.Layout.(*rowMark).words; words == name+" "+rowWords[name] {
					names[name] = true
				}
			}
		}, func(*kit.Line) {})
	}
	for name := range rowWords {
		if !names[name] {
			t.Errorf("there is no setting %q", name)
		}
	}
	p.sections.words.SetText("graphics card") // not the name of the tab, which stands above the card
	for line := range p.sections.marks.colored {
		if slices.Contains(sectionNames, line.Text) {
			t.Errorf("the name of the tab %q is marked", line.Text)
		}
	}
	for search, want := range map[string]int{"proxy": 2, "ram": 1, "animation": 1, "bandwidth": 1, "persona": 1, "threads": 1} {
		p.sections.words.SetText(search)
		if got := len(p.sections.marks.behind); got != want {
			t.Errorf("%q marks %d settings, want %d", search, got, want)
		}
	}
}
