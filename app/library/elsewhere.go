package library

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/app/servers"
	"inglenook/remote"
)

// elsewhere is the entry of a model of a server.
func (l *Service) elsewhere(m servers.Model) Entry {
	e := Entry{
		Model: Model{
			ID: m.ID, Name: m.ID, Source: SourceServer, Server: m.Server, Leaves: m.Leaves, Usable: true,
			Architecture: m.Model.ID, Dimension: m.Dimension, MaxLength: m.Context,
		},
		Location: Location{ID: m.ID, Name: m.ID, Source: SourceServer},
		Stamp:    l.servers.Stamp(m.Server),
		guessed:  m.Guessed,
	}
	e.Talks = m.Model.Writes
	switch m.Kind {
	case remote.Embedding:
		e.Kind = KindEmbedding
	case remote.Reranker:
		e.Kind = KindReranker
	default:
		e.Kind, e.Tools = KindChat, true
	}
	return e
}

// serverPlace finds NAME/MODEL where a server has that NAME. On the Hub it may be the name
// of an owner, so a model that lies here is meant where the server has none of that name.
func (l *Service) serverPlace(ctx context.Context, name string) (Location, error) {
	here, err := hubPlace(ctx, base.HubCache(), name)
	listed := slices.ContainsFunc(l.servers.Models(), func(m servers.Model) bool { return m.ID == name })
	switch server, _, _ := strings.Cut(name, "/"); {
	case err == nil && listed:
		return Location{}, fmt.Errorf("%s is a model of the server %s and also one of this computer; give that one by its path (%s), or add the server again with another name", name, server, base.ShortPath(here.Path))
	case err == nil:
		return here, nil
	}
	return Location{ID: name, Name: name, Source: SourceServer}, nil
}

// ChooseFor notes which model a person chose here to embed a collection.
func (l *Service) ChooseFor(collection string, e Entry) error {
	chosen := ""
	if e.Elsewhere() {
		chosen = e.ID
	}
	if l.settings.Settings().Documents.Embedders[collection] == chosen {
		return nil
	}
	return l.settings.SaveSettings(func(x *base.Settings) {
		if delete(x.Documents.Embedders, collection); chosen == "" {
			return
		}
		if x.Documents.Embedders == nil {
			x.Documents.Embedders = map[string]string{}
		}
		x.Documents.Embedders[collection] = chosen
	})
}

// NameHere returns how an embedder of a server is called on this computer. Others who share a
// collection may call its server something else, so where none has that name here, it is the
// one that a person chose here for this collection, if its model is called the same. known is
// false where there is none: another server is never taken without being asked for.
func (l *Service) NameHere(collection, name string) (here string, known bool) {
	if l.servers.Names(name) {
		return name, true
	}
	chosen := l.settings.Settings().Documents.Embedders[collection]
	_, model, _ := strings.Cut(name, "/")
	if _, same, ok := strings.Cut(chosen, "/"); ok && same == model && l.servers.Names(chosen) {
		return chosen, true
	}
	return name, false
}

// CanWrite reports whether the model may be asked to write: it is known to, or a server does
// not say what it is.
func (e Entry) CanWrite() bool { return e.Model.CanWrite() || e.guessed }

// Elsewhere reports whether the model runs on a server.
func (m Model) Elsewhere() bool { return m.Source == SourceServer }

// SentInWords says where texts go that are given to the model; "": it runs here.
func (m Model) SentInWords() string {
	switch {
	case !m.Elsewhere():
		return ""
	case m.Leaves == "":
		return "Runs in another program on this computer."
	}
	return fmt.Sprintf("Texts leave this computer: they are sent to %s.", m.Leaves)
}

// errElsewhere is about work that needs the files of a model.
func errElsewhere(name string) error {
	return errors.New(name + " runs on a server, so its files are not here, which this needs; choose a model on this computer")
}
