package cli

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app"
	"inglenook/hub/hubtest"
)

// startHub returns a Hub with a tiny embedding model, and a user with their own cache.
func startHub(t *testing.T) (s *hubtest.Server, run func(args ...string) outcome) {
	t.Helper()
	s = hubtest.New()
	t.Cleanup(s.Close)
	var files []hubtest.File
	model := os.DirFS("../pipeline/testdata/cls")
	err := fs.WalkDir(model, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := fs.ReadFile(model, name)
		files = append(files, hubtest.File{Path: name, Data: data, LFS: strings.HasSuffix(name, ".safetensors")})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Add(hubtest.Repo{ID: "org/tiny", Task: "sentence-similarity", Tags: []string{"safetensors", "license:mit"}, Downloads: 3, Files: files})
	s.Add(hubtest.Repo{ID: "org/gated-tiny", Gated: true, Tags: []string{"safetensors"}, Files: files})
	s.Add(hubtest.Repo{ID: "org/pickle-tiny", Tags: []string{"pytorch"}, Files: []hubtest.File{{Path: "config.json", Data: []byte("{}")}, {Path: "pytorch_model.bin", Data: []byte("PK")}}})
	cache, home := t.TempDir(), t.TempDir()
	return s, func(args ...string) outcome {
		t.Helper()
		for name, value := range map[string]string{"HF_HUB_CACHE": cache, "HF_ENDPOINT": s.URL(), "HF_TOKEN": "", "HF_HUB_OFFLINE": ""} {
			t.Setenv(name, value)
		}
		return runWith(t, context.Background(), strings.NewReader(""), func(o app.Options) (App, error) {
			o.Home = home
			return app.New(o)
		}, args...)
	}
}

func TestModelsOfTheHub(t *testing.T) {
	s, run := startHub(t)
	found := decode[[]foundJSON](t, run("models", "search", "tiny", "--json").ok(t).stdout)
	if len(found) == 0 || found[0].ID != "org/gated-tiny" && found[0].ID != "org/tiny" {
		t.Fatalf("%+v", found)
	}
	for _, f := range found {
		switch {
		case f.ID == "org/tiny" && (f.Devices[0] != verdictJSON{"cpu", "full", ""} || f.Parameters == 0 || f.Memory == 0 || f.Licence != "mit" || f.Variant != "safetensors"):
			t.Errorf("%+v", f)
		case f.ID == "org/gated-tiny" && (!f.Gated || !strings.Contains(f.Reason, "accept its terms")):
			t.Errorf("%+v", f)
		case f.ID == "org/pickle-tiny":
			t.Errorf("a model that could run code was found: %+v", f)
		}
	}
	if plain := run("models", "search", "tiny").ok(t).stdout; !strings.Contains(plain, "org/tiny\n    sentence-similarity, ") || !strings.Contains(plain, "cpu: full, ") {
		t.Error(plain)
	}

	events := lines(run("models", "pull", "org/tiny", "--json").ok(t).stdout)
	last := decode[pullEvent](t, events[len(events)-1])
	if first := decode[pullEvent](t, events[0]); first.Event != "progress" || last.Event != "done" || last.Done == 0 || last.Fetched != last.Done || last.Commit == "" {
		t.Errorf("%+v … %+v", first, last)
	}
	if again := run("models", "pull", "org/tiny").ok(t).stdout; !strings.Contains(again, "is already installed, at revision "+last.Commit[:12]) {
		t.Error(again)
	}
	if off := run("models", "pull", "org/tiny", "--offline").ok(t).stdout; !strings.Contains(off, "could not be reached") {
		t.Error(off)
	}
	if off := run("models", "pull", "org/other", "--offline"); off.code != 1 || !strings.Contains(off.stderr, "offline mode is on") {
		t.Errorf("%+v", off)
	}
	run("embed", "--model", "org/tiny", "--offline", "a text").ok(t)
	if listed := run("models", "list").ok(t).stdout; !strings.Contains(listed, "org/tiny\n") {
		t.Error(listed)
	}

	checks := decode[verifyJSON](t, run("models", "verify", "org/tiny", "--json").ok(t).stdout)
	for _, f := range checks.Files {
		if !f.OK || len(f.SHA256) != 64 || f.Bytes == 0 {
			t.Errorf("%+v", f)
		}
	}
	weights := filepath.Join(last.Path, "model.safetensors")
	whole, err := os.ReadFile(weights)
	if err != nil {
		t.Fatal(err)
	}
	bad := bytes.Clone(whole)
	bad[len(bad)-1] ^= 1
	if err := os.WriteFile(weights, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	if o := run("models", "verify", "org/tiny"); o.code != 1 || !strings.Contains(o.stdout, "model.safetensors: its data differs from that of the model store") || !strings.Contains(o.stderr, "1 of ") {
		t.Errorf("%+v", o)
	}
	s.Forget()
	run("models", "verify", "--repair", "org/tiny").ok(t)
	if data, err := os.ReadFile(weights); err != nil || !bytes.Equal(data, whole) {
		t.Errorf("%d bytes after the repair (%v)", len(data), err)
	}

	removed := decode[removedJSON](t, run("models", "remove", "org/tiny", "--json").ok(t).stdout)
	if removed.Freed < last.Done || removed.Kept {
		t.Errorf("%+v", removed)
	}
	if o := run("models", "remove", "org/tiny"); o.code != 1 || !strings.Contains(o.stderr, "org/tiny is not in the Hub cache") {
		t.Errorf("%+v", o)
	}
	added, _ := filepath.Abs("../pipeline/testdata/cls")
	run("models", "import", added).ok(t)
	if o := decode[removedJSON](t, run("models", "remove", "--json", added).ok(t).stdout); !o.Kept || o.Freed != 0 {
		t.Errorf("%+v", o)
	}
}

func TestPullRefuses(t *testing.T) {
	_, run := startHub(t)
	for _, c := range []struct {
		args []string
		code int
		text string
	}{
		{[]string{"pull", "org/gated-tiny"}, 1, "accept its terms at "},
		{[]string{"pull", "org/pickle-tiny"}, 1, "can run code"},
		{[]string{"pull", "org/none"}, 1, "does not exist"},
		{[]string{"pull", "org/tiny", "--revision", "v9"}, 1, `no revision "v9"`},
		{[]string{"pull", "org/tiny", "--file", "*.gguf"}, 1, "no file matches"},
		{[]string{"pull", "../../x"}, 1, "is not a Hub id"},
		{[]string{"pull"}, 2, "needs a Hub id"},
		{[]string{"verify", "org/tiny"}, 1, "is not in the Hub cache"},
		{[]string{"search", "x", "--limit", "0"}, 2, "--limit is 0"},
		{[]string{"steal"}, 2, "does not fit"},
	} {
		o := run(append([]string{"models"}, c.args...)...)
		if o.code != c.code || !strings.Contains(o.stderr, c.text) || strings.Count(o.stderr, "\n") != 1 {
			t.Errorf("%v: %+v", c.args, o)
		}
	}
}

// Names that lead out of the cache are given to every subcommand that takes one. Nothing outside of
// the cache changes, and only downloads of the Hub are deleted.
func TestModelNamesLeadNowhere(t *testing.T) {
	_, run := startHub(t)
	top := t.TempDir()
	canary := filepath.Join(top, "models--org--canary", "canary")
	if err := os.MkdirAll(filepath.Dir(canary), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(canary, []byte("canary"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"../../x", "org/../../x", top, canary, filepath.Dir(canary), "/etc/passwd", "C:\\x", "\\\\server\\share", "org\\name", "org/name\x00", "org/na me",
		"%2e%2e/x", "~/x", "file:///etc/passwd", "models--org--canary", "-org/name", strings.Repeat("n", 300), "org/name\n", "org/näme", "\u202eorg/name",
	} {
		for _, what := range []string{"pull", "verify", "remove"} {
			o := run("models", what, "--", name)
			if o.code != 1 || strings.Count(o.stderr, "\n") != 1 {
				t.Errorf("models %s %q: %+v", what, name, o)
			}
		}
		if o := run("models", "pull", "org/tiny", "--revision", name); o.code == 0 {
			t.Errorf("the revision %q was taken", name)
		}
	}
	if data, err := os.ReadFile(canary); err != nil || string(data) != "canary" {
		t.Errorf("the canary holds %q (%v)", data, err)
	}
}
