package cpubackend

// #include <stdlib.h>
import "C"

import (
	"context"
	"sync/atomic"
	"unsafe"
)

// watch raises a flag when a context ends. It keeps watching between runs, so
// that several runs under one context cost nothing more.
type watch struct {
	flag   *int32          // in C memory, polled by the threads
	done   <-chan struct{} // of the context; nil: none is watched, or one that never ends
	cancel func() bool     // ends the watch, false if the flag is raised or about to be
	raised chan struct{}   // closed once the flag is raised
}

// follow watches ctx from now on.
func (w *watch) follow(ctx context.Context) error {
	if w.flag == nil {
		w.flag = (*int32)(C.calloc(1, C.size_t(unsafe.Sizeof(int32(0)))))
		if w.flag == nil {
			return noMemory("a flag", 4)
		}
	}
	if w.done == ctx.Done() {
		return nil
	}
	w.leave()
	if w.done = ctx.Done(); w.done == nil {
		return nil
	}
	raised, flag := make(chan struct{}), w.flag
	w.raised = raised
	w.cancel = context.AfterFunc(ctx, func() {
		atomic.StoreInt32(flag, 1)
		close(raised)
	})
	return nil
}

// leave ends the watch and lowers the flag.
func (w *watch) leave() {
	if w.done == nil {
		return
	}
	if !w.cancel() {
		<-w.raised
	}
	atomic.StoreInt32(w.flag, 0)
	w.done, w.cancel, w.raised = nil, nil, nil
}

func (w *watch) free() {
	w.leave()
	C.free(unsafe.Pointer(w.flag))
	w.flag = nil
}
