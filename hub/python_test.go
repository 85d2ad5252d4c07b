package hub

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/hub/cache"
	"inglenook/hub/hubtest"
)

// python returns an interpreter that has huggingface_hub: that of HUB_TEST_PYTHON, else python3.
func python(t *testing.T) string {
	t.Helper()
	name := os.Getenv("HUB_TEST_PYTHON")
	if name == "" {
		name = "python3"
	}
	if err := exec.Command(name, "-c", "import huggingface_hub").Run(); err != nil {
		t.Skip("no Python with huggingface_hub is here (HUB_TEST_PYTHON can name one), so the shared cache is not tried with it")
	}
	return name
}

// runPython runs a script with the environment of a Hub and a cache.
func runPython(t *testing.T, name, endpoint string, cache *cache.Cache, script string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, append([]string{"-c", script}, args...)...)
	cmd.Env = append(os.Environ(), "HF_ENDPOINT="+endpoint, "HF_HUB_CACHE="+cache.Dir(), "HF_HOME="+t.TempDir(),
		"HF_HUB_DISABLE_XET=1", "HF_HUB_DISABLE_TELEMETRY=1", "HF_HUB_DISABLE_PROGRESS_BARS=1", "NO_PROXY=*")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

// The Python client can use a cache that we filled without a connection, and we can use one that
// it filled without fetching a byte.
func TestSharedWithPython(t *testing.T) { sharedWithPython(t, 3) }

func sharedWithPython(t *testing.T, repos int) {
	py := python(t)
	s := startHub(t)
	var ids []string
	files := map[string][]hubtest.File{}
	for i := range repos {
		id := fmt.Sprintf("org/model-%d", i)
		if i == 0 {
			id = "plain" // without an organization
		}
		files[id] = []hubtest.File{
			{Path: "config.json", Data: fmt.Appendf(nil, `{"n":%d}`, i)},
			{Path: "README.md", Data: []byte("# a model")},
			{Path: "model.safetensors", Data: hubtest.Random(100_000+i*70_000, uint64(i)), LFS: true},
			{Path: "1_Pooling/config.json", Data: []byte(`{}`)},
			{Path: "a/b/c/vocab.txt", Data: []byte(strings.Repeat("word\n", i))},
		}
		s.Add(hubtest.Repo{ID: id, Files: files[id]})
		ids = append(ids, id)
	}
	ctx := context.Background()
	c := connect(t, s.URL())

	ours := newCache(t)
	for _, id := range ids {
		if _, err := c.Pull(ctx, ours, Request{ID: id}, nil); err != nil {
			t.Fatal(err)
		}
	}
	s.Forget()
	out := runPython(t, py, "http://127.0.0.1:1", ours, `
import sys
from huggingface_hub import snapshot_download, hf_hub_download, try_to_load_from_cache, scan_cache_dir
for id in sys.argv[1:]:
    folder = snapshot_download(id, local_files_only=True)
    print(folder)
    assert open(hf_hub_download(id, "1_Pooling/config.json", local_files_only=True)).read() == "{}"
    assert try_to_load_from_cache(id, "model.safetensors")
scan = scan_cache_dir()
assert not scan.warnings, scan.warnings
assert len(scan.repos) == len(sys.argv) - 1, scan.repos
for r in scan.repos:
    assert r.nb_files == 5 and [list(v.refs) for v in r.revisions] == [["main"]], r
`, ids...)
	if folders := strings.Fields(out); len(folders) != len(ids) {
		t.Errorf("%s", out)
	}
	for _, id := range ids {
		runPython(t, py, s.URL(), ours, `
import sys
from huggingface_hub import HfApi
report = HfApi().verify_repo_checksums(sys.argv[1])
assert not report.mismatches and not report.missing_paths and not report.extra_paths, report
assert report.checked_count == 5, report
`, id)
	}
	s.Forget()
	runPython(t, py, s.URL(), ours, `
import sys
from huggingface_hub import snapshot_download
for id in sys.argv[1:]:
    snapshot_download(id)
`, ids...)
	if s.Sent() > 100_000 {
		t.Errorf("Python fetched %d bytes again", s.Sent())
	}

	theirs := newCache(t)
	runPython(t, py, s.URL(), theirs, `
import sys
from huggingface_hub import snapshot_download
for id in sys.argv[1:]:
    snapshot_download(id)
`, ids...)
	for _, id := range ids {
		mustHold(t, theirs, id, files[id])
		got, err := c.Pull(ctx, theirs, Request{ID: id}, nil)
		if err != nil || got.Fetched != 0 {
			t.Errorf("%s: %d bytes were fetched again (%v)", id, got.Fetched, err)
		}
		checks, err := theirs.Verify(ctx, id, "", nil)
		if err != nil || len(checks) != 5 {
			t.Errorf("%s: %d files (%v)", id, len(checks), err)
		}
		for _, check := range checks {
			if !check.OK {
				t.Errorf("%s: %+v", id, check)
			}
		}
		if removed, err := theirs.Remove(id, ""); err != nil || removed.Bytes < 100_000 {
			t.Errorf("%+v, %v", removed, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(theirs.Dir(), "models--*")); len(left) != 0 {
		t.Errorf("%v", left)
	}
}
