package prose

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"

	"inglenook/markdown"
	"inglenook/ui/kit"
	"inglenook/ui/uitest"
)

// page is a message in a window.
type page struct {
	*Text
	loop   *uitest.Loop
	window fyne.Window
	opened []string
}

func newPage(t testing.TB, source string, width float32) *page {
	a := uitest.LightApp(t)
	g := &page{loop: &uitest.Loop{}}
	g.Text = New(&kit.Keyboard{}, func(address string) { g.opened = append(g.opened, address) })
	g.Do = g.loop.Do
	g.Set(markdown.Parse(source))
	g.window = a.NewWindow("test")
	g.window.SetContent(g.Text)
	g.window.Resize(fyne.NewSize(width, 600))
	return g
}

const sample = `# Title

A **bold** word, ` + "`code`" + ` and [a link](https://example.org/page).

- one
- two
  1. deep

| a | b |
|---|--:|
| c | d |

` + "```go\nfunc f() {}\n\treturn\n```" + `

> quoted
`

// words returns the texts that are drawn.
func (g *page) words() []string {
	var words []string
	for _, t := range g.drawn.texts.all {
		if t.Visible() {
			words = append(words, t.Text)
		}
	}
	return words
}

// A line break within a paragraph is drawn as one, while the text arrives and afterwards, and
// copying keeps it. Otherwise a poem would become one line.
func TestLineBreaksShow(t *testing.T) {
	const poem = "The fire is low,\nThe *night* is long,\nand **so is\nthe** song."
	const want = "The fire is low,\nThe night is long,\nand so is\nthe song."
	for name, source := range map[string]string{
		"paragraph": poem,
		"quote":     "> " + strings.ReplaceAll(poem, "\n", "\n> "),
		"item":      "- " + strings.ReplaceAll(poem, "\n", "\n  "),
		"carriage":  strings.ReplaceAll(poem, "\n", "\r\n"),
	} {
		whole := newPage(t, source, 600)
		coming := newPage(t, "", 600)
		var s markdown.Stream
		for _, r := range source {
			s.Write(string(r))
			coming.Stream(s.Blocks())
		}
		for how, g := range map[string]*page{"whole": whole, "streamed": coming} {
			if got := strings.TrimPrefix(g.plainText(), "• "); got != want {
				t.Errorf("%s, %s: the text is %q", name, how, got)
			}
			rows := map[float32]bool{}
			for _, p := range g.sets[0].pieces {
				rows[p.y] = true
			}
			if len(rows) != 4 {
				t.Errorf("%s, %s: four lines are drawn as %d", name, how, len(rows))
			}
			g.selectAll()
			g.copySelection()
			if got := strings.TrimPrefix(fyne.CurrentApp().Clipboard().Content(), "• "); got != want {
				t.Errorf("%s, %s: copied %q", name, how, got)
			}
		}
	}
}

func TestProsePlainText(t *testing.T) {
	g := newPage(t, sample, 500)
	want := "Title\n\nA bold word, code and a link.\n\n• one\n• two\n  1. deep\n\na\tb\nc\td\n\nfunc f() {}\n\treturn\n\nquoted"
	if got := g.plainText(); got != want {
		t.Errorf("plain text:\n%q\nwant\n%q", got, want)
	}
	g.TypedShortcut(&fyne.ShortcutSelectAll{})
	if got := g.SelectedText(); got != want {
		t.Errorf("all: %q", got)
	}
	g.TypedShortcut(&fyne.ShortcutCopy{})
	if got := fyne.CurrentApp().Clipboard().Content(); got != want {
		t.Errorf("copied %q", got)
	}
	g.Mark = Marked{}
	g.Draw()
	if g.SelectedText() != "" {
		t.Error("the selection stays")
	}
}

// at returns the middle of a text that is drawn.
func (g *page) at(t *testing.T, word string) fyne.Position {
	t.Helper()
	for _, s := range g.sets {
		if i := strings.Index(s.text, word); i >= 0 {
			for k := range s.pieces {
				if left, right, ok := s.pieces[k].extent(s.text, i, i+len(word)); ok {
					return fyne.NewPos((left+right)/2, s.top+s.pieces[k].y+s.pieces[k].height/2)
				}
			}
		}
	}
	t.Fatalf("%q is not there", word)
	return fyne.Position{}
}

func (g *page) click(at fyne.Position, times int) {
	for range times {
		e := &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}, Button: desktop.MouseButtonPrimary}
		g.MouseDown(e)
		g.MouseUp(e)
	}
}

