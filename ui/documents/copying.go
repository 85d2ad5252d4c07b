package documents

import (
	"strings"

	"fyne.io/fyne/v2"

	"inglenook/app/documents"
	"inglenook/documents/shape"
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
	table, _ := shape.TableAt(r.Chunk, h.file.File.Format, at.Start)
	if _, isRow := table.RowAt(at.Start); isRow && table.Names != "" {
		return table.Names + "\n" + answer
	}
	return answer
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

// askAbout asks a model about a passage, with the question that found it. The names of columns are a part of
// the passage.
func (s *session) askAbout(h hit) {
	text := h.result.Text
	if names := shape.Header(h.result.Context); names != "" {
		text = names + "\n" + text
	}
	s.AskAbout(nameOf(h.file.File), strings.TrimSpace(text), s.of.query)
}

// offers are what can be done with a passage, for a menu. Of a whole document there is nothing to copy.
func (s *session) offers(h hit, openFile func(path string, page int)) []*fyne.MenuItem {
	open := fyne.NewMenuItem("Open in its app", func() { openFile(h.file.File.Path, h.result.Page) })
	if h.result.Text == "" {
		return []*fyne.MenuItem{open}
	}
	return []*fyne.MenuItem{
		fyne.NewMenuItem("Copy", func() { s.copied(answerOf(h), "Copied what answers.") }),
		fyne.NewMenuItem("Copy with source", func() { s.copied(quotation(h), "Copied what answers with its source.") }),
		fyne.NewMenuItem("Ask about this in Chat", func() { s.askAbout(h) }),
		fyne.NewMenuItem("Copy the whole passage", func() { s.copied(wholeQuotation(h), "Copied the passage with its source.") }),
		open,
	}
}
