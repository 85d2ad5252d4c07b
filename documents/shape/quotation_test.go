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

// A paragraph that a program wrapped flows in a quotation; verses, lists, code and lines that are to end do not.
func TestQuotationFlows(t *testing.T) {
	for written, want := range map[string]string{
		"The tenant may end this contract with sixty days\nof written notice.":   "> The tenant may end this contract with sixty days of written notice.",
		"The tenant may end this contract with sixty days  \nof written notice.": "> The tenant may end this contract with sixty days  \n> of written notice.",
		"O Captain!\nmy Captain!": "> O Captain!\n> my Captain!",
		"- The tenant may end this contract with a letter\n- The landlord may do so as well, with one more month": "> - The tenant may end this contract with a letter\n> - The landlord may do so as well, with one more month",
		"```\nthe first line of some code that goes on and on\nthe second line\n```\nEnd":                         "> ```\n> the first line of some code that goes on and on\n> the second line\n> ```\n> End",
	} {
		if got := Quotation(written, true); got != want {
			t.Errorf("%q is quoted as %q, want %q", written, got, want)
		}
	}
}

// Words between strokes stand out, as those who write plain texts mean it; names with strokes stay.
func TestWordsThatStandOut(t *testing.T) {
	for written, want := range map[string]string{
		"He was _very_ tall.":            "He was *very* tall.",
		"_The_ _Times_, and \"_so on_\"": "*The* *Times*, and \"*so on*\"",
		"snake_case_name and __init__":   "snake\\_case\\_name and \\_\\_init\\_\\_",
		"a _ b _ c":                      "a \\_ b \\_ c",
	} {
		if got := Markdown(written); got != want {
			t.Errorf("%q becomes %q, want %q", written, got, want)
		}
	}
}

// What is drawn of a quotation are the words of the passage.
func TestQuotationIsDrawnAsWritten(t *testing.T) {
	const line = "1) \\ `a` *b* c_d_e [d](e) <f> #g ~h~ !i &amp; $j$ k|l"
	blocks := markdown.Parse(Quotation(line, false))
	quote, ok := blocks[0].(*markdown.Quote)
	if !ok || len(blocks) != 1 {
		t.Fatalf("%#v", blocks)
	}
	p, ok := quote.Blocks[0].(*markdown.Paragraph)
	if !ok || markdown.PlainText(p.Text) != line {
		t.Errorf("%#v", quote.Blocks[0])
	}
	if got := Quotation("# A\n\n- b\n", true); got != "> **A**\n> \n> - b" {
		t.Errorf("%q", got)
	}
	if got := Quotation(strings.Repeat("a | b\n", 3), false); strings.Count(got, "\n> |") != 3 {
		t.Errorf("%q", got)
	}
}

// Headings are bold lines in a quotation, and not larger than the text; a comment of a program is none.
func TestHeadingsInAQuotation(t *testing.T) {
	for text, want := range map[string]string{
		"### Ending it\nSixty days.":     "> **Ending it**\n> \n> Sixty days.",
		"## **Ending** it ##\n\nDays.":   "> **Ending** it\n> \n> Days.",
		"… # Ending\n\nDays.":            "> … **Ending**\n> \n> Days.",
		"```\n# a comment\n```\nBehind.": "> ```\n> # a comment\n> ```\n> Behind.",
	} {
		if got := Quotation(text, true); got != want {
			t.Errorf("%q is quoted as %q", text, got)
		}
	}
	for text, want := range map[string]string{
		"### Ending it":      "> **Ending it**",
		"# a comment\nfoo()": "> \\# a comment\n> \n> foo()",
	} {
		if got := Quotation(text, false); got != want {
			t.Errorf("without marks %q is quoted as %q", text, got)
		}
	}
}
