package hub

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"inglenook/hub/fault"
	"inglenook/hub/hubtest"
	"inglenook/hub/repo"
)

// A download that cannot finish says what it waits for and since when, and gives up after the
// stated time.
func TestPullGivesUp(t *testing.T) {
	for _, name := range []string{
		"hangs before the headers", "closes at once", "closes after the headers", "drips",
		"429 with seconds", "429 with a date", "429 without a time", "500", "503 with seconds", "504", "408",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := startHub(t)
			s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{{Path: "model.safetensors", Data: hubtest.Random(150_000, 3), LFS: true}}})
			s.Misbehave(hubtest.Named(name))
			var mu sync.Mutex
			var said []string
			c := connect(t, s.URL())
			_, err := c.Pull(t.Context(), newCache(t), Request{ID: "org/name", Wait: 2 * time.Second}, func(p Progress) {
				mu.Lock()
				defer mu.Unlock()
				if p.State == StateWaiting {
					said = append(said, p.Why)
				}
			})
			mustSay(t, err, fault.ErrUnreachable, "nothing has come for 2 seconds", "goes on there")
			mu.Lock()
			defer mu.Unlock()
			if last := said[len(said)-1]; !strings.Contains(last, "nothing has come since ") {
				t.Errorf("it says %q while it waits", last)
			}
		})
	}
}

// A server that is slow to hash, or another program that downloads, is no reason to give up.
func TestPullWaitsForWork(t *testing.T) {
	now := time.Now()
	m := &meter{patience: patience{trickle: 100, silent: time.Second, wait: time.Minute}, waiting: map[int]error{}, movedAt: now.Add(-time.Hour)}
	done := m.busy()
	if _, long := m.still(now); long != 0 {
		t.Errorf("while a file is hashed nothing has come for %v", long)
	}
	done()
	m.p.Done = 1 << 20 // shown by another program
	if _, long := m.still(now.Add(time.Hour)); long != 0 {
		t.Errorf("while another program downloads nothing has come for %v", long)
	}
	m.p.Done += 99 * 3600 // in an hour
	if _, long := m.still(now.Add(2 * time.Hour)); long != time.Hour {
		t.Errorf("a trickle counts: %v", long)
	}
	m.p.FilesDone++
	if _, long := m.still(now.Add(2 * time.Hour)); long != 0 {
		t.Errorf("a file that became whole does not count: %v", long)
	}
}

// If a wanted file cannot be fetched, whatever is wrong with it, the download is not complete.
func TestListingsThatAreNotWhole(t *testing.T) {
	const digest = "b6fc4c620b67d95f953a5c1c1230aaab5db5a1b0"
	good := fmt.Sprintf(`{"rfilename":"model.safetensors","size":10,"blobId":%q}`, digest)
	for name, file := range map[string]string{
		"config.json":             fmt.Sprintf(`{"rfilename":"config.json","size":-1,"blobId":%q}`, digest),
		"tokenizer.json":          `{"rfilename":"tokenizer.json","size":5,"blobId":"no digest"}`,
		"../config.json":          fmt.Sprintf(`{"rfilename":"../config.json","size":5,"blobId":%q}`, digest),
		"/model-2.safetensors":    fmt.Sprintf(`{"rfilename":"/model-2.safetensors","size":5,"blobId":%q}`, digest),
		"CON.json":                fmt.Sprintf(`{"rfilename":"a/../CON.json","size":5,"blobId":%q}`, digest),
		"vocab.txt":               fmt.Sprintf(`{"rfilename":"vocab.txt","size":-9223372036854775808,"blobId":%q}`, digest),
		"special_tokens_map.json": fmt.Sprintf(`{"rfilename":"special_tokens_map.json","size":-7,"blobId":%q}`, digest),
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"id":"org/name","sha":%q,"siblings":[%s,%s]}`, strings.Repeat("a", 40), good, file)
		}))
		_, err := connect(t, s.URL).Pull(context.Background(), newCache(t), Request{ID: "org/name"}, nil)
		s.Close()
		if err == nil || !strings.Contains(err.Error(), "cannot be downloaded whole") {
			t.Errorf("with %s: %v", name, err)
		}
	}
	// A file that is not wanted does not matter.
	info := Info{ID: "org/name", Files: []repo.File{{Path: "model.safetensors"}}, Refused: []string{"../evil.bin", "logs/../x.png"}}
	if err := info.checkWhole(Request{}); err != nil {
		t.Error(err)
	}
}
