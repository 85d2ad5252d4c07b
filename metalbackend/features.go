package metalbackend

// Features are what kernels and the ways to launch them depend on.
type Features struct {
	Family      int // of Apple's GPUs: 7 is that of the M1
	SharedBytes int // threadgroup memory that one threadgroup can have
	BufferBytes int // the longest buffer
}
