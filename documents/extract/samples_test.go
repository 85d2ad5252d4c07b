package extract

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"unicode/utf16"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// A sample is a small file of one format, and the document that it contains.
type sample struct {
	name string
	data []byte
	want string // title, pages, notes and blocks, as dump writes them
}

// dump writes a document line by line, to be compared.
func dump(doc documents.Document) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q", doc.Format, doc.Title)
	if doc.Pages > 0 {
		fmt.Fprintf(&b, " %d pages", doc.Pages)
	}
	b.WriteByte('\n')
	for _, block := range doc.Blocks {
		kind := [...]string{"p", "h", "li", "code", "th", "tr"}[block.Kind]
		if block.Level > 0 {
			kind += fmt.Sprint(block.Level)
		}
		if block.Page > 0 {
			kind += fmt.Sprintf("@%d", block.Page)
		}
		fmt.Fprintf(&b, "%s %s\n", kind, strings.ReplaceAll(doc.Text[block.Start:block.End], "\n", "⏎"))
	}
	for _, note := range doc.Notes {
		fmt.Fprintf(&b, "note %s\n", note)
	}
	return b.String()
}

// zipped returns an archive of files, given as name, content, name, content.
func zipped(files ...string) []byte {
	var buffer bytes.Buffer
	w := zip.NewWriter(&buffer)
	for i := 0; i+1 < len(files); i += 2 {
		f, err := w.Create(files[i])
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return buffer.Bytes()
}

// pdfFile returns a PDF file of objects, numbered from 1; the first is the catalog.
func pdfFile(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, offset := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, at)
	return b.Bytes()
}

func pdfStream(dict, data string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(data), data)
}

// pdfPages returns a PDF file with a page for each content. Its font is F1.
func pdfPages(contents ...string) []byte {
	objects := []string{"<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"}
	kids := ""
	for _, content := range contents {
		objects = append(objects,
			fmt.Sprintf("<< /Type /Page /Parent 2 0 R /Contents %d 0 R >>", len(objects)+2),
			pdfStream("", content))
		kids += fmt.Sprintf("%d 0 R ", len(objects)-1)
	}
	objects[1] = fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> >>", kids, len(contents))
	return pdfFile(objects...)
}

func utf16File(text string, mark, big bool) []byte {
	var b []byte
	units := utf16.Encode([]rune(text))
	if mark {
		units = append([]uint16{0xfeff}, units...)
	}
	for _, u := range units {
		if big {
			b = append(b, byte(u>>8), byte(u))
		} else {
			b = append(b, byte(u), byte(u>>8))
		}
	}
	return b
}

const (
	relType = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	wordNS  = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"`
)

func relations(pairs ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	for i := 0; i+1 < len(pairs); i += 2 {
		fmt.Fprintf(&b, `<Relationship Id="rId%d" Type="%s%s" Target="%s"/>`, i/2+1, relType, pairs[i], pairs[i+1])
	}
	return b.String() + "</Relationships>"
}

