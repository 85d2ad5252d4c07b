package hub

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/hub/cache"
	"inglenook/hub/hubtest"
	"inglenook/hub/repo"
)

// hostile are names that lead out of their folder, or have another meaning on some system.
func hostile() []string {
	list := []string{
		"", ".", "..", "/", "//", "../x", "../../x", "../../../../../../tmp/x", "a/../../x", "a/..", "./x", "a/./b", "a//b", "a/", "/x", "/etc/passwd",
		"..\\x", "a\\..\\..\\x", "\\x", "\\\\server\\share\\x", "\\\\?\\C:\\x", "C:\\x", "C:/x", "C:x", "file:///etc/passwd", "x:stream", "a/b:c",
		"x\x00", "\x00", "a\x00/../b", "x\n", "x\r\ny", "x\ty", "\x1b[2Jx", "x\x7f", "x\u0085", "x\u202ey", "x\u200by", "\ufeffx", "x\u2028y", "\xff\xfe", "a/\xc3\x28",
		"x.", "x ", " x", "a./b", "a /b", " a/b", "...", "a/...", ".. /x", "../", "x/../../y",
		"CON", "con", "NUL", "nul.txt", "COM1", "com1.json", "LPT9", "a/AUX", "PRN.tar.gz", "CONIN$", "con .txt", "COM¹",
		"a*", "a?", "a|b", "a<b", "a>b", `a"b`, "*.gguf",
		strings.Repeat("n", 300), strings.Repeat("n/", 600) + "x", strings.Repeat("é", 200), "a/" + strings.Repeat("b", 256),
		"~/x\x00", "x\u2066", "soft\u00adhyphen", "a\u0000b", "\u2066x",
	}
	return list
}

// elsewhere are names that are valid for a file but not as id, revision or digest.
func elsewhere() []string {
	return []string{"..;/x", "$HOME/x", "~/x", "%2e%2e/x", "..%2fx", "%00", "ｘ", "․․/x", "x;y", "x&y", "`x`", "$(x)", "x y", "-rf", "models--a--b", "blobs/x"}
}

// fence is a folder with a cache deep inside it and files around the cache that must not change.
func fence(t *testing.T) (inside *cache.Cache, check func()) {
	t.Helper()
	top := t.TempDir()
	dir := filepath.Join(top, "a", "b", "hub")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"x", "canary", "a/x", "a/canary", "a/b/x", "a/b/canary", "a/b/models--org--name", "etc/passwd"} {
		name = filepath.Join(top, name)
		_ = os.MkdirAll(filepath.Dir(name), 0o755)
		if err := os.WriteFile(name, []byte("canary"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	picture := func() string {
		h := sha256.New()
		_ = filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
			if name == dir {
				return filepath.SkipDir
			}
			fmt.Fprintln(h, name, e.Type(), err)
			if e.Type().IsRegular() {
				data, _ := os.ReadFile(name)
				fmt.Fprintf(h, "%q\n", data)
			}
			return nil
		})
		return fmt.Sprintf("%x", h.Sum(nil))
	}
	before := picture()
	return cache.Open(dir), func() {
		t.Helper()
		if picture() != before {
			t.Error("something outside of the cache changed")
		}
	}
}

// Hostile names come in every way: as an id, a revision, a file that the Hub lists, a hash, a
// commit, and in our own files on the disk. The files around the cache must not change.
func TestHostileNames(t *testing.T) {
	names := hostile()
	if len(names) < 80 {
		t.Errorf("%d names", len(names))
	}
	inside, check := fence(t)
	s := startHub(t)
	good := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(1000, 1), LFS: true}
	s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{good}})
	c := connect(t, s.URL())
	ctx := context.Background()
	if _, err := c.Pull(ctx, inside, Request{ID: "org/name"}, nil); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if repo.CheckFile(name) == nil {
			t.Errorf("the file name %q was taken", name)
		}
	}
	for _, name := range slices.Concat(names, elsewhere()) {
		if name != "" && repo.CheckRevision(name) == nil && name != "models--a--b" && name != "blobs/x" {
			t.Errorf("the revision %q was taken", name)
		}
		if repo.CheckDigest(name) == nil || repo.CheckCommit(name) == nil {
			t.Errorf("%q was taken for a hash or a commit", name)
		}
		for _, id := range []string{name, "org/" + name, name + "/name"} {
			if repo.ValidID(id) && (strings.Contains(id, "..") || strings.Count(id, "/") > 1) {
				t.Errorf("the id %q was taken", id)
			}
			_, _ = inside.Find(t.Context(), id)
			_, _ = inside.Repo(id)
			_, _ = inside.Remove(id, "")
			_, _ = inside.Verify(ctx, id, "", nil)
		}
		_, _ = inside.Remove("org/name", name+"/")
		_, _ = inside.Verify(ctx, "org/name", name, nil)
		_ = inside.Restore(cache.Removed{ID: name, Key: name})
	}
	check()

	// The Hub lists them: a repository with nothing else is refused, and beside a model only the
	// model is downloaded.
	_, _ = inside.EmptyTrash(0)
	for i, name := range names {
		id := fmt.Sprintf("org/hostile%d", i)
		s.Add(hubtest.Repo{ID: id, Files: []hubtest.File{good, {Path: name, Data: []byte("evil")}, {Path: name + ".safetensors", Data: []byte("evil"), LFS: true}}})
		info, err := c.Info(ctx, id, "")
		if err != nil {
			t.Fatalf("%q: %v", name, err)
		}
		for _, f := range info.Files {
			if f.Path == name {
				t.Errorf("%q is in the listing", name)
			}
		}
		_, _ = c.Pull(ctx, inside, Request{ID: id, Files: []string{"*"}}, nil)
	}
	check()
}

