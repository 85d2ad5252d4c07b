package extract

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // for the table of extensions
	"path/filepath"
	"strings"
	"sync"

	"inglenook/documents/extract/format"
	"inglenook/documents/extract/office"
	"inglenook/documents/extract/text"
)

// detect returns the name of the reader for a file. Its content decides between
// formats that begin with marks of their own; among kinds of text its extension
// does.
func detect(ctx context.Context, in format.Input) (string, error) {
	head := in.Data[:min(len(in.Data), 4096)]
	extension := extensionOf(in.Name)
	switch {
	case bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")) && (bytes.HasPrefix(head, []byte("%PDF-")) || extension == "pdf"):
		return "pdf", nil
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return detectArchive(ctx, in)
	case bytes.HasPrefix(head, []byte("{\\rtf")):
		return "rtf", nil
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return "", compoundFile(in.Data)
	}
	for _, known := range otherFormats {
		if bytes.HasPrefix(head[min(len(head), known.at):], []byte(known.mark)) {
			return "", format.Errorf(Unsupported, "it is %s", known.what)
		}
	}
	if what, ok := binaryFormats[extension]; ok {
		return "", notWhatItSays(ctx, in, what)
	}
	return detectText(head, extension), nil
}

func extensionOf(name string) string {
	return strings.ToLower(strings.TrimPrefix(filepath.Ext(name), "."))
}

// Named returns the format that a file has by its name, as Document has it. It may be another one by its content.
func Named(path string) string {
	extension := extensionOf(path)
	return cmp.Or(textFormats()[extension], extension)
}

// detectText returns the kind of a text.
func detectText(head []byte, extension string) string {
	if kind, ok := textFormats()[extension]; ok {
		return kind
	}
	start := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"))
	for _, mark := range []string{"<!doctype html", "<html", "<head", "<body"} {
		if bytes.HasPrefix(start, []byte(mark)) {
			return "html"
		}
	}
	if bytes.HasPrefix(start, []byte("webvtt")) {
		return "subtitles"
	}
	if extension == "" && looksMail(head) {
		return "mail"
	}
	return "text"
}

// looksMail reports whether a text begins with the header of a mail.
func looksMail(head []byte) bool {
	header, _, _ := bytes.Cut(bytes.ReplaceAll(head, []byte("\r\n"), []byte("\n")), []byte("\n\n"))
	header = append([]byte("\n"), header...)
	return bytes.Contains(header, []byte("\nFrom: ")) && bytes.Contains(header, []byte("\nDate: ")) &&
		(bytes.Contains(header, []byte("\nReceived: ")) || bytes.Contains(header, []byte("\nMessage-ID: ")) || bytes.Contains(header, []byte("\nMIME-Version: ")))
}

// detectArchive looks at what a ZIP file holds.
func detectArchive(ctx context.Context, in format.Input) (string, error) {
	a, err := office.OpenArchive(in)
	if err != nil {
		return "", err
	}
	kind, err := a.Kind(ctx)
	if err != nil {
		return "", err
	}
	if _, ok := readers[kind]; ok {
		return kind, nil
	}
	return "", format.Errorf(Unsupported, "it is an archive, and its files are not read")
}

// compoundFile returns the error for a file in the container of Office before 2007, which
// documents with a password still use.
func compoundFile(data []byte) error {
	utf16 := func(s string) []byte { return []byte(strings.Join(strings.Split(s, ""), "\x00")) }
	if bytes.Contains(data, utf16("EncryptedPackage")) {
		return format.Errorf(Sealed, "it has a password, and only PDF files are opened with one")
	}
	return format.Errorf(Unsupported, "it is in an old format of Word, Excel or PowerPoint")
}

// notWhatItSays explains a file whose name promises another format.
func notWhatItSays(ctx context.Context, in format.Input, what string) error {
	if _, err := text.Decode(ctx, in.Data[:min(len(in.Data), 64<<10)]); err == nil {
		return format.Errorf(Damaged, "its name says it is %s, but it is plain text", what)
	}
	return format.Errorf(Damaged, "its name says it is %s, but its content is something else", what)
}

// otherFormats begin with these bytes, and are not read.
var otherFormats = []struct {
	at   int
	mark string
	what string
}{
	{0, "\x89PNG\r\n", "a picture"},
	{0, "\xff\xd8\xff", "a picture"},
	{0, "GIF8", "a picture"},
	{0, "BM", "a picture"},
	{0, "II*\x00", "a picture"},
	{0, "MM\x00*", "a picture"},
	{8, "WEBP", "a picture"},
	{0, "\x00\x00\x01\x00", "a picture"},
	{4, "ftyp", "a film, a sound or a picture"},
	{0, "\x1aE\xdf\xa3", "a film"},
	{8, "AVI ", "a film"},
	{8, "WAVE", "a sound"},
	{0, "ID3", "a sound"},
	{0, "OggS", "a sound"},
	{0, "fLaC", "a sound"},
	{0, "\x1f\x8b", "an archive"},
	{0, "BZh", "an archive"},
	{0, "7z\xbc\xaf", "an archive"},
	{0, "\xfd7zXZ", "an archive"},
	{0, "Rar!\x1a", "an archive"},
	{0, "\x28\xb5\x2f\xfd", "an archive"},
	{257, "ustar", "an archive"},
	{0, "\x7fELF", "a program"},
	{0, "MZ", "a program"},
	{0, "\xcf\xfa\xed\xfe", "a program"},
	{0, "\xca\xfe\xba\xbe", "a program"},
	{0, "SQLite format 3\x00", "a database"},
	{0, "GGUF", "a language model"},
	{0, "%!PS", "PostScript"},
}

// binaryFormats are extensions whose files never are plain text.
var binaryFormats = map[string]string{
	"pdf": "a PDF file", "docx": "a Word document", "pptx": "a PowerPoint presentation", "xlsx": "an Excel workbook",
	"odt": "an OpenDocument text", "ods": "an OpenDocument spreadsheet", "odp": "an OpenDocument presentation", "epub": "an e-book",
	"rtf": "an RTF document",
}

// formatTable has a line for each kind of text: its name and its extensions.
//
//go:embed formats.txt
var formatTable string

// textFormats returns the kind of text that an extension stands for.
var textFormats = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(formatTable) {
		words := strings.Fields(line)
		for _, extension := range words[1:] {
			all[extension] = words[0]
		}
	}
	return all
})
