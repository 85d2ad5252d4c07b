package classify

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"inglenook/app/texts"
	"inglenook/ui/uitest"
)

// survey is a table with a column of labels beside the texts.
func survey(labels ...string) texts.Texts {
	sheet := &texts.Sheet{Names: []string{"comment", "Category"}, First: 2}
	column := texts.Column{Name: "comment"}
	for i, line := range []string{"mouse one", "mouse two", "mouse three", "money in the bank", "no money"} {
		sheet.Rows = append(sheet.Rows, []string{line, labels[i]})
		column.Lines, column.Rows = append(column.Lines, line), append(column.Rows, i)
	}
	return texts.Texts{Lines: column.Lines, Taken: column, Sheet: sheet}
}

// The labels that a dropped table brings along are offered: they become the labels, it is said how many texts get the same
// from the model, and they can be taken as if given by hand, for the others to learn from.
func TestLabelsOfATable(t *testing.T) {
	d := uitest.NewApp()
	d.Classified.Vectors = true
	b := entered(t, d)
	d.Files["/survey.csv"] = survey("animals", "animals", "Animals", "money", "")
	p := b.page
	p.list.AddFiles([]string{"/survey.csv"})
	b.Idle()
	if got := p.notice.Message(); got != "The column “Category” of survey.csv says what 4 texts are." {
		t.Fatalf("it says %q", got)
	}
	test.Tap(p.notice.Act)
	b.Idle()
	if !slices.Equal(p.labels.names, []string{"animals", "money"}) || p.found == nil || len(p.found.own) != 0 {
		t.Fatalf("the labels are %q, by hand are %v", p.labels.names, p.found.own)
	}
	right := 0
	for i, want := range []string{"animals", "animals", "animals", "money"} {
		if p.found.labelOf(i) == want {
			right++
		}
	}
	if got := p.notice.Message(); !strings.HasPrefix(got, "The model gives "+string(rune('0'+right))+" of 4 texts the label that the column “Category” has.") {
		t.Errorf("it says %q, and %d are right", got, right)
	}
	test.Tap(p.notice.Act)
	if len(p.found.own) != 4 || p.found.own[2] != "animals" || p.found.own[3] != "money" || !strings.HasPrefix(p.teach.Message(), "You gave 4 labels by hand.") {
		t.Errorf("by hand are %v; it offers %q", p.found.own, p.teach.Message())
	}
	p.Undo()
	if len(p.found.own) != 0 {
		t.Errorf("after Undo these are by hand: %v", p.found.own)
	}
}

// A column of numbers, of sentences or of things that are all different is none of labels.
func TestWhatIsNoLabel(t *testing.T) {
	b := entered(t, uitest.NewApp())
	for _, cells := range [][]string{{"1", "2", "1", "2", "1"}, {"one, two", "one", "one", "two", "two"}, {"all", "all", "all", "all", "all"}} {
		b.Double.Files["/survey.csv"] = survey(cells...)
		b.page.list.Replace(nil)
		b.page.list.AddFiles([]string{"/survey.csv"})
		b.Idle()
		if got := b.page.notice.Message(); got != "" {
			t.Errorf("of %q it says %q", cells, got)
		}
	}
}

// Labels given by hand come back with the table that they were saved in.
func TestHandComesBackWithItsTable(t *testing.T) {
	b := entered(t, uitest.NewApp())
	table := survey("animals", "animals", "money", "money", "animals")
	table.Sheet.Names = []string{"comment", "label", texts.ByWhom}
	for i, row := range table.Sheet.Rows {
		table.Sheet.Rows[i] = append(row, []string{"model", "model", texts.ByHand, "model", texts.ByHand}[i])
	}
	b.Double.Files["/survey labels.csv"] = table
	b.page.list.AddFiles([]string{"/survey labels.csv"})
	b.Idle()
	if got := b.page.notice.Message(); got != "survey labels.csv brings 2 labels along that you gave by hand." {
		t.Fatalf("it says %q", got)
	}
	test.Tap(b.page.notice.Act)
	b.Idle()
	if own := b.page.found.own; len(own) != 2 || own[2] != "money" || own[4] != "animals" {
		t.Errorf("by hand are %v", own)
	}
}

// A text that a person mends keeps the label that they gave it; what was said of the learning goes with the next change.
func TestEditedTextKeepsItsLabel(t *testing.T) {
	b := sorted(t)
	p := b.page
	p.results.show(3)
	p.results.give("parcels")
	p.list.Pick(p.texts.IDs()[3])
	p.list.Rows.Opened(3)
	p.list.Composer.SetText("a text that was mended")
	p.list.Composer.Submit()
	b.classified(t)
	if got := p.found.own[3]; got != "parcels" || p.found.lines[3] != "a text that was mended" {
		t.Errorf("text 4 is %q and has the label %q", p.found.lines[3], got)
	}
	p.toldLearned = true
	p.notice.Say("Labels learned from 2 texts.", "Undo", p.list.Undo)
	p.list.Replace(nil)
	if got := p.notice.Message(); got != "" {
		t.Errorf("after Clear it still says %q", got)
	}
}

// Two labels that differ in their letters' size are one, and all of them can be removed at once.
func TestLabelsInOtherLetters(t *testing.T) {
	b := sorted(t)
	tags := b.page.labels
	n := len(tags.names)
	tags.add([]string{strings.ToUpper(tags.names[0])})
	if len(tags.names) != n || !strings.Contains(b.Said, "already") {
		t.Errorf("the labels are %q; it says %q", tags.names, b.Said)
	}
	tags.removeAll()
	if len(tags.names) != 0 {
		t.Errorf("these are left: %q", tags.names)
	}
	b.page.Undo()
	if len(tags.names) != n {
		t.Errorf("Undo brings back %q", tags.names)
	}
}

// Texts that a person gave a label that was removed keep it, which is said, and it can be taken away from all of them.
func TestRemovedLabelOfAHand(t *testing.T) {
	b := sorted(t)
	p := b.page
	p.labels.add([]string{"letters"})
	b.classified(t)
	for _, i := range []int{1, 3} {
		p.results.show(i)
		p.results.give("letters")
	}
	p.labels.remove(slices.Index(p.labels.names, "letters"))
	b.classified(t)
	if got := p.notice.Message(); got != "2 texts that you labelled “letters” by hand kept that label." {
		t.Fatalf("it says %q", got)
	}
	test.Tap(p.notice.Act)
	if len(p.found.own) != 0 {
		t.Errorf("by hand are still %v", p.found.own)
	}
	if p.Undo(); len(p.found.own) != 2 {
		t.Errorf("Undo brings back %v", p.found.own)
	}
}
