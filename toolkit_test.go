package main

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// stuckApp is an application whose queue of events nobody reads any more.
type stuckApp struct {
	fyne.App
	queue chan func()
	quit  bool
}

type stuckLifecycle struct {
	fyne.Lifecycle
	queue chan func()
}

func (a *stuckApp) Quit() { a.quit = true }
func (a *stuckApp) Lifecycle() fyne.Lifecycle {
	return stuckLifecycle{a.App.Lifecycle(), a.queue}
}

func (l stuckLifecycle) RunEventQueue(run func(func(), bool)) {
	for event := range l.queue {
		run(event, true)
	}
}

// TestQuitReadsTheQueue: what waits for the last event of a window that has ended goes on.
func TestQuitReadsTheQueue(t *testing.T) {
	a := &stuckApp{App: test.NewTempApp(t), queue: make(chan func(), 1)}
	defer close(a.queue)
	read := make(chan struct{})
	a.queue <- func() { close(read) }
	toolkit{App: a}.Quit()
	select {
	case <-read:
	case <-time.After(time.Minute):
		t.Fatal("nobody reads the queue")
	}
	if !a.quit {
		t.Error("the application was not told to end")
	}
}

// TestLifecycleHasItsQueue: Fyne's own lifecycle is read in the same way. Where a later
// version has another form, this is the place to look whether Quit is still needed.
func TestLifecycleHasItsQueue(t *testing.T) {
	if _, ok := test.NewTempApp(t).Lifecycle().(interface {
		RunEventQueue(run func(event func(), wait bool))
	}); !ok {
		t.Error("the lifecycle has no queue of events")
	}
}
