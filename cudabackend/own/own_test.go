package own

import (
	"encoding/binary"
	"strings"
	"testing"

	"inglenook/gpu"
)

// queriesKeysValues is a list with three products of one x and one of another.
func queriesKeysValues(kernels [3]string, rows, in int) *gpu.List {
	list := &gpu.List{}
	memory := func() gpu.Region { return gpu.Region{Memory: &gpu.Memory{}, Size: 1 << 20} }
	x := memory()
	for i, out := range []int{4096, 1024, 1000, 512} {
		args := gpu.Region{Offset: len(list.Inline), Size: 16}
		for _, n := range []int{rows, in, out, in * 2} {
			list.Inline = binary.NativeEndian.AppendUint32(list.Inline, uint32(n))
		}
		if i == 3 {
			x = memory()
		}
		d := gpu.Dispatch{Kernel: gpu.Kernel{Name: kernels[min(i, 2)]}, Groups: [3]uint32{1, 1, 1}, Threads: 32, Work: 1}
		d.Bindings[0], d.Bindings[1], d.Bindings[2], d.Bindings[3], d.Bindings[4] = args, x, memory(), x, memory()
		list.Dispatches = append(list.Dispatches, d)
	}
	return list
}

// TestShape: products of one x with weights of one type are one launch.
func TestShape(t *testing.T) {
	for _, c := range []struct {
		name    string
		kernels [3]string
		rows    int
		hopper  bool
		want    []string
	}{
		{"one row", [3]string{"linear_vec_q4_k", "linear_vec_q4_k", "linear_vec_q4_k"}, 1, false, []string{"own_slice_1_2_16_q4_k", "own_slice_1_1_8_q4_k"}},
		{"one row, values of another type", [3]string{"linear_vec_q4_k", "linear_vec_q4_k", "linear_vec_q6_k"}, 1, false, []string{"own_slice_1_2_16_q4_k", "linear_vec_q6_k", "linear_vec_q6_k"}},
		{"no type of these", [3]string{"linear_vec_iq2_s", "linear_vec_iq2_s", "linear_vec_iq2_s"}, 1, false, []string{"linear_vec_iq2_s", "linear_vec_iq2_s", "linear_vec_iq2_s", "linear_vec_iq2_s"}},
		{"many rows of halves", [3]string{"linear_tile_f16", "linear_tile_f16", "linear_tile_f16"}, 512, true, []string{"own_pack_2", "own_hopper_2_0_128_0", "own_pack_2", "own_hopper_2_0_64_0"}},
		{
			"many rows of blocks",
			[3]string{"linear_tile_q8_0", "linear_tile_q8_0", "linear_tile_q8_0"},
			512, false,
			[]string{"own_pack_1", "own_unpack_q8_0", "own_unpack_q8_0", "own_unpack_q8_0", "own_product_1_0_128", "own_pack_1", "own_unpack_q8_0", "own_product_1_0_64"},
		},
		{
			"many rows, values of another type",
			[3]string{"linear_tile_q4_k", "linear_tile_q4_k", "linear_tile_q6_k"},
			512, true,
			[]string{"own_pack_1", "own_unpack_q4_k", "own_unpack_q4_k", "own_hopper_1_0_192_0", "own_unpack_q6_k", "own_hopper_1_0_64_0", "own_pack_1", "own_unpack_q6_k", "own_hopper_1_0_64_0"},
		},
		{"many rows of floats", [3]string{"linear_tile_f32", "linear_tile_f32", "linear_tile_f32"}, 512, true, []string{"own_pack_2", "own_pack_2", "own_pack_2", "own_pack_2", "own_hopper_2_2_128_0", "own_pack_2", "own_pack_2", "own_hopper_2_2_64_0"}},
		{"many rows of BF16", [3]string{"linear_tile_bf16", "linear_tile_f16", "linear_tile_f16"}, 512, false, []string{"own_pack_2", "own_pack_1_bf16", "own_product_2_1_128", "own_product_2_0_64", "own_pack_2", "own_product_2_0_64"}},
		{"many rows of MXFP4", [3]string{"linear_tile_mxfp4", "linear_tile_mxfp4", "linear_tile_mxfp4"}, 512, true, []string{"linear_tile_mxfp4", "linear_tile_mxfp4", "linear_tile_mxfp4", "linear_tile_mxfp4"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := queriesKeysValues(c.kernels, c.rows, 4096)
			scratch := gpu.Region{Memory: &gpu.Memory{}, Size: Scratch(list)}
			shaped := (&Shaper{Hopper: c.hopper, Processors: 132}).Shape(list, scratch)
			work := 0.0
			for i, d := range shaped.Dispatches {
				if i >= len(c.want) || d.Kernel.Name != c.want[i] {
					t.Fatalf("launch %d is %s, want %v", i, d.Kernel.Name, c.want)
				}
				work += d.Work
				for n, r := range d.Bindings {
					if r.Memory == scratch.Memory && r.Offset+r.Size > scratch.Size {
						t.Errorf("%s: argument %d ends at %d of %d bytes of scratch memory", d.Kernel.Name, n, r.Offset+r.Size, scratch.Size)
					}
				}
			}
			if len(shaped.Dispatches) != len(c.want) || work != 4 {
				t.Errorf("%d launches with the work of %.0f, want %v", len(shaped.Dispatches), work, c.want)
			}
		})
	}
}

