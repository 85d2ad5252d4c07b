package gpu

import (
	"fmt"
	"strings"

	"inglenook/engine"
)

// What every kernel is written for, and a GPU must have.
const (
	SIMDWidth   = 32       // lanes of a simdgroup (a warp, for CUDA)
	SharedBytes = 32 << 10 // threadgroup memory (shared memory, for CUDA) of one threadgroup, at most
)

// The largest number of each in a [Dispatch].
const (
	MaxBindings  = 12
	MaxShared    = 1 // one allocation, cut up by the kernel: lengths at other indexes would stay set for the kernels after it
	MaxConstants = 6
)

// Dispatch is one launch of a kernel. Its arguments lie at buffer index 0.
type Dispatch struct {
	Op       *engine.Tensor // what it computes, for messages and times
	Kernel   Kernel
	Bindings [MaxBindings]Region // by buffer index; one that is not set has no size
	Shared   [MaxShared]uint32   // bytes of threadgroup memory by index
	Groups   [3]uint32           // threadgroups in the grid
	Threads  uint32              // of a threadgroup: a multiple of SIMDWidth
	Work     float64             // multiply-adds of the operation, at its first dispatch
}

// Kernel names a kernel and the values of its function constants: together they
// are what a host compiles and keeps.
type Kernel struct {
	Name      string
	Constants [MaxConstants]Constant
}

// Values lists the constants that are set, as index=value.
func (k *Kernel) Values() string {
	var list []string
	for _, c := range k.Constants {
		if c.Index != 0 {
			list = append(list, fmt.Sprintf("%d=%d", c.Index, c.Value))
		}
	}
	return strings.Join(list, " ")
}

// Constant is the value of the function constant with an index. The zero value
// sets none, since indexes start at 1.
type Constant struct{ Index, Value int32 }

// List is dispatches in the order in which they run.
type List struct {
	Dispatches []Dispatch
	Inline     []byte // arguments and small tables of the dispatches; they travel with the commands
}