func TestProseSelecting(t *testing.T) {
	g := newPage(t, sample, 500)
	g.click(g.at(t, "bold"), 2)
	if got := g.SelectedText(); got != "bold" {
		t.Errorf("a double click selects %q", got)
	}
	if len(g.drawn.chosen.all) == 0 || !g.drawn.chosen.all[0].Visible() {
		t.Error("the selection is not drawn")
	}
	g.press.when = g.press.when.Add(-kit.DoubleClick)
	g.click(g.at(t, "word"), 3)
	if got := g.SelectedText(); got != "A bold word, code and a link." {
		t.Errorf("a triple click selects %q", got)
	}
	g.press.when = g.press.when.Add(-kit.DoubleClick)
	start := g.at(t, "Title")
	g.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(0, start.Y)}, Button: desktop.MouseButtonPrimary})
	end := g.at(t, "two")
	g.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: end.AddXY(200, 0)}})
	g.DragEnd()
	if got := g.SelectedText(); !strings.HasPrefix(got, "Title\n\nA bold") || !strings.HasSuffix(got, "• two") {
		t.Errorf("dragging selects %q", got)
	}
	told := false
	g.Selects = func() { told = true }
	g.press.when = g.press.when.Add(-kit.DoubleClick)
	g.click(g.at(t, "quoted"), 1)
	if g.SelectedText() != "" || !told {
		t.Error("a click does not end the selection, or tells nobody")
	}
	g.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: g.at(t, "quoted").AddXY(300, 0)}, Button: desktop.MouseButtonPrimary, Modifier: fyne.KeyModifierShift})
	if got := g.SelectedText(); got == "" || !strings.HasSuffix("quoted", got) {
		t.Errorf("a click with Shift selects %q", got)
	}
}

// For every place in the text, the point where it is drawn leads back to it.
func TestProsePlaces(t *testing.T) {
	g := newPage(t, sample+"\nA longer paragraph that has to wrap around more than once in a page as narrow as this, with words.\n", 260)
	for i, s := range g.sets {
		for k := range s.pieces {
			line := &s.pieces[k]
			for _, r := range line.runs {
				for offset := range s.text[r.start:r.end] {
					left, _, ok := line.extent(s.text, r.start+offset, r.end)
					if r.silent || !ok {
						continue
					}
					if got := g.spotAt(left+0.5, s.top+line.y+line.height/2); got != (spot{i, r.start + offset}) {
						t.Fatalf("block %d, byte %d: found at %v", i, r.start+offset, got)
					}
				}
			}
		}
	}
}

func TestProseLinks(t *testing.T) {
	g := newPage(t, "See [here](https://example.org/a?b=c) or [there](file:///etc/passwd).", 500)
	here := g.at(t, "here")
	g.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: here}})
	if g.Cursor() != desktop.PointerCursor {
		t.Error("the pointer stays over a link")
	}
	g.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: g.at(t, "See")}})
	if g.Cursor() != desktop.TextCursor {
		t.Error("text is not for selecting")
	}
	g.click(g.at(t, "See"), 1)
	g.click(here, 1)
	g.click(g.at(t, "there"), 1) // no address of the web: it is only shown
	if got := g.plainText(); got != "See here or there (file:///etc/passwd)." {
		t.Errorf("the text is %q", got)
	}
	g.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: here}, Button: desktop.MouseButtonSecondary})
	if !slices.Equal(g.opened, []string{"https://example.org/a?b=c"}) {
		t.Errorf("opened %q", g.opened)
	}
}

func TestProseLinksByKeyboard(t *testing.T) {
	g := newPage(t, "[a](https://a.example) text [b](https://b.example)\n\n- [c](https://c.example)", 500)
	revealed := 0
	g.reveal = func(float32) { revealed++ }
	g.TypedKey(uitest.Key(fyne.KeyReturn)) // no text is selected
	for _, name := range []fyne.KeyName{fyne.KeyRight, fyne.KeyRight, fyne.KeyRight, fyne.KeyRight, fyne.KeyLeft} {
		g.TypedKey(uitest.Key(name))
		g.TypedKey(uitest.Key(fyne.KeyEnter))
	}
	want := []string{"https://a.example", "https://b.example", "https://c.example", "https://a.example", "https://c.example"}
	if !slices.Equal(g.opened, want) || revealed != 5 {
		t.Errorf("opened %q, in view %d times", g.opened, revealed)
	}
	g.FocusLost()
	g.TypedKey(uitest.Key(fyne.KeyLeft))
	if g.link.Address != "https://c.example" {
		t.Errorf("backwards the first is %q", g.link.Address)
	}
}

