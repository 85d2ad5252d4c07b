package markdown

import (
	"reflect"
	"strings"
	"testing"
)

// formulas returns the formulas of a text: those on a line of their own between «».
func formulas(blocks []Block) (list []string) {
	var inlines func(text []Inline)
	inlines = func(text []Inline) {
		for _, n := range text {
			switch n := n.(type) {
			case Math:
				tex := strings.TrimSpace(n.TeX)
				if n.Display {
					tex = "«" + tex + "»"
				}
				list = append(list, tex)
			case Link:
				inlines(n.Text)
			}
		}
	}
	var all func(blocks []Block)
	all = func(blocks []Block) {
		for _, b := range blocks {
			switch b := b.(type) {
			case *Paragraph:
				inlines(b.Text)
			case *Heading:
				inlines(b.Text)
			case *Quote:
				all(b.Blocks)
			case *List:
				for _, item := range b.Items {
					all(item.Blocks)
				}
			case *Table:
				for _, row := range append([][]Cell{b.Header}, b.Rows...) {
					for _, cell := range row {
						inlines(cell)
					}
				}
			}
		}
	}
	all(blocks)
	return list
}

func TestMath(t *testing.T) {
	for source, want := range map[string]string{
		// Within text.
		`The area is \(\pi r^2\).`:                               `\pi r^2`,
		`Let $x$ and $y_i$ be real.`:                             `x y_i`,
		`**\(a_1 * b_2 * c\)** and *$x_1$*`:                      `a_1 * b_2 * c x_1`,
		`($n$), "$k$", $a$-th, $b$'s, $c$.`:                      `n k a b c`,
		`so $$e = mc^2$$ holds`:                                  `«e = mc^2»`,
		`so \[e = mc^2\] holds`:                                  `«e = mc^2»`,
		`\(a` + "\n" + `b\)`:                                     "a\nb",
		`$\text{if $x>0$}$`:                                      `\text{if $x>0$}`,
		`$f(x) = 3$, $100$ and $n = 5$`:                          `f(x) = 3 100 n = 5`,
		`$\$5$ and $50\%$`:                                       `\$5 50\%`,
		`# On $\mathbb{R}^n$`:                                    `\mathbb{R}^n`,
		`[\(x\)](https://a.bc)`:                                  `x`,
		`| $\alpha$ | b |` + "\n|-|-|\n|\\(\\beta\\)|$\\|x\\|$|": `\alpha \beta |x|`,
		`speed $v = s / t$ here`:                                 `v = s / t`,
		// On lines of its own.
		"\\[\nx\n\\]": `«x»`,
		"Then:\n\\[\na = b\n- c\n= d\n\\]\nThus.":           "«a = b\n- c\n= d»",
		"$$\n\\frac{1}{2}\n$$":                              `«\frac{1}{2}»`,
		"$$a=b$$.":                                          `«a=b.»`,
		"1. One:\n   \\[\n   a + 1\n   \\]\n2. Two":         "«a + 1»",
		"> $$\n> x + y\n> $$":                               `«x + y»`,
		"\\begin{align*}\na &= b \\\\\n&= c\n\\end{align*}": "«\\begin{align*}\na &= b \\\\\n&= c\n\\end{align*}»",
		"a\n\n\\[x = 1\\]\n\nb":                             `«x = 1»`,
		"\\[ a \\]\n\n\\[ a = 1 \\], \\(b\\)":               `«a = 1» b`,
		"$$\n# x + 1\n$$":                                   "«# x + 1»",
		// No formulas.
		`It costs $5 and $10.`:                        ``,
		`$5-$10, $5/$6, US$5, 5$ or 6$`:               ``,
		`I paid $20 (or 18€) and got $2 back.`:        ``,
		`$5. You have 10$.`:                           ``,
		`$100 million$`:                               ``,
		`echo $HOME/$USER and $PATH:$PWD`:             ``,
		"`$x$` and ``\\(a\\)``":                       ``,
		"```\n$x$\n\\[a=b\\]\n```":                    ``,
		"    $x$\n    \\[a=b\\]":                      ``,
		`$5 for a ` + "`cup $`":                       ``,
		`\[1\], \[ \] and \[see the note\]`:           ``,
		`\(see below\) and \$x\$`:                     ``,
		`$ x $, $x $, $ x$`:                           ``,
		`$a and b$c`:                                  ``,
		`unfinished \(x and $y and $$z and \[w = 1`:   ``,
		"\\[\na = b\n\nc\n\\]":                        ``,
		"$$\n\n$$":                                    ``,
		`$$$`:                                         ``,
		`$$$$`:                                        ``,
		`$x}$ and ${x$`:                               ``,
		"\\[1\\] Smith, 2020, pp. 1-2\n\\[2\\] Jones": ``,
		"$x\ny$":   ``,
		`<b>$</b>`: ``,
	} {
		if got := strings.Join(formulas(Parse(source)), " "); got != want {
			t.Errorf("%q: %q, want %q\n%s", source, got, want, dump(Parse(source)))
		}
	}
}

// The text of a formula is its source, also within a text that is marked.
func TestMathSource(t *testing.T) {
	for _, source := range []string{`a \(x^2\) b $y$, \[z = 1\] c`, "\\[\nx \\\\\n  - y\n\\]", "$$x = 1$$,"} {
		blocks := Parse(source)
		got := PlainText(blocks[0].(*Paragraph).Text)
		if got != source {
			t.Errorf("the text is %q, want %q", got, source)
		}
	}
	source := `One $x$ is. Two $y$ are.` + "\n\n\\[\nz = 1\n\\]\n\nEnd."
	end := strings.Index(source, "End")
	blocks := ParseMarked(source, []Mark{
		{Start: 0, End: 11, Refs: []Ref{{Label: "1"}}},
		{Start: 12, End: 24, Doubted: true},
		{Start: 26, End: end - 2, Refs: []Ref{{Label: "2"}}},
		{Start: end, End: end + 4, Refs: []Ref{{Label: "3"}}},
	})
	want := []Block{
		para(words("One "), Math{"$x$", "x", false, 0}, words(" is."), Ref{Label: "1"}, words(" "), Text{"Two ", Doubted}, Math{"$y$", "y", false, Doubted}, Text{" are.", Doubted}),
		para(Math{"\\[\nz = 1\n\\]", "\nz = 1\n", true, 0}, Ref{Label: "2"}),
		para(words("End."), Ref{Label: "3"}),
	}
	if !reflect.DeepEqual(blocks, want) {
		t.Errorf("%s\nwant\n%s", dump(blocks), dump(want))
	}
}

// What is not finished is text in the lines in which it is written, and no other block.
func TestUnfinishedMath(t *testing.T) {
	got := Parse("So:\n\\[\nx\n- y\n= z")
	want := []Block{para(words("So:")), para(words("\\["), Break{}, words("x"), Break{}, words("- y"), Break{}, words("= z"))}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s\nwant\n%s", dump(got), dump(want))
	}
}
