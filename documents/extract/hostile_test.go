package extract

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"inglenook/documents/extract/format"
)

// A hostile file is made to break its reader. It ends with one of the reasons, or,
// where reason is 0, with a document that has the text.
type hostile struct {
	name   string
	data   []byte
	reason Reason
	text   string // of a document; and no document has "SECRET"
}

// readHostile reads each file within its limits and checks how it ends.
func readHostile(t *testing.T, files []hostile) {
	t.Helper()
	for _, h := range files {
		start := time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // ends a hang; nothing here takes a second
		doc, err := Bytes(ctx, format.Input{Name: h.name, Data: h.data})
		cancel()
		t.Logf("%-24s %v", h.name, time.Since(start).Round(time.Millisecond))
		if reason, ok := ReasonOf(err); reason != h.reason || err != nil && !ok {
			t.Errorf("%s: %v (%v), want %v", h.name, err, reason, h.reason)
			continue
		}
		if err != nil {
			if e := err.(*Error); e.Text == "" || (e.Hint() == "") != (e.Reason == NoText && !strings.HasSuffix(h.name, ".pdf")) {
				t.Errorf("%s: %+v says too little", h.name, e)
			}
			continue
		}
		check(t, h.name, doc)
		if !strings.Contains(doc.Text, h.text) {
			t.Errorf("%s: %.200q does not have %q", h.name, doc.Text, h.text)
		}
		if strings.Contains(doc.Text, "SECRET") {
			t.Errorf("%s: the document has the text of another file", h.name)
		}
	}
}

func deflated(data []byte) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.String()
}

