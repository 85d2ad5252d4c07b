package hub

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"inglenook/hub/cache"
	"inglenook/hub/fault"
	"inglenook/hub/hubtest"
	"inglenook/hub/repo"
)

// newCache returns a cache folder of the test.
func newCache(t testing.TB) *cache.Cache {
	t.Helper()
	return cache.Open(filepath.Join(t.TempDir(), "hub"))
}

// mustHold fails unless the snapshot has exactly these files with these bytes.
func mustHold(t testing.TB, cache *cache.Cache, id string, files []hubtest.File) {
	t.Helper()
	place, err := cache.Find(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		got, err := os.ReadFile(filepath.Join(place.Path(), filepath.FromSlash(f.Path)))
		if err != nil || !bytes.Equal(got, f.Data) {
			t.Errorf("%s: %d bytes (%v), which differ from the %d of the Hub", f.Path, len(got), err, len(f.Data))
		}
	}
	r, err := cache.Repo(id)
	if err != nil || len(r.Unfinished) != 0 || len(r.Revisions) == 0 || !r.Revisions[0].Whole {
		t.Errorf("%+v, %v", r, err)
	}
}

// mustBeTidy fails if a finished download has left temporary files.
func mustBeTidy(t testing.TB, cache *cache.Cache) {
	t.Helper()
	_ = filepath.WalkDir(cache.Dir(), func(name string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			for _, ending := range []string{".incomplete", ".journal", ".job", ".lock"} {
				if strings.HasSuffix(name, ending) {
					t.Errorf("%s was left", name)
				}
			}
		}
		return nil
	})
}

// visibleIsRight fails if the hash of a blob is not its name. That must never happen.
func visibleIsRight(t testing.TB, cache *cache.Cache) {
	t.Helper()
	blobs, _ := filepath.Glob(filepath.Join(cache.Dir(), "models--*", "blobs", "*"))
	for _, name := range blobs {
		digest := filepath.Base(name)
		if repo.CheckDigest(digest) != nil {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := hubtest.File{Data: data, LFS: len(digest) == 64}
		if f.Digest() != digest {
			t.Errorf("the blob %s has %d bytes that hash to %s", digest, len(data), f.Digest())
		}
	}
}

func TestPull(t *testing.T) {
	s := startHub(t)
	commit := s.Add(tinyRepo)
	cache := newCache(t)
	c := connect(t, s.URL())
	var states []Progress
	got, err := c.Pull(context.Background(), cache, Request{ID: "org/tiny"}, func(p Progress) { states = append(states, p) })
	if err != nil {
		t.Fatal(err)
	}
	if got.Commit != commit || got.Bytes != got.Fetched || got.Bytes != 150_000+22+4 || len(got.Files) != 4 {
		t.Errorf("%+v", got)
	}
	mustHold(t, cache, "org/tiny", tinyRepo.Files)
	mustBeTidy(t, cache)
	last := states[len(states)-1]
	if states[0].State != StateAsking || last.Done != last.Total || last.FilesDone != 4 {
		t.Errorf("%+v … %+v", states[0], last)
	}
	for name, want := range map[string]string{
		"refs/main": commit,
		"trees/" + commit + ".json": fmt.Sprintf(`{"format_version":1,"files":{"config.json":{"size":22,"blob_id":"%s"},"empty.txt":{"size":0,"blob_id":"e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"},"model.safetensors":{"size":150000,"blob_id":"%s","lfs_sha256":"%s","lfs_size":150000},"sub/deeper/vocab.txt":{"size":4,"blob_id":"%s"}}}`+"\n",
			tinyRepo.Files[0].Git(), tinyRepo.Files[2].Git(), tinyRepo.Files[2].SHA256(), tinyRepo.Files[3].Git()),
	} {
		if data, err := os.ReadFile(filepath.Join(cache.Dir(), "models--org--tiny", name)); err != nil || string(data) != want {
			t.Errorf("%s holds %s (%v)", name, data, err)
		}
	}
	for name, want := range map[string]string{
		"model.safetensors":    "../../blobs/" + tinyRepo.Files[2].SHA256(),
		"sub/deeper/vocab.txt": "../../../../blobs/" + tinyRepo.Files[3].Git(),
	} {
		if link, err := os.Readlink(filepath.Join(got.Path, name)); err != nil || link != want {
			t.Errorf("%s leads to %s (%v)", name, link, err)
		}
	}

	s.Forget()
	again, err := c.Pull(context.Background(), cache, Request{ID: "org/tiny"}, nil)
	if err != nil || again.Fetched != 0 || s.Sent() > 10_000 {
		t.Errorf("a second download fetched %d bytes (%v)", again.Fetched, err)
	}
	c.SetOffline(true)
	if off, err := c.Pull(context.Background(), cache, Request{ID: "org/tiny"}, nil); err != nil || !off.Unchecked || off.Path != got.Path {
		t.Errorf("off line: %+v, %v", off, err)
	}
	_, err = c.Pull(context.Background(), cache, Request{ID: "org/other"}, nil)
	mustSay(t, err, fault.ErrOffline)
}

// Sizes below, at and above pieces of 64 kB.
var sizes = []int{40_000, 128 << 10, 5*64<<10 + 777}

// A server misbehaves in every way, at every size, for some answers: the file arrives. Bytes are
// never visible before they are verified.
func TestFaultsThatPass(t *testing.T) {
	count := 0
	for _, wrong := range hubtest.Faults() {
		if wrong.Where == "api" {
			continue
		}
		for k, size := range sizes {
			count++
			t.Run(fmt.Sprintf("%s/%d", wrong.Name, size), func(t *testing.T) {
				t.Parallel()
				s := startHub(t)
				file := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(size, uint64(k)), LFS: true}
				s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{file}})
				s.Misbehave(wrong.OnlyFirst(2))
				cache := newCache(t)
				c := connect(t, s.URL())
				ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
				defer cancel()
				_, err := c.Pull(ctx, cache, Request{ID: "org/name"}, nil)
				if errors.Is(err, fault.ErrNotFound) || errors.Is(err, fault.ErrGated) { // a file without a hash is accepted as the Hub sends it
					if wrong.Where != "resolve" {
						t.Fatal(err)
					}
					if _, err = c.Pull(ctx, cache, Request{ID: "org/name"}, nil); err != nil {
						_, err = c.Pull(ctx, cache, Request{ID: "org/name"}, nil)
					}
				}
				visibleIsRight(t, cache)
				if err != nil {
					t.Fatal(err)
				}
				mustHold(t, cache, "org/name", []hubtest.File{file})
				mustBeTidy(t, cache)
			})
		}
	}
	if count < 90 {
		t.Errorf("%d cases", count)
	}
}

