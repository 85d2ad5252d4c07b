package remote

import (
	"sync"
	"time"
)

// Awaiting tells again and again for how long something is awaited: since it began, or since heard was
// called last. end ends that, and returns when the last telling has; it may be called again.
func Awaiting(every time.Duration, tell func(awaited time.Duration)) (heard, end func()) {
	var mu sync.Mutex
	since, ended := time.Now(), make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		each := time.NewTicker(every)
		defer each.Stop()
		for {
			select {
			case now := <-each.C:
				mu.Lock()
				awaited := now.Sub(since)
				mu.Unlock()
				tell(awaited)
			case <-ended:
				return
			}
		}
	})
	heard = func() {
		mu.Lock()
		defer mu.Unlock()
		since = time.Now()
	}
	return heard, sync.OnceFunc(func() {
		close(ended)
		telling.Wait()
	})
}
