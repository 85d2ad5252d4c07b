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

// overlaps reports whether two regions share bytes of one memory. Inline bytes are
// nobody's memory: kernels only read them.
func (r *Region) overlaps(other *Region) bool {
	return r.Memory != nil && r.Memory == other.Memory && r.Offset < other.Offset+other.Size && other.Offset < r.Offset+r.Size
}
