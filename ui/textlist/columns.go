package textlist

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// table is a table of which a column is on the list.
type table struct {
	name    string // of its file
	columns []texts.Column
	column  int   // the one that is on the list
	ids     []int // of its texts there
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
func (l *List) offerColumns(name string, t texts.Texts) {
	if len(t.Columns) == 0 || len(t.Lines) == 0 {
		return
	}
	ids := l.texts.IDs()
	l.columns.tables = append(l.columns.tables, &table{name, t.Columns, t.Column, ids[len(ids)-len(t.Lines):]})
	l.showColumns()
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
	if kit.Show(c.view, c.shown != nil); c.shown == nil || c.shown == was {
		return
	}
	names := make([]string, len(c.shown.columns))
	for i, column := range c.shown.columns {
		names[i] = column.Name
	}
	c.choice.Offer(names, c.shown.column)
}

// takeColumn puts the texts of another column in the place of those on the list.
func (l *List) takeColumn(i int) {
	t := l.columns.shown
	if t == nil || i < 0 || i >= len(t.columns) || i == t.column {
		return
	}
	at := l.texts.placeOf(t.ids)
	if at < 0 {
		return
	}
	l.StopEditing()
	column := t.columns[i]
	now := *t
	now.column = i
	now.ids = l.texts.instead(at, t.ids, column.Lines, fmt.Sprintf("Column “%s” taken", kit.Brief(column.Name)))
	l.columns.tables = append(l.columns.tables, &now)
	l.edited(true)
	l.Chosen(0)
	l.host.Tell(fmt.Sprintf("The column “%s” of %s: %s.", kit.Brief(column.Name), t.name, count(len(column.Lines))))
}
