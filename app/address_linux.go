package app

import (
	"fmt"
	"runtime"
	"syscall"

	"github.com/dustin/go-humanize"
)

// roomToRun reports whether a limit on our address space (ulimit -v) leaves enough
// for the runtime of Go and the threads, which end the whole program where they
// are refused some. Little of what they reserve is ever used.
func roomToRun() error {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil {
		return nil
	}
	return enoughAddresses(limit.Cur, runtime.NumCPU())
}

// enoughAddresses judges by what was seen: about 2 GB where two threads compute,
// and each core can have threads with stacks and heaps of their own.
func enoughAddresses(limit uint64, cores int) error {
	need := uint64(2<<30) + uint64(cores)<<27
	if limit >= need {
		return nil
	}
	return fmt.Errorf("this program may reserve %s of address space (ulimit -v) and needs %s, little of which it uses; allow that with ulimit -v %d, or limit the memory in use with a control group instead",
		humanize.Bytes(limit), humanize.Bytes(need), need>>10)
}
