package hub

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"inglenook/hub/cache"
	"inglenook/hub/hubtest"
)

// asDownloader in the environment makes this test binary a program that downloads: endpoint,
// cache and id, separated by blanks.
const asDownloader = "HUB_TEST_DOWNLOAD"

func TestMain(m *testing.M) {
	if task := os.Getenv(asDownloader); task != "" {
		os.Exit(downloader(strings.Fields(task)))
	}
	goleak.VerifyTestMain(m)
}

func downloader(task []string) int {
	c, err := NewClient(Options{Endpoint: task[0], Proxy: "direct"})
	if err == nil {
		c.tuning.journal, c.tuning.stale = quick().journal, quick().stale
		c.tuning.piece, c.tuning.lag, c.tuning.poll = quick().piece, quick().lag, quick().poll
		c.tuning.reserve = quick().reserve
		var r Result
		if r, err = c.Pull(context.Background(), cache.Open(task[1]), Request{ID: task[2]}, nil); err == nil {
			fmt.Println(r.Fetched)
			return 0
		}
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// begin starts a process that downloads.
func begin(t testing.TB, s *hubtest.Server, cache *cache.Cache, id string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asDownloader+"="+s.URL()+" "+cache.Dir()+" "+id)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd
}

// A process that is killed at any moment leaves no wrong file, and the next one continues
// where it stopped.
func TestKilled(t *testing.T) {
	for i := range 4 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			killedRounds(t, 5, 2<<20+4321)
		})
	}
}

func killedRounds(t *testing.T, rounds, bytes int) {
	file := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(bytes, 5), LFS: true}
	small := hubtest.File{Path: "config.json", Data: []byte("{}")}
	s := startHub(t)
	s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{file, small}})
	s.Throttle(bytes / 4) // of each of 8 connections
	size := float64(len(file.Data))
	worst, total, halfway := 0.0, 0.0, 0
	for round := range rounds {
		cache := newCache(t)
		s.Forget()
		first := begin(t, s, cache, "org/name")
		time.Sleep(rand.N(600 * time.Millisecond))
		_ = first.Process.Kill()
		_ = first.Wait()
		visibleIsRight(t, cache)
		if r, err := cache.Repo("org/name"); err == nil && len(r.Unfinished) == 1 && r.Unfinished[0].Done > 100 {
			halfway++
		}
		if err := begin(t, s, cache, "org/name").Wait(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		mustHold(t, cache, "org/name", []hubtest.File{file, small})
		mustBeTidy(t, cache)
		worst, total = max(worst, float64(s.Sent())/size), total+float64(s.Sent())/size
	}
	t.Logf("%d of %d kills came in the middle; at most %.3f of the size was sent", halfway, rounds, worst)
	t.Logf("%.3f of the size on the whole", total/float64(rounds))
	// The kill may lose the pieces that were being received, one for each connection, and those that
	// the journal did not have yet. For a large file that is little.
	if limit := 1.1 + float64(9*64<<10+128<<10)/size; worst > limit {
		t.Errorf("%.3f of the size was sent, more than %.3f", worst, limit)
	}
	if bytes >= 8<<20 && total/float64(rounds) > 1.1 {
		t.Error("that is more than 1.1")
	}
}

// Two programs want the same file: one downloads it, and the other waits and then uses it.
func TestTwoProcesses(t *testing.T) { twoProcesses(t, 5) }

func twoProcesses(t *testing.T, rounds int) {
	file := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(1<<20, 6), LFS: true}
	s := startHub(t)
	s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{file, {Path: "config.json", Data: []byte("{}")}}})
	s.Throttle(2 << 20)
	for round := range rounds {
		cache := newCache(t)
		s.Forget()
		a, b := begin(t, s, cache, "org/name"), begin(t, s, cache, "org/name")
		if err := errors.Join(a.Wait(), b.Wait()); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		mustHold(t, cache, "org/name", []hubtest.File{file})
		mustBeTidy(t, cache)
		if sent := s.Sent(); sent > int64(len(file.Data))+64<<10 {
			t.Errorf("round %d: %d bytes were sent for %d", round, sent, len(file.Data))
		}
	}
}

// One is killed while the other waits for it.
func TestOneOfTwoKilled(t *testing.T) {
	file := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(1<<20, 7), LFS: true}
	s := startHub(t)
	s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{file}})
	s.Throttle(300 << 10)
	cache := newCache(t)
	a, b := begin(t, s, cache, "org/name"), begin(t, s, cache, "org/name")
	time.Sleep(300 * time.Millisecond)
	_ = a.Process.Kill()
	_ = a.Wait()
	if err := b.Wait(); err != nil {
		t.Fatal(err)
	}
	mustHold(t, cache, "org/name", []hubtest.File{file})
	mustBeTidy(t, cache)
}