// TestBombs reads files that would become very large, deep, circular or slow.
func TestBombs(t *testing.T) {
	const font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
	hello := "BT /F1 12 Tf 72 700 Td (Hello) Tj ET"
	zeros := string(make([]byte, 40<<20))
	page := func(extra string) string {
		return "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> " + extra + " >> >>"
	}
	catalog, pages := "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
	onePage := func(contents string, more ...string) []byte {
		return pdfFile(append([]string{catalog, pages, page("/XObject << /X 6 0 R /Y 7 0 R >>"), contents, font}, more...)...)
	}
	chain := deflated([]byte(hello))
	for range 9 {
		chain = deflated([]byte(chain))
	}
	manyPages := []string{catalog, "", font}
	var kids strings.Builder
	for i := range 21_000 {
		manyPages = append(manyPages, "<< /Type /Page /Parent 2 0 R >>")
		fmt.Fprintf(&kids, "%d 0 R ", i+4)
	}
	manyPages[1] = "<< /Type /Pages /Kids [" + kids.String() + "] /Count 21000 >>"
	var manyEntries []string
	for i := range 10_001 {
		manyEntries = append(manyEntries, fmt.Sprint("word/", i), "")
	}
	forms := []string{}
	for i := range 14 { // each shows the next four times
		forms = append(forms, pdfStream(fmt.Sprintf("/Type /XObject /Subtype /Form /Resources << /XObject << /X %d 0 R >> /Font << /F1 5 0 R >> >>", i+7), strings.Repeat("/X Do ", 4)))
	}
	forms = append(forms, pdfStream("/Type /XObject /Subtype /Form", "BT /F1 12 Tf 72 600 Td (deep) Tj ET"))
	sheet := func(cells string) []byte {
		return xlsxFile(`<row r="1"><c r="A1" t="inlineStr"><is><t>Hello</t></is></c></row>` + cells)
	}
	inner := docxFile(wordText("inner"))
	nested := inner
	for range 20 {
		nested = zipped("word/document.xml", "<w:document><w:body>"+wordText("Hello")+"</w:body></w:document>", "inner.zip", string(nested))
	}
	html := func(s string) string { return "<html><body>" + s + "</body></html>" }

	readHostile(t, []hostile{
		{"nested.docx", nested, 0, "Hello"},
		{"quine.zip", quine(), Unsupported, ""},
		{"overlapping.docx", overlapping(), 0, "Hello"},
		{"zeros.docx", docxFile("<w:p><w:r><w:t>" + zeros + "</w:t></w:r></w:p>"), Damaged, ""},
		{"spaces.docx", docxFile("<w:p><w:r><w:t>" + strings.Repeat(" ", 40<<20) + "</w:t></w:r></w:p>"), TooLarge, ""},
		{"many-entries.docx", zipped(manyEntries...), TooLarge, ""},
		{"lying-small.docx", withSizes(docxFile(wordText("Hello")), 1), Damaged, ""},
		{"lying-large.docx", withSizes(docxFile(wordText("Hello")), 0xfffffffe), Damaged, ""},
		{"deep.docx", docxFile(strings.Repeat("<w:p>", 100_000)), TooLarge, ""},
		{"attributes.docx", docxFile("<w:p " + strings.Repeat(`a="b" `, 100_000) + ">" + wordText("Hello") + "</w:p>"), 0, "Hello"},
		{"rows.xlsx", sheet(`<row r="4294967295"><c r="A4294967295"><v>1</v></c></row>`), 0, "Hello"},
		{"columns.xlsx", sheet(`<row r="2"><c r="ZZZZZZZZZ2"><v>1</v></c><c r="XFD2"><v>2</v></c></row>`), 0, "Hello"},
		{"strings.xlsx", sheet(`<row r="2"><c t="s"><v>4294967295</v></c><c t="s"><v>-1</v></c><c s="-7"><v>1e999</v></c><c s="1"><v>1e300</v></c></row>`), 0, "Hello"},
		{"repeat.ods", odfFile("spreadsheet", `<office:spreadsheet><table:table><table:table-row table:number-rows-repeated="4294967295"><table:table-cell table:number-columns-repeated="4294967295"><text:p>Hello</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>`), 0, "Hello"},
		{"spaces.odt", odfFile("text", `<office:text><text:p>Hello<text:s text:c="2147483647"/>end</text:p></office:text>`), 0, "Hello"},
		{"deep.odt", odfFile("text", `<office:text>`+strings.Repeat("<text:list>", 10_000)), TooLarge, ""},
		{"same-chapter.epub", epubWithSpine(strings.Repeat(`<itemref idref="c0"/>`, 10_000)), 0, "Hello"},

		{"deflate-chain.pdf", onePage(pdfStream("/Filter ["+strings.Repeat("/FlateDecode ", 10)+"]", chain)), NoText, ""},
		{"zeros.pdf", onePage(pdfStream("/Filter /FlateDecode", deflated([]byte(zeros)))), TooLarge, ""},
		{"lzw.pdf", onePage(pdfStream("/Filter /LZWDecode", strings.Repeat("\x80\x0b\x60\x50", 1000))), NoText, ""},
		{"run-length.pdf", onePage(pdfStream("/Filter [/RunLengthDecode /RunLengthDecode /RunLengthDecode]", strings.Repeat("\x81\x81", 50_000))), TooLarge, ""},
		{"predictor.pdf", onePage(pdfStream("/Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 2147483647 /Colors 2147483647 /BitsPerComponent 2147483647 >>", deflated([]byte(hello)))), 0, ""},
		{"huge-picture.pdf", onePage(pdfStream("", hello+" /X Do"), pdfStream("/Type /XObject /Subtype /Image /Width 2147483647 /Height 2147483647", "x")), 0, "Hello"},
		{"huge-inline.pdf", onePage(pdfStream("", "BI /W 99999999 /H 99999999 ID xx EI "+hello)), 0, "Hello"},
		{"endless-inline.pdf", onePage(pdfStream("", hello+" BI /W 1 ID xxx")), 0, "Hello"},
		{"circular-tree.pdf", pdfFile(catalog, "<< /Type /Pages /Kids [2 0 R 3 0 R 2 0 R 3 0 R] /Count 4 >>", page(""), pdfStream("", hello), font), 0, "Hello"},
		{"circular-kids.pdf", pdfFile(catalog, "<< /Type /Pages /Kids [6 0 R] >>", "null", "null", font, "<< /Kids [7 0 R] >>", "<< /Kids [6 0 R 2 0 R] >>"), Damaged, ""},
		{"many-pages.pdf", pdfFile(manyPages...), TooLarge, ""},
		{"self-form.pdf", onePage(pdfStream("", hello+" /X Do"), pdfStream("/Type /XObject /Subtype /Form /Resources << /XObject << /X 6 0 R >> >>", "/X Do /X Do")), 0, "Hello"},
		{"self-reference.pdf", onePage("4 0 R"), NoText, ""},
		{"ring-of-references.pdf", onePage("6 0 R", "7 0 R", "4 0 R"), NoText, ""},
		{"self-length.pdf", onePage("<< /Length 4 0 R >>\nstream\n" + hello + "\nendstream"), 0, "Hello"},
		{"self-pack.pdf", packInItself(), Damaged, ""},
		{"table-ring.pdf", tableRing(), 0, "Hello"},
		{"huge-table.pdf", []byte("%PDF-1.7\nxref\n0 4294967295\n0000000000 65535 f \ntrailer << /Root 1 0 R /Size 4294967295 >>\nstartxref\n9\n%%EOF"), Damaged, ""},
		{"huge-number.pdf", bytes.ReplaceAll(onePage(pdfStream("", hello)), []byte("/Parent 2 0 R"), []byte("/Parent 999999999999999999999 0 R")), 0, "Hello"},
		{"deep-array.pdf", onePage(pdfStream("", strings.Repeat("[", 1_000_000)+hello)), NoText, ""},
		{"deep-dict.pdf", pdfFile(catalog, pages, page(""), pdfStream("", hello), font, strings.Repeat("<< /A ", 1_000_000)), 0, "Hello"},
		{"states.pdf", onePage(pdfStream("", strings.Repeat("q ", 1_000_000)+hello)), 0, "Hello"},
		{"marks.pdf", onePage(pdfStream("", strings.Repeat("/P << /ActualText (x) >> BDC ", 50_000)+hello)), 0, "x"},
		{"numbers.pdf", onePage(pdfStream("", "1e308 1e308 1e308 1e308 1e308 1e308 cm 1e308 Tc BT /F1 1e308 Tf 1e308 -1e308 Td (far) Tj ET")), NoText, ""},
		{"no-size.pdf", onePage(pdfStream("", "BT /F1 0 Tf 0 0 0 0 0 0 Tm (flat) Tj ET")), NoText, ""},
		{"widths.pdf", pdfFile(catalog, pages, page(""), pdfStream("", hello), "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /W [0 2147483647 500 -5 2147483647 1] >>] >>"), NoText, ""},
		{"differences.pdf", pdfFile(catalog, pages, page(""), pdfStream("", hello), "<< /Type /Font /Subtype /Type1 /Encoding << /Differences [-5 /A 300 /B 9999999999 /C 72 /H] >> /FirstChar -2147483648 /Widths [1 2 3] >>"), 0, "Hello"},
		{"mapping.pdf", pdfFile(catalog, pages, page(""), pdfStream("", hello), "<< /Type /Font /Subtype /Type1 /ToUnicode 6 0 R >>", pdfStream("", "1 beginbfrange <00> <FFFFFFFF> <0041> endbfrange 1 begincidrange <00> <FFFFFFFF> 0 endcidrange")), 0, ""},
		{"forms.pdf", onePage(pdfStream("", hello+" /X Do"), forms...), TooLarge, ""},

		{"laughs.html", []byte(html("<!DOCTYPE x [<!ENTITY a \"&b;&b;\">]>&a; Hello")), 0, "Hello"},
		{"deep.html", []byte(html(strings.Repeat("<div><table><tr><td>", 100_000) + "Hello")), 0, "Hello"},
		{"deep-inline.html", []byte(html(strings.Repeat("<b><a href=x>", 200_000) + "Hello")), 0, "Hello"},
		{"attributes.html", []byte(html("<p " + strings.Repeat("a=b ", 200_000) + ">Hello")), 0, "Hello"},
		{"endless-comment.html", []byte(html("Hello" + strings.Repeat("<!--", 200_000))), 0, "Hello"},
		{"endless-tag.html", []byte(html("Hello") + "<a " + strings.Repeat("x", 1<<20)), 0, "Hello"},
		{"rawtext.html", []byte(html("Hello<script>" + strings.Repeat("</scrip", 200_000))), 0, "Hello"},
		{"skipped.html", []byte(html("Hello" + strings.Repeat("<svg>", 200_000))), 0, "Hello"},
		{"fences.md", []byte("Hello\n" + strings.Repeat("```\n", 50_001)), 0, "Hello"},
		{"brackets.md", []byte("Hello " + strings.Repeat("[", 500_000)), 0, "Hello"},
		{"tables.md", []byte("Hello\n\n" + strings.Repeat("|", 200_000) + "\n" + strings.Repeat("|-", 100_000)), 0, "Hello"},
		{"front.md", []byte("---\n" + strings.Repeat("a: b\n", 50_000)), 0, "a: b"},
		{"quotes.csv", []byte("Hello" + strings.Repeat(",\"", 300_000)), 0, "Hello"},
		{"open-quotes.csv", []byte(strings.Repeat("\"Hello,\n", 20_000)), 0, "Hello"},
		{"columns.csv", []byte("Hello" + strings.Repeat(",", 500_000)), 0, "Hello"},
		{"deep.json", []byte(strings.Repeat("[", 100_000)), TooLarge, ""},
		{"deep-objects.json", []byte(strings.Repeat(`{"a":`, 9_000)), TooLarge, ""},
		{"wide.json", []byte("[" + strings.Repeat(`"Hello",`, 100_000) + "1]"), 0, "Hello"},
		{"deep.rtf", []byte(`{\rtf1 ` + strings.Repeat("{", 100_000)), TooLarge, ""},
		{"binary.rtf", []byte(`{\rtf1 Hello {\pict\bin99999999999 x}`), 0, "Hello"},
		{"unicode.rtf", []byte(`{\rtf1 Hello\uc99999 \u-1\u99999999999\u55357 }`), 0, "Hello"},
		{"deep.eml", deepMail(40), TooLarge, ""},
		{"parts.eml", []byte("From: a\nSubject: Hello\nContent-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", 2_000)), TooLarge, ""},
		{"messages.eml", forwarded(30), TooLarge, ""},
		{"cues.srt", []byte(strings.Repeat("00:00:01,000 --> 00:00:02,000\nHello\n\n", 20_000)), 0, "Hello"},
		{"marks.srt", []byte("00:00:01,000 --> 00:00:02,000\nHello " + strings.Repeat("<", 200_000)), 0, "Hello"},
	})
}

