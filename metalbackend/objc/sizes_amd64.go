package objc

// copies are what a call points to: here, nothing.
type copies struct{}

// byValue appends two structures to two words and gives the number of words. The
// System V convention puts structures of more than 16 bytes on the stack, word by
// word: they come behind the six words that fill registers.
func (c *call) byValue(a, b Size) int {
	for i, v := range [...]uint64{0, 0, 0, 0, a.Width, a.Height, a.Depth, b.Width, b.Height, b.Depth} {
		c.words[2+i] = uintptr(v)
	}
	return len(c.words)
}
