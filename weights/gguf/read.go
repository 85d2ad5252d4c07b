package gguf

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
)

// Limits on the directory, far above those of real files.
const (
	maxKeys    = 1 << 14
	maxTensors = 1 << 17
	maxKey     = 1<<16 - 1 // bytes of a key, the format's own limit
	maxName    = 255       // bytes of a tensor's name; the format allows 64
	maxDims    = 4
)

const (
	alignmentKey     = "general.alignment"
	defaultAlignment = 32
)

// File is the content of the head of a GGUF file.
type File struct {
	Version   uint32
	Meta      *Meta
	Tensors   []Tensor // in the order of the file
	Alignment int64    // of the tensor data, in bytes
	Data      int64    // start of the tensor data, in bytes from the start of the file

	whole int64 // size of the complete file in bytes
}

// Tensor is one tensor as the file describes it.
type Tensor struct {
	Name   string
	Type   Type
	Dims   []int // the length of a row first: a matrix [rows, cols] has the Dims {cols, rows}
	Offset int64 // bytes from the start of the file
	Bytes  int64
}

// FormatError describes what is wrong with a file and what to do. Its text
// continues a sentence that begins with the file's name.
type FormatError struct{ Text string }

func (e *FormatError) Error() string { return e.Text }

// damaged returns the error about a file that violates the format.
func damaged(format string, args ...any) error {
	return &FormatError{"is damaged: " + fmt.Sprintf(format, args...) + ": download the model again"}
}

func unsupported(format string, args ...any) error {
	return &FormatError{fmt.Sprintf(format, args...)}
}

// Read reads and validates the head of a file of size bytes. It returns a
// *[FormatError] if the file is invalid; errors of r are returned unchanged.
func Read(r io.ReaderAt, size int64) (*File, error) { return read(r, size, size) }

// ReadHead is like Read, but the file may be truncated after the head.
func ReadHead(r io.ReaderAt, size int64) (*File, error) { return read(r, size, math.MaxInt64) }

// read reads the head of a file of which size bytes are available; the complete
// file has whole bytes.
func read(r io.ReaderAt, size, whole int64) (*File, error) {
	c := newCursor(r, size)
	f := &File{Meta: &Meta{values: map[string]value{}}, whole: whole}
	tensors := f.readStart(c)
	if c.err == nil {
		f.readAlignment(c)
		f.readTensors(c, tensors)
	}
	if c.err != nil {
		return nil, c.err
	}
	return f, nil
}

// readStart reads everything before the tensors and returns their number.
func (f *File) readStart(c *cursor) (tensors uint64) {
	if magic := c.number(4, "the beginning"); c.err == nil && magic != 0x46554747 { // "GGUF"
		c.err = unsupported("is no GGUF file, though it is named like one: download the model again")
	}
	f.Version = c.uint32("the version")
	if c.err == nil {
		c.err = checkVersion(f.Version)
	}
	tensors = c.uint64("the number of tensors")
	keys := c.uint64("the number of metadata keys")
	// The shortest entries: a key of one byte with a one-byte value, a tensor
	// with a name of one byte and no dimension.
	checkCount(c, keys, maxKeys, 8+1+4+1, "metadata keys")
	checkCount(c, tensors, maxTensors, 8+1+4+4+8, "tensors")
	for range keys {
		if c.err != nil {
			return 0
		}
		f.Meta.read(c)
	}
	return tensors
}

func checkVersion(v uint32) error {
	switch {
	case v == 2 || v == 3:
		return nil
	case v != 0 && v&0xffff == 0:
		return unsupported("is a big-endian GGUF file, which this version does not read: choose the little-endian file of this model")
	case v == 1:
		return unsupported("is in version 1 of the GGUF format, which is long out of use: choose a newer file of this model")
	case v == 0:
		return damaged("its version is 0")
	}
	return unsupported("is in version %d of the GGUF format, newer than this version of Inglenook reads: update Inglenook, or choose another file of this model", v)
}

// checkCount compares a number of entries with the bytes that remain for them.
func checkCount(c *cursor, n, most, bytes uint64, what string) {
	switch left := uint64(c.size - c.at); {
	case c.err != nil:
	case n > most:
		c.fail("it would have %d %s, at most %d are allowed", n, what, most)
	case n*bytes > left:
		c.fail("it would have %d %s, but has only %d bytes left for them", n, what, left)
	}
}

func (f *File) readAlignment(c *cursor) {
	f.Alignment = defaultAlignment
	v, ok := f.Meta.values[alignmentKey]
	switch {
	case !ok:
	case v.is != uint32Type:
		c.fail("%s is of the type %v instead of uint32", alignmentKey, v.is)
	case v.bits == 0 || v.bits%8 != 0 || v.bits&(v.bits-1) != 0:
		c.fail("%s is %d and no power of two from 8 on", alignmentKey, v.bits)
	default:
		f.Alignment = int64(v.bits)
	}
}

