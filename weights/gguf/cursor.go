package gguf

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// Limits on the memory that a head can claim, far above those of real files (a
// vocabulary of 262,144 tokens with its merges takes 16 MiB and fewer than a
// million strings).
const (
	maxHead    = 256 << 20 // bytes before the tensor data
	maxString  = 16 << 20  // bytes, for a chat template or a vocabulary
	maxStrings = 1 << 21   // in all arrays together
)

// windowSize is how much of the head is read at once. inWindow is the longest
// string that is cut out of the window: longer ones are read on their own, so
// that little is read twice.
const (
	windowSize = 256 << 10
	inWindow   = 4 << 10
)

// cursor reads the head of a file once, from beginning to end. Its first error
// sticks: later reads return zeros.
type cursor struct {
	r    io.ReaderAt
	size int64 // of the file
	end  int64 // of the bytes that may belong to the head
	at   int64 // the next byte

	start int64  // where buf begins in the file
	buf   []byte // a part of the head
	text  string // buf as a string, once a string was cut out of it

	strings int // in arrays read so far
	err     error
}

func newCursor(r io.ReaderAt, size int64) *cursor {
	end := min(size, maxHead)
	return &cursor{r: r, size: size, end: end, buf: make([]byte, 0, min(end, windowSize))}
}

// fail records the first error of the file.
func (c *cursor) fail(format string, args ...any) {
	if c.err == nil {
		c.err = damaged(format, args...)
	}
}

// has reports whether n more bytes are available, and fails if not.
func (c *cursor) has(n uint64, what string) bool {
	if c.err != nil {
		return false
	}
	if n <= uint64(c.end-c.at) {
		return true
	}
	if n <= uint64(c.size-c.at) {
		c.fail("everything before its tensors takes more than %d bytes", maxHead)
	} else {
		c.fail("it was cut short: %s is not whole", what)
	}
	return false
}

// window makes the next n bytes, at most windowSize, part of buf and returns
// their position in it.
func (c *cursor) window(n int) int {
	if i := c.at - c.start; i+int64(n) <= int64(len(c.buf)) {
		return int(i)
	}
	c.buf = c.buf[:min(int64(cap(c.buf)), c.end-c.at)]
	c.start, c.text = c.at, ""
	c.read(c.buf, c.at)
	return 0
}

// read fills p with the bytes at off.
func (c *cursor) read(p []byte, off int64) {
	n, err := c.r.ReadAt(p, off)
	if n == len(p) || c.err != nil {
		return
	}
	if err == nil || err == io.EOF {
		err = fmt.Errorf("reading the head: %w", io.ErrUnexpectedEOF)
	}
	c.err = err
}

// number reads a little-endian unsigned integer of the given number of bytes.
func (c *cursor) number(bytes int, what string) uint64 {
	if !c.has(uint64(bytes), what) {
		return 0
	}
	i := c.window(bytes)
	if c.err != nil {
		return 0
	}
	c.at += int64(bytes)
	return decode(c.buf[i:], bytes)
}

func (c *cursor) uint32(what string) uint32 { return uint32(c.number(4, what)) }
func (c *cursor) uint64(what string) uint64 { return c.number(8, what) }

// decode decodes a little-endian unsigned integer of the given number of bytes.
func decode(b []byte, bytes int) uint64 {
	switch bytes {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	}
	return binary.LittleEndian.Uint64(b)
}

// string reads a string of at most the given number of bytes.
func (c *cursor) string(most uint64, what string) string {
	n := c.uint64(what)
	if n > most {
		c.fail("%s would be %d bytes long, at most %d are allowed", what, n, most)
	}
	if !c.has(n, what) || n == 0 {
		return ""
	}
	if n > inWindow {
		return c.longString(int64(n))
	}
	i := c.window(int(n))
	if c.err != nil {
		return ""
	}
	if c.text == "" {
		c.text = string(c.buf)
	}
	c.at += int64(n)
	return c.text[i : i+int(n)]
}

func (c *cursor) longString(n int64) string {
	var text strings.Builder
	text.Grow(int(n))
	got, err := io.Copy(&text, io.NewSectionReader(c.r, c.at, n))
	if err == nil && got < n {
		err = fmt.Errorf("reading the head: %w", io.ErrUnexpectedEOF)
	}
	c.err = err
	c.at += n
	return text.String()
}

// bytes reads n bytes, whose presence the caller has checked.
func (c *cursor) bytes(n int) []byte {
	p := make([]byte, n)
	c.read(p, c.at)
	c.at += int64(n)
	return p
}
