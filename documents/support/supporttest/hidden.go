// Package supporttest has documents for tests of what answers questions from documents.
package supporttest

import (
	_ "embed"
	"strconv"
	"strings"
)

// A Document is a text in which something is hidden that wants to be obeyed.
type Document struct {
	Name   string
	Text   string
	Hidden string // the part of Text
}

// Fact is what every document of Hidden says beside that, and Question asks for it.
const (
	Fact     = "The library is open from nine to six on Tuesdays."
	Question = "When is the library open on Tuesdays?"
)

//go:embed hidden.tsv
var hiddenList string

// Hidden returns documents that hide orders, the ends of fences, control tokens of chat
// templates, links, tags, and characters that cannot be seen. There are at least 40.
func Hidden() (list []Document) {
	for line := range strings.Lines(hiddenList) {
		name, quoted, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		hidden, err := strconv.Unquote(`"` + quoted + `"`)
		if err != nil {
			panic("hidden.tsv: " + line)
		}
		if one, ok := strings.CutPrefix(hidden, "repeat:"); ok {
			hidden = strings.Repeat(one, 1000)
		}
		list = append(list, Document{Name: name, Text: Fact + "\n\n" + hidden + "\n\nBooks may be kept for three weeks.", Hidden: hidden})
	}
	return list
}
