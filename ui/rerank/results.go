package rerank

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// How much of the selected text is in view at once: a share of the results, where they are high.
const (
	fullTextHeight float32 = 56
	fullTextShare  float32 = 0.14
)

// longestMarked is the size in bytes of the longest text that is shown whole with marks in it.
const longestMarked = 4000

// How much of the remarks and details is in view at once, and how much where the results are so low
// that the texts need the room.
const (
	footHeight    float32 = 84
	footShare     float32 = 0.3 // of the results, where that is more: all that most rankings have to say
	lowFootHeight float32 = 36
	lowResults    float32 = 460

	oneLineBelow float32 = 640 // lower results have a line of each text, so that more of them are in view

	// What the results leave out where they are lowest: the selected text in full, and all but
	// a line of remarks and details.
	lowestResults    float32 = 310
	lowestFootHeight float32 = 18

	legendFrom float32 = 340 // lower results leave out the legend
)

// What the picture shows where two models ranked.
const (
	showBoth = iota
	showFirst
	showSecond
)

// results shows what was found: the order before and after, the selected text in full, and
// what it took.
type results struct {
	*session
	view      *fyne.Container
	tabs      *kit.Segments
	which     *fyne.Container // the tabs, where two models ranked
	agreement *kit.Paragraph
	none      *kit.Paragraph  // that no text stands out
	doubt     *fyne.Container // with that
	scale     *kit.Line
	picture   *picture
	full      *kit.Paragraph
	marked    *kit.Marked     // in its place, where the text is not long: the words of the question stand out
	whole     *fyne.Container // with these
	room      *kit.Capped     // of that
	source    *source         // of the selected text
	foot      *panel.Explained
	best      *best
	better    *fyne.Container // what a reranker does beyond, where none ranked
	get       *kit.TextButton // leads to one, where none is there
	use       *kit.TextButton // sorts with one
	height    float32         // of the results; 0: not known yet
	told      bool            // a person does not want to read that again

	of  *outcome // that is in the picture
	tab int
}

func newResults(s *session, chosen func(text int)) *results {
	r := &results{session: s, told: s.TipClosed(tipReranker), picture: newPicture(s.Keys), agreement: kit.NewParagraph("", theme.ColorNameForeground), scale: kit.NewCaption("")}
	r.picture.chosen = chosen
	r.tabs = kit.NewSegments(s.Keys, []string{"Both models", "First model", "Second model"}, func(int) { r.refresh() })
	r.which = container.New(&kit.Yielding{}, r.tabs)
	r.best = newBest(s.Keys, s.App.Settings().Rerank.Best, func(n int) {
		s.keepBest(n)
		r.of = nil // it is another picture
		r.refresh()
	})
	r.full, r.marked = kit.NewParagraph("", theme.ColorNameForeground), kit.NewMarked()
	r.foot = panel.NewExplained(s.Keys, 0, footHeight, func() { r.view.Refresh() })
	r.get = kit.NewTextButton(s.Keys, "Get a model for this…", s.FindReranker)
	r.use = kit.NewTextButton(s.Keys, "Sort with a reranker", func() {
		s.choose(0, s.reranker())
		s.start()
	})
	never := kit.NewTextButton(s.Keys, "Not now", func() {
		s.CloseTip(tipReranker)
		r.told = true
		r.showBetter()
		r.view.Refresh()
	})
	r.better = container.NewBorder(nil, nil, nil, container.NewCenter(kit.Row(kit.GapWide, r.get, r.use, never)), kit.NewParagraph("A reranker also judges whether a text answers the question.", kit.ColorMuted).Small().Flat)
	legend := r.legend()
	r.none = kit.NewParagraph("", theme.ColorNameForeground)
	r.doubt = container.NewStack(kit.NewSurface(kit.ColorTint, "", 7), kit.Inset(r.none.Flat, kit.GapSmall, kit.Gap))
	top := kit.Column(kit.GapSmall, r.which, r.doubt, r.agreement.Flat, legend)
	r.room = &kit.Capped{Most: fullTextHeight}
	r.whole = container.New(r.room, container.NewVScroll(kit.Column(0, r.full.Flat, r.marked.Flat)))
	r.source = newSource(s)
	card := kit.Card(kit.Bordered(kit.Gap, top, r.picture.view, kit.Column(kit.GapSmall, r.whole, r.source.view)))
	r.view = kit.ByHeight(kit.Bordered(kit.Gap, nil, card, kit.Inset(kit.Column(kit.GapSmall, r.better, r.foot.View), 2, 4)), func(height float32) {
		r.height = height
		r.room.Most = max(fullTextHeight, height*fullTextShare)
		switch {
		case height < lowestResults:
			r.foot.Room.Most = lowestFootHeight
		case height < lowResults:
			r.foot.Room.Most = lowFootHeight
		default:
			r.foot.Room.Most = max(footHeight, height*footShare)
		}
		r.picture.setLow(height < oneLineBelow)
		r.showBetter()
		r.showWhole()
		kit.Show(legend, height >= legendFrom)
	})
	return r
}

