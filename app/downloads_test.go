package app

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/app/base"
	"inglenook/app/downloads"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/hub/hubtest"
)

// await waits until a download has a state.
func await(t *testing.T, a interface{ Downloads() []downloads.Download }, id, state string) downloads.Download {
	t.Helper()
	var last downloads.Download
	for range 6000 {
		for _, d := range a.Downloads() {
			if last = d; d.ID == id && d.State == state {
				return d
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s did not become %s: %+v", id, state, last)
	return last
}

// The way of a user from the search to the deletion and back.
func TestDownloadOfAModel(t *testing.T) {
	a, server := hubApp(t)
	ctx := context.Background()
	files := append(toyFiles(t, "../models/testdata/f16/bert", 0), hubtest.File{Path: "README.md", Data: []byte("---\nlicense: mit\n---\n")},
		hubtest.File{Path: "vocab.txt", Data: []byte("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n")})
	server.Add(hubtest.Repo{ID: "org/bert", Task: "feature-extraction", Tags: []string{"safetensors", "license:mit"}, Downloads: 5, Files: files})
	found, err := a.SearchHub(ctx, downloads.SearchRequest{Text: "BERT"})
	if err != nil || len(found) != 1 || found[0].ID != "org/bert" || found[0].Licence != "mit" || !slices.Equal(found[0].Formats, []string{"safetensors"}) {
		t.Fatalf("found %+v, %v", found, err)
	}
	if err := a.StartDownload(ctx, downloads.DownloadRequest{ID: "org/bert"}); err != nil {
		t.Fatal(err)
	}
	await(t, a, "org/bert", downloads.DownloadDone)
	list, err := a.Library(ctx)
	if err != nil || len(list) != 3 || list[2].ID != "org/bert" || list[2].Licence != "mit" || len(list[2].Revision) != 40 || !list[2].Usable {
		t.Fatalf("the library has %+v, %v", list, err)
	}
	v, err := a.VerifyModel(ctx, "org/bert", nil)
	if err != nil || len(v.Bad) != 0 || v.Files != len(files) {
		t.Errorf("verified %+v, %v", v, err)
	}
	if commit, err := a.UpdateOf(ctx, "org/bert"); err != nil || commit != "" {
		t.Errorf("an update of what is new: %q, %v", commit, err)
	}

	// A flipped bit is found and repaired.
	var blob string
	_ = filepath.WalkDir(filepath.Join(base.HubCache(), "models--org--bert", "blobs"), func(path string, e os.DirEntry, err error) error {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && info.Size() > 10_000 {
			blob = path
		}
		return nil
	})
	data, err := os.ReadFile(blob)
	if err != nil {
		t.Fatal(err)
	}
	data[5000] ^= 1
	if err := os.WriteFile(blob, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if v, err = a.VerifyModel(ctx, "org/bert", nil); err != nil || len(v.Bad) != 1 {
		t.Errorf("with a flipped bit: %+v, %v", v, err)
	}
	if v, err = a.RepairModel(ctx, "org/bert", nil); err != nil || len(v.Bad) != 0 {
		t.Errorf("repaired: %+v, %v", v, err)
	}

	server.Add(hubtest.Repo{ID: "org/bert", Files: append(files, hubtest.File{Path: "NOTES.md", Data: []byte("new")})})
	if commit, err := a.UpdateOf(ctx, "org/bert"); err != nil || len(commit) != 40 {
		t.Errorf("the update is %q, %v", commit, err)
	}
	if _, err := a.Forward(ctx, texts.ForwardRequest{Model: "org/bert", IDs: []int32{1, 2}, Output: "hidden"}, nil); err != nil {
		t.Fatal(err)
	}
	removed, err := a.RemoveModel("org/bert")
	if err != nil || removed.Bytes < 10_000 || len(a.OpenModels()) != 0 {
		t.Fatalf("removed %+v, %v; open are %v", removed, err, a.OpenModels())
	}
	if list, _ := a.Library(ctx); len(list) != 2 {
		t.Errorf("the library still has %d models", len(list))
	}
	if err := a.RestoreModel(removed); err != nil {
		t.Error(err)
	}
	if list, _ := a.Library(ctx); len(list) != 3 {
		t.Errorf("the library has %d models after undoing", len(list))
	}
	if removed, err = a.RemoveModel("org/bert"); err != nil || len(a.Trash()) != 1 {
		t.Errorf("removed again: %v, the trash has %v", err, a.Trash())
	}
	if freed, err := a.DeleteRemoved(removed); err != nil || freed < 10_000 || len(a.Trash()) != 0 || a.RestoreModel(removed) == nil {
		t.Errorf("deleting it for good freed %d, %v", freed, err)
	}
	if _, err := a.RemoveModel(library.StarterEmbed); err == nil || !strings.Contains(err.Error(), "not deleted") {
		t.Errorf("the bundled model: %v", err)
	}
}

// A download that was running is listed after a restart, and continues where it stopped.
func TestDownloadsSurvive(t *testing.T) {
	a, server := hubApp(t)
	ctx := context.Background()
	big := hubtest.File{Path: "model.safetensors", Data: bytes.Repeat([]byte("weights!"), 1<<19), LFS: true}
	server.Add(hubtest.Repo{ID: "org/big", Files: []hubtest.File{{Path: "config.json", Data: []byte("{}")}, big}})
	server.Throttle(1 << 20)
	if err := a.StartDownload(ctx, downloads.DownloadRequest{ID: "org/big"}); err != nil {
		t.Fatal(err)
	}
	for len(a.Downloads()) == 0 || a.Downloads()[0].Done < 1<<19 {
		time.Sleep(5 * time.Millisecond)
	}
	if err := a.PauseDownload("org/big", "main"); err != nil {
		t.Fatal(err)
	}
	before := await(t, a, "org/big", downloads.DownloadPaused)
	a.downloadsPart.Close()

	server.Throttle(0)
	again := downloads.New(a.life, a.log, a.paths, a.hubPart, a.libraryPart, a.fitPart, a.poolPart)
	t.Cleanup(again.Close)
	list := again.Downloads()
	if len(list) != 1 || list[0].State != downloads.DownloadPaused || list[0].Done < before.Done/2 || list[0].Total != before.Total {
		t.Fatalf("found again: %+v, before %+v", list, before)
	}
	sent := server.Sent()
	if err := again.ResumeDownload("org/big", "main"); err != nil {
		t.Fatal(err)
	}
	await(t, again, "org/big", downloads.DownloadDone)
	if rest := server.Sent() - sent; rest > before.Total-list[0].Done+1<<20 {
		t.Errorf("%d bytes came anew, %d of %d were there", rest, list[0].Done, before.Total)
	}
	again.ClearDownloads()
	if n := len(again.Downloads()); n != 0 {
		t.Errorf("%d downloads are left", n)
	}
}

func TestNoDownloadsOffline(t *testing.T) {
	a, server := hubApp(t)
	n := a.Settings().Network
	n.Offline = true
	if err := a.SetNetwork(n); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	for name, do := range map[string]func() error{
		"search":   func() error { _, err := a.SearchHub(ctx, downloads.SearchRequest{Text: "x"}); return err },
		"preview":  func() error { _, err := a.Preview(ctx, downloads.PreviewRequest{ID: "org/x"}); return err },
		"download": func() error { return a.StartDownload(ctx, downloads.DownloadRequest{ID: "org/x"}) },
		"update":   func() error { _, err := a.UpdateOf(ctx, "org/x"); return err },
	} {
		if err := do(); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if seen := len(server.Requests()); seen != 0 {
		t.Errorf("%d requests were made", seen)
	}
}

// Two forms of one repository are two models, which are deleted together.
func TestTwoFormsOfAModel(t *testing.T) {
	a, server := hubApp(t)
	ctx := context.Background()
	toy := toyFiles(t, "../models/testdata/gguf/llama", 0)[1].Data
	server.Add(hubtest.Repo{ID: "org/toy-GGUF", Files: []hubtest.File{
		{Path: "toy-Q8_0.gguf", Data: append(bytes.Clone(toy), 1), LFS: true}, {Path: "toy-F16.gguf", Data: append(bytes.Clone(toy), 2), LFS: true},
	}})
	for _, form := range []string{"toy-Q8_0.gguf", "toy-F16.gguf"} {
		if err := a.StartDownload(ctx, downloads.DownloadRequest{ID: "org/toy-GGUF", Files: []string{form}}); err != nil {
			t.Fatal(err)
		}
		await(t, a, "org/toy-GGUF", downloads.DownloadDone)
	}
	list, err := a.Library(ctx)
	if err != nil || len(list) != 4 {
		t.Fatalf("%d models, %v", len(list), err)
	}
	for _, m := range list[2:] {
		if !strings.HasPrefix(m.Name, "org/toy-GGUF/toy-") || m.Source != library.SourceHubCache || m.Architecture != "LlamaForCausalLM" || len(m.Files) != 1 || len(m.Revision) != 40 {
			t.Errorf("the library has %+v", m)
		}
	}
	if v, err := a.VerifyModel(ctx, list[2].ID, nil); err != nil || v.Files != 2 {
		t.Errorf("verified %+v, %v", v, err)
	}
	removed, err := a.RemoveModel(list[2].ID)
	if err != nil || removed.ID != "org/toy-GGUF" {
		t.Errorf("removed %+v, %v", removed, err)
	}
	if list, _ := a.Library(ctx); len(list) != 2 {
		t.Errorf("%d models are left", len(list))
	}
}

// Models can be downloaded to another folder. Those of the usual one stay usable, can be deleted
// and put back, and so can those of the other folder when the usual one is chosen again.
func TestModelFolder(t *testing.T) {
	a, server := hubApp(t)
	ctx := context.Background()
	for _, id := range []string{"org/first", "org/second"} {
		server.Add(hubtest.Repo{ID: id, Task: "feature-extraction", Tags: []string{"safetensors"}, Files: toyFiles(t, "../models/testdata/f16/bert", 0)})
	}
	get := func(id string) {
		t.Helper()
		if err := a.StartDownload(ctx, downloads.DownloadRequest{ID: id}); err != nil {
			t.Fatal(err)
		}
		await(t, a, id, downloads.DownloadDone)
	}
	here := func() (ids []string) {
		list, err := a.Library(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range list {
			if m.Source == library.SourceHubCache {
				ids = append(ids, m.ID)
			}
		}
		return ids
	}
	get("org/first")
	other := t.TempDir()
	for folder, why := range map[string]string{"relative": "not a whole path", filepath.Join(other, "none"): "nothing can be written"} {
		if err := a.UseModelFolder(folder); err == nil || !strings.Contains(err.Error(), why) || a.ModelFolder() != base.HubCache() {
			t.Errorf("%s: %v", folder, err)
		}
	}
	if err := a.UseModelFolder(other); err != nil || a.ModelFolder() != other {
		t.Fatalf("models go to %s: %v", a.ModelFolder(), err)
	}
	get("org/second")
	if _, err := os.Stat(filepath.Join(other, "models--org--second")); err != nil {
		t.Errorf("the second one is elsewhere: %v", err)
	}
	if got := here(); !slices.Equal(got, []string{"org/second", "org/first"}) {
		t.Errorf("here are %q", got)
	}
	for _, id := range here() {
		if v, err := a.VerifyModel(ctx, id, nil); err != nil || len(v.Bad) > 0 || v.Files == 0 {
			t.Errorf("%s: %+v, %v", id, v, err)
		}
		removed, err := a.RemoveModel(id)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.RestoreModel(removed); err != nil || len(here()) != 2 {
			t.Errorf("%s does not come back: %v", id, err)
		}
	}
	if err := a.UseModelFolder(base.HubCache()); err != nil || a.Settings().ModelFolder != "" {
		t.Errorf("kept is %q: %v", a.Settings().ModelFolder, err)
	}
	if got := here(); !slices.Equal(got, []string{"org/first"}) {
		t.Errorf("with the usual folder, here are %q", got)
	}
}
