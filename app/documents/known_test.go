package documents_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"inglenook/app"
	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/app/servers"
	"inglenook/cpubackend/scan"
	text "inglenook/documents"
	"inglenook/documents/store"
	"inglenook/documents/store/postgres"
	"inglenook/documents/store/postgres/postgrestest"
	"inglenook/documents/store/sqlite"
	"inglenook/remote/remotetest"
)

// computer is one that has a server's embedder and a collection, here or in a database.
type computer struct {
	t       *testing.T
	home    string
	address string // of the database; "": the collections lie in home
	server  string // how the server is called there
}

// newComputer returns one that has added a server with some addresses.
func newComputer(t *testing.T, address, server string, doubles ...*remotetest.Server) computer {
	c := computer{t, t.TempDir(), address, server}
	c.start(func(a *app.App) {
		var at []string
		for _, d := range doubles {
			at = append(at, d.URL)
		}
		_, err := a.Engines().Add(t.Context(), servers.AddRequest{Addresses: at, Name: server})
		c.do(err)
	})
	return c
}

// start runs the program once.
func (c computer) start(do func(a *app.App)) {
	c.t.Helper()
	a, err := app.New(app.Options{Home: c.home})
	if err == nil {
		err = a.Documents().UseDatabase(c.address)
	}
	if err != nil {
		c.t.Error(err)
		return
	}
	do(a)
	if err := a.Close(context.Background()); err != nil {
		c.t.Error(err)
	}
}

// index runs the program to bring the collection Team in step with a folder.
func (c computer) index(dir string) documents.IndexResult { return c.indexWith("", dir) }

// indexWith names the model too; "" is the one that the collection has.
func (c computer) indexWith(model, dir string) (got documents.IndexResult) {
	c.t.Helper()
	c.start(func(a *app.App) {
		_, err := a.Documents().Add(c.t.Context(), documents.AddRequest{Collection: "Team", Paths: []string{dir}, Model: c.server + "/some-embedder"})
		if err == nil {
			got, err = a.Documents().Index(c.t.Context(), documents.IndexRequest{Collection: "Team", Model: model}, nil, nil)
		}
		if err != nil {
			c.t.Error(err)
		}
	})
	return got
}

// search runs the program to look for a text by its meaning.
func (c computer) search(text string) (got documents.SearchResult) {
	c.t.Helper()
	c.start(func(a *app.App) {
		var err error
		if got, err = a.Documents().Search(c.t.Context(), documents.SearchRequest{Text: text, Mode: documents.ModeVector}); err != nil {
			c.t.Error(err)
		}
	})
	return got
}

// another puts another model behind the same name.
func another(d *remotetest.Server, seed uint64) {
	d.Lock()
	defer d.Unlock()
	d.Seed = seed
}

// inBothStores runs a test with the collections of this computer, and with a database where
// there is one.
func inBothStores(t *testing.T, test func(t *testing.T, address string)) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent") // no keyring
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	t.Run("here", func(t *testing.T) { test(t, "") })
	t.Run("database", func(t *testing.T) { test(t, postgrestest.Database(t)) })
}

// boat is a passage of papers as it is embedded.
var boat = text.Chunk{Context: "boat", Text: "The blue boat was painted in May and lies in the harbour."}.Input()

// byMeaning reports whether a search compared the vectors of all three papers, and had
// nothing to note.
func byMeaning(r documents.SearchResult) bool { return len(r.Notes) == 0 && len(r.Files) == 3 }

