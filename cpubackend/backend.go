// Package cpubackend runs an engine graph on the processor: kernels in C with
// vector instructions, chosen at run time (AVX-512, AVX2, or plain vectors of
// four floats that also serve arm64; with or without dot products of bytes,
// products of matrices of bytes and products of tiles),
// behind one native call per run of operations. A small team of threads takes the
// work in pieces; between runs it sleeps. Results do not depend on the number of
// threads.
//
// It is always available and has a kernel for every operation of package engine.
// It knows no model and reads no files: weights come through each tensor's source
// and are packed into memory of its own.
package cpubackend

/*
#include <stdlib.h>
#include "kernels/cpu.h"
*/
import "C"

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"unsafe"

	_ "inglenook/cpubackend/kernels" // the code behind cpu.h
	"inglenook/engine"
)

// Options control the computation. The zero value is the best for this machine.
type Options struct {
	Threads int    // 0 means one a physical core
	ISA     string // an instruction set out of [ISAs]; "" means the best
	ID      string // of the device; "" means "cpu". Two in one graph need two
}

// Backend is an [engine.Backend] on the processor.
type Backend struct {
	device  engine.Device
	kernels *C.struct_kernels
	named   map[string]C.kernel // of the instruction set
	panel   int                 // columns in a panel of packed weights
	tile    int                 // rows in a tile
	product uintptr             // cblas_sgemm of a library; 0: there is none

	lock engine.Lock    // one run at a time; guards the fields below
	team *C.struct_team // nil once closed
	ops  []C.struct_op  // in C memory
	run  run
	stop watch

	levels  [forms]*memory // activations quantized for products with block types, in each form, or gathered
	fetched *memory        // the weight of experts that were read from a file last

	keys [inFile + 1]any // of prepared weights, by layoutKind
}

// ISAs lists the instruction sets that have kernels and that this machine can
// run, best first: "amx", "avx512vnni", "avx512", "avxvnni", "avx2" on x86-64, "i8mm" and
// "dotprod" on arm64, "generic" on both.
func ISAs() []string {
	var usable []string
	for i := C.int(0); C.kernels_name(i) != nil; i++ {
		if name := C.GoString(C.kernels_name(i)); kernels(name) != nil {
			usable = append(usable, name)
		}
	}
	return usable
}

func kernels(isa string) *C.struct_kernels {
	name := C.CString(isa)
	defer C.free(unsafe.Pointer(name))
	return C.kernels_of(name)
}

// named returns an instruction set's kernels by their names.
func named(k *C.struct_kernels) map[string]C.kernel {
	list := map[string]C.kernel{}
	for i := C.int(0); ; i++ {
		n := C.kernels_named(k, i)
		if n.name == nil {
			return list
		}
		list[C.GoString(n.name)] = n.kernel
	}
}

// New starts the threads. Close ends them.
func New(o Options) (*Backend, error) {
	if o.ISA == "" {
		o.ISA = ISAs()[0]
	}
	if !slices.Contains(ISAs(), o.ISA) {
		return nil, fmt.Errorf("no kernels for %q here: this machine can run %v", o.ISA, ISAs())
	}
	if o.Threads < 0 || o.Threads > maxThreads {
		return nil, fmt.Errorf("%d threads: between 1 and %d can work, 0 means one a core", o.Threads, maxThreads)
	}
	if o.Threads == 0 {
		o.Threads = physicalCores()
	}
	k := kernels(o.ISA)
	team := C.team_new(C.int(o.Threads))
	if team == nil {
		return nil, fmt.Errorf("the system refused to start %d threads", o.Threads)
	}
	b := &Backend{
		device: device(cmp.Or(o.ID, "cpu"), o.Threads, o.ISA), kernels: k, named: named(k), panel: int(k.panel), tile: int(k.tile),
		lock: engine.NewLock(), team: team,
	}
	b.findProduct()
	for kind := range b.keys {
		b.keys[kind] = layout{b, layoutKind(kind)}
	}
	return b, nil
}

const maxThreads = 1024

// Device describes the processor.
func (b *Backend) Device() engine.Device { return b.device }

// Supports reports whether there is a kernel: for every operation, with weights
// of every type.
func (b *Backend) Supports(op *engine.Tensor) error {
	if _, ok := binders[op.Op]; !ok {
		return fmt.Errorf("%w for %s on the processor", engine.ErrNoKernel, op.Op)
	}
	for _, s := range op.Src {
		if s == nil || s.Op != engine.OpWeight {
			continue
		}
		if s.DType == engine.I32 || int(s.DType) >= C.DTYPES {
			return fmt.Errorf("%w for %s with weights in %s on the processor", engine.ErrNoKernel, op.Op, s.DType)
		}
	}
	return nil
}

// Wait returns at once, because Submit waits.
func (b *Backend) Wait(ctx context.Context, _ engine.Buffer) error { return ctx.Err() }

// Close waits for the current run and ends the threads. Prepared weights stay
// with their tensors.
func (b *Backend) Close() error {
	if b.begin(context.Background()) != nil {
		return nil // already closed
	}
	defer b.end()
	C.team_free(b.team)
	b.team = nil
	b.freeOps()
	b.run.tables.free()
	b.stop.free()
	for form := range b.levels {
		b.freeLevels(form)
	}
	b.freeFetched()
	return nil
}