// quine returns an archive that contains a copy of itself, to a few levels.
func quine() []byte {
	data := zipped("r.zip", "")
	for range 4 {
		data = zipped("r.zip", string(data), "r2.zip", string(data))
	}
	return data
}

// overlapping returns a document whose entries all have the same bytes.
func overlapping() []byte {
	data := zipped("word/document.xml", "<w:document><w:body>"+wordText("Hello")+"</w:body></w:document>")
	at := bytes.Index(data, []byte("PK\x01\x02"))
	endAt := bytes.Index(data, []byte("PK\x05\x06"))
	entry, tail := data[at:endAt], bytes.Clone(data[endAt:])
	out := bytes.Clone(data[:at])
	const copies = 5000
	for i := range copies {
		e := bytes.Clone(entry)
		if i > 0 {
			copy(e[46:], fmt.Sprintf("word/copy%08d", i))
		}
		out = append(out, e...)
	}
	binary.LittleEndian.PutUint16(tail[8:], copies)
	binary.LittleEndian.PutUint16(tail[10:], copies)
	binary.LittleEndian.PutUint32(tail[12:], uint32(copies*len(entry)))
	return append(out, tail...)
}

// withSizes changes the sizes of files in an archive's directory.
func withSizes(data []byte, size uint32) []byte {
	data = bytes.Clone(data)
	for at := 0; ; at += 4 {
		i := bytes.Index(data[at:], []byte("PK\x01\x02"))
		if i < 0 {
			return data
		}
		at += i
		binary.LittleEndian.PutUint32(data[at+24:], size)
	}
}

