package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/texts"
)

// The library describes a snapshot of the Hub's cache, and the models in memory.
func TestLibrary(t *testing.T) {
	a := newTestApp(t, &double{})
	commit := strings.Repeat("c0ffee01", 5)
	snapshot := filepath.Join(base.HubCache(), "models--org--name", "snapshots", commit)
	if err := os.MkdirAll(snapshot, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"README.md": "---\nlicense: mit\n---\n", "config.json": "{}"} {
		if err := os.WriteFile(filepath.Join(snapshot, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	if _, err := a.Embed(ctx, texts.EmbedRequest{Model: "org/name", Texts: []string{"a"}}, nil); err != nil {
		t.Fatal(err)
	}
	list, err := a.Library(ctx)
	if err != nil || len(list) != 3 {
		t.Fatalf("%d models, %v", len(list), err)
	}
	if m := list[2]; m.ID != "org/name" || m.Licence != "mit" || m.Revision != commit || m.LastUsed.IsZero() || len(m.Open) != 1 || m.Open[0].Job != "embed" || m.Open[0].InUse {
		t.Errorf("the library says %+v", m)
	}
	if m := list[0]; m.ID != library.StarterEmbed || list[1].ID != library.StarterChat || m.Revision != "" || len(m.Open) != 0 {
		t.Errorf("the library says %+v", m)
	}
	if _, err := a.CloseModel("org/name"); err != nil || len(a.OpenModels()) != 0 {
		t.Errorf("after closing: %v, %v", a.OpenModels(), err)
	}
}

// A model that compares vectors is in memory once, also where one room embeds with it and another one ranks.
func TestAnEmbedderIsOpenOnceForAllRooms(t *testing.T) {
	apptest.Home(t)
	a, err := New(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close(context.Background()) })
	ctx := context.Background()
	target := devices.Target{Device: "cpu"}
	if _, err := a.Embed(ctx, texts.EmbedRequest{Target: target, Model: library.StarterEmbed, Texts: []string{"a text"}}, nil); err != nil {
		t.Fatal(err)
	}
	ranked, err := a.Rerank(ctx, texts.RerankRequest{Target: target, Model: library.StarterEmbed, Query: "a text", Texts: []string{"a text", "another one"}}, nil)
	if err != nil || ranked.Method != "cosine" {
		t.Fatalf("%q, %v", ranked.Method, err)
	}
	if open := a.OpenModels(); len(open) != 1 || open[0].InUse {
		t.Errorf("open are %+v", open)
	}
}

// If a model is closed to make room for another, the other one's notes name it.
func TestRoomIsMadeAndTold(t *testing.T) {
	apptest.Home(t)
	a, err := New(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close(context.Background()) })
	ctx := context.Background()
	input := []string{"a text"}
	if _, err := a.Embed(ctx, texts.EmbedRequest{Target: devices.Target{Device: "cpu"}, Texts: input}, nil); err != nil {
		t.Fatal(err)
	}
	open := a.OpenModels()
	if len(open) != 1 || open[0].Model != library.StarterEmbed || open[0].Bytes < 20<<20 || open[0].Device != "cpu" {
		t.Fatalf("open are %+v", open)
	}
	toy, err := filepath.Abs("../models/testdata/f16/bert")
	if err != nil {
		t.Fatal(err)
	}
	a.openers.Free = func() int64 { return 1 << 20 }
	got, err := a.Forward(ctx, texts.ForwardRequest{Model: toy, Device: "cpu", IDs: []int32{1, 2}, Output: "hidden"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if open := a.OpenModels(); len(open) != 1 || open[0].Model != toy {
		t.Errorf("open are %+v", open)
	}
	told := strings.Join(got.Notices, " ")
	if !strings.Contains(told, library.StarterEmbed+" was unloaded to make room for bert") {
		t.Errorf("told: %q", told)
	}
}
