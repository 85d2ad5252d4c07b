package documents

import (
	"strings"
	"testing"

	"inglenook/app/documents"
	"inglenook/documents/shape"
)

// A passage is shown without the marks of its format, with the same words marked.
func TestLegible(t *testing.T) {
	for _, c := range []struct{ format, header, written, want string }{
		{"markdown", "", "## The **main** rule ##\n\nA `value` is _moved_ to\nits [owner](https://e.org/a_b), *once*.", "The main rule\nA value is moved to its owner, once."},
		{"markdown", "", "> quoted **text**\n> goes on", "quoted text\ngoes on"},
		{"markdown", "", "- [x] one\n- two\n1. three", "• one\n• two\n1. three"},
		{"markdown", "", "| Item | Cost |\n|------|:----:|\n| **Rent** | 1,240 |", "Item · Cost\nRent · 1,240"},
		{"markdown", "", "```rust\nlet a_b = *c;\n# no title\n```\nafter", "let a_b = *c;\n# no title\nafter"},
		{"markdown", "", "snake_case, 2*3, a * b, \\*literal\\*, ``a`b``, R&amp;D, ![a dog](dog.png), ~~old~~", "snake_case, 2*3, a * b, *literal*, a`b, R&D, a dog, old"},
		{"markdown", "", "a <b>bold</b> word <!-- hidden -->at <https://e.org>", "a bold word at https://e.org"},
		{"csv", "", "city,product\nLisbon,\"a, b\"\n", "city · product\ncity: Lisbon · product: a, b"},
		{"csv", "Title\n\ncity;product;note", "Oslo;tea;\nRome;\"two\nlines\";x", "city: Oslo · product: tea\ncity: Rome · product: two lines · note: x"},
		{"csv", "T\n\na,b", "1,\"the \"\"blue\"\" door\"", "a: 1 · b: the \"blue\" door"},
		{"markdown", "", "one\\\ntwo  \nthree", "one\ntwo\nthree"},
		{"csv", "T, no names\n\n\ufeffa,b", "1,2,3", "a: 1 · b: 2 · 3"},
		{"csv", "Cities, of 2026, all", "a,b\n1,2", "a · b\na: 1 · b: 2"},
		{"csv", "", "\"never closed,1\nx,2", "\"never closed · 1\n\"never closed: x · 1: 2"},
		{"docx", "Costs\n\nItem | Monthly cost", "Rent | 1,240\nCellar | 25", "Item: Rent · Monthly cost: 1,240\nItem: Cellar · Monthly cost: 25"},
		{"docx", "", "A sum.\n\nRent | 1,240", "A sum.\n\nRent · 1,240"},
		{"source", "", "if a | b {\n\t**p = 1\n}", "if a | b {\n\t**p = 1\n}"},
		{"text", "", "a * b and # 4 | 5", "a * b and # 4 · 5"},
	} {
		got := legibleOf(c.written, c.format, shape.Header(c.header))
		if got.text != c.want {
			t.Errorf("%s %q is read as\n%q, not\n%q", c.format, c.written, got.text, c.want)
		}
		if len(got.at) != len(c.written)+1 {
			t.Errorf("%q: %d places for %d bytes", c.written, len(got.at), len(c.written))
		}
		for _, word := range strings.FieldsFunc(c.want, func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') }) {
			at := strings.Index(c.written, word)
			if at < 0 || len(word) < 3 {
				continue // from the header, or a part of other words too
			}
			marks := got.marks([]documents.Span{{Start: at, End: at + len(word)}}, 0)
			if len(marks) != 1 || got.text[marks[0][0]:marks[0][1]] != word {
				t.Errorf("%q: of %q is marked %v of %q", c.written, word, marks, got.text)
			}
		}
	}
}

// Whatever a file holds, its passages are read to their ends, and nothing is marked beside them.
func FuzzLegible(f *testing.F) {
	f.Add("a **b** `c` | d\n\"x,y\"\n# e", "markdown", "a,b")
	f.Add("\xff*_[](`", "csv", "")
	f.Fuzz(func(t *testing.T, written, format, header string) {
		for _, format := range []string{format, "markdown", "csv", "docx"} {
			got := legibleOf(written, format, header)
			if len(got.at) != len(written)+1 {
				t.Fatalf("%s: %d places for %d bytes", format, len(got.at), len(written))
			}
			for i, at := range got.at {
				if at > len(got.text) || i > 0 && at < got.at[i-1] {
					t.Fatalf("%s: byte %d stands at %d of %d", format, i, at, len(got.text))
				}
			}
		}
	})
}

