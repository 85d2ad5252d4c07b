package gpu

// Launch is one run of a kernel on memory that the host sees. The emulator and
// other executors of kernels run it.
type Launch struct {
	Kernel          string
	Constants       []Constant
	Groups, Threads [3]uint32
	Buffers         [][]byte // by index, exactly the bytes that the kernel may touch; nil where unused
	Shared          []uint32 // bytes of threadgroup memory by index
}
