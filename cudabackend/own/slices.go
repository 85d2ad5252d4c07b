package own

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"inglenook/gpu"
)

// The launches of slices.cu: products of one row of x, and the norm before them.

const (
	sliceUnits     = 4   // of a lane in a row, at most
	sliceWarps     = 16  // of a block, or two more where that suits better
	sliceRows      = 256 // of a block, at most
	sliceOthers    = 40  // registers of a lane that neither w nor x takes
	registers      = 64 << 10
	laneRegisters  = 255
	slicesInFlight = 36 << 10 // bytes that a multiprocessor should have under way, about

	sliceBuffers  = 2 + 3*severalMost // of a kernel
	normedBuffers = 6 + 2*severalMost
)

// sliced says of a type what a lane has of it: registers for a unit of w, and for what it
// multiplies that with.
type sliced struct {
	values    int // a row has a multiple of so many
	units     int // of those values
	bytes     int // of a unit
	registers int
	of        int
	levels    int // bytes of shared memory for those values of x
}

var slicedTypes = map[string]sliced{
	"f32": {4, 1, 16, 4, 4, 0}, "f16": {8, 1, 16, 4, 8, 0}, "bf16": {8, 1, 16, 4, 8, 0},
	"q8_0": {256, 17, 16, 6, 18, 576}, "q4_k": {256, 4, 32, 12, 35, 576}, "q5_k": {256, 4, 32, 20, 35, 576},
}

// slicing is how a launch cuts its rows.
type slicing struct {
	units, some, warps int // UNITS, SOME and WARPS of slices.cu
	team, rows, blocks int // warps of a row; rows of a block; blocks
	shared             int // bytes of shared memory of a block
}

// slicesOf returns how to cut so many rows of w for a card with so many multiprocessors. It is
// not ok where a lane would have too much of a row.
func slicesOf(dtype string, in, stride, total, processors int) (best slicing, ok bool) {
	t, ok := slicedTypes[dtype]
	if !ok || in%t.values != 0 || stride%16 != 0 {
		return slicing{}, false
	}
	all, most := in/t.values*t.units, 0.0
	rows := min(ceilDiv(ceilDiv(total, processors), 2)*2, sliceRows)
	for n := range 2 * sliceUnits {
		units, mostWarps := n/2+1, sliceWarps+n%2*2
		team := ceilDiv(all, warp*units)
		if team > mostWarps {
			continue
		}
		teams := max(1, min(mostWarps/team, rows))
		warps := team * teams
		room := min(laneRegisters, registers/(warp*warps)) - sliceOthers - units*t.of
		some := 8
		for some > 1 && (2*some*units*t.registers > room || some*teams > rows+some-1) {
			some /= 2
		}
		if 2*some*units*t.registers > room {
			continue
		}
		shared := in/t.values*t.levels + 4*team*rows
		if shared > bytesShared {
			continue
		}
		used := float64(all) / float64(team*units*warp)
		flying := min(1, float64(warps*warp*some*units*t.bytes)/slicesInFlight)
		if score := used * flying * min(1, float64(warps)/12); score > most*1.01 {
			best, most = slicing{units, some, warps, team, rows, ceilDiv(total, rows), shared}, score
		}
	}
	return best, best.units > 0
}

// Reach is how many later operations may run while one still does: a sum, its norm, and three
// products of that, or two and their gate.
const Reach = 4

// norm is a launch of rms_norm_* of one row, which the products after it can do themselves.
type norm struct {
	columns, epsilon, offset float32
	x, residual, weight      gpu.Region
	sum, y                   gpu.Region // sum: none where nothing is added
}

// normOf returns the norm of a dispatch.
func normOf(list *gpu.List, d *gpu.Dispatch) (n norm, ok bool) {
	added := d.Kernel.Name == "rms_norm_add_4"
	if !added && d.Kernel.Name != "rms_norm_4" || d.Groups != [3]uint32{1, 1, 1} {
		return norm{}, false
	}
	args := arguments(list, d)
	float := func(i int) float32 { return math.Float32frombits(uint32(number(args, i))) }
	n = norm{columns: float(1), epsilon: float(2), offset: float(3), x: d.Bindings[1], residual: d.Bindings[1], weight: d.Bindings[2], y: d.Bindings[3]}
	if added {
		n.residual, n.weight, n.sum, n.y = d.Bindings[2], d.Bindings[3], d.Bindings[4], d.Bindings[5]
	}
	return n, true
}

// apart reports whether what products write lies apart from what all of their blocks read.
func (n norm) apart(products []gpu.Dispatch) bool {
	written := append(make([]gpu.Region, 0, 2+severalMost), n.sum, n.y) // on the stack
	for i := range products {
		written = append(written, products[i].Bindings[4])
	}
	return apart(written, []gpu.Region{n.x, n.residual})
}

