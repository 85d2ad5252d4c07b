package prose

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"inglenook/markdown"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// referred is a text with a reference behind its first sentence, and a second that is
// doubted.
func referred(t *testing.T) *page {
	g := newPage(t, "", 400)
	const source = "Boats float. Stones fly."
	g.Set(markdown.ParseMarked(source, []markdown.Mark{
		{Start: 0, End: 12, Refs: []markdown.Ref{{Label: "12", Address: "one"}}},
		{Start: 13, End: 24, Doubted: true, Refs: []markdown.Ref{{Label: "?", Address: "two"}}},
	}))
	return g
}

// References are in the text, are followed with a click or with the keyboard, and tell where
// the pointer is.
func TestReferences(t *testing.T) {
	g := referred(t)
	if got := g.plainText(); got != "Boats float.\u00a0[12] Stones fly.\u00a0[?]" {
		t.Errorf("the text is %q", got)
	}
	g.click(g.at(t, "[12]").AddXY(3, 3), 1)
	g.TypedKey(uitest.Key(fyne.KeyRight))
	g.TypedKey(uitest.Key(fyne.KeyRight))
	g.TypedKey(uitest.Key(fyne.KeyReturn))
	if !slices.Equal(g.opened, []string{"one", "two"}) {
		t.Errorf("followed are %q", g.opened)
	}
	var over []string
	g.Over = func(what string, _ fyne.Position) { over = append(over, what) }
	for _, word := range []string{"Boats", "[12]", "fly", "[?]"} {
		g.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: g.at(t, word).AddXY(3, 3)}})
	}
	g.MouseOut()
	if want := []string{"", "one", Doubted, "two", ""}; !slices.Equal(over, want) {
		t.Errorf("the pointer is on %q, want %q", over, want)
	}
	if n := strings.Count(strings.Join(g.words(), " "), "["); n != 2 {
		t.Errorf("%d references are drawn: %q", n, g.words())
	}
}

// A text cannot make a reference or a doubt of its own.
func TestNoForgedReferences(t *testing.T) {
	g := newPage(t, "Boats [12](one) float [?](two), [x][one].\n\n[one]: one\n", 400)
	for range 4 {
		g.TypedKey(uitest.Key(fyne.KeyRight))
		g.TypedKey(uitest.Key(fyne.KeyReturn))
	}
	for _, s := range g.sets {
		for _, line := range s.pieces {
			for _, r := range line.runs {
				if r.ref || r.doubted || r.link != nil {
					t.Errorf("%q is a reference", s.text[r.start:r.end])
				}
			}
		}
	}
	if len(g.opened) > 0 {
		t.Errorf("followed are %q", g.opened)
	}
}

// What is doubted is underlined in a colour that is seen in both themes, and the signs of
// references can be read on what is behind them.
func TestReferencesAreSeen(t *testing.T) {
	for name, p := range map[string]kit.Palette{"light": kit.Light, "dark": kit.Dark} {
		for _, on := range []fyne.ThemeColorName{kit.ColorTrack, kit.ColorTint} {
			for _, sign := range []fyne.ThemeColorName{kit.ColorAccent, "warning"} {
				if c := kit.Contrast(p[sign], p[on]); c < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.1f", name, sign, on, c)
				}
			}
		}
		if c := kit.Contrast(p["warning"], p["background"]); c < 3 {
			t.Errorf("%s: the underline has a contrast of %.1f", name, c)
		}
	}
	g := referred(t)
	dashes := 0
	for _, r := range g.drawn.strokes.all {
		if r.Visible() && r.Size().Height == 1.5 {
			dashes++
		}
	}
	if dashes < 5 {
		t.Errorf("%d dashes are drawn", dashes)
	}
}
