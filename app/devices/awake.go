package devices

import (
	"sync"

	"inglenook/metalbackend"
)

// awake counts the works that a person waits for. The system hears of the first and
// of the end of the last.
type awake struct {
	mu    sync.Mutex
	works int
	end   func()
}

// Awake says that a person waits for work, until done is called: a system that slows
// down programs in the background does not do so meanwhile.
func (d *Service) Awake() (done func()) {
	a := &d.awake
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.works++; a.works == 1 {
		a.end = d.Activity()
	}
	return sync.OnceFunc(func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.works--; a.works == 0 {
			a.end()
		}
	})
}

// beginActivity tells macOS; no other system needs to know.
func beginActivity() (end func()) {
	rt, err := metalbackend.System()
	if err != nil {
		return func() {}
	}
	return metalbackend.BeginActivity(rt, "A model is working.")
}
