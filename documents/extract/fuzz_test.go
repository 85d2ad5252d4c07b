package extract

import (
	"strings"
	"testing"
)

// fuzz reads the fuzzer's variants of the samples of some formats.
func fuzz(f *testing.F, names ...string) {
	for _, s := range samples() {
		for i, name := range names {
			if strings.HasSuffix(s.name, "."+name) {
				f.Add(s.data, uint8(i))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, i uint8) {
		endsRight(t, "a."+names[int(i)%len(names)], data)
	})
}

func FuzzText(f *testing.F)      { fuzz(f, "txt", "go", "csv", "srt", "vtt") }
func FuzzMarkdown(f *testing.F)  { fuzz(f, "md") }
func FuzzHTML(f *testing.F)      { fuzz(f, "html") }
func FuzzJSON(f *testing.F)      { fuzz(f, "json", "jsonl") }
func FuzzRTF(f *testing.F)       { fuzz(f, "rtf") }
func FuzzMail(f *testing.F)      { fuzz(f, "eml", "mbox") }
func FuzzPDF(f *testing.F)       { fuzz(f, "pdf") }
func FuzzContainer(f *testing.F) { fuzz(f, "docx", "epub") }

// FuzzParts changes one part of an archive and corrects its checksum.
func FuzzParts(f *testing.F) {
	archives := map[uint8][]string{}
	for _, s := range samples() {
		parts := unzipped(s.data)
		if parts == nil {
			continue
		}
		format := uint8(len(archives))
		archives[format] = parts
		for i := 1; i < len(parts); i += 2 {
			f.Add(parts[i], uint8(i/2), format)
		}
	}
	f.Fuzz(func(t *testing.T, part string, i, format uint8) {
		parts := append([]string{}, archives[format%uint8(len(archives))]...)
		parts[(2*int(i)+1)%len(parts)] = part
		endsRight(t, "a.docx", zipped(parts...))
	})
}
