package rerank

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/kit"
)

// The room for the list of questions, and where there is little.
const (
	questionsHeight    float32 = 96
	lowQuestionsHeight float32 = 40
)

// questions lists the questions of a trial, and takes new ones.
type questions struct {
	*trial
	view   *fyne.Container
	field  *kit.Entry
	rows   *kit.Rows
	remove *kit.Button
	room   *kit.FixedHeight // of the rows
}

func newQuestions(t *trial) *questions {
	q := &questions{trial: t, field: kit.NewEntry(t.Keys)}
	q.field.SetPlaceHolder("Add a question")
	q.field.Submit = q.add
	add := kit.NewButton(t.Keys, "Add", theme.ContentAddIcon(), q.add)
	q.rows = kit.NewRows(t.Keys, func() int { return len(t.questions) }, newQuestionRow, q.fill)
	q.rows.Selected, q.rows.Field = t.look, q.field
	q.rows.Typed = func(e *fyne.KeyEvent) bool {
		if e.Name != fyne.KeyDelete && e.Name != fyne.KeyBackspace {
			return false
		}
		t.forget(q.rows.Current)
		return true
	}
	q.remove = kit.NewQuietButton(t.Keys, "Delete", theme.DeleteIcon(), func() { t.forget(t.at) })
	q.room = &kit.FixedHeight{Height: questionsHeight}
	head := container.NewBorder(nil, nil, kit.NewSection("Questions"), q.remove)
	q.view = kit.Column(kit.GapSmall, head, container.New(q.room, q.rows), container.NewBorder(nil, nil, nil, add, q.field))
	return q
}

// setLow makes the list lower.
func (q *questions) setLow(low bool) {
	q.room.Height = questionsHeight
	if low {
		q.room.Height = lowQuestionsHeight
	}
}

func (q *questions) add() {
	text := q.field.Text
	q.field.SetText("")
	q.ask(text)
}

// newQuestionRow is a row: the question, and how many texts are marked for it.
func newQuestionRow() fyne.CanvasObject {
	marked := kit.NewCaption("")
	marked.Whole = true
	return kit.Inset(container.NewBorder(nil, nil, nil, marked, kit.NewLine("", kit.TextBody, theme.ColorNameForeground)), 5, kit.Gap)
}

func (q *questions) fill(i int, o fyne.CanvasObject) {
	parts := o.(*fyne.Container).Objects[0].(*fyne.Container).Objects // a border keeps its centre first
	parts[0].(*kit.Line).Set(q.questions[i].text)
	marked := "nothing marked"
	if n := q.marked(i); n > 0 {
		marked = kit.Count(n, "answer")
	}
	parts[1].(*kit.Line).Set(marked)
}

// refresh shows the questions as they are.
func (q *questions) refresh() {
	q.rows.Current = q.at
	q.rows.Refresh()
	q.remove.SetEnabled(q.at >= 0)
}
