package own

import "inglenook/gpu"

// A block of Metal's kernels that take a value a thread is small. NVIDIA's cards start
// few blocks at a time, and want larger ones.

const widerThreads = 256

func exactly(_ *gpu.Kernel, variant string) bool { return variant == "" }
func always(*gpu.Kernel, string) bool            { return true }

// rope gives a launch of rope larger blocks.
func rope(d *gpu.Dispatch, args []byte) {
	columns := number(args, 0)
	d.Groups[1], d.Threads = uint32(ceilDiv(columns, widerThreads)), widerThreads
}

// cache gives a launch of cache_* larger blocks.
func cache(d *gpu.Dispatch, args []byte) {
	values := number(args, 0)
	d.Groups[0], d.Threads = uint32(ceilDiv(values, widerThreads)), widerThreads
}

// same leaves a launch as it is.
func same(*gpu.Dispatch, []byte) {}
