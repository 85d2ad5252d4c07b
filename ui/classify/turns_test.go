package classify

import (
	"fmt"
	"image/color"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/library"
	"inglenook/ui/uitest"
)

// other is the theme with the other palette.
type other struct{ fyne.Theme }

func (o other) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	if v == theme.VariantDark {
		return o.Theme.Color(name, theme.VariantLight)
	}
	return o.Theme.Color(name, theme.VariantDark)
}

// Any result can follow any other: of more or fewer texts, other labels and higher rows, with a search, a filter or an
// order of the rows, scrolled down, in both palettes.
func TestAnyResultFollowsAnyOther(t *testing.T) {
	const short, long = "animals, money", "delivery of the goods that were ordered and paid, returns and refunds of all kinds and for all reasons, account and password of a person at home"
	d := withModel(uitest.NewApp(), library.Model{ID: "/models/names", Name: "names", Kind: library.KindEncoder, Classifies: "entities"})
	d.Kept.Classify.Model = "starter-embed"
	b := entered(t, d, "a cat")
	lines := func(n int) (list []string) {
		for k := range n {
			list = append(list, fmt.Sprintf("text %d of some Words about money and animals", k))
		}
		return list
	}
	r := b.page.results
	palettes := []fyne.Theme{other{b.FyneApp.Settings().Theme()}, b.FyneApp.Settings().Theme()}
	for _, change := range [][2]int{{10, 9}, {24, 2}, {1, 60}} {
		before, now := change[0], change[1]
		for k, labels := range [][2]string{{short, long}, {long, short}} {
			b.FyneApp.Settings().SetTheme(palettes[k])
			for _, state := range []string{"", "search", "searched for nothing", "filter", "order", "end", "names"} {
				says := fmt.Sprintf("%d texts, then %d, labels %q then %q, %s", before, now, labels[0], labels[1], state)
				b.page.list.Replace(lines(before))
				b.page.labels.SetText(labels[0])
				b.classified(t)
				switch state {
				case "search":
					r.search.SetText("0")
				case "searched for nothing":
					r.search.SetText("unicorn")
					r.rows.TypedRune('1')
					r.rows.TypedKey(key(fyne.KeyBackspace))
					if len(b.page.found.own) != 0 || len(r.list) != 0 {
						t.Fatalf("%s: a text out of view is labelled %v", says, b.page.found.own)
					}
				case "filter":
					r.filter.choose(r.filter.heaps[0].name)
				case "order":
					r.order.SetSelectedIndex(orderLabel)
				case "end":
					r.rows.Pick(before - 1)
				case "names":
					b.page.Use("/models/names")
					b.Idle()
				}
				if now == before-1 {
					b.page.list.Rows.Pick(0)
					b.page.list.Rows.TypedKey(key(fyne.KeyDelete))
				} else if now < before {
					b.page.list.Replace(b.page.texts.Lines()[before-now:]) // the first ones are gone
				} else {
					b.page.list.Add(lines(now - before))
				}
				b.page.labels.SetText(labels[1])
				out := b.classified(t)
				if len(out.lines) != now || r.search.Text == "" && len(r.rowsOf) != now && r.filter.name == "" {
					t.Fatalf("%s: %d of %d texts are in view", says, len(r.rowsOf), len(out.lines))
				}
				if slices.ContainsFunc(r.rowsOf, func(i int) bool { return i >= now }) || r.at >= now {
					t.Fatalf("%s: rows %v, text %d", says, r.rowsOf, r.at)
				}
				r.order.SetSelectedIndex(orderListed)
				r.search.SetText("")
				if state == "names" {
					b.page.Use("starter-embed")
					b.Idle()
				}
			}
		}
	}
}
