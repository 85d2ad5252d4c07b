package documents

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"inglenook/documents/extract"
)

// laidOut are the endings of files whose lines only a program sees that lays them out: a
// person who opens one finds no line 21 in it.
var laidOut = []string{".docx", ".docm", ".odt", ".rtf", ".html", ".htm", ".xhtml", ".epub", ".eml", ".mbox", ".pptx", ".odp", ".xlsx", ".ods", ".pdf"}

// PlaceInWords says where in a file something is, in words by which a person finds it: "page
// 3" or "line 21"; "": the file has neither.
func PlaceInWords(path string, page, line int) string {
	switch {
	case page > 0:
		return fmt.Sprintf("page %d", page)
	case line > 0 && !slices.Contains(laidOut, strings.ToLower(filepath.Ext(path))):
		return fmt.Sprintf("line %d", line)
	}
	return ""
}

// FormatNamed is the format that a file has by its name, as File has it: of a file that was not read yet, or cannot be.
func FormatNamed(path string) string { return extract.Named(path) }
