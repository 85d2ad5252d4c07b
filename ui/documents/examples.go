package documents

import (
	"context"

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

	of    string // the collection, and how many passages it had, that those in view are of
	known int
}

func newExamples(s *session) *examples {
	e := &examples{session: s, rows: kit.Column(kit.GapSmall), ask: func(string) {}}
	e.view = kit.Column(kit.GapSmall, kit.NewCaption("Try one:"), e.rows)
	e.view.Hide()
	return e
}

// subject is the collection that is searched, else the first one that has something.
func (e *examples) subject() (documents.Collection, bool) {
	if c, ok := e.collection(); ok {
		return c, c.Passages > 0
	}
	for _, c := range e.collections {
		if c.Passages > 0 {
			return c, true
		}
	}
	return documents.Collection{}, false
}

// refresh shows examples as long as nothing is asked.
func (e *examples) refresh() {
	c, ok := e.subject()
	idle := e.query == "" && len(e.found) == 0 && !e.busy && e.like == nil && !e.led
	kit.Show(e.view, idle && ok && e.of == c.ID && len(e.rows.Objects) > 0)
	if !idle || !ok || e.of == c.ID && e.known == c.Passages {
		return
	}
	if e.of != c.ID {
		e.rows.RemoveAll()
	}
	e.of, e.known = c.ID, c.Passages
	e.Work(func(ctx context.Context) {
		list, err := e.library.Examples(ctx, c.ID)
		e.Do(func() {
			if err != nil {
				e.fail(err)
			} else if e.of == c.ID {
				e.offer(list)
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
