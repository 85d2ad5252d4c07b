package base

import (
	"time"

	"inglenook/remote"
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
	return remote.Awaiting(time.Second, func(awaited time.Duration) {
		if awaited >= after {
			report(Progress{Stage: StageServer, Server: server, Done: int64(awaited.Seconds())})
		}
	})
}
