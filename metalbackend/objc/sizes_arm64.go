package objc

import "unsafe"

// byValue appends two structures to two words and returns the number of words.
// The convention of arm64 passes structures of more than 16 bytes as pointers to
// copies, which lie after the words that are passed.
func (c *call) byValue(a, b Size) int {
	c.structures(a, b)
	c.words[2], c.words[3] = uintptr(unsafe.Pointer(&c.words[6])), uintptr(unsafe.Pointer(&c.words[9]))
	return 4
}