// TestServerModelChanges: another model under the same name is noticed where nothing has
// changed otherwise, and the one before fits again when it is back.
func TestServerModelChanges(t *testing.T) {
	inBothStores(t, func(t *testing.T, address string) {
		d := remotetest.New(t)
		c, dir := newComputer(t, address, "lab", d), papers(t)
		if got := c.index(dir); got.Indexed != 3 || len(got.Notices) > 0 {
			t.Fatalf("%+v", got)
		}
		another(d, 5)
		c.start(func(a *app.App) {
			by := func(mode string) (documents.SearchResult, error) {
				return a.Documents().Search(t.Context(), documents.SearchRequest{Text: "who painted the boat", Mode: mode})
			}
			if _, err := by(documents.ModeVector); err == nil || !strings.Contains(err.Error(), "has another model under the name some-embedder") {
				t.Errorf("by meaning, asked of another model: %v", err)
			}
			if got, err := by(""); err != nil || len(got.Files) == 0 || !strings.Contains(strings.Join(got.Notes, " "), "went by words alone") {
				t.Errorf("asked of another model: %+v, error %v", got, err)
			}
		})
		another(d, 0)
		if got := c.index(dir); got.Unchanged != 3 || len(got.Notices) > 0 || d.Embedded(boat) != 1 {
			t.Errorf("the first model again: %+v, embedded %d times", got, d.Embedded(boat))
		}
		for _, seed := range []uint64{5, 0, 5} {
			another(d, seed)
			before := d.Embedded(boat)
			if got := c.index(dir); len(got.Notices) != 1 || !strings.Contains(got.Notices[0], "all vectors are made anew") || got.Anew != got.Collection.Passages || got.Anew == 0 || d.Embedded(boat) != before+1 {
				t.Errorf("another model: %+v, embedded %d times", got.Notices, d.Embedded(boat)-before)
			}
			if got := c.search("who painted the boat"); !byMeaning(got) {
				t.Errorf("found %d files, notes %q", len(got.Files), got.Notes)
			}
			before = d.Embedded(boat)
			if got := c.index(dir); got.Unchanged != 3 || len(got.Notices) > 0 || d.Embedded(boat) != before {
				t.Errorf("the same model: %+v", got)
			}
		}
		d.Close()
		if got := c.index(dir); got.Unchanged != 3 || len(got.Notices) != 1 || !strings.Contains(got.Notices[0], "It is not known whether lab/some-embedder still is") {
			t.Errorf("no server: %+v", got)
		}
	})
}

// TestOneAddressChanges: where one of two addresses has another model by now, the vectors
// stay those of the other one, which is gone on with, and the odd one is named.
func TestOneAddressChanges(t *testing.T) {
	inBothStores(t, func(t *testing.T, address string) {
		for _, length := range []int{8, 5} {
			a, b := remotetest.New(t), remotetest.New(t)
			c, dir := newComputer(t, address, "lab", a, b), papers(t)
			c.index(dir)
			another(a, 3)
			a.Dimension = length
			write(t, dir, "new.txt", "A heron stands in the reeds.\n")
			got := c.index(dir)
			if got.Indexed != 1 || got.Unchanged != 3 || len(got.Notices) == 0 || !strings.Contains(got.Notices[0], strings.TrimPrefix(a.URL, "http://")+" of lab is left out") {
				t.Errorf("%+v", got)
			}
			if n := a.Embedded(boat) + b.Embedded(boat); n != 1 {
				t.Errorf("embedded %d times", n)
			}
			if got := c.search("who painted the boat"); len(got.Files) != 4 || len(got.Notes) > 0 {
				t.Errorf("found %d files, notes %q", len(got.Files), got.Notes)
			}
			c.start(func(a *app.App) { c.do(a.Documents().Remove(t.Context(), "Team")) })
		}
	})
}

