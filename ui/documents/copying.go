package documents

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"inglenook/app/documents"
)

// answerOf is what answers in a passage, as its document has it: a sentence, or a row of a table below the row
// that names the columns. Where nothing is known to answer it is all of the passage.
func answerOf(h hit) string {
	r := h.result
	at := r.Marked()
	answer := strings.TrimSpace(r.Text[at.Start:at.End])
	if answer == "" {
		return strings.TrimSpace(r.Text)
	}
	if names := namesOver(r, h.file.File.Format, at.Start); names != "" {
		return names + "\n" + answer
	}
	return answer
}

// namesOver is the row that names the columns of a table, above a place of a passage; "": there is none.
func namesOver(r documents.Result, format string, at int) string {
	above := strings.TrimPrefix(r.Text[:at], "\ufeff")
	switch {
	case slices.Contains(documents.TableFormats, format):
		if first, _, _ := strings.Cut(above, "\n"); r.Start == 0 {
			return strings.TrimSpace(first)
		}
		return headerOf(r.Context)
	case format == "markdown" && strings.HasPrefix(r.Text[at:], "|"):
		table := above[strings.LastIndex("\n\n"+above, "\n\n"):]
		if names := strings.TrimSpace(table); strings.HasPrefix(names, "|") {
			first, rest, _ := strings.Cut(names, "\n")
			rule, _, _ := strings.Cut(rest, "\n")
			return first + "\n" + rule
		}
		return headerOf(r.Context)
	}
	return ""
}

// quotation is what answers in a passage with its source, for the clipboard.
func quotation(h hit) string { return quoted(answerOf(h), h, spot(h.result)) }

// wholeQuotation is a whole passage with its source.
func wholeQuotation(h hit) string {
	r := h.result
	r.Best, r.Matches = documents.Span{}, nil
	return quoted(strings.TrimSpace(r.Text), h, spot(r))
}

func quoted(text string, h hit, place string) string {
	source := nameOf(h.file.File)
	if place != "" {
		source += ", " + place
	}
	return "“" + text + "”\n— " + source
}

// copied puts something of a passage on the clipboard, and says so.
func (s *session) copied(text, said string) {
	if s.Copy(text, "passage.txt") {
		s.Tell(said)
	}
}

// offers are what can be done with a passage, for a menu. Of a whole document there is nothing to copy.
func (s *session) offers(h hit, openFile func(path string)) []*fyne.MenuItem {
	open := fyne.NewMenuItem("Open in its app", func() { openFile(h.file.File.Path) })
	if h.result.Text == "" {
		return []*fyne.MenuItem{open}
	}
	return []*fyne.MenuItem{
		fyne.NewMenuItem("Copy", func() { s.copied(answerOf(h), "Copied what answers.") }),
		fyne.NewMenuItem("Copy with source", func() { s.copied(quotation(h), "Copied what answers with its source.") }),
		fyne.NewMenuItem("Copy the whole passage", func() { s.copied(wholeQuotation(h), "Copied the passage with its source.") }),
		open,
	}
}
