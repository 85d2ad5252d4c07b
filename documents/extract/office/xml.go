package office

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html/charset"

	"inglenook/documents/extract/format"
)

// An element is one event of an XML file: the start or the end of an element, or
// text in it.
type element struct {
	name  string // without the name space
	kind  eventKind
	attrs []xml.Attr
	text  string
	path  []string // names of the open elements, outermost first, with this one
	skip  bool     // set by the visitor: leave out what is in it
}

type eventKind uint8

const (
	startEvent eventKind = iota
	endEvent
	textEvent
)

func (e *element) start(name string) bool { return e.kind == startEvent && e.name == name }

func (e *element) end(name string) bool { return e.kind == endEvent && e.name == name }

// attr returns an attribute by its name without the name space.
func (e *element) attr(name string) string {
	for _, a := range e.attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// parent is the name of the element around this one.
func (e *element) parent() string {
	if len(e.path) < 2 {
		return ""
	}
	return e.path[len(e.path)-2]
}

// within reports whether an element of the name is open.
func (e *element) within(name string) bool {
	for _, open := range e.path {
		if open == name {
			return true
		}
	}
	return false
}

// walkXML visits the events of an XML file of the archive, in order. Entities that
// a file declares are not expanded, and nothing it refers to is opened.
func (a *Archive) walkXML(ctx context.Context, name string, visit func(*element) error) error {
	r, err := a.Open(ctx, name)
	if err != nil {
		return err
	}
	defer r.Close()
	return walk(ctx, r, a.limits.Depth, visit)
}

func walk(ctx context.Context, r io.Reader, depth int, visit func(*element) error) error {
	decoder := xml.NewDecoder(r)
	decoder.Strict = false
	decoder.CharsetReader = func(label string, input io.Reader) (io.Reader, error) {
		if strings.EqualFold(label, "utf-16") { // the decoder only gets here after reading it as ASCII
			return input, nil
		}
		return charset.NewReaderLabel(label, input)
	}
	e := &element{}
	skipping := 0 // the depth of the element that is left out
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return format.DamagedBy(err)
		}
		e.attrs, e.text, e.skip = nil, "", false
		switch t := token.(type) {
		case xml.StartElement:
			e.kind, e.name, e.attrs = startEvent, t.Name.Local, t.Attr
			e.path = append(e.path, e.name)
			if len(e.path) > depth {
				return format.Errorf(format.TooLarge, "its elements are nested more than %d deep", depth)
			}
		case xml.EndElement:
			e.kind, e.name = endEvent, t.Name.Local
		case xml.CharData:
			if len(e.path) == 0 {
				continue
			}
			e.kind, e.text, e.name = textEvent, string(t), e.path[len(e.path)-1]
		default:
			continue
		}
		if skipping == 0 || e.kind == endEvent && len(e.path) == skipping {
			if err := visit(e); err != nil {
				return err
			}
			if e.skip && e.kind == startEvent {
				skipping = len(e.path)
			}
		}
		if e.kind == endEvent {
			if len(e.path) == skipping {
				skipping = 0
			}
			e.path = e.path[:max(0, len(e.path)-1)]
		}
	}
}
