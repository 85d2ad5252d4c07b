package documents_test

import (
	"strings"
	"testing"

	"inglenook/app"
	"inglenook/app/documents"
	"inglenook/app/servers"
	"inglenook/remote/remotetest"
)

// TestServerRemoved: nothing of a collection goes to a server that nobody chose for it, also
// where that has a model of the same name. Chosen by hand, it is compared.
func TestServerRemoved(t *testing.T) {
	inBothStores(t, func(t *testing.T, address string) {
		d, other := remotetest.New(t), remotetest.New(t)
		c, dir := newComputer(t, address, "own", d), papers(t)
		c.index(dir)
		c.start(func(a *app.App) {
			_, err := a.Engines().Add(t.Context(), servers.AddRequest{Addresses: []string{other.URL}, Name: "rev"})
			c.do(err)
			c.do(a.Engines().Remove(t.Context(), "own"))
		})
		sent := len(other.Bodies())
		c.start(func(a *app.App) {
			docs := a.Documents()
			got, err := docs.Search(t.Context(), documents.SearchRequest{Text: "painted boat"})
			if err != nil || len(got.Files) == 0 || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "went by words alone") || !strings.Contains(got.Notes[0], "the server own was removed") {
				t.Errorf("found %d files, notes %q, error %v", len(got.Files), got.Notes, err)
			}
			if _, err := docs.Search(t.Context(), documents.SearchRequest{Text: "boat", Mode: documents.ModeVector}); err == nil || !strings.Contains(err.Error(), "the server own was removed") {
				t.Errorf("by meaning alone: %v", err)
			}
			if _, err := docs.Index(t.Context(), documents.IndexRequest{Collection: "Team"}, nil, nil); err == nil || !strings.Contains(err.Error(), "index --model") {
				t.Errorf("indexed: %v", err)
			}
			if _, _, err := docs.Meaning(t.Context(), "Team"); err == nil {
				t.Error("texts are compared")
			}
			if x, err := docs.Collection(t.Context(), "Team"); err != nil || x.Model != "own/some-embedder" {
				t.Errorf("%+v, error %v", x, err)
			}
		})
		if n := len(other.Bodies()) - sent; n != 0 {
			t.Errorf("the other server got %d requests", n)
		}
		c.start(func(a *app.App) {
			got, err := a.Documents().Index(t.Context(), documents.IndexRequest{Collection: "Team", Model: "rev/some-embedder"}, nil, nil)
			if err != nil || got.Unchanged != 3 || len(got.Notices) > 0 || got.Collection.Model != "rev/some-embedder" || other.Embedded(boat) != 0 {
				t.Errorf("chosen by hand: %+v, error %v", got, err)
			}
		})
		if got := c.search("who painted the boat"); !byMeaning(got) {
			t.Errorf("found %d files, notes %q", len(got.Files), got.Notes)
		}
	})
}
