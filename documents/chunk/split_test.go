package chunk

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"inglenook/documents"
)

// pieces counts like a tokenizer: a run of letters has a token for every four bytes or
// less, and every other character except white space is a token.
type pieces struct {
	most  int
	calls int
	bytes int
}

func (p *pieces) MaxTokens() int { return p.most }

func (p *pieces) CountTokens(texts []string) ([]int, error) {
	p.calls++
	counts := make([]int, len(texts))
	for i, text := range texts {
		p.bytes += len(text)
		run := 0
		for _, r := range text {
			switch {
			case unicode.IsLetter(r) || unicode.IsDigit(r):
				if run%4 == 0 {
					counts[i]++
				}
				run++
			default:
				run = 0
				if !unicode.IsSpace(r) {
					counts[i]++
				}
			}
		}
	}
	return counts, nil
}

var kinds = []documents.Kind{documents.Paragraph, documents.Heading, documents.ListItem, documents.Code, documents.TableHeader, documents.TableRow}

// someDocument makes a random document of blocks of all kinds, with white space between
// them.
func someDocument(t *rapid.T) *documents.Document {
	text := rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`([A-Za-z]{1,12}[ .!?\n]){0,80}`),
		rapid.StringMatching(`[一-鿐。]{0,300}`),
		rapid.StringMatching(`[a-z]{0,900}`),
	)
	doc := &documents.Document{Title: rapid.StringMatching(`[A-Za-z ]{0,30}`).Draw(t, "title"), Format: "text"}
	var b strings.Builder
	for range rapid.IntRange(0, 12).Draw(t, "blocks") {
		b.WriteString(rapid.SampledFrom([]string{"", "\n", "\n\n", "  "}).Draw(t, "gap"))
		start := b.Len()
		b.WriteString(strings.ToValidUTF8(text.Draw(t, "text"), ""))
		doc.Blocks = append(doc.Blocks, documents.Block{
			Kind: rapid.SampledFrom(kinds).Draw(t, "kind"), Level: rapid.IntRange(1, 6).Draw(t, "level"),
			Start: start, End: b.Len(), Line: 1 + strings.Count(b.String()[:start], "\n"),
		})
	}
	doc.Text = b.String()
	return doc
}

// Whatever the text: passages lie in order, cover every byte of every block, and
// fit the model.
func TestSplitCovers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		doc := someDocument(t)
		counter := &pieces{most: rapid.IntRange(leastTokens, 300).Draw(t, "most")}
		o := Options{Tokens: rapid.IntRange(leastTokens, 300).Draw(t, "tokens"), Overlap: rapid.IntRange(0, 60).Draw(t, "overlap")}
		chunks, err := Split(doc, counter, o)
		if err != nil {
			t.Fatal(err)
		}
		check(t, doc, counter, o, chunks)
	})
}

type fataler interface{ Fatalf(string, ...any) }

func check(t fataler, doc *documents.Document, counter *pieces, o Options, chunks []documents.Chunk) {
	covered := make([]bool, len(doc.Text))
	start, end := -1, -1
	for i, c := range chunks {
		if c.Start <= start || c.End <= end || c.Start >= c.End {
			t.Fatalf("passage %d covers %d to %d, after one of %d to %d", i, c.Start, c.End, start, end)
		}
		start, end = c.Start, c.End
		if c.Text != doc.Text[c.Start:c.End] || !utf8.ValidString(c.Text) || !utf8.ValidString(c.Context) {
			t.Fatalf("passage %d is %q, the document has %q", i, c.Text, doc.Text[c.Start:c.End])
		}
		if n, _ := counter.CountTokens([]string{c.Input()}); n[0] != c.Tokens || n[0] > min(counter.most, o.Tokens) {
			t.Fatalf("passage %d says %d tokens and has %d, of %d and %d: %q", i, c.Tokens, n[0], counter.most, o.Tokens, c.Input())
		}
		if line := 1 + strings.Count(doc.Text[:c.Start], "\n"); c.Line != line {
			t.Fatalf("passage %d says line %d and is on %d", i, c.Line, line)
		}
		for k := c.Start; k < c.End; k++ {
			covered[k] = true
		}
	}
	for _, b := range doc.Blocks {
		if strings.TrimSpace(doc.Text[b.Start:b.End]) == "" {
			continue
		}
		for k := b.Start; k < b.End; k++ {
			if !covered[k] {
				t.Fatalf("byte %d of %q is in no passage", k, doc.Text)
			}
		}
	}
}

// A line of a megabyte is cut in time, and little of it is counted twice.
func TestSplitLongLine(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 1<<20), strings.Repeat("word ", 1<<18), strings.Repeat("東京都", 1<<17), strings.Repeat("One sentence here. ", 60_000)} {
		doc := &documents.Document{Text: text, Blocks: []documents.Block{{End: len(text), Line: 1}}}
		counter := &pieces{most: 256}
		o := Defaults()
		chunks, err := Split(doc, counter, o)
		if err != nil {
			t.Fatal(err)
		}
		if most := 6 * len(text); counter.bytes > most || counter.calls > 100 {
			t.Errorf("%.10q…: %d bytes of %d were counted in %d calls", text, counter.bytes, len(text), counter.calls)
		}
		check(t, doc, counter, o, chunks)
	}
}