// readTensors reads the directory of n tensors and checks their positions.
func (f *File) readTensors(c *cursor, n uint64) {
	f.Tensors = make([]Tensor, 0, n)
	named := make(map[string]bool, n)
	for range n {
		t := readTensor(c)
		if c.err == nil && named[t.Name] {
			c.fail("the tensor %.80q comes twice", t.Name)
		}
		if c.err != nil {
			return
		}
		named[t.Name] = true
		f.Tensors = append(f.Tensors, t)
	}
	f.Data = roundUp(c.at, f.Alignment)
	f.place(c)
}

func readTensor(c *cursor) Tensor {
	t := Tensor{Name: c.string(maxName, "the name of a tensor")}
	if c.err == nil && t.Name == "" {
		c.fail("a tensor has no name")
	}
	dims := c.uint32("a tensor")
	if dims > maxDims {
		c.fail("the tensor %.80q has %d dimensions, at most %d are allowed", t.Name, dims, maxDims)
	}
	if c.err != nil {
		return t
	}
	t.Dims = make([]int, dims)
	for i := range t.Dims {
		side := c.uint64("the shape of a tensor")
		if c.err == nil && (side == 0 || side > math.MaxInt) {
			c.fail("a side of the tensor %.80q is %d", t.Name, side)
		}
		t.Dims[i] = int(side)
	}
	t.Type = Type(c.uint32("the type of a tensor"))
	offset := c.uint64("the place of a tensor")
	if c.err == nil && offset > math.MaxInt64 {
		c.fail("the tensor %.80q would begin at %d", t.Name, offset)
	}
	t.Offset = int64(offset)
	if c.err == nil {
		t.measure(c)
	}
	return t
}

// measure computes the bytes of a tensor from its type and shape.
func (t *Tensor) measure(c *cursor) {
	kind, known := kinds[t.Type]
	if !known {
		c.err = unsupported("holds numbers of type %d (in the tensor %.80q), which this version does not know: update Inglenook, or choose a file with Q4_K_M, Q8_0 or F16 weights", uint32(t.Type), t.Name)
		return
	}
	row := int64(1)
	if len(t.Dims) > 0 {
		row = int64(t.Dims[0])
	}
	if row%kind.block != 0 {
		c.fail("the rows of the tensor %.80q have %d elements, which blocks of %d (%s) do not fill", t.Name, row, kind.block, kind.name)
		return
	}
	// Check the elements as well as the bytes, because users of the tensor
	// multiply its dimensions.
	elements, bytes := uint64(row), uint64(row/kind.block)
	grow := func(n *uint64, by uint64) bool {
		high, low := bits.Mul64(*n, by)
		*n = low
		return high == 0 && low <= math.MaxInt64
	}
	fits := grow(&bytes, uint64(kind.bytes))
	for _, side := range t.Dims[min(1, len(t.Dims)):] {
		fits = fits && grow(&elements, uint64(side)) && grow(&bytes, uint64(side))
	}
	if !fits {
		c.fail("the shape %v of the tensor %.80q is too large to be true", t.Dims, t.Name)
		return
	}
	t.Bytes = int64(bytes)
}

// place converts the offsets, which are relative to the data, to positions in
// the file. It checks that every tensor lies in the file and that none overlap.
func (f *File) place(c *cursor) {
	size := f.whole - f.Data
	for i := range f.Tensors {
		t := &f.Tensors[i]
		switch {
		case t.Offset%f.Alignment != 0:
			c.fail("the tensor %.80q begins at %d, which the alignment %d does not divide", t.Name, t.Offset, f.Alignment)
		case t.Bytes > size || t.Offset > size-t.Bytes:
			c.fail("it was cut short: the tensor %.80q is not whole", t.Name)
		}
		if c.err != nil {
			return
		}
		t.Offset += f.Data
	}
	order := make([]*Tensor, len(f.Tensors))
	for i := range order {
		order[i] = &f.Tensors[i]
	}
	slices.SortFunc(order, func(a, b *Tensor) int { return cmp.Compare(a.Offset, b.Offset) })
	for i, t := range order[min(1, len(order)):] {
		if before := order[i]; before.Offset+before.Bytes > t.Offset {
			c.fail("the tensors %.80q and %.80q overlap", before.Name, t.Name)
			return
		}
	}
}

// roundUp rounds n up to a multiple of a, a power of two.
func roundUp(n, a int64) int64 { return (n + a - 1) &^ (a - 1) }
