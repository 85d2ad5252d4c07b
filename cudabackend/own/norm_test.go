package own

import (
	"encoding/binary"
	"math"
	"testing"

	"inglenook/gpu"
)

// normed returns a list with a layer norm before three products of its rows.
func normed(kernel string, rows, columns int) *gpu.List {
	list := queriesKeysValues([3]string{"linear_tile_f16", "linear_tile_f16", "linear_tile_f16"}, rows, columns)
	n := gpu.Dispatch{Kernel: gpu.Kernel{Name: kernel}, Groups: [3]uint32{uint32(rows), 1, 1}, Threads: 32, Work: 1}
	n.Bindings[0] = gpu.Region{Offset: len(list.Inline), Size: layerNormBytes}
	for _, v := range []uint32{uint32(columns) / 4, math.Float32bits(float32(columns)), math.Float32bits(1e-5)} {
		list.Inline = binary.NativeEndian.AppendUint32(list.Inline, v)
	}
	for i := 1; i < 5; i++ {
		n.Bindings[i] = gpu.Region{Memory: &gpu.Memory{}, Size: 4 * columns}
	}
	n.Bindings[5] = list.Dispatches[0].Bindings[1]
	list.Dispatches = append([]gpu.Dispatch{n}, list.Dispatches...)
	return list
}

// TestNorm: a layer norm makes the halves that the products after it take, where a warp has
// room for a row.
func TestNorm(t *testing.T) {
	for _, c := range []struct {
		name, kernel  string
		rows, columns int
		apart         bool
		want          []string
	}{
		{"short rows", "layer_norm_4", 512, 384, false, []string{"own_norm_2_3", "own_short_2_0_128_0", "own_pack_2", "own_hopper_2_0_64_0"}},
		{"rows of 1,024", "layer_norm_4", 512, 1024, false, []string{"own_norm_2_8", "own_hopper_2_0_128_0", "own_pack_2", "own_hopper_2_0_64_0"}},
		{"long rows", "layer_norm_4", 512, 1040, false, []string{"layer_norm_4", "own_pack_2", "own_hopper_2_0_128_0", "own_pack_2", "own_hopper_2_0_64_0"}},
		{"sums as a result", "layer_norm_add_4", 512, 384, false, []string{"layer_norm_add_4", "own_pack_2", "own_short_2_0_128_0", "own_pack_2", "own_hopper_2_0_64_0"}},
		{"apart", "layer_norm_4", 512, 384, true, []string{"layer_norm_4", "own_pack_2", "own_hopper_2_0_128_0", "own_hopper_2_0_64_0", "own_hopper_2_0_64_0", "own_pack_2", "own_hopper_2_0_64_0"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := normed(c.kernel, c.rows, c.columns)
			scratch := gpu.Region{Memory: &gpu.Memory{}, Size: Scratch(list)}
			shaped := (&Shaper{Hopper: true, Apart: c.apart, Processors: 132}).Shape(list, scratch)
			work := 0.0
			for i, d := range shaped.Dispatches {
				if i >= len(c.want) || d.Kernel.Name != c.want[i] {
					t.Fatalf("launch %d is %s, want %v", i, d.Kernel.Name, c.want)
				}
				work += d.Work
			}
			if len(shaped.Dispatches) != len(c.want) || work != 5 {
				t.Errorf("%d launches with the work of %.0f, want %v", len(shaped.Dispatches), work, c.want)
			}
			n, product := &shaped.Dispatches[0], &shaped.Dispatches[1]
			if n.Kernel.Name == c.kernel {
				return
			}
			if n.Bindings[6] != product.Bindings[1] || n.Bindings[7] != product.Bindings[2] {
				t.Error("the products take other halves than the norm makes")
			}
			for i := 1; i < 6; i++ {
				if n.Bindings[i] != list.Dispatches[0].Bindings[i] {
					t.Errorf("argument %d is other memory", i)
				}
			}
			args := arguments(shaped, n)
			if len(args) != layerNormBytes+8 || number(args, 0) != c.columns/4 || number(args, 3) != c.rows*c.columns || number(args, 4) != c.rows {
				t.Errorf("the arguments are %v", args)
			}
			if int(n.Groups[0])*normThreads/warp < c.rows {
				t.Errorf("%d blocks for %d rows", n.Groups[0], c.rows)
			}
		})
	}
}

// TestPlan: a block's tiles fit into what a multiprocessor has, and two where two shall run.
func TestPlan(t *testing.T) {
	for _, hopper := range []bool{false, true} {
		s := &Shaper{Hopper: hopper, Processors: 132}
		for _, x := range []tile{{parts: 1}, {parts: 2}, {parts: 2, packed: 1}, {parts: 2, packed: 2}} {
			for _, rows := range []int{9, 128, 512, 8192, 16896} {
				for _, in := range []int{64, 384, 512, 528, 4096} {
					for _, out := range []int{1, 384, 1536, 14336} {
						x.rows, x.in, x.out, x.slab = rows, in, out, out
						p := s.plan(x, []int{out})
						room, stages := tileShared, 2
						if hopper {
							room = hopperShared + hopperAlign
						}
						if p.kind == "short" {
							room = hopperShared/2 + hopperAlign
						}
						line := 2 * tileStride
						if hopper {
							line = hopperLine
						}
						if p.shared > room || p.shared < stages*line*x.lines(p.columns) || p.columns%64 != 0 {
							t.Errorf("%+v: %+v", x, p)
						}
						if p.kind == "short" && (in > shortSum || blocksOf(x, []int{out}, p.columns) <= s.Processors) {
							t.Errorf("%+v: %+v", x, p)
						}
					}
				}
			}
		}
	}
}
