package similarity

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/texts"
	"inglenook/ui/uitest"
)

// Texts that say the same have one row, which says how often they are there, among the nearest and in a group.
func TestDuplicatesHaveOneRow(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.SimilarityTexts = []string{"zzzz zzz", "eeee eee", "eeee eee", "zzz zzzz", "eeee eee", "eee eeee", "zzzzz z"}
	b := opened(t, d)
	p := b.panel
	near, g := p.results.near, p.results.groups
	p.selectText(p.texts.IDs()[0])
	rows := ""
	for _, row := range uitest.RowsOf(near.list) {
		rows += uitest.AllText(row) + "\n"
	}
	if len(near.found) != 4 || strings.Count(rows, "eeee eee") != 1 || !strings.Contains(rows, "×3 eeee eee") {
		t.Errorf("%d rows: %q", len(near.found), rows)
	}
	for k, members := range g.of {
		g.show(k)
		different := map[string]bool{}
		for _, i := range members {
			different[p.result.Texts[i]] = true
		}
		if len(g.listed) != len(different) || len(g.inOpen()) != len(members) {
			t.Errorf("group %d has %d rows for %d texts, of which %d are different", k, len(g.listed), len(members), len(different))
		}
	}
}

// idle is the room with its models, where nothing is compared yet.
func idle(t *testing.T, d *uitest.App) *bench {
	b := newBench(t, d)
	b.panel.Open("")
	b.Idle()
	return b
}

// The samples that a person tried go once a text of their own comes.
func TestSamplesThatWereTriedGo(t *testing.T) {
	d := uitest.NewApp()
	d.Kept.SimilarityTexts = []string{}
	b := idle(t, d)
	p := b.panel
	test.Tap(p.samples)
	b.Idle()
	if n := p.texts.Len(); n != len(texts.SampleTexts()) {
		t.Fatalf("%d samples", n)
	}
	p.list.Add([]string{"one of my own"})
	if n := p.texts.Len(); n != 1 {
		t.Errorf("the samples stay: %d texts", n)
	}
	p.list.Undo()
	p.list.Undo()
	if n := p.texts.Len(); n != 0 {
		t.Errorf("Undo leaves %d texts", n)
	}
}

// The column that was chosen of a table can be chosen again after a restart.
func TestColumnIsThereAgain(t *testing.T) {
	sheet := &texts.Sheet{Names: []string{"comment", "reply"}, Rows: [][]string{{"delta", "one"}, {"epsilon", "two"}}, First: 2}
	columns := []texts.Column{{Name: "comment", Lines: []string{"delta", "epsilon"}, Rows: []int{0, 1}}, {Name: "reply", Lines: []string{"one", "two"}, Rows: []int{0, 1}, At: 1}}
	table := texts.Texts{Lines: columns[0].Lines, Columns: columns, Taken: columns[0], Sheet: sheet}
	d := uitest.NewApp()
	d.Kept.SimilarityTexts = []string{}
	d.Files["/answers.csv"] = table
	b := idle(t, d)
	b.panel.list.AddFiles([]string{"/answers.csv"})
	b.Idle()
	b.Saver.Flush()
	again := uitest.NewApp()
	again.Kept, again.Files["/answers.csv"] = d.Settings(), table
	c := idle(t, again)
	if path, column := c.panel.list.Table(); path != "/answers.csv" || column != 0 || c.panel.texts.Len() != 2 {
		t.Errorf("after a restart the table is %q, column %d", path, column)
	}
}
