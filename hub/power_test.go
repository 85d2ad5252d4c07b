package hub

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"inglenook/hub/cache"
	"inglenook/hub/hubtest"
)

// A power cut loses what was not synced: blocks of the temporary file are zeros or missing, and the
// journal is old, incomplete or missing. Whatever is left, the next download ends with the right
// bytes and does not fetch valid ones again.
func TestPowerCut(t *testing.T) { powerCuts(t, 12) }

func powerCuts(t *testing.T, rounds int) {
	file := hubtest.File{Path: "model.safetensors", Data: hubtest.Random(1<<20+123, 21), LFS: true}
	s := startHub(t)
	s.Add(hubtest.Repo{ID: "org/name", Files: []hubtest.File{file}})
	for round := range rounds {
		cache, c := newCache(t), connect(t, s.URL())
		s.Throttle(1 << 20)
		ctx, cancel := context.WithCancel(context.Background())
		until := rand.Int64N(int64(len(file.Data)))
		_, err := c.Pull(ctx, cache, Request{ID: "org/name"}, func(p Progress) {
			if p.Done >= until {
				cancel()
			}
		})
		cancel()
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		s.Throttle(0)
		what := loseSomething(t, cache, round)
		got, err := c.Pull(context.Background(), cache, Request{ID: "org/name"}, nil)
		if err != nil {
			t.Fatalf("round %d, %s: %v", round, what, err)
		}
		mustHold(t, cache, "org/name", []hubtest.File{file})
		mustBeTidy(t, cache)
		visibleIsRight(t, cache)
		if most := int64(len(file.Data)) + 4*64<<10; got.Fetched > most {
			t.Errorf("round %d, %s: %d bytes were fetched", round, what, got.Fetched)
		}
	}
}

// loseSomething changes the files of an unfinished download like a power cut.
func loseSomething(t *testing.T, cache *cache.Cache, round int) string {
	t.Helper()
	repo := filepath.Join(cache.Dir(), "models--org--name")
	temps, _ := filepath.Glob(filepath.Join(repo, "blobs", "*.incomplete"))
	journals, _ := filepath.Glob(filepath.Join(repo, ".inglenook", "*.journal"))
	if len(temps) != 1 || len(journals) != 1 {
		return "nothing was under way"
	}
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(temps[0], os.O_RDWR, 0)
	check(err)
	defer f.Close()
	info, err := f.Stat()
	check(err)
	switch round % 6 {
	case 0: // some blocks
		for range 3 {
			if blocks := info.Size() / 4096; blocks > 0 {
				_, err = f.WriteAt(make([]byte, 4096), rand.Int64N(blocks)*4096)
				check(err)
			}
		}
		return "blocks of zeros"
	case 1:
		check(f.Truncate(rand.Int64N(info.Size() + 1)))
		return "a shorter file"
	case 2:
		check(f.Truncate(0))
		return "an empty file"
	case 3:
		data, err := os.ReadFile(journals[0])
		check(err)
		check(os.WriteFile(journals[0], data[:rand.IntN(len(data))], 0o600))
		return "half a journal"
	case 4:
		check(os.WriteFile(journals[0], make([]byte, 200), 0o600))
		return "a journal of zeros"
	}
	check(os.Remove(temps[0]))
	return "no file"
}
