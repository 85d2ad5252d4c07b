package cpubackend

// #include "kernels/cpu.h"
import "C"

import (
	"encoding/binary"
	"math"

	"inglenook/engine"
)

// bindRoPE: x, heads, inner the pairs of a head that rotate, interleaved, y the
// turns [rows, 2·inner]: cosines, then sines.
func bindRoPE(r *run, o *C.struct_op, t *engine.Tensor) error {
	o.kernel = r.b.kernel("rope")
	rotary, positions := t.Params.(*engine.Rotary), t.Src[1]
	turns, err := shared(r, tableKey{what: turns, of: positions, rotary: rotary}, func() ([]C.float, error) { // one for all layers
		return r.turns(positions, rotary)
	})
	if err != nil {
		return err
	}
	o.x, o.y = r.floats(t.Src[0]), &turns[0]
	o.heads, o.inner = C.int32_t(t.Cols/rotary.HeadSize), C.int64_t(len(rotary.Frequencies))
	if rotary.Interleaved {
		o.interleaved = 1
	}
	r.byRows(o, t)
	return nil
}

// turns returns the cosines and sines of each position's angles, times the
// magnitude.
func (r *run) turns(positions *engine.Tensor, rotary *engine.Rotary) ([]C.float, error) {
	pairs := len(rotary.Frequencies)
	turns, err := table[C.float](r, 2*pairs*positions.Rows)
	if err != nil {
		return nil, err
	}
	magnitude := float64(rotary.Magnitude)
	if magnitude == 0 {
		magnitude = 1
	}
	at := positions.InputBytes()
	for row := range positions.Rows {
		position := float32(int32(binary.NativeEndian.Uint32(at[4*row:])))
		line := turns[2*pairs*row:][:2*pairs]
		for i, f := range rotary.Frequencies {
			sin, cos := math.Sincos(float64(position * f))
			line[i], line[pairs+i] = C.float(magnitude*cos), C.float(magnitude*sin)
		}
	}
	return turns, nil
}
