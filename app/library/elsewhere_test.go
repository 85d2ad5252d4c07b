package library

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app/base"
	"inglenook/app/servers"
	"inglenook/pipeline"
	"inglenook/remote"
)

// noServers are those of settings that have none, or that a test puts there.
func noServers(settings *base.SettingsStore) *servers.Service {
	log := slog.New(slog.DiscardHandler)
	return servers.New(base.NewLifetime(), settings, log, nil)
}

// looking is a library without models or servers, but those that a test adds.
func looking(t *testing.T) *Service {
	log := slog.New(slog.DiscardHandler)
	settings, _ := base.OpenSettings(filepath.Join(t.TempDir(), "settings.json"), log)
	return New(base.NewLifetime(), settings, log, noServers(settings), pipeline.Describe)
}

// TestElsewhere: a model of a server is found by its name, listed, and says where texts go;
// what needs its files is refused.
func TestElsewhere(t *testing.T) {
	l := looking(t)
	found := remote.Found{Form: remote.OpenAI, Models: []remote.Model{{ID: "org/talker", Kind: remote.Chat, Context: 99}, {ID: "vectors", Kind: remote.Embedding}}}
	err := l.settings.SaveSettings(func(s *base.Settings) {
		s.Servers = []base.Server{{Name: "far", Addresses: []string{"https://gpu.example.com"}, Found: found}, {Name: "near", Addresses: []string{"http://localhost:1"}, Found: found}}
	})
	if err != nil {
		t.Fatal(err)
	}
	far, err := l.Find(t.Context(), "far/org/talker")
	if err != nil || far.Kind != KindChat || !far.Usable || far.MaxLength != 99 || far.Leaves != "gpu.example.com" || !strings.Contains(far.SentInWords(), "gpu.example.com") {
		t.Errorf("%+v, %v", far.Model, err)
	}
	near, err := l.Find(t.Context(), "near/vectors")
	if err != nil || near.Kind != KindEmbedding || near.Leaves != "" || strings.Contains(near.SentInWords(), "leave") {
		t.Errorf("%+v, %v", near.Model, err)
	}
	list, err := l.Models(t.Context())
	n := 0
	for _, m := range list {
		if m.Elsewhere() {
			n++
		}
	}
	if err != nil || n != 4 {
		t.Errorf("%d models elsewhere, %v", n, err)
	}
	if _, err := l.Encodes(t.Context(), "far/org/talker"); err == nil {
		t.Error("a language model elsewhere embeds")
	}
	at, err := l.Locate(t.Context(), "far/org/talker")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := at.Open(t.Context()); err == nil || !strings.Contains(err.Error(), "runs on a server") {
		t.Errorf("its files: %v", err)
	}
}

// TestOwnerOrServer: a server that is called as an owner on the Hub hides none of the models
// of that owner that lie here, and where both have one, neither is taken.
func TestOwnerOrServer(t *testing.T) {
	hub := t.TempDir()
	t.Setenv("HF_HUB_CACHE", hub)
	for _, model := range []string{"here", "both"} {
		snapshot := filepath.Join(hub, "models--far--"+model, "snapshots", strings.Repeat("a", 40))
		for path, text := range map[string]string{filepath.Join(snapshot, "config.json"): "{}", filepath.Join(hub, "models--far--"+model, "refs", "main"): strings.Repeat("a", 40)} {
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	l := looking(t)
	found := remote.Found{Form: remote.OpenAI, Models: []remote.Model{{ID: "both", Kind: remote.Chat}, {ID: "there", Kind: remote.Chat}}}
	err := l.settings.SaveSettings(func(s *base.Settings) {
		s.Servers = []base.Server{{Name: "far", Addresses: []string{"http://localhost:1"}, Found: found}}
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]string{"far/here": SourceHubCache, "far/there": SourceServer} {
		if e, err := l.Find(t.Context(), name); err != nil || e.Source != source {
			t.Errorf("%s: %q, %v", name, e.Source, err)
		}
	}
	if _, err := l.Find(t.Context(), "far/both"); err == nil || !strings.Contains(err.Error(), "and also one of this computer") {
		t.Error(err)
	}
}

// TestNoModelOrServer: a file that cannot be a model is not meant by the name of one of a server.
func TestNoModelOrServer(t *testing.T) {
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("far", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"far/notes.txt", "far/plain"} {
		if err := os.WriteFile(file, []byte("notes"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := looking(t)
	err := l.settings.SaveSettings(func(s *base.Settings) {
		s.Servers = []base.Server{{Name: "far", Addresses: []string{"http://localhost:1"}, Found: remote.Found{Form: remote.OpenAI, Models: []remote.Model{{ID: "notes.txt"}, {ID: "plain"}}}}}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"far/notes.txt", "far/plain"} {
		if at, err := l.Locate(t.Context(), name); err != nil || at.Source != SourceServer {
			t.Errorf("%s: %q, %v", name, at.Source, err)
		}
	}
}

// TestFormerServer: of a model of a server that was removed, that is said, and not where models of the
// Hub lie.
func TestFormerServer(t *testing.T) {
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	l := looking(t)
	if err := l.settings.SaveSettings(func(s *base.Settings) { s.NoteFormer("far") }); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"far/talker": "the server far, which had the model talker, was removed", "other/talker": "is not in the Hub cache"} {
		if _, err := l.Find(t.Context(), name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPathOrServer: so it is with a folder or a file of that path in the current folder.
func TestPathOrServer(t *testing.T) {
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	t.Chdir(t.TempDir())
	for _, folder := range []string{"far/here", "far/both"} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"far/here.gguf", "far/both.gguf"} {
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	l := looking(t)
	found := remote.Found{Form: remote.OpenAI, Models: []remote.Model{{ID: "both"}, {ID: "both.gguf"}, {ID: "there"}}}
	err := l.settings.SaveSettings(func(s *base.Settings) {
		s.Servers = []base.Server{{Name: "far", Addresses: []string{"http://localhost:1"}, Found: found}}
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range map[string]string{"far/here": SourceFolder, "far/here.gguf": SourceFile, "./far/both": SourceFolder, "./far/both.gguf": SourceFile, "far/there": SourceServer} {
		if at, err := l.Locate(t.Context(), name); err != nil || at.Source != source {
			t.Errorf("%s: %q, %v", name, at.Source, err)
		}
	}
	for _, name := range []string{"far/both", "far/both.gguf"} {
		if _, err := l.Find(t.Context(), name); err == nil || !strings.Contains(err.Error(), "give that one as ./"+name) {
			t.Error(err)
		}
	}
	if l.OnServer(t.Context(), "far/here") || !l.OnServer(t.Context(), "far/both") {
		t.Error("where a name is meant")
	}
}