func docxFile(body string) []byte {
	return zipped(
		"[Content_Types].xml", "<Types/>",
		"_rels/.rels", relations("officeDocument", "word/document.xml"),
		"word/_rels/document.xml.rels", relations("styles", "styles.xml", "footnotes", "footnotes.xml", "header", "header1.xml"),
		"word/styles.xml", `<w:styles `+wordNS+`><w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style><w:style w:styleId="Own"><w:name w:val="own"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style></w:styles>`,
		"word/footnotes.xml", `<w:footnotes `+wordNS+`><w:footnote w:type="separator"><w:p><w:r><w:t>never</w:t></w:r></w:p></w:footnote><w:footnote><w:p><w:r><w:t>A footnote.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
		"word/header1.xml", `<w:hdr `+wordNS+`/>`,
		"word/document.xml", `<?xml version="1.0" encoding="UTF-8"?><w:document `+wordNS+`><w:body>`+body+`</w:body></w:document>`,
	)
}

func wordText(text string) string { return `<w:p><w:r><w:t>` + text + `</w:t></w:r></w:p>` }

// samples returns a file of every format.
func samples() []sample {
	word := func(style, text string) string {
		return `<w:p><w:pPr><w:pStyle w:val="` + style + `"/></w:pPr><w:r><w:t>` + text + `</w:t></w:r></w:p>`
	}
	return []sample{
		{"a.txt", []byte("First line\nsecond line\n\n\n  Another paragraph\n"), "text \"a\"\np First line⏎second line\np Another paragraph\n"},
		{"dos.txt", []byte("\xef\xbb\xbfOne\r\n\r\nTwo\rThree"), "text \"dos\"\np One\np Two⏎Three\n"},
		{"a.md", []byte(markdownSample), markdownWant},
		{"a.csv", []byte("\xef\xbb\xbfname;note\r\nAnn;\"a; b\r\nsecond \"\"line\"\"\"\r\n;\r\nBo;x\r\n"), "csv \"a\"\nth name;note\ntr Ann;\"a; b⏎second \"\"line\"\"\"\ntr ;\ntr Bo;x\n"},
		{"a.go", []byte("package a\n\n// F does.\nfunc F() {\n\n\treturn\n\n}\n\nvar x = 1\n"), "source \"a\"\ncode package a\ncode // F does.⏎func F() {⏎⏎\treturn⏎⏎}\ncode var x = 1\n"},
		{
			"a.json", []byte(`{"shop":{"name":"Door & Co","open":true},"orders":[{"n":1,"note":"blue"},{"n":2.50,"note":null}],"empty":""}`),
			"json \"a\"\np shop.name: Door & Co⏎shop.open: true\np orders[0].n: 1⏎orders[0].note: blue⏎orders[1].n: 2.50\n",
		},
		{"a.jsonl", []byte("{\"q\":\"one\"}\n{\"q\":\"two\"}\n"), "json \"a\"\np q: one\np q: two\n"},
		{"a.srt", []byte("1\r\n00:00:01,000 --> 00:00:02,000\r\n<i>Hello</i>\r\nthere\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nAgain.\r\n"), "subtitles \"a\"\np [00:00:01] Hello there Again.\n"},
		{"a.vtt", []byte("WEBVTT\n\nNOTE a note\n\nintro\n00:01.000 --> 00:02.000 align:left\n<v Ann>Hi.\n"), "subtitles \"a\"\np [00:01] Hi.\n"},
		{"a.html", []byte(htmlSample), htmlWant},
		{"a.rtf", []byte(rtfSample), rtfWant},
		{"a.eml", []byte(mailSample), mailWant},
		{
			"a.mbox", []byte("From a@b.c Thu Jan  1 00:00:00 2026\nFrom: a@b.c\nSubject: One\n\nText one.\n\nFrom d@e.f Thu Jan  1 00:00:00 2026\nFrom: d@e.f\nSubject: Two\n\nText two.\n"),
			"mail \"One\"\nh1 One\np From: a@b.c\np Text one.\nh1 Two\np From: d@e.f\np Text two.\n",
		},
		{
			"a.pdf", pdfPages("BT /F1 20 Tf 72 700 Td (A heading) Tj /F1 10 Tf 0 -40 Td (The first line is long enough and is hyphen-) Tj 0 -12 Td (ated at its end, as \\223books\\224 do.) Tj 0 -30 Td (Another paragraph.) Tj ET",
				"BT /F1 10 Tf 1 0 0 1 72 700 Tm [(Kerned w) 20 (ords) -600 (with gaps)] TJ T* ET"),
			"pdf \"A heading\" 2 pages\nh1@1 A heading\np@1 The first line is long enough and is hyphenated at its end, as “books” do.\np@1 Another paragraph.\np@2 Kerned words with gaps\n",
		},
		{
			"a.docx", docxFile(word("Title", "The title") + word("berschrift2", "Part") + word("Own", "Deep") +
				`<w:p><w:r><w:t xml:space="preserve">Split </w:t></w:r><w:r><w:t>runs</w:t><w:tab/><w:t>&amp; tab</w:t></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>` +
				`<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>An item</w:t></w:r></w:p>` +
				`<w:tbl><w:tr><w:tc>` + wordText("Name") + `</w:tc><w:tc>` + wordText("Age") + `</w:tc></w:tr><w:tr><w:tc>` + wordText("Ann") + `</w:tc><w:tc>` + wordText("7") + wordText("years") + `</w:tc></w:tr></w:tbl>` +
				`<w:p><w:r><mc:AlternateContent><mc:Choice><w:txbxContent>` + wordText("In a box") + `</w:txbxContent></mc:Choice><mc:Fallback><w:txbxContent>` + wordText("In a box") + `</w:txbxContent></mc:Fallback></mc:AlternateContent><w:t>Around</w:t></w:r></w:p>`),
			"docx \"The title\"\nh1 The title\nh2 Part\nh3 Deep\np Split runs\t& tab\nli An item\nth Name | Age\ntr Ann | 7 years\np In a box\np Around\np A footnote.\nnote Headers and footers of the pages were left out.\n",
		},
		{
			"a.xlsx", xlsxFile(`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="inlineStr"><is><t>Paid</t></is></c></row>` +
				`<row r="2"><c r="A2" t="str"><v>Ann</v></c><c r="B2" s="1"><v>45000</v></c><c r="D2" t="b"><v>1</v></c></row><row r="3"/><row r="4"><c r="A4"><v>3.5</v></c></row>`),
			"xlsx \"a\"\nh1 Orders\nth Name | Day |  | Paid\ntr Ann | 2023-03-15 |  | TRUE\ntr 3.5\n",
		},
		{"a.pptx", pptxFile(), "pptx \"Plans\" 2 pages\nh1@1 Plans\np@1 Grow beans\np@1 Say it slowly\nh1@2 Costs\nth@2 Item | Price\ntr@2 Seed | 3\n"},
		{
			"a.odt", odfFile("text", `<office:text><text:h text:outline-level="2">Part</text:h><text:p>One<text:s text:c="2"/>two<text:tab/>three  four</text:p><text:list><text:list-item><text:p>An item</text:p></text:list-item></text:list>`+
				`<table:table><table:table-row><table:table-cell><text:p>Name</text:p></table:table-cell><table:table-cell><text:p>Age</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>Ann</text:p></table:table-cell><table:table-cell><text:p>7</text:p></table:table-cell></table:table-row></table:table></office:text>`),
			"odt \"Meta title\"\nh2 Part\np One  two\tthree four\nli An item\nth Name | Age\ntr Ann | 7\n",
		},
		{
			"a.ods", odfFile("spreadsheet", `<office:spreadsheet><table:table table:name="Sheet"><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>B</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row>`+
				`<table:table-row table:number-rows-repeated="1000000"><table:table-cell/></table:table-row><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`),
			"ods \"Meta title\"\nh1 Sheet\nth A | B | B\ntr 1\n",
		},
		{
			"a.odp", odfFile("presentation", `<office:presentation><draw:page><text:p>First</text:p></draw:page><draw:page><text:p>Second</text:p></draw:page></office:presentation>`),
			"odp \"Meta title\" 2 pages\np@1 First\np@2 Second\n",
		},
		{
			"a.epub", epubFile("<html><head><title>no</title></head><body><h2>One</h2><p>Text &eacute;&#8212;</p></body></html>", "<html><body><p>Two</p></body></html>"),
			"epub \"The book\"\nh2 One\np Text é—\np Two\n",
		},
	}
}

const markdownSample = "---\ntitle: x\n---\n# Title #\n\nA paragraph\nof two lines.\n- item one\n  more\n- item two\n\n```go\n# no heading\n\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nUnder\n-----\n\n    indented\n\n* * *\n1. first\n"

const markdownWant = "markdown \"Title\"\ncode ---⏎title: x⏎---\nh1 # Title #\np A paragraph⏎of two lines.\nli - item one⏎  more\nli - item two\ncode ```go⏎# no heading⏎⏎```\n" +
	"th | a | b |⏎|---|---|\ntr | 1 | 2 |\nh2 Under⏎-----\ncode     indented\np * * *\nli 1. first\n"

const htmlSample = `<!DOCTYPE html><html><head><title>A &amp; B</title><style>p{}</style><script>var x = "<p>no</p>"</script></head>
<body><h1>Head <em>ing</em></h1><p>One<br>two &lt;three&gt;<!-- no --> <b>bo</b>ld<p>Next<ul><li><p>item</p></li><li>other</ul>
<pre>  a
   b</pre><table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann<td>7</tr></table><table><tr><td><h2>Lay</h2><p>out</p></td></tr></table><noscript>no</noscript>last</body></html>`

const htmlWant = "html \"A & B\"\nh1 Head ing\np One⏎two <three> bold\np Next\nli item\nli other\ncode   a⏎   b\nth Name | Age\ntr Ann | 7\nh2 Lay\np out\np last\n"

const rtfSample = `{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title A title}}{\*\generator x;}\pard\outlinelevel0 Heading\par\pard Caf\'e9 \u8212?dash\emdash \{x\}\par
{\pict 0102ff}\trowd\intbl Name\cell Age\cell\row\trowd\intbl Ann\cell 7\cell\row\pard End\u-10179?\u-8704?\par}`

const rtfWant = "rtf \"A title\"\nh1 Heading\np Café —dash—{x}\nth Name | Age\ntr Ann | 7\np End😀\n"

const mailSample = "From: =?utf-8?q?Ann_=C3=89?= <ann@example.org>\r\nTo: bo@example.org\r\nSubject: =?iso-8859-1?q?Caf=E9?= on Monday\r\nDate: Thu, 1 Jan 2026 10:00:00 +0000\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=out\r\n\r\n" +
	"--out\r\nContent-Type: multipart/alternative; boundary=in\r\n\r\n--in\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nAt nine, caf=E9.\r\n\r\nBye\r\n--in\r\nContent-Type: text/html\r\n\r\n<p>At nine</p>\r\n--in--\r\n" +
	"--out\r\nContent-Type: application/pdf; name=\"plan.pdf\"\r\nContent-Disposition: attachment; filename=\"plan.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERg==\r\n--out--\r\n"

const mailWant = "mail \"Café on Monday\"\nh1 Café on Monday\np From: Ann É <ann@example.org>⏎To: bo@example.org⏎Date: Thu, 1 Jan 2026 10:00:00 +0000\np At nine, café.\np Bye\nnote The attachment \"plan.pdf\" was left out.\n"

func xlsxFile(rows string) []byte {
	return zipped(
		"_rels/.rels", relations("officeDocument", "xl/workbook.xml"),
		"xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="Orders" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", relations("worksheet", "worksheets/sheet1.xml", "sharedStrings", "sharedStrings.xml", "styles", "styles.xml"),
		"xl/sharedStrings.xml", `<sst><si><r><t>Na</t></r><r><t>me</t></r></si><si><t>Day</t><rPh><t>no</t></rPh></si></sst>`,
		"xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\-mm\-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/></cellXfs></styleSheet>`,
		"xl/worksheets/sheet1.xml", `<worksheet><sheetData>`+rows+`</sheetData></worksheet>`,
	)
}

func pptxFile() []byte {
	shape := func(kind, text string) string {
		return `<p:sp><p:nvPr><p:ph type="` + kind + `"/></p:nvPr><p:txBody><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></p:txBody></p:sp>`
	}
	cell := func(text string) string {
		return `<a:tc><a:txBody><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></a:txBody></a:tc>`
	}
	return zipped(
		"_rels/.rels", relations("officeDocument", "ppt/presentation.xml"),
		"ppt/presentation.xml", `<p:presentation xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="rId2"/><p:sldId id="257" r:id="rId1"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", relations("slide", "slides/slide1.xml", "slide", "slides/slide2.xml"),
		"ppt/slides/slide2.xml", `<p:sld>`+shape("title", "Plans")+shape("body", "Grow beans")+shape("sldNum", "1")+`</p:sld>`,
		"ppt/slides/_rels/slide2.xml.rels", relations("notesSlide", "../notesSlides/notes1.xml"),
		"ppt/notesSlides/notes1.xml", `<p:notes>`+shape("sldImg", "")+shape("body", "Say it slowly")+`</p:notes>`,
		"ppt/slides/slide1.xml", `<p:sld>`+shape("ctrTitle", "Costs")+`<a:tbl><a:tr>`+cell("Item")+cell("Price")+`</a:tr><a:tr>`+cell("Seed")+cell("3")+`</a:tr></a:tbl></p:sld>`,
	)
}

func odfFile(kind, body string) []byte {
	return zipped(
		"mimetype", "application/vnd.oasis.opendocument."+kind,
		"meta.xml", `<office:document-meta xmlns:dc="d"><dc:title>Meta title</dc:title></office:document-meta>`,
		"content.xml", `<?xml version="1.0"?><office:document-content><office:body>`+body+`</office:body></office:document-content>`,
	)
}

func epubFile(chapters ...string) []byte {
	files := []string{
		"mimetype", "application/epub+zip",
		"META-INF/container.xml", `<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>`,
	}
	items, spine := "", ""
	for i, chapter := range chapters {
		items += fmt.Sprintf(`<item id="c%d" href="c%%20%d.xhtml" media-type="application/xhtml+xml"/>`, i, i)
		spine += fmt.Sprintf(`<itemref idref="c%d"/>`, i)
		files = append(files, fmt.Sprintf("OPS/c %d.xhtml", i), chapter)
	}
	files = append(files, "OPS/book.opf", `<package><metadata xmlns:dc="d"><dc:title>The book</dc:title></metadata><manifest>`+items+`</manifest><spine>`+spine+`</spine></package>`)
	return zipped(files...)
}

// bytesOf reads a file from memory and checks its document.
func bytesOf(t testing.TB, name string, data []byte) (documents.Document, error) {
	t.Helper()
	doc, err := Bytes(t.Context(), format.Input{Name: name, Data: data})
	if err == nil {
		check(t, name, doc)
	}
	return doc, err
}

// TestSamples reads a file of every format.
func TestSamples(t *testing.T) {
	for _, s := range samples() {
		doc, err := bytesOf(t, s.name, s.data)
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		if got := dump(doc); got != s.want {
			t.Errorf("%s:\n%s\nwant\n%s", s.name, got, s.want)
		}
	}
}

// unzipped returns the files of an archive as zipped takes them, or nil.
func unzipped(data []byte) []string {
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil
	}
	var files []string
	for _, f := range r.File {
		content, err := f.Open()
		if err != nil {
			panic(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			panic(err)
		}
		files = append(files, f.Name, string(text))
	}
	return files
}

// largeFiles returns files of all formats that take a while.
func largeFiles() []sample {
	const n = 40_000
	many := func(s string) string { return strings.Repeat(s, n) }
	return []sample{
		{name: "a.txt", data: []byte(many("A paragraph.\n\n"))},
		{name: "a.md", data: []byte(many("# Head\n\nText\n\n"))},
		{name: "a.csv", data: []byte(many("a,b\n"))},
		{name: "a.go", data: []byte(many("var a = 1\n\n"))},
		{name: "a.json", data: []byte("[" + many(`{"a":1},`) + "1]")},
		{name: "a.srt", data: []byte(many("00:00:01,000 --> 00:00:02,000\nHello\n\n"))},
		{name: "a.html", data: []byte(many("<p>Text"))},
		{name: "a.rtf", data: []byte(`{\rtf1 ` + many(`Text\par `))},
		{name: "a.eml", data: []byte("From: a\n\n" + many("Text\n\n"))},
		{name: "a.pdf", data: pdfPages("BT /F1 12 Tf " + many("1 0 0 1 72 700 Tm (Text) Tj ") + "ET")},
		{name: "a.docx", data: docxFile(many(wordText("Text")))},
		{name: "a.xlsx", data: xlsxFile(many("<row><c><v>1</v></c></row>"))},
		{name: "a.odt", data: odfFile("text", "<office:text>"+many("<text:p>Text</text:p>"))},
		{name: "a.epub", data: epubFile(many("<p>Text"))},
	}
}