func epubWithSpine(spine string) []byte {
	return zipped("mimetype", "application/epub+zip",
		"META-INF/container.xml", `<container><rootfile full-path="b.opf"/></container>`,
		"b.opf", `<package><manifest><item id="c0" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine>`+spine+`</spine></package>`,
		"c.xhtml", "<p>Hello</p>")
}

// packInItself returns a PDF file whose catalog is in an object stream that is in
// itself.
func packInItself() []byte {
	return []byte("%PDF-1.7\n1 0 obj\n<< /Type /XRef /Size 4 /W [1 1 1] /Index [2 2] /Root 3 0 R /Length 6 >>\nstream\n" +
		"\x02\x02\x00\x02\x02\x01" + "\nendstream\nendobj\nstartxref\n9\n%%EOF")
}

// tableRing returns a PDF file whose tables each name the other as the one before.
func tableRing() []byte {
	data := pdfPages("BT /F1 12 Tf 72 700 Td (Hello) Tj ET")
	at := bytes.Index(data, []byte("xref\n"))
	return bytes.Replace(data, []byte("trailer\n<<"), fmt.Appendf(nil, "trailer\n<< /Prev %d /XRefStm %d", at, at), 1)
}

func deepMail(depth int) []byte {
	var b strings.Builder
	b.WriteString("From: a\nSubject: Hello\n")
	for i := range depth {
		fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	return []byte(b.String() + "\nText\n")
}

func forwarded(depth int) []byte {
	return []byte(strings.Repeat("From: a\nSubject: Hello\nContent-Type: message/rfc822\n\n", depth) + "From: a\n\nText\n")
}

// TestEntities reads XML that refers to another file, or to itself. Nothing is
// opened, and nothing grows.
func TestEntities(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("SECRET"), 0o600); err != nil {
		t.Fatal(err)
	}
	external := `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file://` + secret + `"><!ENTITY % p SYSTEM "file://` + secret + `"> %p;]>`
	laughs := `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">`
	for c := 'b'; c < 'z'; c++ {
		laughs += fmt.Sprintf(`<!ENTITY %c "%s">`, c, strings.Repeat(fmt.Sprintf("&%c;", c-1), 10))
	}
	laughs += "]>"
	word := func(doctype, entity string) []byte {
		return zipped("word/document.xml", doctype+"<w:document><w:body>"+wordText("Hello &"+entity+";")+"</w:body></w:document>")
	}
	readHostile(t, []hostile{
		{"external.docx", word(external, "e"), 0, "Hello"},
		{"laughs.docx", word(laughs, "y"), 0, "Hello"},
		{"external.odt", zipped("mimetype", "application/vnd.oasis.opendocument.text", "content.xml", external+"<d><p>Hello &e;</p></d>"), 0, "Hello"},
		{"external.xlsx", zipped("_rels/.rels", relations("officeDocument", "xl/workbook.xml"), "xl/workbook.xml", external+`<w><sheets><sheet name="Hello &e;" id="rId1"/></sheets></w>`,
			"xl/_rels/workbook.xml.rels", relations("worksheet", "sheet.xml"), "xl/sheet.xml", external+"<s><row><c><v>&e;</v></c></row></s>"), 0, "Hello"},
		{"external.epub", zipped("mimetype", "application/epub+zip", "META-INF/container.xml", external+`<c><rootfile full-path="b.opf"/></c>`,
			"b.opf", external+`<p><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/><itemref idref="c"/></p>`, "c.xhtml", external+"<p>Hello &e;</p>"), 0, "Hello"},
		{"external.svg", []byte(external + "<svg><text>Hello &e;</text></svg>"), 0, "Hello"},
		{"include.html", []byte(`<p>Hello<iframe src="file://` + secret + `"></iframe><object data="file://` + secret + `"></object><img src="file://` + secret + `"><link rel=stylesheet href="file://` + secret + `">`), 0, "Hello"},
	})
}

