package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"inglenook/app/documents"
	"inglenook/plain"
)

// Own is the server of the tools for the person's own documents. It is a part of the
// program, and there only while a collection has files.
const Own = "Your documents"

// What the tools for documents are called.
const (
	searchTool = "search_documents"
	readTool   = "read_passage"
)

// Documents are the collections that can be searched. *documents.Service is one.
type Documents interface {
	Collections(ctx context.Context) ([]documents.Collection, error)
	Search(ctx context.Context, r documents.SearchRequest) (documents.SearchResult, error)
}

const (
	foundPassages = 5
	shownPassage  = 300 // characters of a passage that was found; all of it is read with its number
	keptPassages  = 500
)

// papers are the tools for documents. Each passage that was found has a number, by which
// it can be read until the program ends.
type papers struct {
	documents Documents // nil: there are none

	mu    sync.Mutex
	last  int
	found map[int]documents.Result
}

// offered returns the tools, where there is something to search.
func (p *papers) offered(ctx context.Context) ([]Tool, error) {
	if p.documents == nil {
		return nil, nil
	}
	all, err := p.documents.Collections(ctx)
	if err != nil {
		return nil, fmt.Errorf("the documents cannot be searched by the model: %w", err)
	}
	var names []any
	for _, c := range all {
		if c.Files > 0 {
			names = append(names, plain.Line(c.Name, 80))
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	text := func(what string) map[string]any { return map[string]any{"type": "string", "description": what} }
	where := text("the collection to search; leave it out to search all")
	where["enum"] = names
	search := map[string]any{"type": "object", "required": []any{"query"}, "properties": map[string]any{"query": text("a question, or words to look for"), "collection": where}}
	read := map[string]any{"type": "object", "required": []any{"number"}, "properties": map[string]any{"number": map[string]any{"type": "integer", "description": "the number that the search gave the passage"}}}
	var list []Tool
	for _, t := range []struct {
		name, description string
		schema            any
	}{
		{searchTool, "Searches the person's own documents and returns the beginnings of the best passages, each with a number.", search},
		{readTool, "Returns the whole passage of a number.", read},
	} {
		parameters, err := json.Marshal(t.schema)
		if err != nil {
			return nil, err
		}
		list = append(list, Tool{Server: Own, Name: t.name, Called: t.name, Description: t.description, Parameters: parameters})
	}
	return list, nil
}

// call runs one of the tools. The error is that of ctx.
func (p *papers) call(ctx context.Context, name string, values map[string]any, limit int) (Result, error) {
	switch {
	case p.documents == nil:
	case name == searchTool:
		return p.search(ctx, values, limit)
	case name == readTool:
		return p.read(values, limit), nil
	}
	return failure("There is no tool of this name."), nil
}

func (p *papers) search(ctx context.Context, values map[string]any, limit int) (Result, error) {
	query, _ := values["query"].(string)
	r := documents.SearchRequest{Text: query, Limit: foundPassages}
	if name, ok := values["collection"].(string); ok && name != "" {
		r.Collections = []string{name}
	}
	found, err := p.documents.Search(ctx, r)
	switch {
	case ctx.Err() != nil:
		return Result{}, ctx.Err()
	case errors.Is(err, documents.ErrEmptySearch):
		return failure("The query is empty; give a question or words to look for."), nil
	case err != nil:
		return failure("The search failed: %s", plain.Line(err.Error(), 300)), nil
	}
	var list []documents.Result
	for _, f := range found.Files {
		list = append(list, f.Passages...)
	}
	list = slices.DeleteFunc(list, func(r documents.Result) bool { return len(r.Files) == 0 })
	slices.SortStableFunc(list, func(a, b documents.Result) int { return -compare(a.Score, b.Score) })
	if len(list) == 0 {
		return Result{Text: "Nothing was found."}, nil
	}
	var text strings.Builder
	for _, r := range list[:min(len(list), foundPassages)] {
		fmt.Fprintf(&text, "%d. %s: %s\n", p.number(r), placeOf(r), plain.Line(r.Text, shownPassage))
	}
	return Result{Text: Cut(text.String(), limit)}, nil
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// number gives a passage a number, or tells the one that it has.
func (p *papers) number(r documents.Result) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for n, old := range p.found {
		if old.Collection == r.Collection && old.ID == r.ID {
			p.found[n] = r
			return n
		}
	}
	if p.found == nil {
		p.found = map[int]documents.Result{}
	}
	p.last++
	p.found[p.last] = r
	delete(p.found, p.last-keptPassages)
	return p.last
}

func (p *papers) read(values map[string]any, limit int) Result {
	n, _ := values["number"].(float64)
	p.mu.Lock()
	r, ok := p.found[int(n)]
	p.mu.Unlock()
	if !ok {
		return failure("No passage has this number; search first.")
	}
	return Result{Text: Cut(placeOf(r)+"\n"+r.Text, limit)}
}

// placeOf says in one line where a passage is from.
func placeOf(r documents.Result) string {
	path := r.Files[0].Path
	name := plain.Line(filepath.Base(path), 120)
	if place := documents.PlaceInWords(path, r.Page, r.Line); place != "" && (r.Page > 0 || r.Line > 1) {
		name += ", " + place
	}
	return name
}
