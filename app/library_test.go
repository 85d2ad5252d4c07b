package app

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"inglenook/app/apptest"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/app/texts"
)

const commit1 = "0123456789abcdef0123456789abcdef01234567"

// newRealApp returns an application with the real pipeline and its own home.
func newRealApp(t *testing.T) *App {
	t.Helper()
	apptest.Home(t)
	a, err := New(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return a
}

func TestModelsFromEverywhere(t *testing.T) {
	ctx := context.Background()
	a := newRealApp(t)
	cache := filepath.Join(xdg.Home, ".cache", "huggingface", "hub")
	apptest.PutHubModel(t, cache, "org/hub-model", commit1)
	if err := os.MkdirAll(filepath.Join(cache, "models--org--empty", "snapshots"), 0o700); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "my model")
	apptest.PutCheckpoint(t, folder)
	if _, err := a.AddModel(ctx, folder); err != nil {
		t.Fatal(err)
	}
	if _, err := a.AddModel(ctx, filepath.Join(folder, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	models, err := a.Models(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, m := range models {
		ids = append(ids, m.ID+" "+m.Source)
		if m.ID == library.StarterChat && m.Usable && m.Kind == library.KindChat {
			continue
		}
		if !m.Usable || m.Reason != "" || m.Kind != library.KindEmbedding || m.Parameters == 0 || m.Bytes == 0 || len(m.Files) < 4 {
			t.Errorf("%s: %+v", m.ID, m)
		}
	}
	want := []string{
		"starter-embed bundled", "starter-chat bundled", filepath.Join(folder, "model.safetensors") + " file", folder + " folder", "org/hub-model hub cache",
	}
	if !slices.Equal(ids, want) {
		t.Errorf("models %q, want %q", ids, want)
	}

	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	models, err = a.Models(ctx)
	if err != nil || len(models) != 5 || models[2].Usable || !strings.Contains(models[2].Reason, "there is no file or folder") {
		t.Errorf("after the folder went: %+v, error %v", models[2], err)
	}
	if err := a.ForgetModel(folder); err != nil {
		t.Error(err)
	}
	if err := a.ForgetModel(folder); err == nil {
		t.Error("forgot a model twice")
	}
	if models, err = a.Models(ctx); err != nil || len(models) != 4 {
		t.Errorf("%d models after forgetting one, error %v", len(models), err)
	}
}

func TestResolve(t *testing.T) {
	ctx := context.Background()
	a := newRealApp(t)
	cache := t.TempDir()
	t.Setenv("HF_HUB_CACHE", cache)
	repo := apptest.PutHubModel(t, cache, "org/hub-model", commit1)
	snapshot := filepath.Join(repo, "snapshots", commit1)
	folder := filepath.Join(xdg.Home, "model")
	apptest.PutCheckpoint(t, folder)
	for name, want := range map[string]library.Model{
		"":                                {ID: library.StarterEmbed, Source: library.SourceBundled},
		"starter-embed":                   {ID: library.StarterEmbed, Source: library.SourceBundled},
		"org/hub-model":                   {ID: "org/hub-model", Source: library.SourceHubCache},
		folder:                            {ID: folder, Source: library.SourceFolder},
		folder + "/":                      {ID: folder, Source: library.SourceFolder},
		"~/model":                         {ID: folder, Source: library.SourceFolder},
		folder + "/config.json":           {ID: folder, Source: library.SourceFolder},
		snapshot:                          {ID: snapshot, Source: library.SourceFolder},
		"~/model/../model/./":             {ID: folder, Source: library.SourceFolder},
		"../app/../pipeline/testdata/cls": {ID: "", Source: library.SourceFolder},

		snapshot + "/model.safetensors": {ID: snapshot + "/model.safetensors", Source: library.SourceFile},
	} {
		m, err := a.Resolve(ctx, name)
		if err != nil || !m.Usable || m.Source != want.Source || want.ID != "" && m.ID != want.ID {
			t.Errorf("%q: %s from %s, usable %v %s, error %v", name, m.ID, m.Source, m.Usable, m.Reason, err)
		}
	}
}

func TestResolveRefuses(t *testing.T) {
	ctx := context.Background()
	a := newRealApp(t)
	cache := t.TempDir()
	t.Setenv("HF_HUB_CACHE", cache)
	dir := t.TempDir()
	for _, name := range []string{"pytorch_model.bin", "x.pt", "x.txt", "x.zip", "x.ckpt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]string{
		filepath.Join(dir, "pytorch_model.bin"): "can run code",
		filepath.Join(dir, "x.pt"):              "can run code",
		filepath.Join(dir, "x.ckpt"):            "can run code",
		filepath.Join(dir, "x.txt"):             "is not a model",
		filepath.Join(dir, "x.zip"):             "is not a model",
		filepath.Join(dir, "none"):              "there is no file or folder",
		"none.safetensors":                      "there is no file or folder",
		"./none":                                "there is no file or folder",
		"/dev/null":                             "neither a folder nor a regular file",
		"org/unknown":                           "is not in the Hub cache",
		"unknown":                               "is not in the Hub cache",
		"a\x00b":                                "NUL",
	}
	for name, want := range cases {
		if _, err := a.Resolve(ctx, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", name, err, want)
		}
	}
	if m, err := a.Resolve(ctx, dir); err != nil || m.Usable || !strings.Contains(m.Reason, "config.json") {
		t.Errorf("a folder without a model: %+v, error %v", m, err)
	}
	if _, err := a.AddModel(ctx, dir); err == nil || !strings.Contains(err.Error(), "can run code") || len(a.Settings().Recent) != 0 {
		t.Errorf("added a folder without a model: %v", err)
	}
	if _, err := a.Embed(ctx, texts.EmbedRequest{Model: dir, Texts: []string{"x"}}, nil); err == nil || !strings.Contains(err.Error(), "cannot be used: there is no config.json") {
		t.Errorf("error %v", err)
	}
}

// One Hub id often has several quantizations.
func TestHubModelOfSeveralFiles(t *testing.T) {
	a := newRealApp(t)
	cache := t.TempDir()
	t.Setenv("HF_HUB_CACHE", cache)
	snapshot := filepath.Join(cache, "models--org--gguf", "snapshots", commit1)
	if err := os.MkdirAll(snapshot, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a-q4_0.gguf", "b-q8_0.gguf"} {
		if err := os.WriteFile(filepath.Join(snapshot, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m, err := a.Resolve(context.Background(), "org/gguf")
	want := "the folder holds several GGUF files (a-q4_0.gguf, b-q8_0.gguf): open one of them by its path, such as " + filepath.Join(snapshot, "a-q4_0.gguf")
	if err != nil || m.Usable || m.Reason != want {
		t.Errorf("%+v, %v", m, err)
	}
}

// A link in a checkpoint may lead to the repository's blobs and nowhere else.
func TestLinksOutAreRefused(t *testing.T) {
	a := newRealApp(t)
	cache := t.TempDir()
	t.Setenv("HF_HUB_CACHE", cache)
	repo := apptest.PutHubModel(t, cache, "org/name", commit1)
	outside := t.TempDir()
	apptest.PutCheckpoint(t, outside)
	link := filepath.Join(repo, "snapshots", commit1, "model.safetensors")
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "model.safetensors"), link); err != nil {
		t.Fatal(err)
	}
	m, err := a.Resolve(context.Background(), "org/name")
	if err != nil || m.Usable {
		t.Errorf("a link out of the repository was followed: %+v, error %v", m, err)
	}
	if slices.ContainsFunc(m.Files, func(f library.ModelFile) bool { return f.Path == "model.safetensors" }) {
		t.Errorf("the file outside is listed: %v", m.Files)
	}
	t.Log(m.Reason)
}

func TestReplacedFilesAreAnotherModel(t *testing.T) {
	a := newTestApp(t, &double{})
	dir := filepath.Join(t.TempDir(), "model")
	apptest.PutCheckpoint(t, dir)
	before, err := a.Find(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	after, err := a.Find(context.Background(), dir)
	if err != nil || before.Stamp == after.Stamp || before.Stamp == "" {
		t.Errorf("the stamp did not change: %q, error %v", after.Stamp, err)
	}
}

// A GGUF file may be given by a link. The files of a folder may not be links out of it.
func TestLinkedGGUF(t *testing.T) {
	a := newRealApp(t)
	gguf, err := filepath.Glob("../models/testdata/gguf/llama/*.gguf")
	if err != nil || len(gguf) == 0 {
		t.Fatalf("no GGUF file to link to: %v", err)
	}
	target, err := filepath.Abs(gguf[0])
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "mine.gguf")
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if m, err := a.Resolve(context.Background(), link); err != nil || !m.Usable || m.ID != link || !strings.HasSuffix(m.Name, "/mine.gguf") || len(m.Files) != 1 {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := a.Resolve(context.Background(), filepath.Dir(link)); err != nil || m.Usable || !strings.Contains(m.Reason, "mine.gguf is a link to something outside of the folder") {
		t.Errorf("%+v, %v", m, err)
	}
}

// A damaged file is named, although a link beside it leads out of the folder.
func TestDamagedBesideALink(t *testing.T) {
	a := newRealApp(t)
	outside := filepath.Join(t.TempDir(), "notes.txt")
	dir := t.TempDir()
	for _, err := range []error{
		os.WriteFile(outside, nil, 0o600), os.Symlink(outside, filepath.Join(dir, "notes.txt")),
		os.WriteFile(filepath.Join(dir, "mine.gguf"), []byte("GGUF damaged"), 0o600),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "mine.gguf")} {
		if m, err := a.Resolve(context.Background(), path); err != nil || m.Usable || !strings.Contains(m.Reason, "mine.gguf") || strings.Contains(m.Reason, "notes.txt") {
			t.Errorf("%s: %+v, %v", path, m, err)
		}
		c, err := a.Compat(context.Background(), fit.CompatRequest{Model: path})
		if err != nil || !strings.Contains(c.Devices[0].Reason, "mine.gguf") || strings.Contains(c.Devices[0].Reason, "notes.txt") {
			t.Errorf("%s: %+v, %v", path, c, err)
		}
	}
}