func TestExcerptHoldsAMatch(t *testing.T) {
	var r documents.Result
	r.Text = strings.Repeat("January,Apples,Prune them\n", 20) + "March,Potatoes,Set them\nApril,Carrots,Sow"
	at := strings.Index(r.Text, "Potatoes")
	r.Matches = []documents.Span{{Start: at, End: at + len("Potatoes")}}
	text, marks := excerptOf(r, "csv")
	if !strings.HasPrefix(text, "January: March · Apples: Potatoes") || len(marks) != 1 || text[marks[0][0]:marks[0][1]] != "Potatoes" {
		t.Errorf("%q, %v", text, marks)
	}
	kettles := "Lamp,1\nKettle,2\nKettle,310\nBolt,4"
	r.Text, r.Matches = kettles, nil
	for _, w := range []string{"Kettle,2", "Kettle,310", "310"} {
		at := strings.Index(kettles, w)
		r.Matches = append(r.Matches, documents.Span{Start: at, End: at + len(strings.TrimRight(w, ",2310"))})
	}
	r.Matches[2].End = r.Matches[2].Start + 3
	if text, _ := excerptOf(r, "csv"); !strings.HasPrefix(text, "Lamp: Kettle · 1: 310") {
		t.Errorf("of two rows with a word it begins with %q", text)
	}
}

// Where the words found stand far behind in a row, the excerpt goes on with their cell after the first one, which tells
// the row from the next.
func TestExcerptBeginsWithTheFoundCell(t *testing.T) {
	var r documents.Result
	long := strings.Repeat("a long remark ", 20)
	r.Context, r.Text = "People\n\nName,Remark,Town", "Lamp,"+long+",Lisbon\n"
	at := strings.Index(r.Text, "Lisbon")
	r.Matches = []documents.Span{{Start: at, End: at + len("Lisbon")}}
	text, marks := excerptOf(r, "csv")
	if text != "Name: Lamp … Town: Lisbon" || len(marks) != 1 || text[marks[0][0]:marks[0][1]] != "Lisbon" {
		t.Errorf("%q, %v", text, marks)
	}
}

// That there are more passages than are shown is said.
func TestTheBestAreSaid(t *testing.T) {
	b := withLease(t)
	b.search(t, "dog")
	r := b.panel.results
	if got := r.foundText(); got != "2 passages" {
		t.Errorf("of two is said %q", got)
	}
	if r.result.More = true; r.foundText() != "The best 2 passages" {
		t.Errorf("of the best two is said %q", r.foundText())
	}
}

// What leads to Rerank are the cells behind the names of their columns, also in the first passage
// of a table, before which its name stands.
func TestTablesAreSentAsSentences(t *testing.T) {
	r := documents.Result{}
	r.Files = []documents.File{{Format: "csv"}}
	r.Context, r.Text = "Garden", "Month,Sow,Remark\nMarch,\"peas, onions\",\nMay,beans,cold\n"
	if got := sentOf(r); got != "Month: March; Sow: peas, onions\nMonth: May; Sow: beans; Remark: cold" {
		t.Errorf("sent %q", got)
	}
	r.Context = "The garden, month by month" // a name with a comma
	if got := sentOf(r); got != "Month: March; Sow: peas, onions\nMonth: May; Sow: beans; Remark: cold" {
		t.Errorf("sent %q", got)
	}
	r.Context, r.Text = "Garden\n\nMonth,Sow,Remark", "June,chard,\n"
	if got := sentOf(r); got != "Month: June; Sow: chard" {
		t.Errorf("sent %q", got)
	}
	r.Files, r.Context, r.Text = []documents.File{{Format: "text"}}, "A heading", " Two lines\nof a poem. "
	if got := sentOf(r); got != "Two lines\nof a poem." {
		t.Errorf("sent %q", got)
	}
}
