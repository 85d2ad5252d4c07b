package pool

import (
	"io"
	"log/slog"
	"path/filepath"
	"testing"
	"time"

	"inglenook/app/base"
	"inglenook/app/library"
)

// Models that nobody used for a while give their memory back, also one that a conversation holds
// without working; what is at work, and what was used since, stays.
func TestUnusedModelsGiveTheirMemoryBack(t *testing.T) {
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	settings, _ := base.OpenSettings(filepath.Join(t.TempDir(), "settings.json"), log)
	s := newTestSet(t, 1000)
	holder := &holds{}
	s.holder = holder
	p := &Pool{log: log, openSet: s.openSet, library: library.New(base.NewLifetime(), settings, log, nil, nil)}

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

// holds is a conversation that holds a model and does not work with it.
type holds struct{ release func() }

func (h *holds) Idle(string) bool { return true }

func (h *holds) LetGo(string) bool {
	h.release()
	return true
}
