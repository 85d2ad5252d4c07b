package shape

import (
	"strings"
	"testing"

	"inglenook/markdown"
)

func TestMarkdown(t *testing.T) {
	for written, want := range map[string]string{
		"5. Ending early\nEither side may end it.":      `5\. Ending early` + "\n\nEither side may end it.",
		"Costs\nItem | Cost\nRent | 1,240\nCellar | 25": "Costs\n\n| Item | Cost |\n|---|---|\n| Rent | 1,240 |\n| Cellar | 25 |",
		"a | b\n1 | 2 | 3\n | 4\nThe end of it":         "| a | b |  |\n|---|---|---|\n| 1 | 2 | 3 |\n|  | 4 |  |\n\nThe end of it",
		"one | alone\nand prose":                        `one \| alone` + "\n\nand prose",
		"- a *b* [c](d) $x$\n# no heading":              `\- a \*b\* \[c\](d) \$x\$` + "\n\n" + `\# no heading`,
		"":                                              "",
		"The tenant may end this contract with sixty days\nof written notice.": "The tenant may end this contract with sixty days of written notice.",
	} {
		if got := Markdown(written); got != want {
			t.Errorf("%q becomes %q, want %q", written, got, want)
		}
	}
}

// What is drawn of a quotation are the words of the passage.
func TestQuotationIsDrawnAsWritten(t *testing.T) {
	const line = "1) \\ `a` *b* _c_ [d](e) <f> #g ~h~ !i &amp; $j$ k|l"
	blocks := markdown.Parse(Quotation(line, false))
	quote, ok := blocks[0].(*markdown.Quote)
	if !ok || len(blocks) != 1 {
		t.Fatalf("%#v", blocks)
	}
	p, ok := quote.Blocks[0].(*markdown.Paragraph)
	if !ok || markdown.PlainText(p.Text) != line {
		t.Errorf("%#v", quote.Blocks[0])
	}
	if got := Quotation("# A\n\n- b\n", true); got != "> # A\n> \n> - b" {
		t.Errorf("%q", got)
	}
	if got := Quotation(strings.Repeat("a | b\n", 3), false); strings.Count(got, "\n> |") != 3 {
		t.Errorf("%q", got)
	}
}
