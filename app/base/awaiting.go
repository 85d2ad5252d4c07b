package base

import (
	"sync"
	"time"
)

// LongWait is how long a server may be busy with work that is under way before it is told that it is
// awaited.
const LongWait = 10 * time.Second

// Awaiting reports once a second for how long a server is awaited: since it began, or since heard was
// called last, where that is after or more. end ends that. report may be nil.
func Awaiting(server string, after time.Duration, report func(Progress)) (heard, end func()) {
	if report == nil {
		return func() {}, func() {}
	}
	var mu sync.Mutex
	since, ended := time.Now(), make(chan struct{})
	var telling sync.WaitGroup
	telling.Go(func() {
		each := time.NewTicker(time.Second)
		defer each.Stop()
		for {
			select {
			case now := <-each.C:
				mu.Lock()
				awaited := now.Sub(since)
				mu.Unlock()
				if awaited >= after {
					report(Progress{Stage: StageServer, Server: server, Done: int64(awaited.Seconds())})
				}
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
	return heard, func() {
		close(ended)
		telling.Wait()
	}
}
