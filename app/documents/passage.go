package documents

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"inglenook/app/base"
	text "inglenook/documents"
	"inglenook/documents/extract"
	"inglenook/documents/store"
	"inglenook/regular"
)

// Opened is a passage in its document.
type Opened struct {
	Document text.Document // as the file is now
	Passage  Span          // of Document.Text; empty where the file no longer has it
	Changed  bool          // the file is not what was indexed
}

// Whole is a result that stands for a whole file, for Open. It is no passage: id tells it from others.
func Whole(f File, collection string, id int64) Result {
	return Result{Collection: collection, Passage: store.Passage{ID: id, Files: []store.File{f}}}
}

// Open reads the file of a result again, for a view of the passage in its document.
// The passage is found again in a file that has changed, if it is still in it. Where
// the file cannot be read, the document is the passage alone, with the reason as its
// note.
func (s *Service) Open(ctx context.Context, r Result) (Opened, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return Opened{}, err
	}
	defer done()
	if len(r.Files) == 0 {
		return Opened{}, errors.New("the passage belongs to no file any more; search again")
	}
	f := r.Files[0]
	changed, err := HasChanged(ctx, f)
	if err != nil {
		return alone(r, base.FileError(f.Path, err)), nil
	}
	doc, err := s.readFile(ctx, f.Path)
	if ctx.Err() != nil {
		return Opened{}, ctx.Err()
	}
	if err != nil {
		return alone(r, err), nil
	}
	place := placeOf(doc, r)
	if f.Modified.IsZero() { // whoever asks knows no more than the passage, which tells whether it is still there
		changed = place == (Span{}) && r.Text != ""
	}
	return Opened{Document: doc, Passage: place, Changed: changed}, nil
}

// HasChanged reports whether a file is another one than that which was indexed, by size and
// time. The error is that of a file which cannot be reached.
func HasChanged(ctx context.Context, f store.File) (bool, error) {
	info, err := regular.Stat(ctx, f.Path)
	if err != nil {
		return false, err
	}
	return info.Size() != f.Size || !info.ModTime().Equal(f.Modified), nil
}

// placeOf finds a passage in a document: where it was, or else its text.
func placeOf(doc text.Document, r Result) Span {
	if r.End <= len(doc.Text) && doc.Text[r.Start:r.End] == r.Text {
		return Span{Start: r.Start, End: r.End}
	}
	if at := strings.Index(doc.Text, r.Text); at >= 0 {
		return Span{Start: at, End: at + len(r.Text)}
	}
	return Span{}
}

// alone is a passage whose file cannot be read.
func alone(r Result, why error) Opened {
	return Opened{
		Document: text.Document{
			Title: r.Files[0].Title, Format: r.Files[0].Format, Text: r.Text, Notes: []string{"Only the passage can be shown: " + why.Error() + "."},
			Blocks: []text.Block{{End: len(r.Text), Page: r.Page, Line: 1}},
		},
		Passage: Span{End: len(r.Text)}, Changed: true,
	}
}

// Place is where a passage was found before.
type Place struct {
	Collection string // its id
	ID         int64
	Path       string
	Text       string // the passage, or a piece of it
	Start      int    // of Text, in the document's text
	Page, Line int
	Best       Span // of Text; empty: unknown
}

// Passage returns a passage that was found before as a result, with which Open opens its
// document. The collection must still have the file; the passage itself may have changed.
func (s *Service) Passage(ctx context.Context, p Place) (Result, error) {
	ctx, c, done, err := s.enterOf(ctx, p.Collection)
	if err != nil {
		return Result{}, err
	}
	defer done()
	r := Result{Collection: c.ID()}
	r.ID, r.Text, r.Start, r.End, r.Page, r.Line = p.ID, p.Text, p.Start, p.Start+len(p.Text), p.Page, p.Line
	r.Best = p.Best
	f, ok, err := c.File(ctx, p.Path)
	switch {
	case err != nil:
		return Result{}, base.InContext(ctx, s.sentence(err))
	case !ok || f.State != store.Indexed:
		return Result{}, fmt.Errorf("%s is not in “%s” any more; the conversation keeps the text of the passage", base.ShortPath(p.Path), c.Name())
	}
	r.Files = []store.File{f}
	return r, nil
}

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

// IsCode reports whether the lines and indents of a format are what a person reads, so that they are kept as they are.
func IsCode(format string) bool { return format == "source" || format == "json" }
