package server

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"

	"inglenook/app/library"
	"inglenook/plain"
)

// names keeps the list of models for a moment, because looking through all files
// takes longer than many a request.
type names struct {
	mu   sync.Mutex
	list []listed // that are here
	gone []listed // that the options name and that cannot be had, each with its err
	read time.Time
}

// listed is a model of the list.
type listed struct {
	library.Model
	asked string // how the options name it; "": they name none
	alias string // the name that it has in answers; "": its ID
	err   error  // why it cannot be had now; nil: it is here
}

// called reports whether a request may call the model so.
func (l listed) called(name string) bool { return name == l.ID || name == l.asked || name == l.alias }

// usualContext is the context in tokens where nobody asks for another one.
const usualContext = 4096

const namesAge = 5 * time.Second

// served lists the models that this server has. fresh looks again.
// A model of the options that cannot be had now is not on it.
func (s *Server) served(ctx context.Context, fresh bool) ([]listed, error) {
	list, _, err := s.look(ctx, fresh)
	return list, err
}

// look is served, and lists the models of the options that cannot be had beside those that can.
func (s *Server) look(ctx context.Context, fresh bool) (list, gone []listed, err error) {
	s.names.mu.Lock()
	defer s.names.mu.Unlock()
	age := time.Since(s.names.read)
	if age < time.Second || !fresh && age < namesAge {
		return s.names.list, s.names.gone, nil
	}
	if len(s.o.Models) == 0 {
		all, err := s.app.Models(ctx)
		if err != nil {
			return nil, nil, err
		}
		for _, m := range all {
			if m.Usable && !m.Elsewhere() {
				list = append(list, listed{Model: m})
			}
		}
	}
	for i, name := range s.o.Models {
		entry := listed{Model: s.names.known(name), asked: name}
		if i < len(s.o.Aliases) {
			entry.alias = s.o.Aliases[i]
		}
		m, err := s.app.Resolve(ctx, name)
		if err == nil && !m.Usable {
			m.Name = cmp.Or(entry.alias, m.Name)
			err = library.Unusable(m)
		}
		switch {
		case ctx.Err() != nil: // this says nothing about the model
			return nil, nil, ctx.Err()
		case err != nil:
			entry.err = err
			gone = append(gone, entry)
		default:
			entry.Model = m
			list = append(list, entry)
		}
	}
	s.names.list, s.names.gone, s.names.read = list, gone, time.Now()
	return list, gone, nil
}

// known is what was found of a model of the options when it was looked for last.
func (n *names) known(asked string) library.Model {
	for _, l := range slices.Concat(n.list, n.gone) {
		if l.asked == asked {
			return l.Model
		}
	}
	return library.Model{}
}

// shown returns the name of a model in answers: its alias, or else its ID.
func (s *Server) shown(m library.Model) string {
	s.names.mu.Lock()
	defer s.names.mu.Unlock()
	for _, l := range s.names.list {
		if l.ID == m.ID && l.alias != "" {
			return l.alias
		}
	}
	return m.ID
}

// find returns the model that a request names, or else the first one that fits. Only
// models of the list are found: no request makes us open another file of the disk.
func (c *call) find(name string, fits func(library.Model) bool) (library.Model, error) {
	if name == "" && len(c.o.Models) == 0 {
		return library.Model{}, wrong("model", "no model is named; GET /v1/models lists them")
	}
	meant := func(m listed) bool { return m.called(name) }
	if name == "" {
		meant = func(m listed) bool { return m.ID == "" || fits(m.Model) } // one that was never found may be that
	}
	var list, gone []listed
	for _, fresh := range []bool{false, true} {
		var err error
		if list, gone, err = c.look(c.r.Context(), fresh); err != nil {
			return library.Model{}, err
		}
		if i := slices.IndexFunc(list, meant); i >= 0 {
			return c.found(list[i]), nil
		}
	}
	switch i := slices.IndexFunc(gone, meant); {
	case name != "" && c.o.AnyName:
		return c.find("", fits)
	case i >= 0:
		return library.Model{}, gone[i].err
	case name == "" && len(list) > 0:
		return c.found(list[0]), nil // its caller says what that is made for
	case name == "":
		return library.Model{}, gone[0].err
	}
	return library.Model{}, noModel("there is no model “" + plain.Line(name, 100) + "” here; " + whichAreHere)
}