// TestSeveral: the one launch has all that the three had.
func TestSeveral(t *testing.T) {
	list := queriesKeysValues([3]string{"linear_vec_q4_0", "linear_vec_q4_0", "linear_vec_q4_0"}, 1, 4096)
	shaped := new(Shaper).Shape(list, gpu.Region{})
	d := &shaped.Dispatches[0]
	args := arguments(shaped, d)
	number := func(i int) int { return int(binary.NativeEndian.Uint32(args[4*i:])) }
	blocks := 0
	for i := range 3 {
		before := &list.Dispatches[i]
		if string(args[16*i:16*i+16]) != string(arguments(list, before)) {
			t.Errorf("the arguments of product %d are %v", i, args[16*i:16*i+16])
		}
		if d.Bindings[2+i] != before.Bindings[2] || d.Bindings[5+i] != before.Bindings[3] || d.Bindings[8+i] != before.Bindings[4] {
			t.Errorf("product %d has other memory", i)
		}
		blocks += number(12 + i)
	}
	if d.Bindings[1] != list.Dispatches[0].Bindings[1] || int(d.Groups[0]) != blocks || blocks == 0 || len(args) != 4*vectorNumbers {
		t.Errorf("%d blocks for %d, %d bytes of arguments", d.Groups[0], blocks, len(args))
	}
}

