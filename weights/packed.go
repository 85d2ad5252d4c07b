package weights

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"inglenook/engine"
)

// PackedStack returns a weight in MXFP4 of several matrices that safetensors store as
// two tensors of bytes: name_blocks [Parts, Of, Cols/32, 16], of which each byte holds
// two neighbours, the first in the low half, and name_scales [Parts, Of, Cols/32],
// the exponents.
func (c *Scope) PackedStack(name string, s Stack) *engine.Tensor {
	s = s.complete()
	view := stackView{s}
	label := name + view.label()
	blocks, scales := c.packed(name+"_blocks", s.Parts, s.Of, s.Cols/packedValues, packedBytes), c.packed(name+"_scales", s.Parts, s.Of, s.Cols/packedValues)
	if blocks == nil || scales == nil {
		return engine.NewStack(c.prefix+label, engine.MXFP4, s.Parts, s.Rows, s.Cols, nil)
	}
	c.set.mu.Lock()
	defer c.set.mu.Unlock()
	key := viewed{blocks, view.label()}
	if w := c.set.weights[key]; w != nil {
		return w
	}
	var src io.ReaderAt
	if !c.set.outline {
		src = &rowReader{rows: s.Parts * s.Rows, rowBytes: engine.MXFP4.RowBytes(s.Cols), read: func(p []byte, first int) error {
			return unpack(p, first, view, bytesOf(blocks), bytesOf(scales))
		}}
	}
	w := engine.NewStack(c.prefix+label, engine.MXFP4, s.Parts, s.Rows, s.Cols, src)
	c.set.weights[key], c.set.weights[viewed{scales, view.label()}] = w, w
	return w
}

// Packed reports whether a tensor holds the levels of experts in MXFP4, two to a byte.
func Packed(name string, i Info) bool { return i.DType == "U8" && strings.HasSuffix(name, "_blocks") }

// A block of packed values.
const (
	packedValues = 32
	packedBytes  = 16
)

// packed finds a tensor of bytes; nil notes that there is none of this shape.
func (c *Scope) packed(name string, shape ...int) *stored {
	name = c.prefix + name
	t := c.set.find(name)
	switch {
	case t == nil && c.set.imagines != "" && c.set.promised == nil:
		bytes := int64(1)
		for _, side := range shape {
			bytes *= int64(side)
		}
		t = &stored{dtype: "U8", shape: shape, end: bytes}
		c.set.stored[name] = t
		c.set.bytes += bytes
		return t
	case t == nil:
		c.problems.add(&c.problems.missing, name, quote(name))
		return nil
	case t.dtype != "U8" || !slices.Equal(t.shape, shape):
		c.problems.add(&c.problems.shapes, name, fmt.Sprintf("%s is %s %s instead of %s of bytes", quote(name), t.dtype, shapeText(t.shape), shapeText(shape)))
		return nil
	}
	return t
}

func bytesOf(t *stored) io.ReaderAt { return io.NewSectionReader(t.file, t.begin, t.end-t.begin) }

// unpack fills p with rows in the layout of GGUF files.
func unpack(p []byte, first int, v stackView, blocks, scales io.ReaderAt) error {
	line, each := engine.MXFP4.RowBytes(v.Cols), v.Cols/packedValues
	for len(p) > 0 {
		part, row := first/v.Rows, first%v.Rows
		n := min(len(p)/line, v.Rows-row, max(1, readStackRows/v.Every))
		at, span := int64(part*v.Of+v.From+row*v.Every), (n-1)*v.Every+1 // stored rows
		levels, exponents := make([]byte, span*each*packedBytes), make([]byte, span*each)
		if err := readFull(blocks, levels, at*int64(each)*packedBytes); err != nil {
			return err
		}
		if err := readFull(scales, exponents, at*int64(each)); err != nil {
			return err
		}
		for i := range n {
			for b := range each {
				from := i*v.Every*each + b
				block := p[i*line+b*(1+packedBytes):][:1+packedBytes]
				block[0] = exponents[from]
				spread(block[1:], levels[from*packedBytes:][:packedBytes])
			}
		}
		p, first = p[n*line:], first+n
	}
	return nil
}

// spread turns bytes of two neighbours into those of a GGUF block, which hold values i
// and i+16.
func spread(to, from []byte) {
	for i := range packedBytes / 2 {
		low, high := from[i], from[i+packedBytes/2]
		to[2*i] = low&15 | high<<4
		to[2*i+1] = low>>4 | high&0xf0
	}
}
