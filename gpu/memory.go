package gpu

// Memory is one allocation on a device.
type Memory struct {
	Handle   uintptr // the host's name for it: an object of Metal's, an address of CUDA's
	Size     int     // bytes
	ReadOnly bool    // no kernel writes to it: a weight
}

// Region is a part of a memory. Without one, it is a part of the list's inline bytes.
type Region struct {
	Memory *Memory
	Offset int // bytes
	Size   int // bytes
}
