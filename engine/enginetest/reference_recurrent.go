package enginetest

import (
	"math"

	"inglenook/engine"
)

// stateRows returns the state that an operation continues and the one that it
// writes.
func stateRows(states, at Matrix) (from, to []float64) {
	from = make([]float64, states.Cols)
	if i := int(at.Values[0]); i < states.Rows {
		copy(from, states.Row(i))
	}
	return from, states.Row(int(at.Values[1]))
}

func causalConv(op *engine.Tensor, in []Matrix, out Matrix) {
	x, w := in[0], in[1]
	from, to := stateRows(in[2], in[3])
	act := activations[op.Params.(engine.CausalConvParams).Activation]
	all := append(from, x.Values...) // the rows before, then those of x
	for i := range out.Rows {
		for c := range out.Cols {
			sum := 0.0
			for j := range w.Cols {
				sum += w.Row(c)[j] * all[(i+j)*x.Cols+c]
			}
			out.Row(i)[c] = act(sum)
		}
	}
	copy(to, all[len(all)-len(to):])
}

// deltaRule follows the definition row by row. Backends keep states in float32.
func deltaRule(op *engine.Tensor, in []Matrix, out Matrix) {
	qkv, a, b, rates, shifts := in[0], in[1], in[2], in[3], in[4]
	from, to := stateRows(in[5], in[6])
	p := op.Params.(engine.DeltaRuleParams)
	keys, value := p.KeyHeads*p.Size, out.Cols/p.Heads
	for head := range p.Heads {
		key := head * p.KeyHeads / p.Heads
		if p.Tiled {
			key = head % p.KeyHeads
		}
		rate := rates.Values[head]
		if p.LogRates {
			rate = -math.Exp(rate)
		}
		state := Matrix{p.Size, value, from[head*p.Size*value : (head+1)*p.Size*value]}
		for i := range out.Rows {
			x := qkv.Row(i)
			q := unit(x[key*p.Size:(key+1)*p.Size], p.Epsilon)
			k := unit(x[keys+key*p.Size:keys+(key+1)*p.Size], p.Epsilon)
			v := x[2*keys+head*value : 2*keys+(head+1)*value]
			decay := math.Exp(rate * softplus(a.Row(i)[head]+shifts.Values[head]))
			for j := range state.Values {
				state.Values[j] *= decay
			}
			for c := range value {
				found := 0.0
				for r := range k {
					found += k[r] * state.Row(r)[c]
				}
				change := sigmoid(b.Row(i)[head]) * (v[c] - found)
				for r := range k {
					state.Row(r)[c] += k[r] * change
					out.Row(i)[head*value+c] += q[r] * state.Row(r)[c] / math.Sqrt(float64(p.Size))
				}
			}
		}
	}
	for i, v := range from {
		to[i] = float64(float32(v))
	}
}

// unit returns x divided by its norm.
func unit(x []float64, epsilon float32) []float64 {
	by := 1 / math.Sqrt(dot(x, x)+float64(epsilon))
	y := make([]float64, len(x))
	for i, v := range x {
		y[i] = v * by
	}
	return y
}

func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
