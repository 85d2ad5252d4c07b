package panel

import (
	"log/slog"
	"sync"
	"time"

	"inglenook/app/base"
)

// SaveDelay gathers the changes that come close together into one write.
const SaveDelay = 400 * time.Millisecond

// Saver keeps settings without making the window wait for the disk.
type Saver struct {
	app App

	mu      sync.Mutex
	changes []func(*base.Settings)
	timer   *time.Timer
	writing sync.Mutex // keeps the order of writes
}

func NewSaver(a App) *Saver { return &Saver{app: a} }

// Keep applies change to the settings soon. The change runs on another
// goroutine: it must not touch the window.
func (s *Saver) Keep(change func(*base.Settings)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes = append(s.changes, change)
	if s.timer == nil {
		s.timer = time.AfterFunc(SaveDelay, s.Flush)
	}
}

// Flush writes what waits and returns when it is written.
func (s *Saver) Flush() {
	s.writing.Lock()
	defer s.writing.Unlock()
	s.mu.Lock()
	changes := s.changes
	s.changes = nil
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	s.mu.Unlock()
	if len(changes) == 0 {
		return
	}
	err := s.app.SaveSettings(func(settings *base.Settings) {
		for _, change := range changes {
			change(settings)
		}
	})
	if err != nil {
		s.app.Log().Error("settings not saved", slog.Any("error", err))
	}
}
