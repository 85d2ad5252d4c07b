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
// have room.
const lowPane float32 = 560

// lowestPane is the height below which the figures stand without their sentence.
const lowestPane float32 = 420

// workbench shows two embedders beside each other: how well they find what a person marked,
// and what they cost.
type workbench struct {
	*trial
	view    *fyne.Container
	pickers [2]*panel.ModelPicker
	names   [2]*kit.Line
	depth   *kit.Choice
	verdict *kit.Paragraph
	table   *table
	figures *fyne.Container // the rows of the table, and what stands below
	lowest  bool            // the pane is lower than lowestPane
	heading fyne.CanvasObject
	details *kit.Paragraph
	notes   *kit.Paragraph
	answers *answers
	stale   *kit.Notice
}

func newWorkbench(t *trial) *workbench {
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
	w.details = kit.NewParagraph("", kit.ColorMuted).Small()
	w.notes = kit.NewParagraph("", theme.ColorNameWarning).Small()
	count := container.NewBorder(nil, nil, container.NewCenter(kit.NewName("Count hits in")), nil, kit.Inset(container.New(&kit.FixedWidth{Width: 130}, w.depth), 0, kit.GapSmall))
	w.heading = container.NewBorder(nil, nil, kit.NewSection("What they find"), count)
	foot := kit.Column(kit.GapSmall, w.notes.Flat, w.details.Flat)
	room := &kit.Capped{}
	w.figures = container.New(room, container.NewVScroll(kit.Column(kit.GapSmall, w.table.view, foot)))
	measures := kit.Card(kit.Column(kit.GapSmall, w.heading, w.verdict.Flat, w.table.head, w.figures))
	top := kit.Bordered(kit.Gap, kit.Card(besides(models[0], models[1])), w.stale.View, measures)
	w.view = fit(kit.Bordered(kit.Gap, top, w.answers.view, nil), func(height float32) {
		low := height < lowPane
		for i, p := range w.pickers {
			p.SetLow(low)
			kit.Show(w.names[i], !low)
		}
		kit.Show(w.details.Flat, !low)
		room.Most = height * figuresShare
		if w.lowest = height < lowestPane; w.lowest {
			room.Most = leastFigures
		}
		w.arrange()
	})
	return w
}

// arrange shows the sentence and the figures, where there is room for both. Else it is the figures
// that are in view, or the sentence as long as nothing is marked.
func (w *workbench) arrange() {
	out := w.done
	told := out != nil && w.running == nil && w.score(0).questions > 0
	kit.Show(w.verdict.Flat, !w.lowest || !told)
	kit.Show(w.heading, !w.lowest || !told)
	for _, o := range []fyne.CanvasObject{w.table.head, w.figures} {
		kit.Show(o, out != nil && (!w.lowest || told))
	}
}

// refresh shows the trial as it is.
func (w *workbench) refresh() {
	for i, p := range w.pickers {
		p.Offer(w.models, w.pair[i])
	}
	w.answers.refresh()
	out := w.done
	w.arrange()
	w.notes.Set("")
	if changed := w.changedSince(); changed == "" || w.running != nil {
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
	kit.Show(w.notes.Flat, w.notes.Segment.Text != "")
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
	w.details.Set(detailsText(out, scores, w.trial.depth))
	var notes []string
	for _, r := range out.results {
		for _, n := range append(append([]string{}, r.Notices...), r.Notes...) {
			notes = append(notes, kit.Sentence(r.Model.Title()+": "+n))
		}
		notes = append(notes, panel.FallbackSentences(r.Fallbacks)...)
	}
	w.notes.Set(strings.Join(notes, "  "))
}

// closeOpen closes an open list of models; false: none was open.
func (w *workbench) closeOpen() bool { return w.pickers[0].CloseOpen() || w.pickers[1].CloseOpen() }