// TestSlices: the products of one row are one launch with the norm before them, unless they
// write what other blocks still read.
func TestSlices(t *testing.T) {
	for _, c := range []struct {
		name         string
		added, gated bool
		over         bool // a product goes where x lies
		bias         int32
		want         []string
	}{
		{"norm", false, false, false, 0, []string{"own_normed_1_2_16_q4_k", "own_slice_1_1_8_q4_k"}},
		{"norm of a sum", true, false, false, 0, []string{"own_summed_1_2_16_q4_k", "own_slice_1_1_8_q4_k"}},
		{"biases", true, false, false, 1, []string{"rms_norm_add_4", "own_slice_1_2_16_q4_k", "own_slice_1_1_8_q4_k"}},
		{"gate", true, true, false, 0, []string{"own_summed_1_2_16_q4_k", "own_slice_1_2_16_q4_k", "own_slice_1_1_8_q4_k"}},
		{"the third over x", true, false, true, 0, []string{"own_summed_1_2_16_q4_k", "own_slice_1_1_16_q4_k", "own_slice_1_1_8_q4_k"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			list := queriesKeysValues([3]string{"linear_vec_q4_k", "linear_vec_q4_k", "linear_vec_q4_k"}, 1, 4096)
			n := gpu.Dispatch{Kernel: gpu.Kernel{Name: "rms_norm_4"}, Groups: [3]uint32{1, 1, 1}, Threads: 1024, Work: 1}
			n.Bindings[0] = gpu.Region{Offset: len(list.Inline), Size: 16}
			list.Inline = append(list.Inline, make([]byte, 16)...)
			memory := func() gpu.Region { return gpu.Region{Memory: &gpu.Memory{}, Size: 4 * 4096} }
			x := memory()
			n.Bindings[1], n.Bindings[2], n.Bindings[3] = x, memory(), list.Dispatches[0].Bindings[1]
			if c.added {
				n.Kernel.Name = "rms_norm_add_4"
				n.Bindings[3], n.Bindings[4], n.Bindings[5] = memory(), memory(), list.Dispatches[0].Bindings[1]
			}
			for i := range list.Dispatches {
				setConstant(&list.Dispatches[i], linearBias, c.bias)
			}
			if c.gated {
				setConstant(&list.Dispatches[0], linearGate, 1)
				list.Dispatches[0].Bindings[5] = memory()
			}
			if c.over {
				list.Dispatches[2].Bindings[4] = x
			}
			list.Dispatches = append([]gpu.Dispatch{n}, list.Dispatches...)
			shaped := (&Shaper{Processors: 132}).Shape(list, gpu.Region{})
			work := 0.0
			for i, d := range shaped.Dispatches {
				if i >= len(c.want) || d.Kernel.Name != c.want[i] {
					t.Fatalf("launch %d is %s, want %v", i, d.Kernel.Name, c.want)
				}
				work += d.Work
				buffers := 2
				switch {
				case strings.Contains(d.Kernel.Name, "_slice_"):
					buffers = sliceBuffers
				case strings.HasPrefix(d.Kernel.Name, prefix):
					buffers = normedBuffers
				}
				if got := d.Bindings[0].Size; buffers > 2 && got != 4*10 {
					t.Errorf("%s has %d bytes of arguments", d.Kernel.Name, got)
				}
				for n, r := range d.Bindings {
					if n >= max(buffers, 6) && r.Size > 0 {
						t.Errorf("%s has an argument %d", d.Kernel.Name, n)
					}
				}
			}
			if len(shaped.Dispatches) != len(c.want) || work != 5 {
				t.Errorf("%d launches with the work of %.0f, want %v", len(shaped.Dispatches), work, c.want)
			}
		})
	}
}

// TestSlicing: every unit of every row has a lane, and registers and memory suffice.
func TestSlicing(t *testing.T) {
	for dtype, s := range slicedTypes {
		for in := s.values; in <= 32768; in += s.values * max(1, 256/s.values) {
			for _, total := range []int{1, 2, 31, 4096, 28672, 152064} {
				c, ok := slicesOf(dtype, in, 16, total, 132)
				if !ok {
					continue
				}
				if c.team*c.units*warp < in/s.values*s.units || c.team > c.warps || c.rows*c.blocks < total || c.rows*(c.blocks-1) >= total || c.rows%2 != 0 {
					t.Errorf("%s: %d rows of %d: %+v", dtype, total, in, c)
				}
				if shared := in/s.values*s.levels + 4*c.team*c.rows; shared != c.shared || shared+4*c.warps > 99<<10 || 2*c.some*c.units*s.registers+c.units*s.of > registers/(warp*c.warps) {
					t.Errorf("%s: %d rows of %d: %+v takes too much", dtype, total, in, c)
				}
			}
		}
	}
	if _, ok := slicesOf("q6_k", 4096, 3360, 4096, 132); ok {
		t.Error("q6_k can be sliced")
	}
}
