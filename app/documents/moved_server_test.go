package documents_test

import (
	"strings"
	"testing"

	"inglenook/app"
	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/app/servers"
	"inglenook/documents/store/postgres/postgrestest"
	"inglenook/remote/remotetest"
)

// TestServerElsewhereNow: a server that is added again at another address gets nothing of a
// collection until it is chosen for it, also where the collection was never indexed; at its
// old address it goes on.
func TestServerElsewhereNow(t *testing.T) {
	inBothStores(t, func(t *testing.T, address string) {
		d, other := remotetest.New(t), remotetest.New(t)
		c, dir := newComputer(t, address, "own", d), papers(t)
		c.index(dir)
		c.start(func(a *app.App) {
			_, err := a.Documents().Add(t.Context(), documents.AddRequest{Collection: "New", Paths: []string{dir}, Model: "own/some-embedder"})
			c.do(err)
		})
		c.add(other)
		sent := len(other.Bodies())
		c.start(func(a *app.App) {
			docs := a.Documents()
			got, err := docs.Search(t.Context(), documents.SearchRequest{Text: "painted boat"})
			if err != nil || len(got.Files) == 0 || len(got.Notes) == 0 || !strings.Contains(got.Notes[0], "went by words alone") || !strings.Contains(got.Notes[0], "only if you say so") {
				t.Errorf("found %d files, notes %q, error %v", len(got.Files), got.Notes, err)
			}
			for _, name := range []string{"Team", "New"} {
				if _, err := docs.Index(t.Context(), documents.IndexRequest{Collection: name}, nil, nil); err == nil || !strings.Contains(err.Error(), "choose own/some-embedder for this collection") {
					t.Errorf("%s indexed: %v", name, err)
				}
				if _, _, err := docs.Meaning(t.Context(), name); err == nil {
					t.Errorf("texts of %s are compared", name)
				}
				if x, err := docs.Collection(t.Context(), name); err != nil || x.Ask != "own/some-embedder" {
					t.Errorf("%+v, error %v", x, err)
				}
			}
		})
		if n := len(other.Bodies()) - sent; n != 0 {
			t.Errorf("the other address got %d requests", n)
		}
		c.add(d)
		if got := c.index(dir); got.Unchanged != 3 || len(got.Notices) > 0 || got.Collection.Ask != "" {
			t.Errorf("at its old address: %+v", got)
		}
		c.add(other)
		if got := c.indexWith("own/some-embedder", dir); got.Unchanged != 3 || len(got.Notices) > 0 || got.Collection.Ask != "" || other.Embedded(boat) != 0 {
			t.Errorf("chosen: %+v", got)
		}
		if got := c.search("who painted the boat"); !byMeaning(got) {
			t.Errorf("found %d files, notes %q", len(got.Files), got.Notes)
		}
	})
}

// add adds the computer's server again, at the address of another one.
func (c computer) add(d *remotetest.Server) {
	c.t.Helper()
	c.start(func(a *app.App) {
		_, err := a.Engines().Add(c.t.Context(), servers.AddRequest{Addresses: []string{d.URL}, Name: c.server})
		c.do(err)
	})
}

// TestChoicesAreForgotten: what was chosen for a collection goes with it, moves with it, and ends
// with another model.
func TestChoicesAreForgotten(t *testing.T) {
	address := postgrestest.Database(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent") // no keyring
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	d := remotetest.New(t)
	c, dir := newComputer(t, "", "own", d), papers(t)
	c.index(dir)
	choices := func() (all map[string][]base.Choice) {
		c.change(func(x *base.Settings) { all = x.Documents.Choices })
		return all
	}
	before := choices()
	c.start(func(a *app.App) {
		_, err := a.Documents().Move(t.Context(), "Team", address, false, nil)
		c.do(err)
	})
	c.address = address
	after := choices()
	for id := range before {
		if len(before) != 1 || len(after) != 1 || after[id] != nil {
			t.Errorf("before %v, moved %v", before, after)
		}
	}
	if got := c.index(dir); got.Unchanged != 3 || len(got.Notices) > 0 {
		t.Errorf("moved: %+v", got)
	}
	c.start(func(a *app.App) {
		_, err := a.Documents().Index(t.Context(), documents.IndexRequest{Collection: "Team", Model: "starter-embed"}, nil, nil)
		c.do(err)
	})
	if all := choices(); len(all) != 0 {
		t.Errorf("with a model here: %v", all)
	}
	c.indexWith("own/some-embedder", dir)
	if all := choices(); len(all) != 1 {
		t.Errorf("chosen again: %v", all)
	}
	c.start(func(a *app.App) { c.do(a.Documents().Remove(t.Context(), "Team")) })
	if all := choices(); len(all) != 0 {
		t.Errorf("removed: %v", all)
	}
}
