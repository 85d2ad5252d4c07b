// Package usage tells what the computer and this program use at a moment: memory
// and processor time, as the system counts them. It keeps nothing and starts
// nothing; what a share is, two readings say.
package usage

import (
	"runtime"
	"syscall"
	"time"
)

// Reading is what was used when it was taken. What the system does not tell is 0.
type Reading struct {
	When      time.Time
	Resident  int64         // bytes of memory that the program has
	Available int64         // bytes that programs may still take without pushing others out
	Used      time.Duration // processor time of the program since its start
	Idle, All float64       // time of all processors since the system's start, in units of its own
}

// Now takes a reading.
func Now() Reading {
	r := Reading{When: time.Now(), Used: processorTime()}
	r.read()
	return r
}

// processorTime is that of the program, by getrusage(2).
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Program is the share of all processors that the program took since an earlier
// reading, 0 to 1; false: it cannot be told.
func (r Reading) Program(before Reading) (float64, bool) {
	wall := r.When.Sub(before.When)
	if before.When.IsZero() || wall <= 0 || r.Used == 0 {
		return 0, false
	}
	return share((r.Used - before.Used).Seconds() / wall.Seconds() / float64(runtime.NumCPU())), true
}

// System is the share of all processors that was in use since an earlier reading.
func (r Reading) System(before Reading) (float64, bool) {
	if before.All == 0 || r.All <= before.All {
		return 0, false
	}
	return share(1 - (r.Idle-before.Idle)/(r.All-before.All)), true
}

// Others is the share of all processors that other programs took since an earlier reading.
func (r Reading) Others(before Reading) (float64, bool) {
	all, known := r.System(before)
	mine, also := r.Program(before)
	return max(0, all-mine), known && also
}

func share(v float64) float64 { return min(1, max(0, v)) }
