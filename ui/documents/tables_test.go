package documents

import (
	"slices"
	"strings"
	"testing"

	"inglenook/app/documents"
	text "inglenook/documents"
	"inglenook/markdown"
)

// asTable is a document of one table, whose blocks are the lines of a text.
func asTable(format, written string, found documents.Span) documents.Opened {
	o := documents.Opened{Document: text.Document{Text: written, Format: format}, Passage: found}
	at := 0
	for line := range strings.SplitAfterSeq(written, "\n") {
		kind := text.TableRow
		if at == 0 {
			kind = text.TableHeader
		}
		if !strings.HasPrefix(line, "|-") {
			o.Document.Blocks = append(o.Document.Blocks, text.Block{Kind: kind, Start: at, End: at + len(strings.TrimSuffix(line, "\n"))})
		}
		at += len(line)
	}
	return o
}

func TestTablesAmongText(t *testing.T) {
	for _, one := range []struct{ format, written, want string }{
		{"docx", "Item | Cost\nRent | 1,240\nCellar | 25", "Item\tCost\nRent\t1,240\nCellar\t25"},
		{"docx", "Item | Cost\nRent | 1,240 | a month\n | 7", "Item\tCost\t\nRent\t1,240\ta month\n\t7\t"},
		{"markdown", "| Item | Cost |\n|---|---|\n| **Rent** | a \\| b |", "Item\tCost\nRent\ta | b"},
	} {
		o := asTable(one.format, one.written, documents.Span{})
		pieces := cut(o)
		if len(pieces) != 1 || pieces[0].found || shownText(o, pieces[0]) != one.want {
			t.Errorf("%q is shown as %q", one.written, shownText(o, pieces[0]))
		}
	}
	if pieces := cut(asTable("docx", "Alone\nof one\ncolumn", documents.Span{})); len(pieces) != 3 || pieces[0].kind != plain {
		t.Errorf("one column: %+v", pieces)
	}
	o := asTable("docx", "Number | Name"+strings.Repeat("\n1 | one", 100), documents.Span{Start: 15, End: 20})
	pieces := cut(o)
	if len(pieces) != 3 || !pieces[0].found || pieces[1].found || pieces[2].end != len(o.Document.Text) {
		t.Fatalf("a long table: %d pieces", len(pieces))
	}
	for _, p := range pieces {
		if !strings.HasPrefix(shownText(o, p), "Number\tName\n1\tone") {
			t.Error("a part of a table does not name its columns")
		}
	}
}

// The words of a search stand out in the cells of a table.
func TestWordsInTables(t *testing.T) {
	o := asTable("docx", "Item | Cost\nThe rent | 1,240", documents.Span{End: 28})
	cells := tableCells(o, cut(o)[0], o.Document.Blocks[1], []documents.Span{{Start: 16, End: 20}})
	want := markdown.Cell{markdown.Text{Text: "The "}, markdown.Text{Text: "rent", Style: markdown.Strong}}
	if !slices.Equal(cells[0], want) || len(cells) != 2 {
		t.Errorf("%#v", cells)
	}
}
