package lower

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"unsafe"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu"
)

// causal returns attention for n rows after `past` earlier ones.
func causal(n, past, heads, kvHeads, size int, cache engine.DType) enginetest.Case {
	tolerance := 1e-4
	if cache == engine.Q8_0 {
		tolerance = 1e-3 // a value between two levels may round to either
	}
	return enginetest.Case{
		Op: engine.OpCausalAttention, Rows: n, Cols: heads * size, Heads: heads, Tolerance: tolerance, Seed: uint64(n + 100*size),
		Context: &enginetest.Context{KVHeads: kvHeads, Past: past, Cache: cache},
	}
}

// texts returns attention among the rows of each text.
func texts(heads, size int, lengths ...int) enginetest.Case {
	c := enginetest.Case{Op: engine.OpAttention, Cols: heads * size, Heads: heads, Lengths: lengths, Tolerance: 1e-4, Seed: uint64(size)}
	for _, n := range lengths {
		c.Rows += n
	}
	return c
}

// hold runs cases on the emulator and compares them with their references.
func hold(t *testing.T, cases []enginetest.Case) {
	d := emulated(t)
	for _, c := range cases {
		g := engine.NewGraph()
		y := g.Want(c.Record(g))
		want, err := enginetest.Evaluate(g)
		if err != nil {
			t.Fatal(err)
		}
		if off := enginetest.Difference(results(t, g, d, y), want[y].Values); !(off <= c.Tolerance) {
			t.Errorf("%s: the difference is %.2g, allowed is %.2g", c.Name(), off, c.Tolerance)
		}
		release(t, g)
	}
}

// Every head size works by dot products and, if it is a multiple of 8, by matrices.
func TestAttentionHeadSizes(t *testing.T) {
	var cases []enginetest.Case
	for size := 1; size <= 80; size++ {
		cache := []engine.DType{engine.F32, engine.F16}[size%2]
		cases = append(cases, causal(1, 5, 2, 1, size, cache), causal(9, 40, 2, 2, size, cache), texts(1, size, 3, 8))
		if size%8 == 0 {
			cases = append(cases, causal(9, 7, 4, 4, size, engine.Q8_0), causal(9, 40, 2, 2, size, engine.F16))
		}
	}
	for _, size := range []int{104, 131, 248, 257, 300, 320, 512, 999} { // beyond 256 in several threadgroups
		cases = append(cases, causal(2, 40, 6, 1, size, engine.F32), causal(9, 3, 1, 1, size, engine.F16), texts(2, size, 3, 8))
	}
	cases = append(cases, causal(3, 600, 2, 1, 288, engine.Q8_0)) // in ranges of keys, too
	for _, size := range []int{264, 384, 504, 512} {              // by matrices of half as many rows
		cases = append(cases, causal(19, 3, 2, 2, size, engine.F16), causal(16, 300, 1, 1, size, engine.F32), texts(1, size, 20, 3))
		if size%32 == 0 {
			cases = append(cases, causal(17, 140, 4, 2, size, engine.Q8_0))
		}
	}
	hold(t, cases)
}

// Every short prompt works with an empty and with a used cache.
func TestAttentionPromptLengths(t *testing.T) {
	var cases []enginetest.Case
	for n := 1; n <= 70; n++ {
		cases = append(cases, causal(n, 0, 2, 1, 16, engine.F16), causal(n, n/2, 3, 3, 32, engine.Q8_0), texts(1, 8, n, 1))
	}
	hold(t, cases)
}

// Windows and biases work at every offset against blocks, tiles and ranges of keys.
func TestAttentionWindows(t *testing.T) {
	var cases []enginetest.Case
	for window := 1; window <= 70; window += 3 {
		c := causal(11, 57, 2, 1, 16, engine.F16)
		c.Context.Window = window
		c.Context.Slopes = window%2 == 0
		d := causal(2, 700+window, 2, 1, 8, engine.F32)
		d.Context.Window = 600 + window
		cases = append(cases, c, d)
	}
	hold(t, cases)
}

