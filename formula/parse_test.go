package formula_test

import (
	_ "embed"
	"fmt"
	"strings"
	"testing"

	"inglenook/formula"
)

// lines are formulas as language models write them, one a line: of schools, of calculus, of
// linear algebra, statistics, logic, physics, chemistry, computing, and of habits of models.
//
//go:embed testdata/formulas.txt
var lines string

var written = strings.Split(strings.TrimSpace(lines), "\n")

// TestWritten has a tree for everything that models typically write.
func TestWritten(t *testing.T) {
	if len(written) < 200 {
		t.Errorf("there are only %d formulas", len(written))
	}
	for _, source := range written {
		f, err := formula.Parse(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if len(f.Body) != len(f.Ends) {
			t.Errorf("%s: %d parts and %d ends", source, len(f.Body), len(f.Ends))
		}
		at := 0
		for _, end := range f.Ends {
			if end < at || end > len(source) {
				t.Errorf("%s: the parts end at %v", source, f.Ends)
			}
			at = end
		}
	}
}

// short writes a tree in one line.
func short(n any) string {
	switch n := n.(type) {
	case nil:
		return "-"
	case formula.Formula:
		if n.Tag.Text != "" {
			return short(n.Body) + " tag " + short(n.Tag)
		}
		return short(n.Body)
	case formula.Row:
		var parts []string
		for _, in := range n {
			parts = append(parts, short(in))
		}
		return "(" + strings.Join(parts, " ") + ")"
	case formula.Symbol:
		if n.Class == formula.Ord {
			return string(n.Rune)
		}
		return string(n.Rune) + "." + [...]string{"ord", "op", "bin", "rel", "open", "close", "punct", "inner"}[n.Class]
	case formula.Operator:
		name := n.Name
		if n.Rune != 0 {
			name = string(n.Rune)
		} else if name == "" {
			name = short(n.Body)
		}
		return name + [...]string{"", "!above", "!behind"}[n.Limits]
	case formula.Text:
		return fmt.Sprintf("%q", n.Text)
	case formula.Space:
		return fmt.Sprintf("%.2f", n.Em)
	case formula.Script:
		return fmt.Sprintf("%s{_%s^%s}", short(n.Base), row(n.Sub), row(n.Sup))
	case formula.Fraction:
		return fmt.Sprintf("frac[%s %s]", short(n.Above), short(n.Below))
	case formula.Root:
		return fmt.Sprintf("root[%s %s]", row(n.Degree), short(n.Body))
	case formula.Fenced:
		return fmt.Sprintf("%c%s%c", dot(n.Left), short(n.Body), dot(n.Right))
	case formula.Array:
		var rows []string
		for _, r := range n.Rows {
			var cells []string
			for _, c := range r {
				cells = append(cells, short(c))
			}
			rows = append(rows, strings.Join(cells, "&"))
		}
		return fmt.Sprintf("array%d%c[%s]%c", n.Kind, dot(n.Left), strings.Join(rows, ";"), dot(n.Right))
	case formula.Accent:
		return fmt.Sprintf("%U%s", n.Rune, short(n.Body))
	case formula.Colored:
		return fmt.Sprintf("#%02x%02x%02x%s", n.Color.R, n.Color.G, n.Color.B, short(n.Body))
	}
	return fmt.Sprintf("%T%v", n, n)
}

func row(r formula.Row) string {
	if r == nil {
		return ""
	}
	return short(r)
}

func dot(r rune) rune {
	if r == 0 {
		return '.'
	}
	return r
}

func TestParse(t *testing.T) {
	for source, want := range map[string]string{
		`x+1`:                              "(𝑥 +.bin 1)",
		`-x`:                               "(−.bin 𝑥)",
		`x^2_i`:                            "(𝑥{_(𝑖)^(2)})",
		`f'^2`:                             "(𝑓{_^(′ 2)})",
		`x^\frac12`:                        "(𝑥{_^(frac[(1) (2)])})",
		`\frac{a}{b}c`:                     "(frac[(𝑎) (𝑏)] 𝑐)",
		`\sqrt[3]{x}`:                      "(root[(3) (𝑥)])",
		`\sum_{i}^n i`:                     "(∑{_(𝑖)^(𝑛)} 𝑖)",
		`\int\limits_a^b`:                  "(∫!above{_(𝑎)^(𝑏)})",
		`\lim_{x}`:                         "(lim{_(𝑥)^})",
		`\left( x \right.`:                 "(((𝑥).)",
		`\left\{ a \right\rangle`:          "({(𝑎)⟩)",
		`\mathbb{R}\mathcal{L}`:            "(ℝ ℒ)",
		`\mathrm{ab}\mathbf{x}1`:           "((a b) 𝐱 1)",
		`\boldsymbol\alpha\Gamma`:          "(𝜶 Γ)",
		`\alpha\text{ if }x`:               `(𝛼 " if " 𝑥)`,
		`\text{a $b$ c}`:                   `(("a " (𝑏) " c"))`,
		`a\,b\quad c`:                      "(𝑎 0.17 𝑏 1.00 𝑐)",
		`a~b`:                              "(𝑎 0.33 𝑏)",
		`1,234`:                            "(1 , 2 3 4)",
		`(1, 234)`:                         "((.open 1 ,.punct 2 3 4 ).close)",
		`\not=\not\in`:                     "(≠.rel ∉.rel)",
		`\hat x`:                           "(U+0302(𝑥))",
		`\{x\}`:                            "({.open 𝑥 }.close)",
		`{a \over b}`:                      "((frac[(𝑎) (𝑏)]))",
		`\begin{matrix}a&b\\c\end{matrix}`: "(array0.[(𝑎)&(𝑏);(𝑐)].)",
		`\begin{pmatrix}a\\ \end{pmatrix}`: "(array0([(𝑎)]))",
		`\begin{cases}a\\b\end{cases}`:     "(array2{[(𝑎);(𝑏)].)",
		`a &= b \\ &= c`:                   "(array3.[(𝑎)&(=.rel 𝑏);()&(=.rel 𝑐)].)",
		`a \\ b`:                           "(array4.[(𝑎);(𝑏)].)",
		`a \\[4pt] b`:                      "(array4.[(𝑎);(𝑏)].)",
		`a \\ [b]`:                         "(array4.[(𝑎);([.open 𝑏 ].close)].)",
		`a | b`:                            "(𝑎 | 𝑏)",
		`a \mid b`:                         "(𝑎 ∣.rel 𝑏)",
		`\operatorname{foo}x`:              "(foo!behind 𝑥)",
		`\operatorname*{arg\,max}_x`:       "(arg\u2009max{_(𝑥)^})",
		`a \pmod n`:                        `(𝑎 (0.44 (.open "mod" 0.33 (𝑛) ).close))`,
		`{}^{2}x`:                          "((){_^(2)} 𝑥)",
		`^2x`:                              "(-{_^(2)} 𝑥)",
		`x^{}`:                             "(𝑥)",
		`100%`:                             "(1 0 0 %)",
		`\ce{2H2O}`:                        "(((2 0.10 H{_(2)^} O)))",
		`\ce{SO4^2-}`:                      "(((S O{_(4)^(2 −)})))",
		`\ce{Na+ + Cl-}`:                   "(((N a{_^(+)}) 0.20 +.bin 0.20 (C l{_^(−)})))",
		`\textcolor{red}{x}+1`:             "(#ff0000(𝑥) +.bin 1)",
		`{\color{Blue} x y} z`:             "((#0000ff(𝑥 𝑦)) 𝑧)",
		`\color{blue!50!black}x`:           "(#000080(𝑥))",
		`\color{red!0}x`:                   "(#ffffff(𝑥))",
		`\color[RGB]{1, 2,3}x`:             "(#010203(𝑥))",
		`\color[rgb]{0,1,.5}x`:             "(#00ff80(𝑥))",
		`\color[gray]{0.5}x`:               "(#808080(𝑥))",
		`\color[HTML]{0A0b0C}x`:            "(#0a0b0c(𝑥))",
		`\color{#0af}x`:                    "(#00aaff(𝑥))",
		`a=b \tag{3}`:                      `(𝑎 =.rel 𝑏) tag "(3)"`,
		`a=b \tag*{$*$}`:                   `(𝑎 =.rel 𝑏 (2.00 (∗.bin)))`,
		`\tag{3} a`:                        `((2.00 "(3)") 𝑎)`,
		`a \tag{1} \\ b \tag{2}`:           `(array4.[(𝑎 (2.00 "(1)"));(𝑏 (2.00 "(2)"))].)`,
		`x²₁+⁻`:                            "(𝑥{_(1)^(2)} +.bin{_^(−.bin)})",
		`x≤y·z`:                            "(𝑥 ≤.rel 𝑦 ⋅.bin 𝑧)",
	} {
		f, err := formula.Parse(source)
		if err != nil {
			t.Errorf("%s: %v", source, err)
		} else if got := short(f); got != want {
			t.Errorf("%s: %s, want %s", source, got, want)
		}
	}
}

// bad are texts that are no formulas, or that have what nobody knows.
var bad = map[string]string{
	``:                                "empty",
	`   `:                             "empty",
	`\,`:                              "empty",
	`\foo`:                            `\foo is not known`,
	`x + \newcommand{\a}{\a\a}\a`:     `\newcommand is not known`,
	`\def\a{\a\a}\a`:                  `\def is not known`,
	`\input{/etc/passwd}`:             `\input is not known`,
	`\write18{ls}`:                    `\write is not known`,
	`\href{file:///x}\foo`:            `not known`,
	`{x`:                              "not closed",
	`x}`:                              "nothing begins",
	`\frac{1}`:                        "lacks",
	`x^`:                              "lacks",
	`x_`:                              "lacks",
	`\sqrt`:                           "lacks",
	`\left( x`:                        `no \right`,
	`x \right)`:                       "nothing begins",
	`\left x \right)`:                 "no bracket",
	`\begin{pmatrix} a`:               `no \end`,
	`\begin{pmatrix} a \end{bmatrix}`: "ends with",
	`\begin{foo} a \end{foo}`:         "foo is not known",
	`\begin`:                          "no name",
	`\end{x}`:                         "nothing begins",
	`\begin{array} a \end{array}`:     "columns",
	`\operatorname x`:                 "lacks a name",
	`\text{$x}`:                       "not closed",
	`\text{\foo}`:                     "not known in text",
	`\not`:                            "lacks",
	`\big x`:                          "no bracket",
	`\ce{H2 & O}`:                     "not understood",
	`\color{bluish}x`:                 "bluish is not known",
	`\color x`:                        "no name",
	`\textcolor{red}`:                 "lacks",
	`\color{red!x}y`:                  "not known",
	`\color{red!300}y`:                "not known",
	`\color{red!NaN}y`:                "not known",
	`\color[HTML]{ff}y`:               "not known",
	`\color[RGB]{1,2}y`:               "not known",
	`\color[RGB]{1,2,NaN}y`:           "not known",
	`\color[cmyk]{1,2,3,4}y`:          "not known",
	`\tag{1}`:                         "empty",
	`\ce H`:                           "lacks",
	`\ce{SO4^{2-}`:                    "lacks",
	`\hspace 3em`:                     "lacks a length",
	"a\x00b":                          "not text",
	"a\xffb":                          "UTF-8",
	`\`:                               "not known",
	strings.Repeat("{", 100) + "x" + strings.Repeat("}", 100):                 "nested",
	strings.Repeat(`\frac{`, 1000):                                            "nested",
	strings.Repeat(`x^`, 7000) + "x":                                          "parts",
	strings.Repeat(`\sqrt`, 3000) + "x":                                       "nested",
	strings.Repeat(`\text{$`, 60) + "x" + strings.Repeat(`$}`, 60):            "",
	strings.Repeat("x", 10_000):                                               "parts",
	strings.Repeat("x", 20_000):                                               "bytes",
	`\begin{matrix}` + strings.Repeat("&", 3000) + `\end{matrix}`:             "cells",
	strings.Repeat(`\left(`, 500) + strings.Repeat(`\right)`, 500):            "nested",
	strings.Repeat(`\begin{matrix}`, 99) + strings.Repeat(`\end{matrix}`, 99): "nested",
}

func TestBad(t *testing.T) {
	for source, want := range bad {
		_, err := formula.Parse(source)
		if err == nil {
			t.Errorf("%.60q is a formula", source)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %q", source, err, want)
		}
	}
}

// TestTruncated cuts every formula at every byte: it is a formula, or there is an error.
func TestTruncated(t *testing.T) {
	for _, source := range written {
		for i := range len(source) {
			if f, err := formula.Parse(source[:i]); err == nil && len(f.Body) == 0 {
				t.Errorf("%q is nothing and no error", source[:i])
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, source := range written {
		f.Add(source)
	}
	for source := range bad {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		tree, err := formula.Parse(source)
		if err == nil && (len(tree.Body) == 0 || len(tree.Body) != len(tree.Ends)) {
			t.Errorf("%q: %d parts, %d ends", source, len(tree.Body), len(tree.Ends))
		}
	})
}
