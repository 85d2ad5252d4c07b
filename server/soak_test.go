//go:build soak

package server

import (
	"os"
	"runtime"
	"testing"
	"time"
)

// TestSoakLoad has 64 clients ask for ten minutes, or for SOAK_TIME. Neither memory nor goroutines grow.
func TestSoakLoad(t *testing.T) {
	during := 10 * time.Minute
	if d, err := time.ParseDuration(os.Getenv("SOAK_TIME")); err == nil {
		during = d
	}
	s := start(t, Options{})
	load(t, s, 64, during/10).tell(t, 64)
	size := func() (bytes uint64, goroutines int) {
		time.Sleep(100 * time.Millisecond)
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc, runtime.NumGoroutine()
	}
	bytes, goroutines := size()
	load(t, s, 64, during).tell(t, 64)
	more, others := size()
	t.Logf("heap %d kB, then %d kB; %d goroutines, then %d", bytes/1000, more/1000, goroutines, others)
	if more > bytes+8<<20 || others > goroutines+4 {
		t.Errorf("heap %d kB, then %d kB; %d goroutines, then %d", bytes/1000, more/1000, goroutines, others)
	}
}
