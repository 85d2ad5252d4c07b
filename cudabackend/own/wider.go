package own

import (
	"encoding/binary"

	"inglenook/gpu"
)

// A block of Metal's kernels that take a value a thread is small. NVIDIA's cards start
// few blocks at a time, and want larger ones.

const widerThreads = 256

func exactly(_ *gpu.Kernel, variant string) bool { return variant == "" }
func always(*gpu.Kernel, string) bool            { return true }

// rope gives a launch of rope larger blocks.
func rope(d *gpu.Dispatch, args []byte) {
	columns := int(binary.NativeEndian.Uint32(args))
	d.Groups[1], d.Threads = uint32(ceilDiv(columns, widerThreads)), widerThreads
}

// cache gives a launch of cache_* larger blocks.
func cache(d *gpu.Dispatch, args []byte) {
	values := int(binary.NativeEndian.Uint32(args))
	d.Groups[0], d.Threads = uint32(ceilDiv(values, widerThreads)), widerThreads
}