// found notes which model a request means.
func (c *call) found(m listed) library.Model {
	c.note.Model = m.ID
	c.activity.progress(c)
	return m.Model
}

func anyModel(library.Model) bool { return true }

// writes returns the model of a request if it writes text: with a chat template, or plain text.
func (c *call) writes(name string, text bool) (library.Model, error) {
	m, err := c.find(name, library.Model.CanWrite)
	switch {
	case err != nil:
	case !m.CanWrite():
		err = wrong("model", "%s cannot write text: it is made for %s", m.Name, library.KindInWords(m.Kind))
	case m.Kind == library.KindText && !text:
		err = wrong("model", "%s continues texts and cannot chat, because it has no chat template; use /v1/completions", m.Name)
	}
	return m, err
}

// reads returns the model of a request if it makes vectors or scores.
func (c *call) reads(name string) (library.Model, error) {
	m, err := c.find(name, func(m library.Model) bool { return !m.Writes() })
	if err == nil && m.Writes() {
		err = wrong("model", "%s is made for %s; choose an embedder or a reranker", m.Name, library.KindInWords(m.Kind))
	}
	return m, err
}

// modelJSON is a model as /v1/models lists it. What OpenAI's clients do not know
// tells chat models and embedders apart.
type modelJSON struct {
	ID           string   `json:"id"`
	Object       string   `json:"object"`
	Created      int64    `json:"created"`
	OwnedBy      string   `json:"owned_by"`
	Name         string   `json:"display_name"`
	Type         string   `json:"type"`
	Capabilities []string `json:"capabilities"`
	Context      int      `json:"context_length"`
	Dimension    int      `json:"dimension,omitempty"`
	Loaded       bool     `json:"loaded"`
}

func (s *Server) modelJSON(m library.Model) modelJSON {
	can := []string{}
	switch m.Kind {
	case library.KindChat, library.KindTask:
		can = append(can, "chat", "completion")
		if m.Tools {
			can = append(can, "tools")
		}
	case library.KindText:
		can = append(can, "completion")
	case library.KindReranker:
		can = append(can, "rerank")
	case library.KindEmbedding, library.KindEncoder:
		can = append(can, "embedding", "rerank")
	}
	if m.Talks {
		can = append(can, "chat", "completion")
	}
	loaded := false
	for _, open := range s.app.OpenModels() {
		loaded = loaded || open.Model == m.ID
	}
	out := modelJSON{ID: s.shown(m), Object: "model", Created: s.began.Unix(), OwnedBy: "inglenook", Name: m.Name, Type: m.Kind, Capabilities: can, Context: m.MaxLength, Loaded: loaded}
	if m.Writes() {
		out.Context = min(cmp.Or(s.o.Target.Context, usualContext), cmp.Or(m.MaxLength, usualContext))
	} else {
		out.Dimension = m.Dimension
	}
	return out
}

func (c *call) listModels() error {
	list, err := c.served(c.r.Context(), true)
	if err != nil {
		return err
	}
	data := []modelJSON{}
	for _, m := range list {
		data = append(data, c.modelJSON(m.Model))
	}
	return c.writeJSON(http.StatusOK, map[string]any{"object": "list", "data": data})
}

func (c *call) showModel() error {
	m, err := c.find(c.tail, anyModel)
	if err != nil {
		return err
	}
	return c.writeJSON(http.StatusOK, c.modelJSON(m))
}

// health says that the server answers. It tells nothing that needs a token.
func (c *call) health() error {
	return c.writeJSON(http.StatusOK, map[string]string{"status": "ok"})
}
