package rerank

import (
	"fmt"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/texts"
	"inglenook/ui/kit"
)

// verdictText says in a sentence which model found more of what a person marked.
func verdictText(out *tried, scores []score, depth int) string {
	all := scores[0].marked
	if scores[0].questions == 0 {
		return "No text is marked yet. Mark below which texts answer each question, and you see here which model finds them."
	}
	name := func(i int) string { return out.results[i].Model.Title() }
	if len(scores) < 2 {
		return fmt.Sprintf("%s %s %s.", name(0), finds(scores[0].found, all), where(depth, "its"))
	}
	more, less := 0, 1
	if scores[1].found > scores[0].found {
		more, less = 1, 0
	}
	n, fewer := scores[more].found, scores[less].found
	both := fmt.Sprintf("Both models find %s %s", someOf(n, all), where(depth, "their"))
	switch better := scores[0].ndcg - scores[1].ndcg; {
	case n != fewer:
		return fmt.Sprintf("%s %s %s, and %s %s.", name(more), finds(n, all), where(depth, "its"), name(less), howMany(fewer, all))
	case n == 0:
		return fmt.Sprintf("Neither model finds a text that you marked %s.", where(depth, "its"))
	case better > leastLead:
		return both + ". " + name(0) + " puts them nearer to the top."
	case better < -leastLead:
		return both + ". " + name(1) + " puts them nearer to the top."
	case depth == 1:
		return both + "."
	}
	return both + ", equally near to the top."
}

// leastLead is by how much a score has to be better to be called so.
const leastLead = 0.005

// finds says how many of all marked texts one model finds.
func finds(n, all int) string {
	if n == 0 && all == 1 {
		return "does not find the text that you marked"
	}
	return "finds " + someOf(n, all)
}

// someOf says how many of all marked texts.
func someOf(n, all int) string {
	switch {
	case all == 1:
		return "the text that you marked"
	case n == all:
		return "all " + humanize.Comma(int64(all)) + " texts that you marked"
	case n == 0:
		return "none of the " + humanize.Comma(int64(all)) + " texts that you marked"
	}
	return outOf(n, all) + " texts that you marked"
}

// howMany says how many of them another model finds, which are fewer.
func howMany(n, all int) string {
	switch {
	case n == 0 && all == 1:
		return "does not"
	case n == 0:
		return "none"
	}
	return humanize.Comma(int64(n))
}

// where says among how many texts of an order a text is found; whose it is, is "its" or "their".
func where(depth int, whose string) string {
	if depth == 1 {
		return "in first place"
	}
	return fmt.Sprintf("among %s first %d", whose, depth)
}

// countedText says what the figures count; "": nothing is marked.
func countedText(s score) string {
	if s.questions == 0 {
		return ""
	}
	return "Counted for " + kit.Count(s.questions, "question") + " with marked texts"
}

// detailsText gives the measures by their names, and how many numbers a vector has.
func detailsText(out *tried, scores []score, depth int) string {
	var parts []string
	if scores[0].questions > 0 {
		recalls, ndcgs := make([]string, len(scores)), make([]string, len(scores))
		for i, s := range scores {
			recalls[i], ndcgs[i] = fmt.Sprintf("%.3f", s.recall), fmt.Sprintf("%.3f", s.ndcg)
		}
		parts = append(parts, "On average over these questions:",
			fmt.Sprintf("recall@%d %s, nDCG@%d %s.", depth, strings.Join(recalls, " and "), depth, strings.Join(ndcgs, " and ")))
	}
	sizes := make([]string, len(out.results))
	for i, r := range out.results {
		sizes[i] = humanize.Comma(int64(r.Dimension))
	}
	return strings.Join(append(parts, "Numbers in a vector: "+strings.Join(sizes, " and ")+"."), " ")
}

// measure is a row of the table: its name, and a value for each model.
type measure struct {
	name   string
	values [2]string
	better int // the model with the better value; -1: none
}