// The server misbehaves for ever: the file arrives all the same, or one sentence says why not, or
// the download waits until it is cancelled. There is never a file with wrong bytes.
func TestFaultsThatStay(t *testing.T) {
	// The outcome of each: "" if it arrives, "waits" until it is cancelled, else a word of the sentence.
	outcome := map[string]string{
		"closes at once": "waits", "closes after the headers": "waits", "hangs before the headers": "waits",
		"ends chunks at once": "sends nothing", "promises a shorter body": "bytes for", "closes before the last byte": "waits", "promises a longer body": "bytes for",
		"sends more than the range": "more bytes", // unless all ranges have come before the first surplus byte is seen
		"a flipped bit":             "checksum", "zeros": "checksum", "the bytes of another range": "",
		"gzip that nobody asked for": "encoding", "a page instead of the file": "web page", "a page instead of the range": "web page",
		"an empty answer": "bytes for", "another X-Linked-Etag": "other bytes",
		"429 with seconds": "waits", "429 with a date": "waits", "429 without a time": "waits", "429 of the Hub": "waits",
		"500": "waits", "502": "waits", "503 with seconds": "waits", "504": "waits", "408": "waits", "500 of the Hub": "waits",
		"an expired signature": "refuses", "404 of the second server": "refuses", "304": "refuses", "204": "refuses",
		"404 of the Hub": "no file", "401 of the Hub": "accept its terms", "403 of the Hub": "accept its terms",
		"a redirect in circles": "circles", "a redirect to nowhere": "nowhere", "a redirect to a file": "not http or https",
		"a redirect between servers in circles": "circles", "drips": "waits",
	}
	for _, wrong := range hubtest.Faults() {
		if wrong.Where == "api" {
			continue
		}
		t.Run(wrong.Name, func(t *testing.T) {
			t.Parallel()
			s := startHub(t)
			file := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(150_000, 3), LFS: true}
			s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{file}})
			s.Misbehave(wrong)
			cache := newCache(t)
			c := connect(t, s.URL())
			want := outcome[wrong.Name]
			patience := 10 * time.Minute // a busy machine may take several tries
			if want == "waits" {
				patience = 400 * time.Millisecond
			}
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			_, err := c.Pull(ctx, cache, Request{ID: "org/name"}, nil)
			visibleIsRight(t, cache)
			switch {
			case want == "waits" && !errors.Is(err, context.DeadlineExceeded):
				t.Errorf("it did not wait: %v", err)
			case want == "" && err != nil:
				t.Error(err)
			case want == "more bytes" && err == nil: // mustHold checks the file
			case want != "" && want != "waits" && (err == nil || !strings.Contains(err.Error(), want)):
				t.Errorf("error %v, wanted one that says %q", err, want)
			}
			if err != nil {
				s.Misbehave()
				if _, err = c.Pull(context.Background(), cache, Request{ID: "org/name"}, nil); err != nil {
					t.Error("afterwards:", err)
				}
			}
			mustHold(t, cache, "org/name", []hubtest.File{file})
			mustBeTidy(t, cache)
		})
	}
}
