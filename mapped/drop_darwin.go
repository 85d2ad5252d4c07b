package mapped

// drop does nothing here: macOS does not count clean pages of a mapped file as
// the program's memory.
func (m Bytes) drop(off, n int) {}
