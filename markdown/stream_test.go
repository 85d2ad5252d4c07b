package markdown

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// growing are texts whose end may change the meaning of what is before it.
var growing = []string{
	"One.\n\nTwo\nlines.\n\n# Head\n\nThree.\n",
	"A paragraph\n===\n\nAnother\n---\nend",
	"- a\n- b\n\n- c\n\npara\n- d\n  - e\n\n    f\n\n1. x\n\n\n2. y\n\n1) z\n",
	"1. one\n\n1",
	"- a\n\n* b\n\n+ c\n",
	"- [ ] open\n- [x] done\n\ntext\n",
	"| a | b |\n|---|:-:|\n| c | d |\n\n| e |\n",
	"intro\na|b\n-|-\nc|d\n===\n\nend\n",
	"```go\nfunc f() {\n\n}\n```\n\ntext\n\n~~~\nnever closed\n\n# no head\n",
	"- list\n\n  ```\n  code\n\n  more\n  ```\n\n- next\n\nafter\n",
	"> quote\nlazy\n\n> another\n> > deep\n\nout\n",
	"    indented\n\n    code\n\ntext\n\n\ttabbed\n",
	"See [foo], [bar][foo] and ![pic][foo].\n\nMore.\n\n[foo]: http://example.org/a \"title\"\n\nLater [foo] and [none].\n\n[foo]: http://example.org/second\n",
	"[a]\n\n[b]\n\n[b]: /b\n\n[a]: /a\n\n[c][]\n\n- in a list\n\n  [c]: /c\n\nend\n",
	"[foo]:\n/url\n'title\ngoes on'\n\n[foo]\n",
	"<div>\n*html*\n\n*text*\n\n<script>\n\nlet a;\n</script>\n\nend\n",
	"<!-- comment\n\nstill -->\n\ntext\n",
	"**bold *and* more** ~~gone~~ `code `` x` <br> http://example.org/x_y. www.example.com, a@b.cd\n",
	"line\\\nbreak  \nhard\n\n***\n\n---\n* * *\n",
	"a\r\n\r\nb\rc\r\n\r\n- d\r\n- e\r\n",
	"emoji 👩‍👩‍👧 中文 \u202e \x00 x\n\n\xff\xfe broken\n",
	"# head #\n\n#\n\n## \n\n\n\ntext\n\n",
	"&amp; &#x202e; \\* \\` &notanentity; &copy\n",
	"-\n\n  text\n\n-\n- a\n\n\n\n  b\n",
	"\n\n  \n\n text\n \n\t\n- x\n\t\n  y\n",
	"> - a\n> \n> - b\n>\n\n> c\n",
	"So \\(x_1\\), $y$ and\n\\[\na = b\n- c\n= d\n\\]\nthen\n\n$$\n\\text{a\n\nb}\n$$\n\n$5 and $6$\n",
	"- one\n  $$\n  x + 1\n  $$\n- two \\[ z\n\n> \\[\n> a\n>\n> b \\]\n\n> $$\n> a\nb $$\n\n\\begin{align}\na &= b\n\\end{align}.\n\nend\n",
	"| $a|b$ | \\(c\\) |\n|-|-|\n| $$d$$ | $e\\|$ |\n",
}

func dump(blocks []Block) string {
	b, err := json.MarshalIndent(blocks, "", " ")
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// follow writes a text in the given pieces and checks every promise of a
// Stream after each.
func follow(t *testing.T, pieces []string) {
	t.Helper()
	var s Stream
	var written strings.Builder
	var before []Block
	frozenBefore := 0
	for _, piece := range pieces {
		s.Write(piece)
		written.WriteString(piece)
		blocks, frozen := s.Blocks()
		if want := Parse(written.String()); !reflect.DeepEqual(blocks, want) && len(blocks)+len(want) > 0 {
			t.Fatalf("after %q:\n%s\nwant\n%s", written.String(), dump(blocks), dump(want))
		}
		if frozen < frozenBefore || frozen > len(blocks) {
			t.Fatalf("after %q: %d blocks frozen, before %d", written.String(), frozen, frozenBefore)
		}
		for i := range frozenBefore {
			if blocks[i] != before[i] {
				t.Fatalf("after %q: frozen block %d is another one", written.String(), i)
			}
		}
		before, frozenBefore = blocks, frozen
	}
}

func bytesOf(text string) []string {
	pieces := make([]string, len(text))
	for i := range len(text) {
		pieces[i] = text[i : i+1]
	}
	return pieces
}

func TestStreamEqualsParseAtEveryByte(t *testing.T) {
	for i, text := range growing {
		t.Run(fmt.Sprint(i), func(t *testing.T) { follow(t, bytesOf(text)) })
	}
}

// Random combinations of what models write, stopped at every byte.
func TestStreamOfRandomText(t *testing.T) {
	parts := []string{
		"text", "word ", "\n", "\n", "\n\n", "\n\n", "- ", "  - ", "1. ", "2) ", "> ", "# ", "```", "```go\n", "~~~\n", "    ", "\t", " ",
		"|", "a|b", "\n-|-\n", "===\n", "---\n", "***", "*", "**", "_", "~~", "`", "[", "]", "(", ")", "[a]", "[a]: /x\n", "[b]: /y 'z'\n", "[b][]",
		"![i](/p)", "<div>\n", "</div>", "<!--", "-->", "<br>", "http://a.bc", "\\", "&amp;", "- [x] ", "é", "中",
		"\\(", "\\)", "\\[", "\\]", "$", "$$", "x^2", "=", "{", "}", "\\begin{align}", "\\end{align}",
	}
	r := rand.New(rand.NewPCG(1, 2))
	rounds := 180
	if testing.Short() {
		rounds = 60
	}
	for range rounds {
		var b strings.Builder
		for range 5 + r.IntN(30) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		follow(t, bytesOf(b.String()))
	}
}

// Finished blocks are not held back by what follows.
func TestStreamFreezes(t *testing.T) {
	var s Stream
	for i := range 100 {
		s.Write(fmt.Sprintf("Paragraph %d with `code`.\n\n", i))
		if blocks, frozen := s.Blocks(); len(blocks) != i+1 || frozen != i {
			t.Fatalf("paragraph %d: %d blocks, %d frozen", i, len(blocks), frozen)
		}
	}
	if len(s.tail) > 40 {
		t.Errorf("%d bytes are still parsed again", len(s.tail))
	}
	// A possible reference delays when blocks are final, but not when they are shown.
	s.Write("See [1].\n\nMore.\n\nEnd.\n\n")
	one, frozen := s.Blocks()
	s.Write("Last.")
	two, after := s.Blocks()
	if frozen != 100 || after != 100 || one[100] != two[100] || one[101] != two[101] {
		t.Errorf("%d and %d frozen around a reference", frozen, after)
	}
	s.Write("\n\n[1]: http://example.org\n\nx\n\ny")
	if three, frozen := s.Blocks(); frozen != 104 || three[100] == two[100] || three[101] != two[101] {
		t.Errorf("%d frozen once the reference is defined: %s", frozen, dump(three[100:]))
	}
}
