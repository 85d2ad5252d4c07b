package objc

import "unsafe"

// copies are what a call points to.
type copies [2]Size

// byValue appends two structures to two words and gives the number of words. The
// convention of arm64 passes structures of more than 16 bytes as pointers to
// copies, which lie on Go's heap and so stay where they are.
func (c *call) byValue(a, b Size) int {
	c.copies = copies{a, b}
	c.words[2], c.words[3] = uintptr(unsafe.Pointer(&c.copies[0])), uintptr(unsafe.Pointer(&c.copies[1]))
	return 4
}