// apart reports whether what is written lies apart from what is read.
func apart(written, read []gpu.Region) bool {
	for _, w := range written {
		for _, r := range read {
			if overlap(w, r) {
				return false
			}
		}
	}
	return true
}

func overlap(a, b gpu.Region) bool {
	return a.Size > 0 && b.Size > 0 && a.Memory == b.Memory && a.Offset < b.Offset+b.Size && b.Offset < a.Offset+a.Size
}

// slicesAt appends one launch for the products of one row of x that begin with dispatch i, or
// with the norm of x, and returns how many dispatches that does; 0 where slices.cu does not. Apart,
// each product has a launch of its own.
func (s *Shaper) slicesAt(list *gpu.List, i int) int {
	before, normed := norm{}, false
	if before, normed = normOf(list, &list.Dispatches[i]); normed {
		if s.Apart {
			return 0
		}
		i++
	}
	n := s.vectorsAt(list, i)
	for ; n > 0; n-- { // fewer may be apart
		ds := list.Dispatches[i : i+n]
		if normed && (ds[0].Bindings[1] != before.y || constant(&ds[0].Kernel, linearBias) != 0 || !before.apart(ds)) {
			continue
		}
		if s.slice(list, ds, before, normed) {
			break
		}
	}
	if n > 0 && normed {
		s.list.Dispatches[len(s.list.Dispatches)-1].Work += list.Dispatches[i-1].Work
		n++
	}
	return n
}

// slice appends the launch of some products.
func (s *Shaper) slice(list *gpu.List, ds []gpu.Dispatch, before norm, normed bool) bool {
	dtype := strings.TrimPrefix(ds[0].Kernel.Name, "linear_vec_")
	gated := constant(&ds[0].Kernel, linearGate) != 0
	outs, in, stride, total := [severalMost]int{}, 0, 0, 0
	for i := range ds {
		args := arguments(list, &ds[i])
		in, outs[i], stride = number(args, 1), number(args, 2), number(args, 3)
		total += outs[i]
	}
	if gated {
		outs[1], total = outs[0], 2*total
	}
	c, ok := slicesOf(dtype, in, stride, total, max(s.Processors, 1))
	if !ok {
		return false
	}
	kind, w, y := "slice", 2, sliceBuffers-severalMost // where the weights are among the arguments, and the results
	if normed {
		kind, w, y = "normed", 6, normedBuffers-severalMost
	}
	if before.sum.Size > 0 {
		kind = "summed"
	}
	d := s.launch(&ds[0], fmt.Sprintf("%s%s_%d_%d_%d_%s", prefix, kind, c.units, c.some, c.warps, dtype), in, stride, c.team, c.rows, outs[0], outs[1], outs[2])
	for _, v := range []float32{before.columns, before.epsilon, before.offset} {
		s.list.Inline = binary.NativeEndian.AppendUint32(s.list.Inline, math.Float32bits(v))
		d.Bindings[0].Size += 4
	}
	d.Kernel.Constants = productConstants(&ds[0].Kernel)
	if gated {
		setConstant(d, linearGate, 1)
	}
	d.Bindings[1] = ds[0].Bindings[1]
	if normed {
		copy(d.Bindings[1:], []gpu.Region{before.x, before.residual, before.weight, before.sum, before.y})
	}
	for i := range ds {
		d.Work += ds[i].Work
		d.Bindings[w+i] = ds[i].Bindings[2]
		if !normed {
			d.Bindings[w+severalMost+i] = ds[i].Bindings[3]
		}
		d.Bindings[y+i] = ds[i].Bindings[4]
	}
	if gated {
		d.Bindings[w+1] = ds[0].Bindings[5]
	}
	d.Groups, d.Threads, d.Shared[0] = [3]uint32{uint32(c.blocks), 1, 1}, uint32(warp*c.warps), uint32(c.shared)
	return true
}

// sliceSource returns the constants of a kernel of slices.cu from its name, its function, and
// what is left of the name: the type of w.
func sliceSource(kind, variant string) (source, function, dtype string, ok bool) {
	parts := strings.SplitN(variant, "_", 4)
	if len(parts) < 4 {
		return "", "", "", false
	}
	for _, n := range parts[:3] {
		if _, err := strconv.Atoi(n); err != nil {
			return "", "", "", false
		}
	}
	normed, function := 0, "sliced"
	switch kind {
	case "slice":
		function = "slice"
	case "normed":
		normed = 1
	case "summed":
		normed = 2
	}
	source = fmt.Sprintf("namespace own { enum { UNITS = %s, SOME = %s, WARPS = %s, NORMED = %d }; }\n", parts[0], parts[1], parts[2], normed)
	return source, function, parts[3], true
}
