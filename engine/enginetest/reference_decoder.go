package enginetest

import (
	"math"

	"inglenook/engine"
	"inglenook/engine/quant"
)

func rmsNorm(op *engine.Tensor, in []Matrix, out Matrix) {
	x, w := in[0], in[1]
	p := op.Params.(engine.RMSNormParams)
	for at := 0; at < len(x.Values); at += w.Cols {
		stretch := x.Values[at : at+w.Cols]
		rms := math.Sqrt(dot(stretch, stretch)/float64(w.Cols) + float64(p.Epsilon))
		for j, v := range stretch {
			out.Values[at+j] = v / rms * (w.Values[j] + float64(p.Offset))
		}
	}
}

func rope(op *engine.Tensor, in []Matrix, out Matrix) {
	x, positions := in[0], in[1]
	r := op.Params.(*engine.Rotary)
	magnitude := float64(r.Magnitude)
	if magnitude == 0 {
		magnitude = 1
	}
	copy(out.Values, x.Values)
	pairs := len(r.Frequencies)
	for i := range out.Rows {
		for head := 0; head < out.Cols; head += r.HeadSize {
			from, to := x.Row(i)[head:head+r.HeadSize], out.Row(i)[head:head+r.HeadSize]
			for pair, frequency := range r.Frequencies {
				a, b := pair, pair+pairs
				if r.Interleaved {
					a, b = 2*pair, 2*pair+1
				}
				sin, cos := math.Sincos(float64(float32(positions.Values[i]) * frequency)) // float32 by definition
				to[a] = magnitude * (from[a]*cos - from[b]*sin)
				to[b] = magnitude * (from[b]*cos + from[a]*sin)
			}
		}
	}
}

func gate(op *engine.Tensor, in []Matrix, out Matrix) {
	p := op.Params.(engine.GateParams)
	act := activations[p.Activation]
	for i := range out.Values {
		x, up := in[0].Values[i], 1.0
		if !in[1].absent() {
			up = in[1].Values[i]
		}
		if limit := float64(p.Limit); limit > 0 {
			x, up = min(x, limit), max(-limit, min(up, limit))
		}
		out.Values[i] = act(x) * (up + float64(p.Shift))
	}
}

func scale(op *engine.Tensor, in []Matrix, out Matrix) {
	factor := float64(op.Params.(engine.ScaleParams).Factor)
	for i, v := range in[0].Values {
		out.Values[i] = factor * v
	}
}

func softCap(op *engine.Tensor, in []Matrix, out Matrix) {
	limit := float64(op.Params.(engine.SoftCapParams).Cap)
	for i, v := range in[0].Values {
		out.Values[i] = limit * math.Tanh(v/limit)
	}
}

// causalAttention reads all keys and values from the caches, those of this pass
// as well, so they are all rounded. So the result does not depend on where a
// text is split into passes.
func causalAttention(op *engine.Tensor, in []Matrix, out Matrix) {
	q, keys, values, past := in[0], in[3], in[4], int(in[5].Values[0])
	store(op.Src[3].DType, in[1], keys, past)
	store(op.Src[4].DType, in[2], values, past)
	p := op.Params.(engine.CausalAttentionParams)
	size := out.Cols / p.Heads
	for i := range out.Rows {
		first, last := 0, past+i
		if p.Window > 0 {
			first = max(0, last+1-p.Window)
		}
		scores := make([]float64, last+1-first, last+2-first) // room for a sink
		for head := range p.Heads {
			shared := head * p.KVHeads / p.Heads * size
			query, result := q.Row(i)[head*size:(head+1)*size], out.Row(i)[head*size:(head+1)*size]
			for j := range scores {
				key := keys.Row(first + j)[shared : shared+size]
				scores[j] = score(p, dot(query, key)) + positionBias(p, head, first+j)
				if bias := in[7]; !bias.absent() {
					scores[j] += bias.Row(engine.BackwardBucket(last-first-j, bias.Rows, p.MaxDistance))[head]
				}
			}
			if !in[6].absent() {
				softmax(append(scores, in[6].Values[head])) // a weight for nothing
			} else {
				softmax(scores)
			}
			for j, weight := range scores {
				addScaled(result, weight, values.Row(first + j)[shared:shared+size])
			}
		}
	}
}

// crossAttention reads all rows that the caches hold.
func crossAttention(op *engine.Tensor, in []Matrix, out Matrix) {
	q, keys, values, held := in[0], in[3], in[4], int(in[5].Values[0])
	if !in[1].absent() {
		store(op.Src[3].DType, in[1], keys, held)
		store(op.Src[4].DType, in[2], values, held)
		held += in[1].Rows
	}
	p := op.Params.(engine.CrossAttentionParams)
	size := out.Cols / p.Heads
	for i := range out.Rows {
		for head := range p.Heads {
			columns := func(m Matrix, row int) []float64 { return m.Row(row)[head*size : (head+1)*size] }
			scores := make([]float64, held)
			for j := range scores {
				scores[j] = float64(p.Scale) * dot(columns(q, i), columns(keys, j))
			}
			softmax(scores)
			for j, weight := range scores {
				addScaled(columns(out, i), weight, columns(values, j))
			}
		}
	}
}

// store writes the rows of x into a cache from row at on, rounded to its type.
func store(d engine.DType, x, cache Matrix, at int) {
	row := make([]float32, x.Cols)
	data := make([]byte, d.RowBytes(x.Cols))
	for i := range x.Rows {
		for j, v := range x.Row(i) {
			row[j] = float32(v)
		}
		quant.Quantize(d, row, data)
		quant.Dequantize(d, data, row)
		for j, v := range row {
			cache.Row(at + i)[j] = float64(v)
		}
	}
}

// score scales and caps the product of a query and a key.
func score(p engine.CausalAttentionParams, product float64) float64 {
	s := float64(p.Scale) * product
	if p.SoftCap > 0 {
		s = float64(p.SoftCap) * math.Tanh(s/float64(p.SoftCap))
	}
	return s
}

func positionBias(p engine.CausalAttentionParams, head, position int) float64 {
	if p.Slopes == nil {
		return 0
	}
	bias := p.Slopes[head] * float32(position)
	if p.RoundBias {
		bias = engine.BF16ToF32(engine.F32ToBF16(bias))
	}
	if p.BiasScale != 0 {
		return float64(bias) * float64(p.BiasScale)
	}
	return float64(bias)
}
