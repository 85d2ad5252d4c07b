package extract

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/documents/extract/format"
)

// TestWrongFiles reads files that are empty, cut short, renamed or of formats that
// have no reader.
func TestWrongFiles(t *testing.T) {
	docx, pdf := docxFile(wordText("Hello")), pdfPages("BT /F1 12 Tf 72 700 Td (Hello) Tj ET")
	random := make([]byte, 5000)
	for i, x := 0, uint32(1); i < len(random); i++ {
		x = x*1664525 + 1013904223
		random[i] = byte(x >> 24)
	}
	var files []hostile
	for _, extension := range []string{"txt", "md", "pdf", "docx", "xlsx", "epub", "html", "csv", "json", "rtf", "eml", "srt"} {
		files = append(files, hostile{"empty." + extension, nil, Empty, ""})
	}
	for _, extension := range []string{"txt", "md", "csv", "go", "json", "srt", "none"} {
		files = append(files, hostile{"random." + extension, random, Unsupported, ""})
	}
	for _, extension := range []string{"pdf", "docx", "xlsx", "pptx", "odt", "epub", "rtf"} {
		files = append(files,
			hostile{"text." + extension, []byte("This is plain text.\n"), Damaged, ""},
			hostile{"random." + extension, random, Damaged, ""})
	}
	files = append(files, []hostile{
		{"half.docx", docx[:len(docx)/2], Damaged, ""},
		{"no-end.docx", docx[:len(docx)-30], Damaged, ""},
		{"half.pdf", pdf[:200], Damaged, ""},
		{"no-table.pdf", pdf[:bytes.Index(pdf, []byte("xref\n"))], 0, "Hello"},
		{"wrong-offsets.pdf", bytes.Replace(pdf, []byte("%PDF-1.7\n"), []byte("%PDF-1.7\n%moved by a comment\n"), 1), 0, "Hello"},
		{"before.pdf", append([]byte("junk before\n"), pdf...), 0, "Hello"},
		{"after.pdf", append(bytes.Clone(pdf), bytes.Repeat([]byte("junk\n"), 100)...), 0, "Hello"},
		{"pdf2.pdf", bytes.Replace(pdf, []byte("PDF-1.7"), []byte("PDF-2.0"), 1), 0, "Hello"},
		{"word.txt", docx, 0, "Hello"},
		{"pdf.txt", pdf, 0, "Hello"},
		{"none", []byte("<!DOCTYPE html><title>x</title><p>Hello"), 0, "Hello"},
		{"sheet.docx", xlsxFile(`<row><c t="str"><v>Hello</v></c></row>`), 0, "Hello"},
		{"archive.zip", zipped("a.txt", "Hello"), Unsupported, ""},
		{"empty-archive.docx", zipped(), Unsupported, ""},
		{"no-document.docx", zipped("[Content_Types].xml", "<Types/>"), Unsupported, ""},
		{"empty-document.docx", docxFile(""), 0, "A footnote."},
		{"locked.docx", append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00"...), Sealed, ""},
		{"old.doc", append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "W\x00o\x00r\x00d\x00"...), Unsupported, ""},
		{"locked.odt", zipped("mimetype", "application/vnd.oasis.opendocument.text", "META-INF/manifest.xml", "<m><file-entry><encryption-data/></file-entry></m>", "content.xml", "\x01\x02"), Sealed, ""},
		{"locked.zip.docx", lockedEntries(docx), Sealed, ""},
		{"protected.epub", zipped("mimetype", "application/epub+zip", "META-INF/container.xml", "<c/>", "META-INF/encryption.xml", `<e><CipherReference URI="c.xhtml"/></e>`), Unsupported, ""},
		{"protected.pdf", bytes.Replace(pdf, []byte("/Size"), []byte("/Encrypt << /Filter /Own >> /Size"), 1), Unsupported, ""},
		{"picture.txt", []byte("\x89PNG\r\n\x1a\n" + strings.Repeat("\x00", 50)), Unsupported, ""},
		{"photo.docx", []byte("\xff\xd8\xff\xe0" + strings.Repeat("\x00", 50)), Unsupported, ""},
		{"program.txt", []byte("\x7fELF" + strings.Repeat("\x00", 50)), Unsupported, ""},
		{"film.pdf", []byte("\x00\x00\x00\x18ftypmp42"), Unsupported, ""},
		{"packed.csv", []byte("\x1f\x8b\x08" + strings.Repeat("\x01", 50)), Unsupported, ""},
		{"zeros.txt", make([]byte, 4096), Unsupported, ""},
		{"half.json", []byte(`{"a": "Hello", "b": `), Damaged, ""},
		{"half.rtf", []byte(`{\rtf1 Hello {\b more`), 0, "Hello"},
		{"half.eml", []byte("From: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHello"), 0, "Hello"},
		{"headerless.eml", []byte("no header here\n\nHello\n"), Damaged, ""},
	}...)
	t.Logf("%d files", len(files))
	readHostile(t, files)
}

// lockedEntries sets the flag of encryption on every entry of an archive.
func lockedEntries(data []byte) []byte {
	data = bytes.Clone(data)
	for at := 0; ; at += 4 {
		i := bytes.Index(data[at:], []byte("PK\x01\x02"))
		if i < 0 {
			return data
		}
		at += i
		data[at+8] |= 1
	}
}

// TestSpecialFiles reads paths that are no regular files, and files that are too large.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	if _, err := File(t.Context(), dir, Options{}); err == nil || err.(*Error).Reason != NotRegular {
		t.Errorf("a folder: %v", err)
	}
	if _, err := File(t.Context(), os.DevNull, Options{}); err == nil || err.(*Error).Reason != NotRegular {
		t.Errorf("a device: %v", err)
	}
	if _, err := File(t.Context(), filepath.Join(dir, "none"), Options{}); !os.IsNotExist(err) {
		t.Errorf("no file: %v", err)
	}
	path := filepath.Join(dir, "a.txt")
	if err := os.WriteFile(path, []byte("Hello there"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := File(t.Context(), path, Options{Limits: Limits{Input: 5}}); err == nil || err.(*Error).Reason != TooLarge {
		t.Errorf("a large file: %v", err)
	}
	for name, limits := range map[string]Limits{"pages": {Pages: 1}, "blocks": {Blocks: 1}, "expanded": {Expanded: 10}, "depth": {Depth: 3}, "entries": {Entries: 2}} {
		failed := 0
		for _, s := range samples() {
			if _, err := Bytes(t.Context(), format.Input{Name: s.name, Data: s.data, Limits: limits}); err != nil {
				if reason, _ := ReasonOf(err); reason != TooLarge {
					t.Errorf("%s with a limit of %s: %v", s.name, name, err)
				}
				failed++
			}
		}
		if failed == 0 {
			t.Errorf("the limit of %s stops nothing", name)
		}
	}
}