// A NaN in q, k or v reaches the result, so that a faulty GPU is noticed.
func TestAttentionKeepsNaN(t *testing.T) {
	d := emulated(t)
	for _, dtype := range []engine.DType{engine.F32, engine.F16, engine.Q8_0} {
		for _, rows := range []int{3, 40} {
			for operand := range 3 {
				const size = 32
				g := engine.NewGraph()
				var x [3]*engine.Tensor
				for i := range x {
					values := enginetest.Random(uint64(i), rows*size)
					if i == operand {
						values[size+5] = float32(math.NaN())
					}
					x[i] = g.Floats("x", rows, values)
				}
				y := g.Want(g.CausalAttention(x[0], x[1], x[2], engine.NewCache("keys", dtype, rows, size), engine.NewCache("values", dtype, rows, size),
					g.Ints("past", []int32{0}), engine.CausalAttentionParams{Heads: 1, KVHeads: 1, Scale: 1}))
				if v := results(t, g, d, y)[size+5]; v == v {
					t.Errorf("%d rows, cache %s, operand %d: the NaN became %v", rows, dtype, operand, v)
				}
				release(t, g)
			}
		}
	}
}

// Whatever the sizes, the ranges cover all keys, none of them is empty, and every GPU
// has enough threadgroup memory.
func TestAttentionLaunches(t *testing.T) {
	for _, size := range []int{1, 32, 64, 80, 128, 256, 257, 512, 1024, 6144} {
		for _, n := range []int{1, 2, 7, 8, 40} {
			for _, past := range []int{0, 255, 511, 512, 2047, 100_000} {
				for _, window := range []int{0, 20, 1000} {
					g := engine.NewGraph()
					q, kv := g.Floats("q", n, make([]float32, n*2*size)), g.Floats("kv", n, make([]float32, n*size))
					g.CausalAttention(q, kv, kv, engine.NewCache("keys", engine.F32, past+n, size), engine.NewCache("values", engine.F32, past+n, size),
						g.Ints("past", []int32{int32(past)}), engine.CausalAttentionParams{Heads: 2, KVHeads: 1, Scale: 1, Window: window})
					if err := rangesCover(lowered(t, g.Ops()), past, n, window); err != nil {
						t.Errorf("%d columns, %d rows after %d, window %d: %v", size, n, past, window, err)
					}
					g.Close()
				}
			}
		}
	}
}

// rangesCover returns what is wrong with the launch of the attention kernel, which is
// the second of the two.
func rangesCover(list *gpu.List, past, n, window int) error {
	d := &list.Dispatches[1]
	args := (*attentionArgs)(unsafe.Pointer(&list.Inline[d.Bindings[0].Offset]))
	first, each, ranges, shared := int(args.first), int(args.rangeKeys), int(d.Groups[2]), uint32(0)
	for _, bytes := range d.Shared {
		shared += bytes
	}
	seen := 0
	if window > 0 {
		seen = max(0, past+1-window)
	}
	switch {
	case first > seen || first+ranges*each < past+n:
		return fmt.Errorf("%d ranges of %d from %d do not cover keys %d to %d", ranges, each, first, seen, past+n)
	case first+(ranges-1)*each >= past+n:
		return fmt.Errorf("%d ranges of %d from %d end after %d keys", ranges, each, first, past+n)
	case shared > gpu.SharedBytes:
		return fmt.Errorf("%d bytes of threadgroup memory", shared)
	}
	return nil
}

// The edges of buckets select the same rows of a bias as the definition.
func TestBucketEdges(t *testing.T) {
	for buckets := 4; buckets <= 64; buckets += 2 {
		for _, maxDistance := range []int{buckets/4 + 1, buckets, 128, 1000} {
			if maxDistance <= buckets/4 {
				continue
			}
			edges := bucketEdges(buckets, maxDistance)
			for d := -2 * maxDistance; d <= 2*maxDistance; d++ {
				got := 0
				if d > 0 {
					got = buckets / 2
				}
				for _, e := range edges {
					if max(d, -d) >= int(e) {
						got++
					}
				}
				if want := engine.RelativeBucket(d, buckets, maxDistance); got != want {
					t.Fatalf("%d buckets up to %d: distance %d is in bucket %d, not in %d", buckets, maxDistance, d, want, got)
				}
			}
		}
	}
}

// An operation without a kernel is refused with a sentence.
func TestAttentionRefusals(t *testing.T) {
	for _, c := range []enginetest.Case{causal(1, 1, 1, 1, 6145, engine.F32), causal(1, 1, 1025, 1025, 2, engine.F32), texts(1, 6145, 2)} {
		g := engine.NewGraph()
		if c.Context != nil {
			c.Context.Slopes = true
		}
		c.Record(g)
		ops := g.Ops()
		if err := Check(ops[len(ops)-1]); !errors.Is(err, engine.ErrNoKernel) {
			t.Errorf("%s: %v", c.Name(), err)
		} else {
			t.Log(err)
		}
		release(t, g)
	}
}
