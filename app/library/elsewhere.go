package library

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/app/servers"
	"inglenook/plain"
	"inglenook/regular"
	"inglenook/remote"
)

// elsewhere is the entry of a model of a server, without its stamp.
func elsewhere(m servers.Model) Entry {
	e := Entry{
		Model: Model{
			ID: m.ID, Name: m.ID, Source: SourceServer, Server: m.Server, Leaves: m.Leaves, Usable: true,
			Architecture: m.Model.ID, Dimension: m.Dimension, MaxLength: m.Context,
		},
		Location: Location{ID: m.ID, Name: m.ID, Source: SourceServer},
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

// serverPlace finds NAME/MODEL where a server has that NAME. It may also be the path of a folder or
// file, or on the Hub the name of an owner, so a model that lies here is meant where the server has
// none of that name.
func (l *Service) serverPlace(ctx context.Context, name string) (Location, error) {
	here, path, err := l.besideServer(ctx, name)
	switch server, _, _ := strings.Cut(name, "/"); {
	case err != nil:
		return Location{ID: name, Name: name, Source: SourceServer}, nil
	case path && l.listed(name):
		return Location{}, fmt.Errorf("%s is a model of the server %s and also a folder or file here; give that one as ./%s, or add the server again with another name", name, server, name)
	case l.listed(name):
		return Location{}, fmt.Errorf("%s is a model of the server %s and also one of this computer; give that one by its path (%s), or add the server again with another name", name, server, base.ShortPath(here.Path))
	case path: // as it was before the server was added
		return pathPlace(ctx, name)
	}
	return here, nil
}

// besideServer is where a model lies on this computer whose name may be that of one of a server: at
// that path, which pathPlace looks at, or else in the Hub's folder.
func (l *Service) besideServer(ctx context.Context, name string) (hub Location, path bool, err error) {
	if _, err := regular.Stat(ctx, name); err == nil {
		var no *NotModelError
		if _, err := pathPlace(ctx, name); !errors.As(err, &no) {
			return Location{}, true, nil
		}
	}
	_, hub, err = l.inFolders(ctx, name)
	return hub, false, err
}

// formerly is the error about a model of a server that was removed, nil about another one.
func (l *Service) formerly(name string) error {
	server, model, _ := strings.Cut(name, "/")
	if model == "" || !l.servers.Former(server) {
		return nil
	}
	return &servers.GoneError{Sentence: fmt.Sprintf("the server %s, which had the model %s, was removed; choose another model, or add that server again under this name", server, plain.Line(model, 100))}
}

// listed reports whether a server had the model when it was asked last.
func (l *Service) listed(name string) bool {
	return slices.ContainsFunc(l.servers.Models(), func(m servers.Model) bool { return m.ID == name })
}

// Moved reports whether a model of a server is to be opened anew: the server is at another address
// than when the stamp was made, has another model, or was removed.
func (l *Service) Moved(m Model, stamp string) bool {
	return m.Elsewhere() && l.servers.Stamp(m.Server) != stamp
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