// TestTraversal reads archives with names and references that lead out of them.
func TestTraversal(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	if err := os.WriteFile(secret, []byte("SECRET <p>SECRET</p>"), 0o600); err != nil {
		t.Fatal(err)
	}
	up := strings.Repeat("../", 30)
	body := "<w:document><w:body>" + wordText("Hello") + "</w:body></w:document>"
	book := func(path string) []byte {
		return zipped("mimetype", "application/epub+zip", "META-INF/container.xml", `<c><rootfile full-path="b.opf"/></c>`,
			"b.opf", `<p><item id="a" href="`+path+`" media-type="text/html"/><item id="c" href="c.xhtml" media-type="text/html"/><itemref idref="a"/><itemref idref="c"/></p>`, "c.xhtml", "<p>Hello</p>")
	}
	readHostile(t, []hostile{
		{"up.docx", zipped("word/document.xml", body, up+secret, "x"), 0, "Hello"},
		{"absolute.docx", zipped("word/document.xml", body, secret, "x"), 0, "Hello"},
		{"drive.docx", zipped("word/document.xml", body, `C:\Windows\x`, "x", `..\..\x`, "x"), 0, "Hello"},
		{"empty-name.docx", zipped("word/document.xml", body, "", "x", "/", "", ".", "x", "..", "x"), 0, "Hello"},
		{"nul-name.docx", zipped("word/document.xml", body, "a\x00b", "x", "word/document.xml", "twice"), 0, "Hello"},
		{"link.docx", withLink(secret, body), 0, "Hello"},
		{"relation.docx", zipped("_rels/.rels", relations("officeDocument", up+secret), "word/document.xml", body), 0, "Hello"},
		{"relation-file.docx", zipped("_rels/.rels", relations("officeDocument", "file://"+secret), "word/document.xml", body), 0, "Hello"},
		{"styles.docx", zipped("_rels/.rels", relations("officeDocument", "word/document.xml"), "word/_rels/document.xml.rels", relations("styles", up+secret, "footnotes", secret), "word/document.xml", body), 0, "Hello"},
		{"up.epub", book(up + secret), 0, "Hello"},
		{"absolute.epub", book(secret), 0, "Hello"},
		{"file.epub", book("file://" + secret), 0, "Hello"},
		{"escaped.epub", book(strings.ReplaceAll(up, "../", "%2e%2e%2f") + strings.TrimPrefix(secret, "/")), 0, "Hello"},
	})
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("files were written: %v, %v", entries, err)
	}
}

// withLink returns a document with a symbolic link in it.
func withLink(target, body string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	h := &zip.FileHeader{Name: "word/styles.xml"}
	h.SetMode(os.ModeSymlink | 0o777)
	link, err := w.CreateHeader(h)
	if err == nil {
		_, err = link.Write([]byte(target))
	}
	if err == nil {
		link, err = w.Create("word/document.xml")
	}
	if err == nil {
		_, err = link.Write([]byte(body))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}
