package fake

// Executor runs kernels where there is no Metal.
type Executor interface {
	// Alloc returns zeroed, page-aligned memory outside Go's heap that kernels can
	// reach, Free takes it back.
	Alloc(bytes int) ([]byte, error)
	Free(mem []byte) error
	// Run runs one dispatch and returns when it is done.
	Run(l *Launch) error
}

// Launch is one dispatch. Its memory is the fake's and serves again.
type Launch struct {
	Kernel          string
	Constants       []Constant
	Groups, Threads [3]uint32
	Buffers         [][]byte // by index, exactly the bytes that may be touched; nil where unused
	Shared          []uint32 // threadgroup bytes by index
}

// Constant is the value of the function constant with an index.
type Constant struct {
	Index int
	Value int32
}