// Listings that no honest server sends.
func TestHostileListings(t *testing.T) {
	data := []byte("x")
	for _, files := range [][]hubtest.File{
		{{Path: "model.safetensors", Data: data}, {Path: "MODEL.safetensors", Data: data}},
		{{Path: "é.safetensors", Data: data}, {Path: "e\u0301.safetensors", Data: data}},
		{{Path: "a.json", Data: data}, {Path: "a.json/model.safetensors", Data: data}},
		{{Path: "A.json", Data: data}, {Path: "a.json/model.safetensors", Data: data}},
		{{Path: "model.safetensors", Data: data}, {Path: "model.safetensors", Data: []byte("y")}},
		{{Path: "straße.safetensors", Data: data}, {Path: "STRASSE.safetensors", Data: data}},
	} {
		s := startHub(t)
		s.Add(hubtest.Repo{ID: "org/name", Files: files})
		_, err := connect(t, s.URL()).Pull(context.Background(), newCache(t), Request{ID: "org/name", Files: []string{"*"}}, nil)
		if files[0].Path == "straße.safetensors" {
			continue // some file systems treat these names as equal
		}
		if err == nil || !strings.Contains(err.Error(), "refused") {
			t.Errorf("%v was taken: %v", files, err)
		}
	}
}

// Links that somebody put into the cache are not followed, and our own files there are trusted
// no more than a stranger's.
func TestPlantedFiles(t *testing.T) {
	file := hubtest.File{Path: "sub/model.safetensors", Data: hubtest.Random(200_000, 2), LFS: true}
	s := startHub(t)
	commit := s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{file}})
	digest := file.SHA256()
	evil := func(v any) string { data, _ := json.Marshal(v); return string(data) }
	journals := cache.Journal{Schema: 1, Size: 200_000, Digest: digest, Piece: 64 << 10}
	bad := func(change func(*cache.Journal)) string { j := journals; change(&j); return evil(j) }
	for name, plant := range map[string]map[string]string{ // path in the cache: link target, or contents after "="
		"the repository":      {"models--org--name": "../../.."},
		"the blobs":           {"models--org--name/blobs": "../../../.."},
		"the snapshots":       {"models--org--name/snapshots": "../../../.."},
		"a snapshot":          {"models--org--name/snapshots/" + commit: "../../../../.."},
		"a folder in it":      {"models--org--name/snapshots/" + commit + "/sub": "../../../../../.."},
		"the name":            {"models--org--name/snapshots/" + commit + "/sub/model.safetensors": "../../../../../../canary"},
		"the blob":            {"models--org--name/blobs/" + digest: "../../../../canary"},
		"the journals":        {"models--org--name/.inglenook": "../../.."},
		"a journal":           {"models--org--name/.inglenook/" + digest + ".00000000.journal": "../../../../canary"},
		"the temporary file":  {"models--org--name/blobs/" + digest + ".00000000.incomplete": "../../../../canary", "models--org--name/.inglenook/" + digest + ".00000000.journal": "=" + evil(journals)},
		"the refs":            {"models--org--name/refs": "../../.."},
		"main":                {"models--org--name/refs/main": "../../../../canary"},
		"the locks":           {".locks": "../.."},
		"the lock":            {".locks/models--org--name/" + digest + ".lock": "../../../canary"},
		"the trees":           {"models--org--name/trees": "../../.."},
		"the trash":           {".inglenook-trash": "../.."},
		"a job":               {"models--org--name/.inglenook/" + commit + ".job": "=" + evil(cache.Job{Schema: 1, ID: "org/name", Revision: "../../x", Commit: commit})},
		"a job with a path":   {"models--org--name/.inglenook/" + commit + ".job": "=" + evil(cache.Job{Schema: 1, ID: "org/name", Revision: "main", Commit: commit, Files: []repo.File{{Path: "../../../../x", SHA256: digest}}})},
		"half a journal":      {"models--org--name/.inglenook/" + digest + ".00000000.journal": `={"schema":1,"si`},
		"a journal of zeros":  {"models--org--name/.inglenook/" + digest + ".00000000.journal": "=\x00\x00\x00\x00"},
		"odd pieces":          {"models--org--name/.inglenook/" + digest + ".00000000.journal": "=" + bad(func(j *cache.Journal) { j.Piece = -1 })},
		"tiny pieces":         {"models--org--name/.inglenook/" + digest + ".00000000.journal": "=" + bad(func(j *cache.Journal) { j.Size, j.Piece = 1<<62, 1 })},
		"pieces beyond":       {"models--org--name/.inglenook/" + digest + ".00000000.journal": "=" + bad(func(j *cache.Journal) { j.Done = [][3]int64{{9, 9, 9}, {-1, 4, 4}, {0, 1 << 40, 0}, {0, -5, 0}} }), "models--org--name/blobs/" + digest + ".00000000.incomplete": "=xxxx"},
		"pieces that are not": {"models--org--name/.inglenook/" + digest + ".00000000.journal": "=" + bad(func(j *cache.Journal) { j.Done = [][3]int64{{0, 64 << 10, 1}, {1, 10, 2}} }), "models--org--name/blobs/" + digest + ".00000000.incomplete": "=" + strings.Repeat("x", 200_000)},
		"wrong sums":          {"models--org--name/.inglenook/" + digest + ".sums": `={"schema":1,"size":200000,"piece":65536,"crc32c":[1,2,3,4]}`},
		"a wrong blob":        {"models--org--name/blobs/" + digest: "=" + strings.Repeat("x", 200_000)},
		"half a blob":         {"models--org--name/blobs/" + digest: "=half"},
	} {
		t.Run(name, func(t *testing.T) {
			cache, check := fence(t)
			for at, what := range plant {
				at = filepath.Join(cache.Dir(), at)
				_ = os.MkdirAll(filepath.Dir(at), 0o755)
				var err error
				if text, ok := strings.CutPrefix(what, "="); ok {
					err = os.WriteFile(at, []byte(text), 0o644)
				} else {
					err = os.Symlink(what, at)
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			c := connect(t, s.URL())
			q, err := OpenQueue(c, cache, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			q.Close()
			_, err = c.Pull(context.Background(), cache, Request{ID: "org/name"}, nil)
			check()
			if err != nil { // a sentence
				mustSay(t, err, err)
			} else if place, err := cache.Find(t.Context(), "org/name"); err == nil {
				if got, err := os.ReadFile(filepath.Join(place.Path(), "sub/model.safetensors")); err != nil || string(got) != string(file.Data) {
					t.Errorf("the file has %d bytes (%v)", len(got), err)
				}
			}
			_, _ = cache.Verify(context.Background(), "org/name", "", nil)
			_, _ = cache.Remove("org/name", "")
			check()
			_, _ = cache.EmptyTrash(0)
			check()
		})
	}
}

func FuzzNames(f *testing.F) {
	for _, name := range slices.Concat(hostile(), elsewhere(), []string{"config.json", "a/b.gguf", "refs/pr/1"}) {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if repo.CheckFile(name) == nil && (!filepath.IsLocal(filepath.FromSlash(name)) || !fs.ValidPath(name)) {
			t.Errorf("the file name %q was taken", name)
		}
		if repo.CheckRevision(name) == nil && !fs.ValidPath(name) {
			t.Errorf("the revision %q was taken", name)
		}
		if folder, err := cache.FolderName(name); err == nil {
			if back, ok := cache.IDOfFolder(folder); !ok || back != name || strings.ContainsAny(folder, `/\`) {
				t.Errorf("%q becomes %q and then %q", name, folder, back)
			}
		}
	})
}

// Whatever a journal contains, no more bytes count as downloaded than the file has.
func FuzzJournal(f *testing.F) {
	f.Add([]byte(`{"schema":1,"size":100,"digest":"` + strings.Repeat("a", 40) + `","piece":30,"done":[[0,30,7],[3,10,1]]}`))
	f.Add([]byte(`{"done":[[9223372036854775807,1,1]],"size":5,"piece":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var j cache.Journal
		file := repo.File{Path: "x", Size: 100, Git: strings.Repeat("a", 40)}
		if json.Unmarshal(data, &j) != nil || !j.Fits(file) {
			return
		}
		sum := int64(0)
		for i, p := range j.Pieces(60) {
			if p.Done > 0 && int64(i)*j.Piece+p.Done > 60 {
				t.Errorf("piece %d has %d bytes", i, p.Done)
			}
			sum += p.Done
		}
		if sum > 60 || j.Bytes() > 100 {
			t.Errorf("%d and %d bytes", sum, j.Bytes())
		}
	})
}
