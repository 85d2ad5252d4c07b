package objc

// byValue appends two structures to two words and gives the number of words. The
// System V convention puts structures of more than 16 bytes on the stack, word by
// word: they come behind the six words that fill registers.
func (c *call) byValue(a, b Size) int {
	c.structures(a, b)
	return len(c.words)
}