func TestProseMenu(t *testing.T) {
	g := newPage(t, "*Some* text.", 500)
	labels := func() (labels []string) {
		for _, item := range g.menu("") {
			labels = append(labels, fmt.Sprint(item.Label, item.Disabled))
		}
		return labels
	}
	if got := labels(); !slices.Equal(got, []string{"Copytrue", "Select allfalse"}) {
		t.Errorf("the menu offers %q", got)
	}
	g.Source = "*Some* text."
	g.selectAll()
	if got := labels(); !slices.Equal(got, []string{"Copyfalse", "Copy as Markdownfalse", "Select allfalse"}) {
		t.Errorf("the menu offers %q", got)
	}
	g.menu("")[1].Action()
	if got := fyne.CurrentApp().Clipboard().Content(); got != g.Source {
		t.Errorf("copied %q", got)
	}
	g.TappedSecondary(&fyne.PointEvent{})
	if g.window.Canvas().Overlays().Top() == nil {
		t.Error("no menu opens")
	}
}

// A layout must settle: it makes no new objects the second time.
func TestProseKeepsItsObjects(t *testing.T) {
	g := newPage(t, sample, 500)
	renderer := test.WidgetRenderer(g.Text)
	before := slices.Clone(renderer.Objects())
	renderer.Layout(g.Text.Size())
	renderer.Refresh()
	if !slices.Equal(before, renderer.Objects()) {
		t.Error("other objects after a layout")
	}
	texts := slices.Clone(g.drawn.texts.keys)
	g.Resize(fyne.NewSize(501, 600))
	if !slices.Equal(texts, g.drawn.texts.keys) {
		t.Error("texts that did not change were drawn anew")
	}
}

func TestProseDrawsWhatIsInView(t *testing.T) {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "Paragraph %d of a long message.\n\n", i)
	}
	g := newPage(t, b.String(), 500)
	if n := len(g.drawn.texts.all); n > 40 {
		t.Errorf("%d texts are drawn for a window of 600", n)
	}
	g.layOut(500)
	if g.total < 2000*sizesOf(kit.Reading()).linePitch || g.MinSize().Height != g.total {
		t.Errorf("the message is %v high", g.total)
	}
	top := g.at(t, "Paragraph 1500 of").Y
	g.InView(top-50, top+300)
	if words := g.words(); !slices.Contains(words, "Paragraph 1500 of a long message.") || slices.Contains(words, "Paragraph 3 of a long message.") {
		t.Errorf("in view: %q", words)
	}
	if n := len(g.drawn.texts.all); n > 60 {
		t.Errorf("%d texts after scrolling", n)
	}
}

// While a reply arrives, finished blocks are not laid out again.
func TestProseStreams(t *testing.T) {
	g := newPage(t, "", 500)
	var s markdown.Stream
	s.Write("First **paragraph**.\n\nSecond.\n\nThird")
	g.Stream(s.Blocks())
	first := g.sets[0]
	g.click(g.at(t, "Second"), 2)
	s.Write(" grows.\n\n- and\n- more")
	g.Stream(s.Blocks())
	if g.sets[0] != first || len(g.sets) != 4 {
		t.Error("a finished block was laid out anew")
	}
	if got := g.SelectedText(); got != "Second" {
		t.Errorf("the selection became %q", got)
	}
	if !slices.Contains(g.words(), "Third grows.") {
		t.Errorf("drawn: %q", g.words())
	}
	g.selectAll()
	g.Stream(markdown.Parse("x"), 0)
	if got := g.SelectedText(); got != "x" && got != "" {
		t.Errorf("of a shorter message %q is selected", got)
	}
}

func TestProseWraps(t *testing.T) {
	word := strings.Repeat("x", 3000)
	for name, source := range map[string]string{
		"words": strings.Repeat("lorem ipsum ", 200), "word": word, "code": "```\n" + word + "\n" + strings.Repeat("a b ", 300) + "\n```",
		"ideographs": strings.Repeat("中文，段落。", 100), "table": "|a|b|\n|-|-|\n|" + strings.Repeat("cell ", 50) + "|" + word[:200] + "|",
		"wide table": strings.Repeat("|a", 30) + "|\n" + strings.Repeat("|-", 30) + "|\n" + strings.Repeat("|long cell", 30) + "|",
		"deep":       strings.Repeat("> ", 16) + "text that is quoted very often", "list": strings.Repeat("- ", 14) + "item",
	} {
		g := newPage(t, source, 500)
		for _, width := range []float32{700, 300, 90} {
			g.layOut(width)
			for _, s := range g.sets {
				for _, p := range s.pieces {
					for _, r := range p.runs {
						if over := r.x + r.width - max(width, narrowest); over > 1 && name != "deep" && name != "list" {
							t.Fatalf("%s at %v: %q is %v too wide", name, width, s.text[r.start:r.end], over)
						}
					}
				}
			}
		}
	}
}

