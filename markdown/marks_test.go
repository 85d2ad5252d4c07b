package markdown

import (
	"reflect"
	"strings"
	"testing"
)

// part marks the first place of a text in a source.
func part(t *testing.T, source, text string, m Mark) Mark {
	t.Helper()
	m.Start = strings.Index(source, text)
	if m.Start < 0 {
		t.Fatalf("%q is not in %q", text, source)
	}
	m.End = m.Start + len(text)
	return m
}

func TestParseMarked(t *testing.T) {
	one, doubt := Ref{"1", "a"}, Ref{"?", "b"}
	for name, c := range map[string]struct {
		source          string
		marked, doubted string
		want            []Block
	}{
		"sentences": {
			"One thing. Another.", "One thing.", "Another.",
			[]Block{para(words("One thing."), one, words(" "), Text{"Another.", Doubted}, doubt)},
		},
		"bold, the mark ends behind it": {
			"**One thing.** Another.", "**One thing.**", "Another.",
			[]Block{para(Text{"One thing.", Strong}, one, words(" "), Text{"Another.", Doubted}, doubt)},
		},
		"two lines": {
			"One\nthing. Another\nthing.", "One\nthing.", "Another\nthing.",
			[]Block{para(words("One"), Break{}, words("thing."), one, words(" "), Text{"Another", Doubted}, Break{}, Text{"thing.", Doubted}, doubt)},
		},
		"carriage returns": {
			"One\r\nthing. Another\r\nthing.", "One\r\nthing.", "Another\r\nthing.",
			[]Block{para(words("One"), Break{}, words("thing."), one, words(" "), Text{"Another", Doubted}, Break{}, Text{"thing.", Doubted}, doubt)},
		},
		"a list, and code at the end": {
			"- One thing.\n- Run `x`", "One thing.", "Run `x`",
			[]Block{&List{Tight: true, Items: []*Item{
				{Blocks: []Block{para(words("One thing."), one)}},
				{Blocks: []Block{para(Text{"Run ", Doubted}, Text{"x", CodeSpan | Doubted}, doubt)}},
			}}},
		},
		"a link": {
			"See [it](https://example.org).", "See [it](https://example.org).", "",
			[]Block{para(words("See "), Link{Text: []Inline{words("it")}, Address: "https://example.org", Web: true}, words("."), one)},
		},
	} {
		marks := []Mark{part(t, c.source, c.marked, Mark{Refs: []Ref{one}})}
		if c.doubted != "" {
			marks = append([]Mark{part(t, c.source, c.doubted, Mark{Doubted: true, Refs: []Ref{doubt}})}, marks...)
		}
		if got := ParseMarked(c.source, marks); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %s", name, show(got))
		}
	}
}

// show writes blocks out for a message.
func show(blocks []Block) string {
	var b strings.Builder
	for _, one := range blocks {
		if p, ok := one.(*Paragraph); ok {
			for _, i := range p.Text {
				b.WriteString(strings.TrimPrefix(reflect.TypeOf(i).String(), "markdown."))
				b.WriteString(strings.ReplaceAll(strings.Join([]string{"{", PlainText([]Inline{i}), "} "}, ""), "\n", "⏎"))
			}
			continue
		}
		b.WriteString(reflect.TypeOf(one).String() + " ")
	}
	return b.String()
}

// Marks that no text has do no harm, and without marks nothing is different.
func TestOddMarks(t *testing.T) {
	const source = "One *thing*. Another `thing`.\n\n| a | b |\n|---|---|\n| c. | d |\n\n```\ncode.\n```\n"
	plainly := Parse(source)
	odd := []Mark{{Start: -1, End: 4}, {Start: 3, End: 3}, {Start: 5, End: 2}, {Start: 0, End: len(source) + 1}, {Start: 1 << 40, End: 1<<40 + 1}}
	for _, marks := range [][]Mark{nil, odd} {
		if got := ParseMarked(source, marks); !reflect.DeepEqual(got, plainly) {
			t.Errorf("%d marks change the text: %s", len(marks), show(got))
		}
	}
	for start := range source { // at every place a mark is shown once at most, and no text is lost
		for end := start + 1; end <= len(source); end++ {
			refs, text := 0, strings.Builder{}
			count(ParseMarked(source, []Mark{{Start: start, End: end, Doubted: true, Refs: []Ref{{"7", "x"}}}}), func(i Inline) {
				switch i := i.(type) {
				case Ref:
					refs++
				case Text:
					text.WriteString(i.Text)
				}
			})
			if refs > 1 || text.String() != "One thing. Another thing.abc.d" {
				t.Fatalf("%d to %d: %d references in %q", start, end, refs, text.String())
			}
		}
	}
}

// count passes all inlines of blocks on.
func count(blocks []Block, seen func(Inline)) {
	all := func(list []Inline) {
		for _, i := range list {
			seen(i)
		}
	}
	for _, b := range blocks {
		switch b := b.(type) {
		case *Paragraph:
			all(b.Text)
		case *Table:
			for _, row := range append([][]Cell{b.Header}, b.Rows...) {
				for _, cell := range row {
					all(cell)
				}
			}
		}
	}
}
