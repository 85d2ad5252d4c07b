package servers

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/pipeline"
	"inglenook/plain"
	"inglenook/remote"
)

// State is how an address of a server does.
type State = remote.State

// FormInWords names the form in which a server talks.
func FormInWords(form string) string { return remote.FormInWords(form) }

// Model is a model of a server.
type Model struct {
	ID     string // NAME/MODEL
	Server string // NAME
	Leaves string // the host that texts go to; "": they stay on this computer
	remote.Model
}

// Models lists the models of all servers, as they were when the servers were asked last.
func (s *Service) Models() (list []Model) {
	for _, x := range s.List() {
		for _, m := range x.Models {
			list = append(list, modelOf(x, m))
		}
	}
	return list
}

func modelOf(x base.Server, m remote.Model) Model {
	var addresses []remote.Address
	for _, text := range x.Addresses {
		if at, _, err := remote.ParseAddress(text); err == nil {
			addresses = append(addresses, at)
		}
	}
	return Model{ID: x.Name + "/" + m.ID, Server: x.Name, Leaves: leaves(addresses), Model: m}
}

// Names reports whether a name is that of a model of a server, which the server may not
// have.
func (s *Service) Names(id string) bool {
	name, _, ok := strings.Cut(id, "/")
	_, known := s.named(name)
	return ok && known
}

// Former reports whether a server of this name was removed.
func (s *Service) Former(name string) bool {
	_, known := s.named(name)
	return !known && slices.Contains(s.settings.Settings().FormerServers, name)
}

// Addresses are those of the server of a model; nil: there is no such server.
func (s *Service) Addresses(id string) []string {
	name, _, _ := strings.Cut(id, "/")
	x, _ := s.named(name)
	return x.Addresses
}

// ByName reports whether a collection that names a model of a server may use it without being
// asked: see base.Server.
func (s *Service) ByName(id string) bool {
	name, _, ok := strings.Cut(id, "/")
	x, known := s.named(name)
	return ok && known && !x.ByChoice
}

// Leaves names the hosts other than this computer that texts are sent to; "": there is none.
func Leaves(x base.Server) string { return modelOf(x, remote.Model{}).Leaves }

// Find returns the model of a name NAME/MODEL; false: no server has that NAME. A model
// that was not there when the server was asked last is looked for there.
func (s *Service) Find(ctx context.Context, id string) (Model, bool, error) {
	name, model, ok := strings.Cut(id, "/")
	if !ok {
		return Model{}, false, nil
	}
	for fresh := false; ; fresh = true {
		x, there := s.named(name)
		if !there {
			return Model{}, false, nil
		}
		for _, m := range x.Models {
			if m.ID == model {
				return modelOf(x, m), true, nil
			}
		}
		if fresh {
			return Model{}, true, fmt.Errorf("the server %s has no model %s; it has: %s", name, plain.Line(model, 80), known(x.Models))
		}
		c := s.check(ctx, x)
		if err := ctx.Err(); err != nil {
			return Model{}, true, err
		}
		if up := slices.IndexFunc(c.States, func(st State) bool { return st.Up }); up < 0 {
			return Model{}, true, fmt.Errorf("the model %s of the server %s is not known here: %s", plain.Line(model, 80), name, c.States[0].Why)
		}
	}
}

// known names the first models.
func known(models []remote.Model) string {
	const most = 8
	var names []string
	for i, m := range models {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(models)-most))
			break
		}
		names = append(names, m.ID)
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// server returns the server of a model, made anew where its settings changed.
func (s *Service) server(ctx context.Context, id string) (*remote.Server, remote.Model, error) {
	m, ok, err := s.Find(ctx, id)
	if err != nil {
		return nil, remote.Model{}, err
	}
	if !ok {
		name, _, _ := strings.Cut(id, "/")
		return nil, remote.Model{}, s.unknown(name)
	}
	x, there := s.named(m.Server)
	if !there {
		return nil, remote.Model{}, s.unknown(m.Server)
	}
	token := s.hub.Secret(ctx, secretOf(x.Name))
	network := s.hub.Network(ctx)
	of := fmt.Sprint(x.Addresses, x.Form, x.Prefix, token, network.Proxy, network.NoProxy)
	s.mu.Lock()
	defer s.mu.Unlock()
	if have, ok := s.open[x.Name]; ok && have.of == of {
		return have.server, m.Model, nil
	}
	var addresses []remote.Address
	for _, text := range x.Addresses {
		at, _, err := remote.ParseAddress(text)
		if err != nil {
			return nil, remote.Model{}, fmt.Errorf("an address of the server %s in the settings is damaged: %w", x.Name, err)
		}
		addresses = append(addresses, at)
	}
	o := s.options(ctx, token)
	o.Allowed = func() error { return s.stillAt(x) }
	made, err := remote.New(x.Name, x.Found, addresses, o)
	if err != nil {
		return nil, remote.Model{}, err
	}
	s.open[x.Name] = opened{made, of}
	return made, m.Model, nil
}

// GoneError is about a model of a server that was removed.
type GoneError struct{ Sentence string }

func (e *GoneError) Error() string { return e.Sentence }

// stillAt returns an error where a server was removed, or added again elsewhere, since one of its
// models was opened, also by another process: nothing more is sent there.
func (s *Service) stillAt(opened base.Server) error {
	switch now, there := s.named(opened.Name); {
	case !there:
		return &GoneError{fmt.Sprintf("the server %s was removed, so nothing more is sent to it; add it again, or choose another model", opened.Name)}
	case !slices.Equal(now.Addresses, opened.Addresses):
		return fmt.Errorf("the server %s is at another address now, so nothing more is sent to the one before; begin again", opened.Name)
	}
	return nil
}

// forget closes what was opened of a server.
func (s *Service) forget(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x, ok := s.open[name]; ok {
		_ = x.server.Close() // idle connections alone
		delete(s.open, name)
	}
}

// Stamp changes when a server is added again with other addresses, and when one of them has
// another model than before: what was opened there is opened again.
func (s *Service) Stamp(name string) string {
	x, there := s.named(name)
	if !there {
		return ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprint(x.Addresses, x.Form, x.Prefix, s.changes[name])
}

// changed notes that a server has another model than before.
func (s *Service) changed(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes[name]++
}

// Writer opens a model that writes. context is how much of it is used; 0: all.
func (s *Service) Writer(ctx context.Context, id string, context int) (pipeline.Writer, error) {
	server, m, err := s.server(ctx, id)
	if err != nil {
		return nil, err
	}
	return server.OpenWriter(m, context), nil
}

// Embedder is a model of a server that makes vectors.
type Embedder interface {
	pipeline.Embedder
	pipeline.TokenCounter
	Probe() [][]float32
	Like(probe [][]float32) (*remote.Embedder, bool)
}

// Embedder opens a model that makes vectors.
func (s *Service) Embedder(ctx context.Context, id string) (Embedder, error) {
	server, m, err := s.server(ctx, id)
	if err != nil {
		return nil, err
	}
	e, err := server.OpenEmbedder(ctx, m)
	if err != nil {
		return nil, err
	}
	name, _, _ := strings.Cut(id, "/")
	e.Changed = func() { s.changed(name) }
	return e, nil
}

// Reranker opens a model that scores texts.
func (s *Service) Reranker(ctx context.Context, id string) (pipeline.Reranker, error) {
	server, m, err := s.server(ctx, id)
	if err != nil {
		return nil, err
	}
	return server.OpenReranker(ctx, m)
}