// measuresOf are the rows for what was found.
func measuresOf(out *tried, scores []score, depth int) []measure {
	rows := []measure{
		{name: "In short"},
		{name: fmt.Sprintf("Marked texts in the first %d", depth)},
		{name: "Questions with one of them first"},
		{name: "Speed"},
		{name: "Size on the disk"},
	}
	for i, r := range out.results {
		short, found, top := "", "", ""
		if scores[i].questions > 0 {
			short = shortVerdict(scores[i])
			found, top = outOf(scores[i].found, scores[i].marked), outOf(scores[i].first, scores[i].questions)
		}
		size := ""
		if r.Model.Bytes > 0 {
			size = humanize.Bytes(uint64(r.Model.Bytes))
		}
		for k, value := range []string{short, found, top, kit.Rate(r.TextsPerS) + " texts/s", size} {
			rows[k].values[i] = value
		}
	}
	for k := range rows {
		rows[k].better = -1
	}
	if len(out.results) == 2 {
		rows[1].better = betterOf(float64(scores[0].found), float64(scores[1].found))
		rows[2].better = betterOf(float64(scores[0].first), float64(scores[1].first))
		rows[3].better = betterOf(out.results[0].TextsPerS, out.results[1].TextsPerS)
	}
	return rows
}

// mostMarked is the share of the marked texts from which on a model finds nearly all of them.
const mostMarked = 0.85

// shortVerdict says in two words how much of what is marked a model finds.
func shortVerdict(s score) string {
	switch share := float64(s.found) / float64(max(1, s.marked)); {
	case s.found == 0:
		return "Finds none"
	case s.found == s.marked && s.first == s.questions:
		return "Finds all, first"
	case s.found == s.marked:
		return "Finds all"
	case share >= mostMarked:
		return "Finds nearly all"
	case share > 0.5:
		return "Finds most"
	case share == 0.5:
		return "Finds half"
	}
	return "Finds few"
}

func outOf(n, all int) string { return humanize.Comma(int64(n)) + " of " + humanize.Comma(int64(all)) }

// betterOf is which of two values is larger; -1: neither, by much.
func betterOf(a, b float64) int {
	switch {
	case a > b*(1+leastLead):
		return 0
	case b > a*(1+leastLead):
		return 1
	}
	return -1
}

// table shows measures: a name and a value for each model, the better one in bold.
type table struct {
	heads [3]*kit.Line
	head  *fyne.Container // the names of the models
	view  *fyne.Container
	cells [][3]*kit.Line
}

func newTable() *table {
	t := &table{view: kit.Column(2), heads: [3]*kit.Line{kit.NewName(""), kit.NewName(""), kit.NewName("")}}
	for _, head := range t.heads {
		head.Whole = false
	}
	t.head = tableRow(t.heads)
	return t
}

// tableRow places a name and the values of both models in columns.
func tableRow(line [3]*kit.Line) *fyne.Container {
	return container.NewGridWithColumns(2, line[0], container.NewGridWithColumns(2, line[1], line[2]))
}

// set shows the figures of these models. The number of rows stays the same.
func (t *table) set(results []texts.FindResult, rows []measure) {
	for i := range 2 {
		name := ""
		if i < len(results) {
			name = results[i].Model.Title()
		}
		t.heads[i+1].Set(name)
	}
	for len(t.cells) < len(rows) {
		line := [3]*kit.Line{kit.NewLine("", kit.TextBody, kit.ColorMuted)}
		for i := range 2 {
			line[i+1] = kit.NewLine("", kit.TextBody, theme.ColorNameForeground)
		}
		t.cells = append(t.cells, line)
		t.view.Add(tableRow(line))
	}
	for k, row := range rows {
		t.cells[k][0].Set(row.name)
		for i, value := range row.values {
			l := t.cells[k][i+1]
			l.Style.Bold = row.better == i
			l.Set(value)
			l.Refresh()
		}
	}
}
