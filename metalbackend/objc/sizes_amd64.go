package objc

// byValue appends two structures to two words and returns the number of words.
// The System V convention passes structures of more than 16 bytes on the stack,
// word by word: they follow the six words that fill registers.
func (c *call) byValue(a, b Size) int {
	c.structures(a, b)
	return len(c.words)
}
