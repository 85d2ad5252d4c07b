package cudabackend

import (
	"fmt"

	"inglenook/cudabackend/driver"
	"inglenook/gpu"
)

// call is one launch, with all that the driver is told.
type call struct {
	kernel    *kernel
	groups    [3]uint32
	threads   uint32
	shared    uint32 // bytes
	arguments [maxArguments]uintptr
}

const (
	sharedIndexes = 4 // offsets into shared memory that every kernel takes
	maxArguments  = gpu.MaxBindings + sharedIndexes
	maxGroups     = 65535 // in the second and third direction of a grid
	earlyMajor    = 9     // compute capability: Hopper lets a kernel begin early
)

// resolve completes the calls of a list, whose kernels are set.
func (b *Backend) resolve(list *gpu.List) error {
	for i := range list.Dispatches {
		if err := b.resolveOne(&b.calls[i], &list.Dispatches[i]); err != nil {
			return err
		}
	}
	return nil
}

// staticShared is more than any kernel has in shared memory beside what a launch gives it, in bytes.
const staticShared = 1 << 10

func (b *Backend) resolveOne(c *call, d *gpu.Dispatch) error {
	k := c.kernel
	if d.Groups[1] > maxGroups || d.Groups[2] > maxGroups {
		return fmt.Errorf("kernel %s over a grid of %v: CUDA's end at %d in two directions", k.key.Name, d.Groups, maxGroups)
	}
	for i := range k.buffers {
		switch r := &d.Bindings[i]; {
		case r.Size == 0:
		case r.Memory == nil:
			c.arguments[i] = b.inline.Handle + uintptr(r.Offset)
		default:
			c.arguments[i] = r.Memory.Handle + uintptr(r.Offset)
		}
	}
	c.groups, c.threads, c.shared = d.Groups, d.Threads, d.Shared[0]
	if c.shared <= driver.PlainSharedBytes-staticShared || c.shared <= k.shared {
		return nil
	}
	if err := b.call("cuFuncSetAttribute", b.api.SetAttribute(k.function, driver.MaxDynamicSharedBytes, int32(c.shared))); err != nil {
		return err
	}
	k.shared = c.shared
	return nil
}

// launch queues one call. After the buffers, a kernel takes the places of its shared
// memory: there is one piece, at the start.
func (b *Backend) launch(c *call) error {
	b.arguments = c.arguments
	b.shape.Grid, b.shape.Block, b.shape.Shared = c.groups, [3]uint32{c.threads, 1, 1}, c.shared
	if result := b.api.Launch(&b.shape, c.kernel.function, &b.pointers[0], 0); result != 0 {
		return b.callWithRoom("a kernel", "cuLaunchKernelEx "+c.kernel.key.Name, result)
	}
	return nil
}

func (b *Backend) launchEach() error {
	for i := range b.calls {
		if err := b.launch(&b.calls[i]); err != nil {
			return err
		}
	}
	return nil
}