// showWhole shows the selected text in full, where one is selected and there is room.
func (r *results) showWhole() {
	kit.Show(r.whole, r.full.Segment.Text != "" && r.height >= lowestResults)
	kit.Show(r.source.view, r.full.Segment.Text != "" && r.source.of.File != "" && r.height >= lowestResults)
}

// showFull shows a text in full, with the words of the question.
func (r *results) showFull(text string) {
	r.full.Set(text)
	marks := len(text) <= longestMarked
	kit.Show(r.marked.Flat, marks)
	kit.Show(r.full.Flat, !marks)
	if marks {
		var list []kit.Mark
		_, words := texts.Answering(r.of.asked.query, text)
		for _, w := range words {
			list = append(list, kit.Mark{Start: w[0], End: w[1]})
		}
		r.marked.Set(text, list)
	}
	r.showWhole()
}

// legend explains the colours of the lines and the ends of the bars.
func (r *results) legend() fyne.CanvasObject {
	up, down := kit.NewCaption("↑ moved up"), kit.NewCaption("↓ moved down")
	up.Whole, down.Whole = true, true
	r.scale.Align = fyne.TextAlignTrailing
	marks := kit.Row(kit.GapWide, kit.Swatched(colorUp, up), kit.Swatched(colorDown, down))
	return container.NewBorder(nil, nil, marks, nil, r.scale)
}

// refresh shows the outcome of the session.
func (r *results) refresh() {
	out := r.shownNow()
	kit.Show(r.view, out != nil)
	if out == nil {
		return
	}
	r.showBetter()
	kit.Show(r.get, r.reranker() == "")
	kit.Show(r.use, r.reranker() != "")
	two := len(out.rankings) == 2
	tab := showFirst
	if two {
		tab = r.tabs.Index
	}
	anew := out != r.of || tab != r.tab
	if anew {
		r.of, r.tab = out, tab
		r.fill(out, two)
	}
	if r.picture.selected != r.picked {
		r.picture.choose(r.picked)
		text := ""
		if r.picked >= 0 {
			text = out.lines[r.picked]
			id := out.asked.ids[r.picked]
			r.source.set(id, r.texts.SourceOf(id))
		}
		r.showFull(text)
	}
	r.view.Refresh()
	if anew && r.picked == out.best() { // nobody picked it: an order is read from its top
		r.picture.rows.ToTop()
	}
}

// fill shows another outcome, or other orders of it.
func (r *results) fill(out *outcome, two bool) {
	left, right := r.orders(out)
	r.picture.doubtful = r.judged(out).NoneStandsOut()
	shown := out.rankings
	if r.tab != showBoth {
		shown = []texts.RerankResult{r.judged(out)}
	}
	doubtful := slices.DeleteFunc(slices.Clone(shown), func(one texts.RerankResult) bool { return !one.NoneStandsOut() })
	r.best.offer(len(out.lines))
	r.picture.sources = r.sourcesOf(out.asked.ids)
	r.picture.set(out.asked.query, out.lines, left, right, r.best.shown(len(out.lines)))
	r.showFull("") // of the text that was selected before
	r.scale.Set(strings.TrimSpace(r.picture.linesText() + " " + scaleText(r.judged(out))))
	kit.Show(r.which, two)
	kit.Show(r.agreement.Flat, two)
	if two {
		r.agreement.Set(agreementText(out.agreement))
	}
	r.none.Set(noneText(doubtful, len(out.rankings)))
	kit.Show(r.doubt, len(doubtful) > 0)
	var facts, notes, remarks []string
	if len(doubtful) > 0 {
		notes = append(notes, noneReason(doubtful[0]))
	}
	for i, one := range out.rankings {
		facts = append(facts, factsText(one, out.asked.judges[i].pooling))
		remarks = append(remarks, remarksOf(one)...)
		for _, note := range one.Notes {
			if note = kit.Sentence(note); !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	if two {
		if details := agreementDetails(out.agreement); details != "" {
			notes = append([]string{details}, notes...)
		}
	}
	took := kit.Count(len(out.lines), "text") + " in " + kit.Duration(tookOf(out.rankings))
	r.foot.Set(took, strings.Join(remarks, "  "), strings.Join(append(facts, notes...), "\n"))
}

// tipReranker is the name of what a reranker does beyond, among the tips that a person closed for good.
const tipReranker = "a reranker judges"

// showBetter says what a reranker does beyond, where there is room for it, until a person closes that.
func (r *results) showBetter() {
	out := r.inView()
	kit.Show(r.better, r.height >= lowResults && out != nil && !slices.ContainsFunc(out.rankings, judges) && !r.told)
}

// shownTexts are the texts in view, by their index, the best first.
func (r *results) shownTexts() []int { return r.picture.right.Texts }

// judged is the ranking whose scores have bars.
func (r *results) judged(out *outcome) texts.RerankResult {
	if r.tab == showFirst {
		return out.rankings[0]
	}
	return out.rankings[1]
}

// orders are the two that the picture shows.
func (r *results) orders(out *outcome) (left, right order) {
	switch r.tab {
	case showBoth:
		return orderOf(out.rankings[0]), orderOf(out.rankings[1])
	case showSecond:
		return given(len(out.lines)), orderOf(out.rankings[1])
	}
	return given(len(out.lines)), orderOf(out.rankings[0])
}