// oneToken counts every text as one token, however long it is, like a tokenizer does with an
// unknown word.
type oneToken struct{}

func (oneToken) CountTokens(texts []string) ([]int, error) {
	return slices.Repeat([]int{1}, len(texts)), nil
}

func (oneToken) MaxTokens() int { return 256 }

func TestSplitWithoutSpaces(t *testing.T) {
	doc := &documents.Document{Text: strings.Repeat("a", 1<<20)}
	doc.Blocks = []documents.Block{{Start: 0, End: len(doc.Text)}}
	chunks, err := Split(doc, oneToken{}, Defaults())
	if err != nil || len(chunks) < 64 {
		t.Fatalf("%d passages, %v", len(chunks), err)
	}
	for _, c := range chunks {
		if len(c.Text) > 256*wideToken {
			t.Fatalf("a passage has %d bytes", len(c.Text))
		}
	}
}

// A passage carries the headings above it and the header of its table.
func TestSplitContext(t *testing.T) {
	row := "| Bolt M8 | 400 | Leeds |\n"
	doc := build("Stock book", []block{
		{documents.Heading, 1, "Stores"},
		{documents.Heading, 2, "Yard"},
		{documents.TableHeader, 0, "| part | count | place |"},
	})
	for range 40 {
		doc.add(documents.TableRow, 0, row)
	}
	doc.add(documents.Heading, 2, "Office")
	doc.add(documents.Paragraph, 0, strings.Repeat("Paper is kept in the office. ", 30))
	counter := &pieces{most: 128}
	chunks, err := Split(doc.Document, counter, Options{Tokens: 128, Overlap: 20})
	if err != nil {
		t.Fatal(err)
	}
	check(t, doc.Document, counter, Options{Tokens: 128}, chunks)
	if len(chunks) < 6 {
		t.Fatalf("%d passages", len(chunks))
	}
	for i, c := range chunks {
		input := c.Input()
		if strings.Contains(c.Text, "Bolt") && strings.Count(input, "| part | count | place |") != 1 {
			t.Errorf("passage %d has rows without their header: %q", i, input)
		}
		if i > 0 && !strings.Contains(input, "Stores") {
			t.Errorf("passage %d does not name the chapter: %q", i, input)
		}
		if strings.Contains(c.Text, "Paper") && !strings.Contains(input, "Office") {
			t.Errorf("passage %d does not name its section: %q", i, input)
		}
		if i > 0 && strings.Contains(c.Text, "Bolt") && !strings.HasPrefix(c.Text, "| Bolt") {
			t.Errorf("passage %d begins within a row: %q", i, c.Text)
		}
	}
}

// A passage repeats whole sentences of the one before, and only of prose.
// A passage that goes over a page break has the place of the break.
func TestSplitOverPages(t *testing.T) {
	doc := &documents.Document{Text: "The first page ends. The second begins and ends. The fourth says more."}
	for i, at := range [][2]int{{0, 20}, {21, 48}, {49, 70}} {
		doc.Blocks = append(doc.Blocks, documents.Block{Start: at[0], End: at[1], Page: []int{1, 2, 4}[i], Line: 1})
	}
	chunks, err := Split(doc, &pieces{most: 100}, Options{Tokens: 100})
	if err != nil || len(chunks) != 1 {
		t.Fatalf("%+v, %v", chunks, err)
	}
	c := chunks[0]
	for word, page := range map[string]int{"first": 1, "second": 2, "fourth": 4} {
		if got := c.PageAt(strings.Index(c.Text, word)); got != page {
			t.Errorf("%q is on page %d, want %d: %+v", word, got, page, c.Breaks)
		}
	}
}

// A passage knows the headings within it, also the one that it begins with.
func TestSplitOverHeadings(t *testing.T) {
	doc := build("", nil)
	doc.add(documents.Heading, 1, "Lease")
	doc.add(documents.Heading, 2, "Rent")
	doc.add(documents.Paragraph, 0, "The rent is due in May.")
	doc.add(documents.Heading, 2, "Notice")
	doc.add(documents.Paragraph, 0, "Sixty days are needed.")
	chunks, err := Split(doc.Document, &pieces{most: 1000}, Options{Tokens: 1000})
	if err != nil || len(chunks) != 1 {
		t.Fatalf("%+v, %v", chunks, err)
	}
	c := chunks[0]
	for word, path := range map[string]string{"Lease": "Lease", "due in": "Lease › Rent", "Sixty": "Lease › Notice"} {
		if got := strings.Join(c.HeadingsAt(strings.Index(c.Text, word)), " › "); got != path {
			t.Errorf("%q is below %q, want %q: %+v", word, got, path, c.Breaks)
		}
	}
}