// Columns do not break words. If they are too narrow for that, rows become lists.
func TestProseTables(t *testing.T) {
	g := newPage(t, "| Name | Explanation |\n|---|---|\n| alpha | "+strings.Repeat("many words ", 30)+"|\n", 700)
	rows := func() int { return len(g.words()) }
	if !slices.Contains(g.words(), "Explanation") {
		t.Errorf("wide: %q", g.words())
	}
	wide := rows()
	g.window.Resize(fyne.NewSize(300, 600))
	if rows() <= wide || !slices.Contains(g.words(), "alpha") {
		t.Errorf("narrow: %q", g.words())
	}
	g.window.Resize(fyne.NewSize(100, 600))
	if !slices.Contains(g.words(), "Name:") {
		t.Errorf("as a list: %q", g.words())
	}
	if !strings.HasPrefix(g.plainText(), "Name: alpha\nExplanation: many") {
		t.Errorf("as a list: %q", g.plainText()[:40])
	}
}

func TestProseFromRightToLeft(t *testing.T) {
	g := newPage(t, "שלום world (עולם) 12.\n\nabc שלום עולם 34 def", 500)
	order := func(s *set) string {
		runs := slices.Clone(s.pieces[0].runs)
		slices.SortFunc(runs, func(a, b run) int { return int((a.x - b.x) * 100) })
		var words []string
		for _, r := range runs {
			if w := strings.TrimSpace(r.drawn(s.text)); w != "" {
				words = append(words, w)
			}
		}
		return strings.Join(words, " ")
	}
	if got, want := order(g.sets[0]), ". 12 ( עולם ) world שלום"; got != want {
		t.Errorf("from left to right: %q, want %q", got, want)
	}
	if got, want := order(g.sets[1]), "abc 34 עולם שלום def"; got != want {
		t.Errorf("from left to right: %q, want %q", got, want)
	}
	if p := g.sets[0].pieces[0]; p.x+p.width < 490 {
		t.Errorf("the paragraph ends at %v", p.x+p.width)
	}
	if got := g.plainText(); !strings.HasPrefix(got, "שלום world") {
		t.Errorf("copied %q", got)
	}
}

// The colours of code arrive later, and the button copies the code unchanged.
func TestProseCode(t *testing.T) {
	g := newPage(t, "```go\nfunc f() {}\n```\n\n```\nplain\n```", 500)
	g.loop.Until(t, "the colours", func() bool {
		return slices.ContainsFunc(g.drawn.texts.keys, func(k textKey) bool {
			return strings.TrimSpace(k.text) == "func" && k.color == kit.Themed(kit.ColorSeries4)
		})
	})
	test.Tap(g.drawn.buttons[0])
	if got := fyne.CurrentApp().Clipboard().Content(); got != "func f() {}" || g.drawn.buttons[0].Text != "Copied" || g.drawn.buttons[1].Text != "Copy" {
		t.Errorf("copied %q, the buttons say %q and %q", got, g.drawn.buttons[0].Text, g.drawn.buttons[1].Text)
	}
}

func TestProseFocus(t *testing.T) {
	g := newPage(t, "text", 500)
	escaped := false
	g.keys.Escape = func() { escaped = true }
	g.window.Canvas().Focus(g.Text)
	if !g.drawn.frame.Visible() {
		t.Error("the keyboard's focus is not seen")
	}
	g.TypedKey(uitest.Key(fyne.KeyEscape))
	if !escaped {
		t.Error("Escape does not reach the window")
	}
	g.window.Canvas().Unfocus()
	g.click(g.at(t, "text"), 1)
	if g.drawn.frame.Visible() || g.window.Canvas().Focused() != g.Text {
		t.Error("a click draws the frame, or does not give the focus")
	}
}

// Every colour of text has enough contrast with its background.
func TestProseContrast(t *testing.T) {
	colors := []fyne.ThemeColorName{theme.ColorNameForeground, kit.ColorMuted, kit.ColorAccent}
	for c := markdown.Plain; c <= markdown.Deleted; c++ {
		colors = append(colors, codeColor(c))
	}
	for name, p := range map[string]kit.Palette{"light": kit.Light, "dark": kit.Dark} {
		for _, c := range colors {
			for _, behind := range []fyne.ThemeColorName{theme.ColorNameInputBackground, kit.ColorTrack, kit.ColorCard, theme.ColorNameBackground, theme.ColorNameSelection} {
				if behind == theme.ColorNameSelection && c != theme.ColorNameForeground {
					continue
				}
				if got := kit.Contrast(p[c], p[behind]); got < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.2f", name, c, behind, got)
				}
			}
		}
	}
}
