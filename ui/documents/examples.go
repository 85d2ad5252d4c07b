package documents

import (
	"context"
	"fmt"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/documents"
	"inglenook/ui/kit"
)

// examples are a few questions that a click asks, for whoever does not know yet what to ask.
type examples struct {
	*session
	view *fyne.Container
	rows *fyne.Container
	ask  func(question string)

	of string // the state of the subjects that those in view are of
}

func newExamples(s *session) *examples {
	e := &examples{session: s, rows: kit.Column(kit.GapSmall), ask: func(string) {}}
	e.view = kit.Column(kit.GapSmall, kit.NewCaption("Try one:"), e.rows)
	e.view.Hide()
	return e
}

// mostExamples is how many are shown.
const mostExamples = 3

// subjects are the collection that is searched, or all, those that have something.
func (e *examples) subjects() []documents.Collection {
	return slices.DeleteFunc(slices.Clone(e.collections), func(c documents.Collection) bool {
		return c.Passages == 0 || e.chosen != "" && c.ID != e.chosen
	})
}

// stateOf tells subjects apart.
func stateOf(subjects []documents.Collection) (state string) {
	for _, c := range subjects {
		state += fmt.Sprintln(c.ID, c.Passages)
	}
	return state
}

// refresh shows examples as long as nothing is asked.
func (e *examples) refresh() {
	subjects := e.subjects()
	idle := e.query == "" && len(e.found) == 0 && !e.busy && e.like == nil && !e.led
	kit.Show(e.view, idle && len(subjects) > 0 && len(e.rows.Objects) > 0)
	state := stateOf(subjects)
	if !idle || state == e.of {
		return
	}
	e.of = state
	e.Work(func(ctx context.Context) {
		var all []string
		for _, c := range subjects {
			list, err := e.library.Examples(ctx, c.ID)
			if err != nil {
				e.Do(func() { e.fail(err) })
				return
			}
			if all = append(all, list...); len(all) >= mostExamples {
				break
			}
		}
		e.Do(func() {
			if e.of == state {
				e.offer(all[:min(len(all), mostExamples)])
			}
		})
	})
}

func (e *examples) offer(list []string) {
	e.rows.RemoveAll()
	for _, question := range list {
		line := kit.NewLine(question, kit.TextBody, theme.ColorNameForeground)
		e.rows.Add(kit.NewChip(e.Keys, kit.Inset(line, 3, 0), func() { e.ask(question) }))
	}
	e.changed(finds)
}
