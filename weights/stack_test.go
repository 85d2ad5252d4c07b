package weights

import (
	"encoding/binary"
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/engine/quant"
)

// stacked returns a tensor of that shape whose elements, of 16 bits, are 0, 1, 2, …
func stacked(name string, shape ...int) tensor {
	n := 1
	for _, side := range shape {
		n *= side
	}
	t := numbered(name, "F16", 1, n, 2)
	t.shape = shape
	return t
}

func TestStack(t *testing.T) {
	s := mustOpen(t, single(encode("",
		stacked("experts.up", 2, 3, 4), stacked("experts.fused", 2, 6, 2), stacked("experts.turned", 2, 3, 4), stacked("experts.fused_bias", 2, 6),
		numbered("experts.0.up", "F16", 2, 3, 2), numbered("experts.1.up", "F16", 2, 3, 2),
	)), Options{})
	c := s.Scope().In("experts")
	for _, x := range []struct {
		name              string
		w                 *engine.Tensor
		parts, rows, cols int
		want              []int
	}{
		{"as stored", c.Stack("up", Stack{Parts: 2, Rows: 3, Cols: 4}), 2, 6, 4, counted(0, 24, 1)},
		{"second half", c.Stack("fused", Stack{Parts: 2, Rows: 3, Cols: 2, Of: 6, From: 3}), 2, 6, 2, append(counted(6, 12, 1), counted(18, 24, 1)...)},
		{"every second row", c.Stack("fused", Stack{Parts: 2, Rows: 3, Cols: 2, Of: 6, From: 1, Every: 2}), 2, 6, 2, []int{2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23}},
		{"turned", c.Stack("turned", Stack{Parts: 2, Rows: 4, Cols: 3, Turned: true}), 2, 8, 3, []int{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11, 12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23}},
		{"turned, every second", c.Stack("turned", Stack{Parts: 2, Rows: 2, Cols: 3, Of: 4, From: 1, Every: 2, Turned: true}), 2, 4, 3, []int{1, 5, 9, 3, 7, 11, 13, 17, 21, 15, 19, 23}},
		{"vectors", c.StackVectors("fused_bias", Stack{Parts: 2, Rows: 3, Of: 6, From: 1, Every: 2}), 1, 2, 3, []int{1, 3, 5, 7, 9, 11}},
		{"apart", c.StackOf([]string{"0.up", "1.up"}, 2, 3), 2, 4, 3, append(counted(0, 6, 1), counted(0, 6, 1)...)},
	} {
		if err := c.Err(); err != nil {
			t.Fatal(err)
		}
		if x.w.Parts != x.parts || x.w.Rows != x.rows || x.w.Cols != x.cols {
			t.Errorf("%s: %d matrices in [%d %d]", x.name, x.w.Parts, x.w.Rows, x.w.Cols)
		}
		if got := elements(t, x.w); !slices.Equal(got, x.want) {
			t.Errorf("%s: %v, want %v", x.name, got, x.want)
		}
	}
	if a, b := c.StackOf([]string{"0.up", "1.up"}, 2, 3), c.StackOf([]string{"0.up", "1.up"}, 2, 3); a != b {
		t.Error("the same stack is two weights")
	}
	if unused := s.Unused(); len(unused) > 0 {
		t.Errorf("unused: %v", unused)
	}
}

func counted(from, to, step int) (all []int) {
	for i := from; i < to; i += step {
		all = append(all, i)
	}
	return all
}

func TestStackErrors(t *testing.T) {
	for _, x := range []struct {
		ask  func(c *Scope)
		want string
	}{
		{func(c *Scope) { c.Stack("nothing", Stack{Parts: 2, Rows: 3, Cols: 4}) }, "nothing"},
		{func(c *Scope) { c.Stack("up", Stack{Parts: 3, Rows: 3, Cols: 4}) }, "up is [2 3 4] instead of [3 12]"},
		{func(c *Scope) { c.Stack("up", Stack{Parts: 2, Rows: 4, Cols: 3}) }, "up is [2 3 4] instead of [2 4 3]"},
		{func(c *Scope) { c.StackOf([]string{"0.up", "1.up", "2.up"}, 2, 3) }, "1 tensor is missing (2.up)"},
		{func(c *Scope) { c.StackOf([]string{"0.up", "other"}, 2, 3) }, "are of the types F16 and F32"},
		{func(c *Scope) { c.PackedStack("up", Stack{Parts: 2, Rows: 3, Cols: 32}) }, "2 tensors are missing (up_blocks, up_scales)"},
		{func(c *Scope) { c.PackedStack("short", Stack{Parts: 2, Rows: 3, Cols: 32}) }, "short_blocks is U8 [1 3 1 16] instead of [2 3 1 16] of bytes"},
	} {
		s := mustOpen(t, single(encode("", stacked("up", 2, 3, 4), numbered("0.up", "F16", 2, 3, 2), numbered("1.up", "F16", 2, 3, 2), numbered("other", "F32", 2, 3, 4),
			packedTensor("short_blocks", 1, 3, 1, 16), packedTensor("short_scales", 1, 3, 1))), Options{})
		c := s.Scope()
		x.ask(c)
		if err := c.Err(); err == nil {
			t.Errorf("%s: no error", x.want)
		} else {
			checkSentence(t, err, x.want)
		}
	}
}

// packedTensor returns a tensor of bytes 100, 101, …
func packedTensor(name string, shape ...int) tensor {
	n := 1
	for _, side := range shape {
		n *= side
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(100 + i*7)
	}
	return tensor{name: name, dtype: "U8", shape: shape, data: b}
}

// Packed experts have the values that their bytes mean: neighbours in a byte, the first
// in its low half, times a power of two.
func TestPackedStack(t *testing.T) {
	const parts, of, cols = 2, 6, 64
	blocks, scales := packedTensor("w_blocks", parts, of, cols/32, 16), packedTensor("w_scales", parts, of, cols/32)
	s := mustOpen(t, single(encode("", blocks, scales)), Options{})
	c := s.Scope()
	w := c.PackedStack("w", Stack{Parts: parts, Rows: of / 2, Cols: cols, Of: of, From: 1, Every: 2})
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
	data := make([]byte, w.Bytes())
	if err := w.ReadRows(data, 0); err != nil {
		t.Fatal(err)
	}
	got := make([]float32, w.Len())
	quant.Dequantize(w.DType, data, got)
	half := []float32{0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6}
	for i, v := range got {
		part, row, col := i/cols/(of/2), i/cols%(of/2), i%cols
		at := (part*of+1+2*row)*cols + col
		level := blocks.data[at/2] >> (at % 2 * 4) & 15
		scale := make([]float32, 1)
		quant.Dequantize(engine.BF16, binary.LittleEndian.AppendUint16(nil, uint16(scales.data[at/32])<<7), scale)
		if want := half[level] * scale[0]; v != want {
			t.Fatalf("value %d of row %d of expert %d is %v, want %v", col, row, part, v, want)
		}
	}
	if unused := s.Unused(); len(unused) > 0 {
		t.Errorf("unused: %v", unused)
	}
}
