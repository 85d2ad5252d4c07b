package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"inglenook/app/documents"
	"inglenook/chats"
	"inglenook/plain"
)

// PartPassage is the kind of a part that is a passage of a document. Its Name says where
// it is from, as in "handbook.pdf, page 3"; its Text is the passage as it is sent.
const PartPassage = chats.PartPassage

// Source is where a passage is from.
type Source struct {
	Collection string  `json:"collection"` // its id
	ID         int64   `json:"id"`         // of the passage in the collection
	Path       string  `json:"path"`       // of the file
	Page       int     `json:"page,omitempty"`
	Line       int     `json:"line,omitempty"`
	Start      int     `json:"start"` // of the passage, in bytes of the document's text
	End        int     `json:"end"`
	Title      string  `json:"title,omitempty"`   // of the document
	Heading    string  `json:"heading,omitempty"` // the path of headings above the passage
	Columns    string  `json:"columns,omitempty"` // the row above the passage that names the columns of the table it begins in
	Before     bool    `json:"before,omitempty"`  // the document's passage begins before the part's text
	After      bool    `json:"after,omitempty"`   // and goes on behind it
	Score      float64 `json:"score"`             // by which the passages were ordered
	Room       int     `json:"room,omitempty"`    // tokens that the passages of the question were chosen for; 0: the person chose them, or it is not known
	Unsure     bool    `json:"unsure,omitempty"`  // it is close to the question, and may not answer it
	Best       Span    `json:"best"`              // the sentence of the part's text that answers best; empty: unknown
}

// Span is a part of a text, in bytes.
type Span = documents.Span

// SourceOf returns where a passage is from. It reports false for another kind of part, and
// for one whose record is damaged: then only its name is known.
func SourceOf(p Part) (Source, bool) {
	var s Source
	if p.Kind != PartPassage || json.Unmarshal(p.Data, &s) != nil {
		return Source{}, false
	}
	if s.Collection == "" || s.Path == "" || s.Start < 0 || s.End < s.Start || s.Page < 0 || s.Line < 0 || math.IsNaN(s.Score) {
		return Source{}, false
	}
	if !within(s.Best, p.Text) {
		s.Best = Span{}
	}
	return s, true
}

// Passages are the parts of a message that are passages, in order.
func Passages(parts []Part) []Part {
	var list []Part
	for _, p := range parts {
		if p.Kind == PartPassage {
			list = append(list, p)
		}
	}
	return list
}

// Found is a passage of a message as a result of a search, with which the document can be
// opened: see documents.Service.Open. The file must still be one of the collection's, since
// a conversation that somebody else exported may name any file.
func (s *Service) Found(ctx context.Context, p Part) (documents.Result, error) {
	from, ok := SourceOf(p)
	if !ok {
		return documents.Result{}, errors.New("it is not known where this passage is from, as its record is damaged; search for its words in Documents")
	}
	return s.papers.Passage(ctx, documents.Place{Collection: from.Collection, ID: from.ID, Path: from.Path, Text: p.Text, Start: from.Start, Page: from.Page, Line: from.Line, Best: from.Best})
}

// maxNameBytes bounds the name of a passage, which is also shown to the model.
const maxNameBytes = 120

// partOf is a passage that was found, as a part with a text that is all of it or a piece
// that begins at the byte at.
func partOf(r documents.Result, at int, text string) (Part, error) {
	f := r.Files[0]
	best := r.Marked()
	s := Source{
		Collection: r.Collection, ID: r.ID, Path: f.Path, Page: r.Page, Line: r.LineAt(at), Start: r.Start + at, End: r.Start + at + len(text),
		Title: f.Title, Heading: headingOf(r), Before: at > 0, After: strings.TrimSpace(r.Text[min(at+len(text), len(r.Text)):]) != "", Score: r.Score, Best: Span{Start: best.Start - at, End: best.End - at},
	}
	if !within(s.Best, text) {
		s.Best = Span{}
	}
	if columns, _ := tableAt(r, at); !strings.HasPrefix(text, columns) {
		s.Columns = columns
	}
	data, err := json.Marshal(s)
	if err != nil {
		return Part{}, fmt.Errorf("the passage of %s cannot be kept: %w", filepath.Base(f.Path), err)
	}
	return Part{Kind: PartPassage, Name: sectionOf(r, nameOf(s, text)), Text: text, Data: data}, nil
}

// LineAt is the line of a byte of the passage's text, from 1; 0: it is not known.
func (s Source) LineAt(text string, at int) int {
	var r documents.Result
	r.Text, r.Line = text, s.Line
	return r.LineAt(at)
}

// nameOf says in one line where a passage is from: the place of its best sentence.
func nameOf(s Source, text string) string {
	name, line := plain.Line(filepath.Base(s.Path), maxNameBytes), s.LineAt(text, s.Best.Start)
	if place := documents.PlaceInWords(s.Path, s.Page, line); place != "" && (s.Page > 0 || line > 1) {
		return name + ", " + place
	}
	return name
}

// sectionOf adds to the name of a passage without a page or a line the section that its best sentence is in.
func sectionOf(r documents.Result, name string) string {
	headings := r.HeadingsAt(r.Best.Start)
	if len(headings) == 0 || documents.PlaceInWords(r.Files[0].Path, r.Page, r.Line) != "" {
		return name
	}
	section := headings[len(headings)-1]
	if strings.EqualFold(section, r.Files[0].Title) {
		return name
	}
	return plain.Line(name+" · "+section, maxNameBytes)
}

// within reports whether a span lies in a text and is not empty.
func within(s Span, text string) bool { return 0 <= s.Start && s.Start < s.End && s.End <= len(text) }

// aged returns a sentence for each file of the passages that is not what was indexed any
// more. The window keeps collections in step with their files; a terminal does not.
func aged(ctx context.Context, collectionOf func(documents.Result) string, passages []Part, found []documents.Result) (notes []string) {
	seen := map[string]bool{}
	for _, p := range passages {
		from, _ := SourceOf(p)
		i := slices.IndexFunc(found, func(r documents.Result) bool { return r.ID == from.ID })
		if i < 0 || seen[from.Path] {
			continue
		}
		seen[from.Path] = true
		changed, err := documents.HasChanged(ctx, found[i].Files[0])
		switch name := plain.Line(p.Name, maxNameBytes); {
		case errors.Is(err, fs.ErrNotExist):
			notes = append(notes, fmt.Sprintf("%s is gone; this is what was read of it. Index “%s” again.", name, collectionOf(found[i])))
		case changed:
			notes = append(notes, fmt.Sprintf("%s has changed since it was read; index “%s” again to ask the new text.", name, collectionOf(found[i])))
		}
	}
	return notes
}
