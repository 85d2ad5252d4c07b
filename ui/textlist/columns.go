package textlist

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// table is a table of which a column is on the list.
type table struct {
	path   string // of its file
	whole  texts.Texts
	column int   // of whole.Columns: the one that is on the list
	ids    []int // of its texts there
}

// columnChoice lets a person take another column of the table that was opened last. It is in view as long as the
// texts of that table stand on the list as they came.
type columnChoice struct {
	view   *fyne.Container
	choice *kit.Choice
	tables []*table // as they were on the list, the last at the end; Undo goes back to one before
	shown  *table   // nil: none
}

func (l *List) newColumnChoice(k *kit.Keyboard) *columnChoice {
	c := &columnChoice{}
	c.choice = kit.NewChoice(k, nil, func(string) { l.takeColumn(c.choice.SelectedIndex()) })
	c.view = container.NewBorder(nil, nil, container.NewCenter(kit.NewName("Column")), nil, kit.Inset(c.choice, 0, kit.GapSmall))
	c.view.Hide()
	return c
}

// offerColumns offers the other columns of a table whose texts were just added, the last on the list.
func (l *List) offerColumns(path string, t texts.Texts) {
	if t.Sheet == nil || len(t.Lines) == 0 {
		return
	}
	ids := l.texts.IDs()
	l.columns.tables = append(l.columns.tables, &table{path, t, t.Column, ids[len(ids)-len(t.Lines):]})
	l.showColumns()
	l.Changed()
}

// showColumns shows the choice where a table stands on the list.
func (l *List) showColumns() {
	c := l.columns
	was := c.shown
	c.shown = nil
	for _, t := range c.tables {
		if l.texts.placeOf(t.ids) >= 0 {
			c.shown = t
		}
	}
	if kit.Show(c.view, c.shown != nil && len(c.shown.whole.Columns) > 1); c.shown == nil || c.shown == was {
		return
	}
	names := make([]string, len(c.shown.whole.Columns))
	for i, column := range c.shown.whole.Columns {
		names[i] = column.Name
	}
	c.choice.Offer(names, c.shown.column)
}

// Table is the file of the table that stands on the list, and which of its columns; "": none does.
func (l *List) Table() (path string, column int) {
	if t := l.columns.shown; t != nil {
		return t.path, t.column
	}
	return "", 0
}

// Reopen reads a table again of which a column was on the list when the program ended, and tells that the list came
// from it. Where the file says something else by now, nothing changes.
func (l *List) Reopen(path string, column int, known func()) {
	l.host.Work(func(ctx context.Context) {
		whole, err := l.reader.ReadTexts(ctx, path)
		if err != nil || whole.Sheet == nil || len(whole.Columns) > 0 && (column < 0 || column >= len(whole.Columns)) {
			return
		}
		taken := whole.Taken
		if len(whole.Columns) > 0 {
			taken = whole.Columns[column]
		}
		l.host.Do(func() {
			at := l.texts.placeOfLines(taken.Lines)
			if at < 0 {
				return
			}
			for i := range taken.Lines {
				l.texts.items[at+i].from = taken.OriginOf(path, whole.Sheet, i)
			}
			l.columns.tables = append(l.columns.tables, &table{path, whole, column, l.texts.IDs()[at : at+len(taken.Lines)]})
			l.refresh()
			known()
		})
	})
}

// placeOfLines is where these texts stand together; -1: they do not.
func (t *Texts) placeOfLines(lines []string) int {
	all := t.Lines()
	for at := range len(all) - len(lines) + 1 {
		if slices.Equal(all[at:at+len(lines)], lines) {
			return at
		}
	}
	return -1
}

// takeColumn puts the texts of another column in the place of those on the list.
func (l *List) takeColumn(i int) {
	t := l.columns.shown
	if t == nil || i < 0 || i >= len(t.whole.Columns) || i == t.column {
		return
	}
	at := l.texts.placeOf(t.ids)
	if at < 0 {
		return
	}
	l.StopEditing()
	column := t.whole.Columns[i]
	now := *t
	now.column = i
	from := make([]texts.Origin, len(column.Lines))
	for k := range from {
		from[k] = column.OriginOf(t.path, t.whole.Sheet, k)
	}
	now.ids = l.texts.instead(at, t.ids, column.Lines, from, fmt.Sprintf("Column “%s” taken", kit.Brief(column.Name)))
	l.columns.tables = append(l.columns.tables, &now)
	l.edited(true)
	l.Chosen(0)
	l.host.Tell(strings.TrimSpace(fmt.Sprintf("The column “%s” of %s: %s. ", kit.Brief(column.Name), filepath.Base(t.path), count(len(column.Lines))) + column.Blank(t.whole.Sheet)))
}
