package documents_test

import (
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/documents"
)

// The line that is said is that of the sentence or the row that answers, and not the one on which its passage begins.
func TestLineOfWhatIsMarked(t *testing.T) {
	s, dir := newService(t), t.TempDir()
	files := map[string]string{
		"race.txt":   "A long story begins here.\nNobody hurries at all.\n\nThe mouse dries them\nwith a dull tale.\n\nThe Dodo calls it a caucus race.\n",
		"garlic.md":  "# The garden\n\nBeans like the sun.\n\n## In autumn\nGarlic is planted in October.\n",
		"orders.csv": "order,city,comment\n11108,Perth,late\n11109,Tallinn,\"left at\nthe blue door\"\n11110,Lyon,gift\n11111,Oslo,late\n",
		"pets.tsv":   "query\tfile\nhow much notice\tlease\nwho feeds the parrot\tpets\n",
		"table.md":   "| fruit | month |\n| --- | --- |\n| apple | May |\n| quince | October |\n",
	}
	for name, text := range files {
		write(t, dir, name, text)
	}
	indexed(t, s, "", dir)
	for question, want := range map[string]struct {
		file, text string
		line       int
	}{
		"caucus":        {"race.txt", "The Dodo calls it a caucus race.", 7},
		"garlic":        {"garlic.md", "Garlic is planted in October.", 6},
		"11110":         {"orders.csv", "11110,Lyon,gift", 5},
		"the blue door": {"orders.csv", "11109,Tallinn,\"left at\nthe blue door\"", 3},
		"parrot":        {"pets.tsv", "who feeds the parrot\tpets", 3},
		"quince":        {"table.md", "| quince | October |", 4},
	} {
		got := must[documents.SearchResult](t)(s.Search(t.Context(), documents.SearchRequest{Text: question, Mode: documents.ModeKeyword}))
		there := false
		for _, f := range got.Files {
			if filepath.Base(f.File.Path) != want.file {
				continue
			}
			there = true
			r := f.Passages[0]
			m := r.Marked()
			if text := strings.TrimSpace(r.Text[m.Start:m.End]); text != want.text || r.MarkedLine() != want.line {
				t.Errorf("%s: %q in line %d, which begins in line %d", question, text, r.MarkedLine(), r.Line)
			}
			if opened := must[documents.Opened](t)(s.Open(t.Context(), r)); strings.Split(opened.Document.Text, "\n")[want.line-1] != strings.Split(want.text, "\n")[0] {
				t.Errorf("%s: line %d of the document is another one", question, want.line)
			}
			known := r
			known.Files = []documents.File{{Path: f.File.Path}} // as a room knows it that got the passage alone
			if opened := must[documents.Opened](t)(s.Open(t.Context(), known)); opened.Changed || opened.Passage == (documents.Span{}) {
				t.Errorf("%s: the file is said to have changed", question)
			}
			known.Text += " and more"
			if opened := must[documents.Opened](t)(s.Open(t.Context(), known)); !opened.Changed {
				t.Errorf("%s: the passage is gone, and that is not said", question)
			}
		}
		if !there {
			t.Errorf("%s is not found in %s", question, want.file)
		}
	}
}
