package metalbackend_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/metalbackend"
	"inglenook/metalbackend/fake"
	"inglenook/models"
	"inglenook/weights"
)

// pass records one more pass of a model.
type pass func(g *engine.Graph)

// TestDispatchesOfFamilies counts the dispatches of a pass of each family's toy, with
// about two layers, and compares the counts with those in testdata. A lost fusion shows
// here. UPDATE=1 rewrites the counts.
func TestDispatchesOfFamilies(t *testing.T) {
	rt, err := fake.New(fake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := metalbackend.New(rt, metalbackend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}()
	var table strings.Builder
	dirs, err := filepath.Glob("../models/testdata/*/*/config.json")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no checkpoints (%v)", err)
	}
	for _, config := range dirs {
		dir := filepath.Dir(config)
		record := open(t, dir)
		if record == nil {
			continue
		}
		g := engine.NewGraph()
		record(g)
		before := rt.Stats()
		if _, err := g.Run(t.Context(), b); err != nil {
			t.Fatalf("%s: %v", dir, err)
		}
		after := rt.Stats()
		fmt.Fprintf(&table, "%-36s %3d operations %3d dispatches %3d barriers\n", strings.TrimPrefix(dir, "../models/testdata/"),
			len(g.Ops()), after.Dispatches-before.Dispatches, after.Barriers-before.Barriers)
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
	got, file := table.String(), filepath.Join("testdata", "families.txt")
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the counts are\n%s\nin %s they are\n%s\n(UPDATE=1 writes them anew)", got, file, want)
	}
}

// open returns a pass of the checkpoint in a folder: over three texts with an encoder,
// over one token with a decoder that has read some.
func open(t *testing.T, dir string) pass {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	config, err := models.ParseConfig(data)
	if err != nil {
		t.Fatal(err)
	}
	set, err := weights.Open(os.DirFS(dir), weights.Options{Packing: config.Packing, Adapter: config.Adapter})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { set.Close() })
	if !config.Causal {
		m, err := models.Load(config, set)
		if err != nil {
			t.Fatal(err)
		}
		out := models.Hidden
		if m.Has(models.Logits) {
			out = models.Logits
		}
		return func(g *engine.Graph) {
			g.Want(m.Forward(g, models.Batch{Tokens: []int32{5, 6, 7, 8, 9, 10}, Starts: []int32{0, 2, 3, 6}}, out))
		}
	}
	m, err := models.LoadDecoder(config, set)
	if err != nil {
		t.Fatal(err)
	}
	cache, err := m.NewCache(engine.F16, 16)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cache.Release() })
	before := engine.NewGraph()
	first := models.Input{Tokens: []int32{4, 5, 6, 7, 8}}
	if config.TextToText {
		first.Source = []int32{9, 10, 11}
	}
	m.Forward(before, first, cache, nil, models.Hidden)
	if err := errors.Join(before.Err(), before.Close()); err != nil {
		t.Fatal(err)
	}
	cache.Advance()
	return func(g *engine.Graph) {
		g.Want(m.Forward(g, models.Input{Tokens: []int32{3}}, cache, []int32{0}, models.Logits))
	}
}