func TestSplitOverlap(t *testing.T) {
	doc := build("", nil)
	var text strings.Builder
	for i := range 60 {
		text.WriteString("Sentence number " + string(rune('a'+i%26)) + " stands here. ")
	}
	doc.add(documents.Paragraph, 0, text.String())
	chunks, err := Split(doc.Document, &pieces{most: 100}, Options{Tokens: 100, Overlap: 25})
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < len(chunks); i++ {
		repeated := doc.Text[chunks[i].Start:chunks[i-1].End]
		if repeated == "" || !strings.HasPrefix(repeated, "Sentence") || !strings.HasSuffix(strings.TrimSpace(repeated), ".") {
			t.Errorf("passage %d repeats %q", i, repeated)
		}
	}
}

func TestSentences(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"One. Two! Three?", "One. |Two! |Three?"},
		{"Dr. Smith paid 3.50 e.g. for tea. Then he left.", "Dr. Smith paid 3.50 e.g. for tea. |Then he left."},
		{"He said \"Go.\" She went.", "He said \"Go.\" |She went."},
		{"See example.org now. J. R. Brown did.", "See example.org now. |J. R. Brown did."},
		{"1. First item. Second.", "1. First item. |Second."},
		{"Es begann am 14. Mai. Dann kam der Juni.", "Es begann am 14. Mai. |Dann kam der Juni."},
		{"Am 3. Oktober 1990 und im 19. Jahrhundert, vom 1. Januar bis 31. März. Ende.", "Am 3. Oktober 1990 und im 19. Jahrhundert, vom 1. Januar bis 31. März. |Ende."},
		{"Der 2. Weltkrieg und die 4. Etage. Er kam am 14. Dann ging er.", "Der 2. Weltkrieg und die 4. Etage. |Er kam am 14. |Dann ging er."},
		{"It costs 14. May is a month. They were 12. The dog was 3.", "It costs 14. |May is a month. |They were 12. |The dog was 3."},
		{"Das ist z. B. Brot, d. h. Essen, u. a. Kuchen. Gut.", "Das ist z. B. Brot, d. h. Essen, u. a. Kuchen. |Gut."},
		{"Vgl. Art. 3 und Abs. 2 der Nr. 7. See p. 12 and No. 5. Is it allowed? No. The lease forbids it.", "Vgl. Art. 3 und Abs. 2 der Nr. 7. |See p. 12 and No. 5. |Is it allowed? |No. |The lease forbids it."},
		{"That is art. The end took one min. Then it rained.", "That is art. |The end took one min. |Then it rained."},
		{"Den 17. Mai feires. Kl. 14. juli var det sol. 2. Verdenskrig endte i 1945.", "Den 17. Mai feires. |Kl. 14. juli var det sol. |2. Verdenskrig endte i 1945."},
		{"今日は。明日！", "今日は。|明日！"},
		{"no end\n\nnew paragraph", "no end\n\n|new paragraph"},
		{"wait... what", "wait... what"},
		{"", ""},
	} {
		got := strings.Join(Sentences(c.text), "|")
		if got != c.want {
			t.Errorf("%q is cut into %q, not %q", c.text, got, c.want)
		}
	}
}

func TestSplitRefuses(t *testing.T) {
	doc := &documents.Document{Text: "text", Blocks: []documents.Block{{Start: 2, End: 9}}}
	if _, err := Split(doc, &pieces{most: 100}, Defaults()); err == nil {
		t.Error("a block past the end of the text was taken")
	}
	if _, err := Split(&documents.Document{Text: "text"}, &pieces{most: 4}, Defaults()); err == nil {
		t.Error("a model that reads four tokens was taken")
	}
}

type block struct {
	kind  documents.Kind
	level int
	text  string
}

type builder struct{ *documents.Document }

func build(title string, blocks []block) builder {
	b := builder{&documents.Document{Title: title, Format: "text"}}
	for _, one := range blocks {
		b.add(one.kind, one.level, one.text)
	}
	return b
}

func (b builder) add(kind documents.Kind, level int, text string) {
	if b.Text != "" {
		b.Text += "\n"
	}
	start := len(b.Text)
	b.Text += text
	b.Blocks = append(b.Blocks, documents.Block{Kind: kind, Level: level, Start: start, End: len(b.Text), Line: 1 + strings.Count(b.Text[:start], "\n")})
}

func TestHeadingsLoseTheirMarks(t *testing.T) {
	for written, want := range map[string]string{
		"## Loops": "Loops", "# C#": "C#", "## Closed ##": "Closed", "Below\n=====": "Below", "Also\n---": "Also", "#1 of ten": "#1 of ten",
	} {
		s := splitter{doc: &documents.Document{Format: "markdown"}}
		if got := s.headingText(written); got != want {
			t.Errorf("%q is shown as %q", written, got)
		}
	}
	s := splitter{doc: &documents.Document{Format: "docx"}}
	if got := s.headingText("# 1"); got != "# 1" {
		t.Errorf("a heading of a Word document became %q", got)
	}
}
