package hub

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"inglenook/hub/fault"
	"inglenook/hub/hubtest"
	"inglenook/hub/repo"
)

func TestLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(1000)
		start := time.Now()
		for range 10 {
			n := l.chunk(500)
			if n != 50 {
				t.Fatalf("chunks of %d", n)
			}
			if err := l.wait(t.Context(), n); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(start); took != 500*time.Millisecond {
			t.Errorf("500 bytes at 1000 a second took %v", took)
		}
		l.set(0)
		if err := l.wait(t.Context(), 1<<40); err != nil || time.Since(start) != 500*time.Millisecond || l.chunk(500) != 500 {
			t.Error("there is still a limit")
		}
		ctx, cancel := context.WithCancel(t.Context())
		l.set(1)
		cancel()
		if err := l.wait(ctx, 100); err == nil {
			t.Error("waiting does not end with the context")
		}
	})
}

func TestSpeedLimit(t *testing.T) {
	s := startHub(t)
	file := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(400_000, 1), LFS: true}
	s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{file}})
	c := connect(t, s.URL(), func(o *Options) { o.Limit = 1_000_000 })
	cache := newCache(t)
	start := time.Now()
	if _, err := c.Pull(context.Background(), cache, Request{ID: "org/name"}, nil); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took < 350*time.Millisecond {
		t.Errorf("400 kB at 1 MB a second took %v", took)
	}
	mustHold(t, cache, "org/name", []hubtest.File{file})
}

func TestBackoff(t *testing.T) {
	d := defaultTuning()
	for n, most := range []time.Duration{750 * time.Millisecond, 1500 * time.Millisecond, 3 * time.Second, 6 * time.Second} {
		if got := d.backoff(n, 0); got < most/3 || got > most {
			t.Errorf("attempt %d waits %v", n, got)
		}
	}
	if got := d.backoff(1000, 0); got < 30*time.Second || got > 90*time.Second {
		t.Errorf("a late attempt waits %v", got)
	}
	if got := d.backoff(0, time.Hour); got != d.longest {
		t.Errorf("a server that asks for an hour gets %v", got)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "7": 7 * time.Second, "-7": 0, "x": 0, "99999999999999": 0, now.Add(90 * time.Second).Format(http.TimeFormat): 90 * time.Second,
		now.Add(-time.Hour).Format(http.TimeFormat): 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q: %v, wanted %v", text, got, want)
		}
	}
}

// Two downloads do not both reserve the same free bytes.
func TestRoomIsShared(t *testing.T) {
	tune := defaultTuning()
	free := int64(10 << 30)
	tune.free = func(string) (int64, error) { return free, nil }
	var l ledger
	first, err := l.claim(tune, "a", 5<<30)
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.claim(tune, "a", 4<<30)
	mustSay(t, err, fault.ErrDiskFull, "11 GB free", "still needs 4.3 GB", "other downloads 5.4 GB", "2.1 GB kept free")
	first.use(3 << 30)
	free -= 3 << 30
	if _, err = l.claim(tune, "a", 4<<30); err == nil {
		t.Error("bytes that were written are free again")
	}
	first.release()
	second, err := l.claim(tune, "a", 4<<30)
	if err != nil {
		t.Error(err)
	}
	second.use(300 << 20)
	free = 1 << 30 // somebody else wrote
	mustSay(t, second.look(), fault.ErrDiskFull)
	second.use(4 << 30)
	if l.add("a", 0) != 0 {
		t.Errorf("%d bytes are wanted by nobody", l.add("a", 0))
	}
}

// Whatever the Hub answers, a listing has only valid names, sizes and hashes.
func FuzzListing(f *testing.F) {
	f.Add([]byte(`{"id":"a/b","sha":"0123456789012345678901234567890123456789","siblings":[{"rfilename":"x","size":3,"blobId":"0123456789012345678901234567890123456789","lfs":{"sha256":"..","size":4}}]}`))
	f.Add([]byte(`{"siblings":[{"rfilename":"../x","size":-3},{}],"gated":"auto","cardData":{"license":["a"]}}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var answer repoJSON
		if json.Unmarshal(data, &answer) != nil {
			return
		}
		info, _ := answer.info()
		for _, file := range info.Files {
			if repo.CheckFile(file.Path) != nil || file.Size < 0 || file.Digest() != "" && repo.CheckDigest(file.Digest()) != nil {
				t.Errorf("%+v", file)
			}
		}
		for _, text := range append(info.Tags, info.Task, info.License, info.Author, info.Library) {
			if strings.ContainsAny(text, "\n\r\x1b") {
				t.Errorf("%q", text)
			}
		}
		if choices, err := Choose(info.Files, nil); err == nil && len(choices) != len(info.Files) {
			t.Error("choices were lost")
		}
	})
}

// A redirect is not followed to another scheme or from https to http, and never passes a password
// on.
func FuzzRedirect(f *testing.F) {
	for _, to := range []string{"/x", "//h/x", "http://h", "https://u:p@h/x", "file:///etc/passwd", "javascript:1", "", "?x", "\x00", "https://[::1", "HTTP://H"} {
		f.Add(to)
	}
	from, _ := url.Parse("https://hub.test/a/b")
	f.Fuzz(func(t *testing.T, to string) {
		next, err := redirectTarget(from, to)
		if err == nil && (next.Scheme != "https" || next.User != nil || next.Host == "") {
			t.Errorf("%q leads to %v", to, next)
		}
		if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
			t.Errorf("%q", err)
		}
	})
}
