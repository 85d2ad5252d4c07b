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
	if scores[0].questions == 0 {
		return "No text is marked yet. Mark below which texts answer each question, and the figures appear here."
	}
	first := fmt.Sprintf("Of the texts that you marked, %s finds %s among %s", out.results[0].Model.Title(), kit.Percent(scores[0].recall), firstOnes(depth))
	if len(scores) < 2 {
		return first + "."
	}
	second := fmt.Sprintf("%s and %s %s.", first, out.results[1].Model.Title(), kit.Percent(scores[1].recall))
	switch better := scores[0].ndcg - scores[1].ndcg; {
	case better > leastLead:
		return second + " " + out.results[0].Model.Title() + " puts them nearer to the top."
	case better < -leastLead:
		return second + " " + out.results[1].Model.Title() + " puts them nearer to the top."
	}
	return second + " Both put them equally near to the top."
}

// leastLead is by how much a score has to be better to be called so.
const leastLead = 0.005

func firstOnes(depth int) string {
	if depth == 1 {
		return "its first one"
	}
	return fmt.Sprintf("its first %d", depth)
}

// detailsText says what the figures are averages of, and how many numbers a vector has.
func detailsText(out *tried, scores []score, depth int) string {
	parts := []string{"Details:"}
	if scores[0].questions > 0 {
		recalls, ndcgs := make([]string, len(scores)), make([]string, len(scores))
		for i, s := range scores {
			recalls[i], ndcgs[i] = fmt.Sprintf("%.3f", s.recall), fmt.Sprintf("%.3f", s.ndcg)
		}
		parts = append(parts, "Averages over "+kit.Count(scores[0].questions, "question")+" with marked texts.",
			fmt.Sprintf("recall@%d: %s.", depth, strings.Join(recalls, " and ")), fmt.Sprintf("nDCG@%d: %s.", depth, strings.Join(ndcgs, " and ")))
	}
	sizes := make([]string, len(out.results))
	for i, r := range out.results {
		sizes[i] = humanize.Comma(int64(r.Dimension))
	}
	return strings.Join(append(parts, "Vector size: "+strings.Join(sizes, " and ")+"."), " ")
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
		{name: fmt.Sprintf("Right texts in the first %d", depth)},
		{name: "Right texts near the top"},
		{name: "Speed"},
		{name: "Size on the disk"},
	}
	for i, r := range out.results {
		found, top := "", ""
		if scores[i].questions > 0 {
			found, top = kit.Percent(scores[i].recall), kit.Percent(scores[i].ndcg)
		}
		size := ""
		if r.Model.Bytes > 0 {
			size = humanize.Bytes(uint64(r.Model.Bytes))
		}
		for k, value := range []string{found, top, kit.Rate(r.TextsPerS) + " texts/s", size} {
			rows[k].values[i] = value
		}
	}
	for k := range rows {
		rows[k].better = -1
	}
	if len(out.results) == 2 {
		rows[0].better = betterOf(scores[0].recall, scores[1].recall)
		rows[1].better = betterOf(scores[0].ndcg, scores[1].ndcg)
		rows[2].better = betterOf(out.results[0].TextsPerS, out.results[1].TextsPerS)
	}
	return rows
}

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
