package markdown

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"
)

func para(inlines ...Inline) *Paragraph { return &Paragraph{inlines} }
func words(s string) Text               { return Text{Text: s} }

func TestParse(t *testing.T) {
	for source, want := range map[string][]Block{
		"a *b* **c** `d` ~~e~~ ***f***": {para(words("a "), Text{"b", Emphasis}, words(" "), Text{"c", Strong}, words(" "), Text{"d", CodeSpan}, words(" "), Text{"e", Strike}, words(" "), Text{"f", Strong | Emphasis})},
		"## a *b* ##":                   {&Heading{2, []Inline{words("a "), Text{"b", Emphasis}}}},
		"a\n===\n\nb\n---":              {&Heading{1, []Inline{words("a")}}, &Heading{2, []Inline{words("b")}}},
		"a\nb  \nc\\\nd":                {para(words("a"), Break{}, words("b"), Break{}, words("c"), Break{}, words("d"))},
		"```Go {x}\na\n\n b\n```":       {&Code{"Go", "a\n\n b"}},
		"```\nnot closed\n":             {&Code{"", "not closed"}},
		"    a\n\n    b\n":              {&Code{"", "a\n\nb"}},
		"> a\n> > b":                    {&Quote{[]Block{para(words("a")), &Quote{[]Block{para(words("b"))}}}}},
		"- a\n- b\n  - c":               {&List{Tight: true, Items: []*Item{{Blocks: []Block{para(words("a"))}}, {Blocks: []Block{para(words("b")), &List{Tight: true, Items: []*Item{{Blocks: []Block{para(words("c"))}}}}}}}}},
		"7. a\n\n8. b":                  {&List{Ordered: true, Start: 7, Items: []*Item{{Blocks: []Block{para(words("a"))}}, {Blocks: []Block{para(words("b"))}}}}},
		"- [ ] a\n- [x] b":              {&List{Tight: true, Items: []*Item{{OpenTask, []Block{para(words("a"))}}, {DoneTask, []Block{para(words("b"))}}}}},
		"|a|b|c|\n|:-|-:|:-:|\n|`x\\|y`|<br>|": {&Table{
			[]Align{AlignLeft, AlignRight, AlignCentre},
			[]Cell{{words("a")}, {words("b")}, {words("c")}},
			[][]Cell{{{Text{"x|y", CodeSpan}}, nil, nil}},
		}},
		"***":                          {&Rule{}},
		"<div>\n*a*\n</div>\n\nb":      {&HTML{"<div>\n*a*\n</div>"}, para(words("b"))},
		"a <b>c</b>":                   {para(words("a <b>c</b>"))},
		"[a *b*](https://c.d/e?f#g)":   {para(Link{[]Inline{words("a "), Text{"b", Emphasis}}, "https://c.d/e?f#g", true})},
		"[a]\n\n[a]: http://b.c 'd'":   {para(Link{[]Inline{words("a")}, "http://b.c", true})},
		"[](https://a.b)":              {para(Link{[]Inline{words("https://a.b")}, "https://a.b", true})},
		"[a](javascript:b)":            {para(Link{[]Inline{words("a")}, "javascript:b", false})},
		"see www.a.bc.":                {para(words("see "), Link{[]Inline{words("www.a.bc")}, "http://www.a.bc", true}, words("."))},
		"[a](https://b\u00fccher.de)":  {para(Link{[]Inline{words("a")}, "https://xn--bcher-kva.de", true})},
		"![a *b*](https://c.d/e)":      {para(Image{"a b", "c.d"})},
		"![a](data:image/png;base64,)": {para(Image{"a", ""})},
		"&lt;&amp;&#x41; \\* &nope; &": {para(words("<&A * &nope; &"))},
		"[x]: /unused":                 nil,
	} {
		if got := Parse(source); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\n%s\nwant\n%s", source, dump(got), dump(want))
		}
	}
}

func TestScripts(t *testing.T) {
	for text, want := range map[string]string{
		"":        "",
		"123 + ;": "",
		"plain":   "Latin",
		"漢字かなカナ":  "Han Hiragana Katakana",
		"한국어, हिन्दी, ไทย, עברית": "Devanagari Hangul Hebrew Thai",
		"Привет мир العربية":      "Arabic Cyrillic",
	} {
		if got := strings.Join(Scripts(text), " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestHighlight(t *testing.T) {
	ctx := context.Background()
	class := func(language, code, word string) Class {
		for _, s := range Highlight(ctx, language, code) {
			if strings.Contains(s.Text, word) {
				return s.Class
			}
		}
		return Plain
	}
	for _, c := range []struct {
		language, code, word string
		want                 Class
	}{
		{"go", "func f() { return 42 }", "func", Keyword},
		{"Go", "x := 42 // why", "why", Comment},
		{"python", "def f():\n    return 'text'", "text", String},
		{"py", "x = 3.14", "3.14", Number},
		{"rust", "fn main() {}", "main", Name},
		{"sql", "SELECT 1", "SELECT", Keyword},
		{"diff", "+new\n-old\n", "new", Inserted},
		{"diff", "+new\n-old\n", "old", Deleted},
		{"html", "<b class='x'>t</b>", "b", Name},
		{"nothing", "func f() {}", "func", Plain},
		{"", "func f() {}", "func", Plain},
	} {
		if got := class(c.language, c.code, c.word); got != c.want {
			t.Errorf("%s: %q in %q is %d, want %d", c.language, c.word, c.code, got, c.want)
		}
	}
}

// The spans joined are the code, for every language and any code.
func TestHighlightKeepsTheCode(t *testing.T) {
	sources := []string{"", "x", "a\r\nb\n\n", "\x00\xff", "func f(a []int) { return \"x\\\"y\" } // z\n", "<a b='c'>d</a>\n{{ e }}\n", "'unclosed \"", "/* never closed", "中文 = '…'\n", "\tif x:\n\t\ty\n"}
	for name, lexer := range languages {
		if lexerOf(name) == nil {
			t.Errorf("%s: there is no lexer %q", name, lexer)
		}
		for _, source := range sources {
			var b strings.Builder
			for _, s := range Highlight(context.Background(), name, source) {
				b.WriteString(s.Text)
			}
			if b.String() != source {
				t.Fatalf("%s: %q became %q", name, source, b.String())
			}
		}
	}
}

func TestHighlightEnds(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	code := strings.Repeat("x := f(1)\n", 1000)
	if got := Highlight(cancelled, "go", code); len(got) != 1 {
		t.Error("cancelled, it goes on")
	}
	if got := Highlight(context.Background(), "go", strings.Repeat("x := 1\n", maxCode)); len(got) != 1 {
		t.Error("too much code is coloured")
	}
	if got := Highlight(context.Background(), "go", strings.Repeat("x", maxCodeLine+1)); len(got) != 1 {
		t.Error("too long a line is coloured")
	}
	began := time.Now()
	for _, language := range []string{"go", "python", "js", "html", "markdown", "bash", "perl", "c++", "yaml"} {
		for _, part := range []string{"(", "\"", "'", "/*", "<", "{{", "`", "a\n", "$(", "* "} {
			Highlight(context.Background(), language, strings.Repeat(part, 300))
		}
	}
	if took := time.Since(began); took > 5*time.Minute {
		t.Errorf("hostile code takes %v", took)
	}
}