// TestComputersShareModel: computers that call a server differently and saw other models
// there before share a collection, and embed nothing twice.
func TestComputersShareModel(t *testing.T) {
	address := postgrestest.Database(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent")
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	d, dir := remotetest.New(t), papers(t)
	first, second := newComputer(t, address, "lab", d), newComputer(t, address, "gpu", d)
	own := second
	own.address = ""
	for _, seed := range []uint64{7, 8, 9, 0} {
		another(d, seed)
		own.index(dir)
	}
	before := d.Embedded(boat)
	var both sync.WaitGroup
	for _, c := range []computer{first, second} {
		both.Go(func() { c.indexWith(c.server+"/some-embedder", dir) })
	}
	both.Wait()
	if n := d.Embedded(boat) - before; n < 1 || n > 2 { // both may read a file before one keeps it
		t.Errorf("embedded %d times", n)
	}
	before = d.Embedded(boat)
	for range 2 {
		for _, c := range []computer{first, second} {
			got := c.index(dir)
			if got.Unchanged != 3 || len(got.Notices) > 0 || got.Collection.Model != c.server+"/some-embedder" {
				t.Errorf("%s: %+v", c.server, got)
			}
			if got := c.search("who painted the boat"); !byMeaning(got) {
				t.Errorf("%s: found %d files, notes %q", c.server, len(got.Files), got.Notes)
			}
		}
	}
	if n := d.Embedded(boat) - before; n > 4 { // the questions
		t.Errorf("embedded %d times more", n)
	}
}

// TestEarlierServerCollection: a collection with the ids of earlier versions is gone on with
// where the model gives its vectors, and is made anew where it does not.
func TestEarlierServerCollection(t *testing.T) {
	inBothStores(t, func(t *testing.T, address string) {
		for seed, notices := range map[uint64]int{0: 0, 3: 1} {
			d := remotetest.New(t)
			c, dir := newComputer(t, address, "lab", d), papers(t)
			c.index(dir)
			c.asEarlier("some-embedder@elsewhere-4  8")
			another(d, seed)
			before := d.Embedded(boat)
			c.start(func(a *app.App) {
				got, err := a.Documents().Search(t.Context(), documents.SearchRequest{Text: "who painted the boat", Mode: documents.ModeVector})
				if (notices == 0) != (err == nil && byMeaning(got)) {
					t.Errorf("seed %d: found %d files, notes %q, error %v", seed, len(got.Files), got.Notes, err)
				}
			})
			got := c.index(dir)
			if got.Unchanged != 3 || len(got.Notices) != notices {
				t.Errorf("seed %d: %+v", seed, got)
			}
			if n := d.Embedded(boat) - before; n > 3 { // the question, and to compare, or anew
				t.Errorf("seed %d: embedded %d times", seed, n)
			}
			before = d.Embedded(boat)
			if got := c.index(dir); got.Unchanged != 3 || len(got.Notices) > 0 || d.Embedded(boat) != before {
				t.Errorf("seed %d, again: %+v", seed, got)
			}
			if got := c.search("who painted the boat"); !byMeaning(got) {
				t.Errorf("seed %d: found %d files, notes %q", seed, len(got.Files), got.Notes)
			}
			c.start(func(a *app.App) {
				if err := a.Documents().Remove(t.Context(), "Team"); err != nil {
					t.Error(err)
				}
			})
		}
	})
}

// asEarlier makes the collection one as an earlier version left it.
func (c computer) asEarlier(id string) {
	c.t.Helper()
	ctx := c.t.Context()
	var kept store.Store
	scanner, err := scan.New("")
	if err != nil {
		c.t.Fatal(err)
	}
	if c.address != "" {
		kept, err = postgres.Open(ctx, c.address)
	} else {
		var dir string
		c.start(func(a *app.App) { dir = filepath.Join(a.Paths().Data, "documents") })
		kept, err = sqlite.OpenToWrite(ctx, dir, scanner)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	defer kept.Close()
	all := must[[]store.Collection](c.t)(kept.Collections(ctx))
	from := all[0]
	to := must[store.Collection](c.t)(kept.Create(ctx, "Earlier"))
	sets := must[[]store.VectorSet](c.t)(from.Sets(ctx))
	c.do(to.Begin(ctx, id, sets[0].Dimension))
	for _, f := range must[[]store.File](c.t)(from.Files(ctx, store.FileFilter{})) {
		ids := must[[]int64](c.t)(from.PassagesOf(ctx, f.Path))
		var chunks []text.Chunk
		for _, p := range must[[]store.Passage](c.t)(from.Passages(ctx, ids)) {
			chunks = append(chunks, p.Chunk)
		}
		c.do(to.Put(ctx, f, chunks, map[string][][]float32{id: must[[][]float32](c.t)(from.Vectors(ctx, sets[0].Embedder, ids))}))
	}
	models, _ := json.Marshal(map[string]string{id: c.server + "/some-embedder", "": c.server + "/some-embedder"})
	c.do(to.SetSetting("models", models))
	c.do(to.SetSetting("folders", from.Setting("folders")))
	c.do(kept.Remove(ctx, from.ID()))
	c.do(to.Rename(ctx, "Team"))
	c.change(func(x *base.Settings) { x.Servers[0].ByChoice = false })
}

// change changes the settings while the program does not run.
func (c computer) change(do func(x *base.Settings)) {
	c.t.Helper()
	kept, _ := base.OpenSettings(filepath.Join(base.FindPaths(c.home).Config, "settings.json"), slog.New(slog.DiscardHandler))
	c.do(kept.SaveSettings(do))
}

func (c computer) do(err error) {
	c.t.Helper()
	if err != nil {
		c.t.Fatal(err)
	}
}
