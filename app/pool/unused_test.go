package pool

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"inglenook/app/base"
	"inglenook/app/library"
)

// Models that nobody used for a while give their memory back, also one that a conversation holds
// without working; what is at work, and what was used since, stays.
func TestUnusedModelsGiveTheirMemoryBack(t *testing.T) {
	s := newTestSet(t, 1000)
	holder := &holds{}
	s.holder = holder
	p, settings := poolOf(t, s)

	s.take("embed:old", 10).release()
	s.take("embed:noted", 20).release()
	held := s.take("chat:talker", 40)
	holder.release = held.release
	busy := s.take("rerank:busy", 80)
	between := time.Now()
	time.Sleep(2 * time.Millisecond)
	s.take("embed:new", 160).release()
	if err := settings.SaveSettings(func(s *base.Settings) { s.LastUsed["embed:noted"] = time.Now() }); err != nil {
		t.Fatal(err)
	}

	if names, freed, err := p.CloseUnused(between.Add(-time.Hour)); len(names) != 0 || freed != 0 || err != nil {
		t.Errorf("of an hour before, closed are %v", names)
	}
	names, freed, err := p.CloseUnused(between)
	if len(names) != 2 || freed != 50 || err != nil {
		t.Errorf("closed are %v, which frees %d, %v", names, freed, err)
	}
	if got := s.names(); got != "embed:new embed:noted rerank:busy" {
		t.Errorf("open are %s", got)
	}
	busy.release()
	if names, _, _ := p.CloseUnused(between); len(names) != 0 {
		t.Errorf("right after its work, closed are %v", names)
	}
}

// As long as the program runs it looks for such models, and stops doing so at its end; never is for ever.
func TestLooksForUnusedModels(t *testing.T) {
	s := newTestSet(t, 1000)
	p, _ := poolOf(t, s)
	s.take("embed:a", 10).release()
	var after atomic.Int64
	asked := make(chan bool, 1)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan bool)
	go func() {
		p.CloseUnusedFor(ctx, time.Millisecond, func() time.Duration {
			select {
			case asked <- true:
			default:
			}
			return time.Duration(after.Load())
		})
		close(ended)
	}()
	for range 3 {
		<-asked
	}
	if got := s.names(); got != "embed:a" {
		t.Errorf("with no time set, open are %q", got)
	}
	after.Store(int64(time.Millisecond))
	for deadline := time.Now().Add(10 * time.Second); s.names() != ""; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it stays open")
		}
	}
	cancel()
	<-ended
}

// poolOf is a pool of such models, with settings of its own.
func poolOf(t *testing.T, s *testSet) (*Pool, *base.SettingsStore) {
	t.Helper()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	settings, _ := base.OpenSettings(filepath.Join(t.TempDir(), "settings.json"), log)
	return &Pool{log: log, openSet: s.openSet, library: library.New(base.NewLifetime(), settings, log, nil, nil)}, settings
}

// holds is a conversation that holds a model and does not work with it.
type holds struct{ release func() }

func (h *holds) Idle(string) bool { return true }

func (h *holds) LetGo(string) bool {
	h.release()
	return true
}
