package hub

import (
	"context"
	"errors"
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

// Mistakes of go-huggingface 0.3.2, one subtest each, numbered in the order in which they were
// found.
func TestTwelveFaults(t *testing.T) {
	ctx := context.Background()
	large := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(300_000, 12), LFS: true}
	files := []hubtest.File{{Path: "config.json", Data: []byte("{}")}, {Path: "generation_config.json", Data: []byte("{}")}, {Path: "empty.txt"}, large}
	start := func(t *testing.T) (*hubtest.Server, *cache.Cache, *Client) {
		s := startHub(t)
		s.Add(hubtest.Repo{ID: "org/name", Files: files})
		return s, newCache(t), connect(t, s.URL())
	}
	pull := func(t *testing.T, c *Client, cache *cache.Cache) Result {
		t.Helper()
		r, err := c.Pull(ctx, cache, Request{ID: "org/name"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		mustHold(t, cache, "org/name", files)
		return r
	}
	blob := func(cache *cache.Cache) string {
		return filepath.Join(cache.Dir(), "models--org--name", "blobs", large.SHA256())
	}

	t.Run("1 a connection that drops is no end of file", func(t *testing.T) {
		s, cache, c := start(t)
		s.Misbehave(hubtest.Named("closes halfway").OnlyFirst(3))
		pull(t, c, cache)
		s.Misbehave(hubtest.Named("closes after the headers")) // an incomplete file never has the final name
		other := newCache(t)
		ctx, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
		defer cancel()
		if _, err := c.Pull(ctx, other, Request{ID: "org/name"}, nil); err == nil {
			t.Error("it claims success")
		}
		if _, err := os.Stat(blob(other)); err == nil {
			t.Error("a part has the name of the whole")
		}
	})
	t.Run("2 a flipped byte is noticed", func(t *testing.T) {
		s, cache, c := start(t)
		s.Misbehave(hubtest.Named("a flipped bit").OnlyFirst(1))
		pull(t, c, cache)
		s.Misbehave(hubtest.Named("a flipped bit"))
		_, err := c.Pull(ctx, newCache(t), Request{ID: "org/name"}, nil)
		mustSay(t, err, fault.ErrCorrupt, "model.safetensors", "checksum", "not kept")
	})
	t.Run("3 a blob is named by the Hub's hash, not by the other server's tag", func(t *testing.T) {
		_, cache, c := start(t)
		pull(t, c, cache)
		if _, err := os.Stat(blob(cache)); err != nil {
			t.Error(err)
		}
	})
	t.Run("4 weak tags make no folders", func(t *testing.T) {
		s, cache, c := start(t)
		s.Misbehave(hubtest.Named("a weak ETag"))
		pull(t, c, cache)
		entries, _ := os.ReadDir(filepath.Join(cache.Dir(), "models--org--name", "blobs"))
		for _, e := range entries {
			if repo.CheckDigest(e.Name()) != nil {
				t.Errorf("the blobs have %s", e.Name())
			}
		}
		if plainETag(`W/"abc"`) != "abc" || plainETag(`"abc"`) != "abc" {
			t.Error("tags are not read")
		}
	})
	t.Run("5 off line a complete cache is usable, and nothing of it is lost", func(t *testing.T) {
		s, cache, c := start(t)
		first := pull(t, c, cache)
		c.SetOffline(true)
		if r := pull(t, c, cache); !r.Unchecked || r.Commit != first.Commit {
			t.Errorf("%+v", r)
		}
		s.Close()
		gone := connect(t, "http://127.0.0.1:1")
		if r := pull(t, gone, cache); !r.Unchecked {
			t.Errorf("%+v", r)
		}
		if checks, err := cache.Verify(ctx, "org/name", "", nil); err != nil || len(checks) != 4 || !checks[3].OK {
			t.Errorf("%+v, %v", checks, err)
		}
	})
	t.Run("6 what was canceled goes on where it was", func(t *testing.T) {
		s, cache, c := start(t)
		s.Throttle(500_000)
		cut, cancel := context.WithCancel(ctx)
		_, err := c.Pull(cut, cache, Request{ID: "org/name"}, func(p Progress) {
			if p.Done > 100_000 {
				cancel()
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		r, err := cache.Repo("org/name")
		if err != nil || len(r.Unfinished) != 1 || r.Unfinished[0].Done < 100_000 {
			t.Fatalf("%+v, %v", r, err)
		}
		s.Throttle(0)
		s.Forget()
		if r := pull(t, c, cache); r.Fetched > 200_004 {
			t.Errorf("%d bytes were fetched again", r.Fetched)
		}
		mustBeTidy(t, cache)
	})
	t.Run("7 files of the same bytes are one transfer without waiting", func(t *testing.T) {
		s, cache, c := start(t)
		pull(t, c, cache)
		got := 0
		for _, q := range s.Requests() {
			if strings.HasSuffix(q.Path, "config.json") {
				got++
			}
		}
		if got != 1 {
			t.Errorf("%d requests for two files of the same bytes", got)
		}
	})
	t.Run("8 progress is told, and only what is there counts", func(t *testing.T) {
		s, cache, c := start(t)
		s.Throttle(400_000)
		last, steps := int64(0), 0
		_, err := c.Pull(ctx, cache, Request{ID: "org/name"}, func(p Progress) {
			if p.Done < last {
				t.Errorf("it went back from %d to %d", last, p.Done)
			}
			if p.Done > last {
				steps++
			}
			last = p.Done
			if p.Total > 0 && p.Done > p.Total {
				t.Errorf("%d of %d bytes", p.Done, p.Total)
			}
		})
		if err != nil || steps < 2 || last != 300_002 {
			t.Errorf("%d steps to %d, %v", steps, last, err)
		}
	})
	t.Run("9 the disk is looked at first, and 429 is waited out", func(t *testing.T) {
		s, cache, c := start(t)
		c.tuning.free = func(string) (int64, error) { return c.tuning.reserve + 299_999, nil }
		_, err := c.Pull(ctx, cache, Request{ID: "org/name"}, nil)
		mustSay(t, err, fault.ErrDiskFull, "free some space")
		c.tuning.free = freeSpace
		s.Misbehave(hubtest.Named("429 with seconds").OnlyFirst(3), hubtest.Named("429 of the Hub").OnlyFirst(3))
		pull(t, c, cache)
	})
	t.Run("10 a large file takes little memory", func(t *testing.T) {
		switch most := peakMemory(t, 48<<20); {
		case most == 0:
			t.Skip("the memory of a process is unknown here")
		case most > 100:
			t.Errorf("%.0f MiB", most)
		}
	})
	t.Run("11 the second server gets no token", func(t *testing.T) {
		s, cache, _ := start(t)
		s.Accept(secret)
		pull(t, connect(t, s.URL(), withToken), cache)
		told := 0
		for _, q := range s.Requests() {
			if q.Server == "files" && q.Authorization != "" {
				t.Errorf("%+v", q)
			}
			if q.Authorization != "" {
				told++
			}
		}
		if told == 0 {
			t.Error("the Hub got no token either")
		}
	})
	t.Run("12 the hash of the first answer counts, ranges do not change it", func(t *testing.T) {
		s, cache, c := start(t)
		s.Misbehave(hubtest.Named("no ETag"))
		pull(t, c, cache)
		s.Misbehave(hubtest.Named("another X-Linked-Etag"))
		_, err := c.Pull(ctx, newCache(t), Request{ID: "org/name"}, nil)
		mustSay(t, err, fault.ErrProtocol, "other bytes")
	})
}

// A part that changed on the disk is found, and only it is fetched again.
func TestRepair(t *testing.T) {
	ctx := context.Background()
	file := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(1<<20, 13), LFS: true}
	small := hubtest.File{Path: "config.json", Data: []byte(`{"a":1}`)}
	s := startHub(t)
	s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{small, file}})
	cache, c := newCache(t), connect(t, s.URL())
	got, err := c.Pull(ctx, cache, Request{ID: "org/name"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	damage := func(name string, at int64) {
		f, err := os.OpenFile(filepath.Join(got.Path, name), os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteAt([]byte("?"), at); err != nil {
			t.Fatal(err)
		}
	}
	damage("model.safetensors", 700_000)
	damage("config.json", 3)
	checks, err := cache.Verify(ctx, "org/name", "", nil)
	if err != nil || checks[0].OK || checks[1].OK || len(checks[1].Bad) != 1 || checks[1].Bad[0].From != 655360 || checks[1].Bad[0].To != 720896 {
		t.Fatalf("%+v, %v", checks, err)
	}
	reader, err := os.Open(filepath.Join(got.Path, "model.safetensors")) // another program has it open
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	s.Forget()
	fixed, err := c.Repair(ctx, cache, "org/name", "", nil)
	if err != nil || fixed.Fetched != 64<<10+7 {
		t.Errorf("%d bytes were fetched (%v)", fixed.Fetched, err)
	}
	mustHold(t, cache, "org/name", []hubtest.File{small, file})
	mustBeTidy(t, cache)
	if again, err := c.Repair(ctx, cache, "org/name", "", nil); err != nil || again.Fetched != 0 {
		t.Errorf("%+v, %v", again, err)
	}
	// A truncated file, or one without checksums, is fetched whole.
	if err := os.Truncate(filepath.Join(got.Path, "model.safetensors"), 1000); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Repair(ctx, cache, "org/name", "", nil); err != nil {
		t.Fatal(err)
	}
	mustHold(t, cache, "org/name", []hubtest.File{small, file})
	_ = os.RemoveAll(filepath.Join(cache.Dir(), "models--org--name", "trees"))
	damage("model.safetensors", 5)
	if _, err := c.Repair(ctx, cache, "org/name", "", nil); err != nil {
		t.Fatal(err)
	}
	mustHold(t, cache, "org/name", []hubtest.File{small, file})
}
