package rerank

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/library"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// How much of its pane the figures take, the rest in a scroll: the texts need the room.
const (
	figuresShare float32 = 0.24
	leastFigures float32 = 44
)

// lowPane is the height below which a pane leaves out what is seldom needed, so that the texts
// have room. The figures are behind the button for details then.
const lowPane float32 = 560

// lowestPane is the height below which the heading goes too.
const lowestPane float32 = 420

// workbench shows two embedders beside each other: how well they find what a person marked,
// and what they cost.
type workbench struct {
	*trial
	view     *fyne.Container
	pickers  [2]*panel.ModelPicker
	names    [2]*kit.Line
	depth    *kit.Choice
	verdict  *kit.Paragraph
	table    *table
	measures *fyne.Container // all that is said of the models
	figures  *fyne.Container // the table, with the names of the models above
	foot     *panel.Explained
	height   float32 // of the pane
	heading  fyne.CanvasObject
	answers  *answers
	stale    *kit.Notice
}

// newWorkbench makes one. What it says of itself makes room for over, which stands above it.
func newWorkbench(t *trial, over *kit.Notice) *workbench {
	w := &workbench{trial: t, table: newTable(), answers: newAnswers(t), stale: kit.NewNotice(t.Keys)}
	var models [2]fyne.CanvasObject
	for i, name := range []string{"Model", "Second model"} {
		w.pickers[i] = t.newPicker(panel.MakesVectors, func(m library.Model) { t.choose(i, m.ID) })
		w.names[i] = kit.NewName(name)
		models[i] = kit.Column(kit.GapSmall, w.names[i], w.pickers[i])
	}
	w.depth = kit.NewChoice(t.Keys, nil, func(string) {
		t.depth = depths[max(0, w.depth.SelectedIndex())]
		t.changed()
	})
	names := make([]string, len(depths))
	for i, n := range depths {
		names[i] = fmt.Sprintf("first %d", n)
	}
	w.depth.Offer(names, 1)
	w.verdict = kit.NewParagraph("", theme.ColorNameForeground)
	w.foot = panel.NewExplained(t.Keys, kit.GapSmall, leastFigures, func() {
		w.arrange()
		w.view.Refresh()
	})
	count := container.NewBorder(nil, nil, container.NewCenter(kit.NewName("Look at the")), nil, kit.Inset(container.New(&kit.FixedWidth{Width: 130}, w.depth), 0, kit.GapSmall))
	w.heading = container.NewBorder(nil, nil, kit.NewSection("What they find"), count)
	room := &kit.Capped{}
	w.figures = kit.Column(kit.GapSmall, kit.NewTold(t.Keys, w.table.head), container.New(room, container.NewVScroll(w.table.view)))
	w.measures = kit.Card(kit.Column(kit.GapSmall, w.heading, container.New(steady{}, w.verdict.Flat), w.figures, w.foot.View))
	top := kit.Bordered(kit.Gap, kit.Card(besides(models[0], models[1])), panel.OneOf(over, w.stale), w.measures)
	w.view = fit(kit.Bordered(kit.Gap, top, w.answers.view, nil), func(height float32) {
		w.height = height
		for i, p := range w.pickers {
			p.SetLow(w.low())
			kit.Show(w.names[i], !w.low())
		}
		room.Most = max(leastFigures, height*figuresShare)
		w.answers.setLow(w.low())
		w.arrange()
	})
	return w
}

// shown is what was found, as long as there are questions and any of its texts; nil: nothing.
func (w *workbench) shown() *tried {
	if len(w.trial.questions) == 0 || w.done == nil || !w.texts.HasAny(w.done.ids) {
		return nil
	}
	return w.done
}

func (w *workbench) low() bool { return w.height < lowPane }

// arrange shows the figures where there is room for them or a person asked for details, and takes
// everything away where what is said is out of date and the texts need its room.
func (w *workbench) arrange() {
	out, lowest := w.shown(), w.height < lowestPane
	kit.Show(w.figures, out != nil && (!w.low() || w.foot.Open()))
	kit.Show(w.foot.View, out != nil)
	kit.Show(w.heading, !lowest)
	kit.Show(w.measures, !lowest || !w.stale.View.Visible())
}

// steady gives a paragraph the room of two lines at least, so that what stands below stays where it
// is while the words change.
type steady struct{}

func (steady) MinSize(o []fyne.CanvasObject) fyne.Size {
	two := 2 * fyne.MeasureText("Ág", kit.TextBody, fyne.TextStyle{}).Height
	size := o[0].MinSize()
	return fyne.NewSize(size.Width, max(size.Height, two))
}

func (steady) Layout(o []fyne.CanvasObject, size fyne.Size) { o[0].Resize(size) }

// refresh shows the trial as it is.
func (w *workbench) refresh() {
	for i, p := range w.pickers {
		p.Offer(w.models, w.pair[i])
	}
	w.answers.refresh()
	out := w.shown()
	if changed := w.changedSince(); out == nil || changed == "" || w.running != nil {
		w.stale.Hide()
	} else {
		w.stale.Say(changed+" since these models were tried.", "Compare again", w.try)
	}
	switch title, why := w.lacks(); {
	case w.running != nil:
		w.verdict.Set("The models read the texts…")
	case out != nil:
		w.fill(out)
	case title != "":
		w.verdict.Set(title + ". " + why)
	case w.sample:
		w.verdict.Set("Press Compare. Three sample questions come with their answers marked below; you see which model finds them. Then try your own.")
	default:
		w.verdict.Set("Mark below which texts answer each question, and press Compare.")
	}
	w.arrange()
	w.view.Refresh()
}

// fill shows what was found, by the marks as they are now.
func (w *workbench) fill(out *tried) {
	scores := make([]score, len(out.results))
	for i := range scores {
		scores[i] = w.score(i)
	}
	w.verdict.Set(verdictText(out, scores, w.trial.depth))
	w.table.set(out.results, measuresOf(out, scores, w.trial.depth))
	var notes []string
	for _, r := range out.results {
		for _, n := range append(append([]string{}, r.Notices...), r.Notes...) {
			notes = append(notes, kit.Sentence(r.Model.Title()+": "+n))
		}
		notes = append(notes, panel.FallbackSentences(r.Fallbacks)...)
	}
	w.foot.Set(countedText(scores[0]), strings.Join(notes, "  "), detailsText(out, scores, w.trial.depth))
}

// closeOpen closes an open list of models; false: none was open.
func (w *workbench) closeOpen() bool { return w.pickers[0].CloseOpen() || w.pickers[1].CloseOpen() }
