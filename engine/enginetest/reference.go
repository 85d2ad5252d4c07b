package enginetest

import (
	"math"

	"inglenook/engine"
)

// Matrix is a dense row-major matrix in float64. An absent operand is the zero
// Matrix. Ids and starts are whole numbers in a column.
type Matrix struct {
	Rows, Cols int
	Values     []float64
}

// NewMatrix makes a matrix of zeros.
func NewMatrix(rows, cols int) Matrix {
	return Matrix{rows, cols, make([]float64, rows*cols)}
}

// Row returns row i, shared with the matrix.
func (m Matrix) Row(i int) []float64 { return m.Values[i*m.Cols : (i+1)*m.Cols] }

func (m Matrix) absent() bool { return m.Values == nil }

// Reference computes one operation from its operands, in the order of op.Src. It
// writes new rows into the caches among them.
func Reference(op *engine.Tensor, in []Matrix) Matrix {
	out := NewMatrix(op.Rows, op.Cols)
	references[op.Op](op, in, out)
	return out
}

// references defines each operation: the function fills out from the operands.
var references = map[engine.Op]func(op *engine.Tensor, in []Matrix, out Matrix){
	engine.OpEmbed:           embed,
	engine.OpLinear:          linear,
	engine.OpAdd:             add,
	engine.OpLayerNorm:       layerNorm,
	engine.OpAttention:       attention,
	engine.OpRows:            rows,
	engine.OpPool:            pool,
	engine.OpL2Normalize:     l2Normalize,
	engine.OpRMSNorm:         rmsNorm,
	engine.OpRoPE:            rope,
	engine.OpGate:            gate,
	engine.OpScale:           scale,
	engine.OpSoftCap:         softCap,
	engine.OpCausalAttention: causalAttention,
	engine.OpCrossAttention:  crossAttention,
	engine.OpRoute:           route,
	engine.OpExperts:         experts,
	engine.OpMix:             mix,
	engine.OpCausalConv:      causalConv,
	engine.OpDeltaRule:       deltaRule,
	engine.OpDisentangled:    disentangled,
	engine.OpJoin:            join,
}

func embed(_ *engine.Tensor, in []Matrix, out Matrix) {
	table, ids := in[0], in[1]
	for i := range out.Rows {
		copy(out.Row(i), table.Row(int(ids.Values[i])))
	}
}

func linear(op *engine.Tensor, in []Matrix, out Matrix) {
	x, w, bias := in[0], in[1], in[2]
	act := activations[op.Params.(engine.LinearParams).Activation]
	for i := range out.Rows {
		for j := range out.Cols {
			sum := dot(x.Row(i), w.Row(j))
			if !bias.absent() {
				sum += bias.Values[j]
			}
			out.Row(i)[j] = act(sum)
		}
	}
}

var activations = map[engine.Activation]func(float64) float64{
	engine.None:      func(x float64) float64 { return x },
	engine.GELU:      func(x float64) float64 { return x * 0.5 * math.Erfc(-x/math.Sqrt2) },
	engine.GELUTanh:  func(x float64) float64 { return x * 0.5 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x))) },
	engine.QuickGELU: func(x float64) float64 { return x * sigmoid(1.702*x) },
	engine.ReLU:      func(x float64) float64 { return max(x, 0) },
	engine.SiLU:      func(x float64) float64 { return x * sigmoid(x) },
	engine.Tanh:      math.Tanh,
	engine.Sigmoid:   sigmoid,
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func add(_ *engine.Tensor, in []Matrix, out Matrix) {
	for i := range out.Values {
		out.Values[i] = in[0].Values[i] + in[1].Values[i]
	}
}

func layerNorm(op *engine.Tensor, in []Matrix, out Matrix) {
	x, residual, w, bias := in[0], in[1], in[2], in[3]
	epsilon := float64(op.Params.(engine.LayerNormParams).Epsilon)
	for i := range out.Rows {
		row := out.Row(i)
		copy(row, x.Row(i))
		if !residual.absent() {
			for j := range row {
				row[j] += residual.Row(i)[j]
			}
		}
		mean, variance := 0.0, 0.0
		for _, v := range row {
			mean += v / float64(len(row))
		}
		for _, v := range row {
			variance += (v - mean) * (v - mean) / float64(len(row))
		}
		for j, v := range row {
			row[j] = (v - mean) / math.Sqrt(variance+epsilon) * w.Values[j]
			if !bias.absent() {
				row[j] += bias.Values[j]
			}
		}
	}
}

func attention(op *engine.Tensor, in []Matrix, out Matrix) {
	q, k, v, starts, bias := in[0], in[1], in[2], in[3], in[4]
	p := op.Params.(engine.AttentionParams)
	size := out.Cols / p.Heads
	for text := range starts.Rows - 1 {
		first, end := int(starts.Values[text]), int(starts.Values[text+1])
		for head := range p.Heads {
			columns := func(m Matrix, row int) []float64 { return m.Row(row)[head*size : (head+1)*size] }
			for i := first; i < end; i++ {
				query, result := columns(q, i), columns(out, i)
				scores := make([]float64, end-first)
				for j := range scores {
					away := first + j - i
					scores[j] = float64(p.Scale) * dot(query, columns(k, first+j))
					if p.Causal && away > 0 || p.Reach > 0 && max(away, -away) > p.Reach {
						scores[j] = math.Inf(-1)
					}
					if p.Slopes != nil {
						scores[j] -= float64(p.Slopes[head]) * float64(max(away, -away))
					}
					if !bias.absent() {
						scores[j] += bias.Row(engine.RelativeBucket(away, bias.Rows, p.MaxDistance))[head]
					}
				}
				softmax(scores)
				for j, weight := range scores {
					addScaled(result, weight, columns(v, first+j))
				}
			}
		}
	}
}

func disentangled(op *engine.Tensor, in []Matrix, out Matrix) {
	q, k, v, starts, distances, keys, queries := in[0], in[1], in[2], in[3], in[4], in[5], in[6]
	p := op.Params.(engine.DisentangledParams)
	size, reach := out.Cols/p.Heads, distances.Rows/2
	for text := range starts.Rows - 1 {
		first, end := int(starts.Values[text]), int(starts.Values[text+1])
		for head := range p.Heads {
			columns := func(m Matrix, row int) []float64 { return m.Row(row)[head*size : (head+1)*size] }
			for i := first; i < end; i++ {
				scores := make([]float64, end-first)
				for j := range scores {
					key, r := columns(k, first+j), int(distances.Values[reach+i-first-j])
					scores[j] = dot(columns(q, i), key)
					if !keys.absent() {
						scores[j] += dot(columns(q, i), columns(keys, r))
					}
					if !queries.absent() {
						scores[j] += dot(key, columns(queries, r))
					}
					scores[j] *= float64(p.Scale)
				}
				softmax(scores)
				for j, weight := range scores {
					addScaled(columns(out, i), weight, columns(v, first+j))
				}
			}
		}
	}
}

func softmax(x []float64) {
	largest := math.Inf(-1)
	for _, v := range x {
		largest = max(largest, v)
	}
	sum := 0.0
	for i, v := range x {
		x[i] = math.Exp(v - largest)
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}

func rows(_ *engine.Tensor, in []Matrix, out Matrix) {
	x, indexes := in[0], in[1]
	for i := range out.Rows {
		copy(out.Row(i), x.Row(int(indexes.Values[i])))
	}
}

func join(_ *engine.Tensor, in []Matrix, out Matrix) {
	row := 0
	for _, x := range in {
		for i := range x.Rows {
			copy(out.Row(row), x.Row(i))
			row++
		}
	}
}

func pool(op *engine.Tensor, in []Matrix, out Matrix) {
	x, starts := in[0], in[1]
	for text := range out.Rows {
		first, end := int(starts.Values[text]), int(starts.Values[text+1])
		for m, mode := range op.Params.(engine.PoolParams).Modes {
			for c := range x.Cols {
				column := make([]float64, end-first)
				for i := range column {
					column[i] = x.Row(first + i)[c]
				}
				out.Row(text)[m*x.Cols+c] = pools[mode](column)
			}
		}
	}
}

// pools reduce one column of a text to one value.
var pools = map[engine.PoolMode]func(column []float64) float64{
	engine.PoolCLS:  func(column []float64) float64 { return column[0] },
	engine.PoolLast: func(column []float64) float64 { return column[len(column)-1] },
	engine.PoolMean: func(column []float64) float64 { return sum(column) / float64(len(column)) },
	engine.PoolMax: func(column []float64) float64 {
		largest := math.Inf(-1)
		for _, v := range column {
			largest = max(largest, v)
		}
		return largest
	},
	engine.PoolMeanSqrtLen: func(column []float64) float64 { return sum(column) / math.Sqrt(float64(len(column))) },
	engine.PoolWeightedMean: func(column []float64) float64 {
		total, weights := 0.0, 0.0
		for i, v := range column {
			total += float64(i+1) * v
			weights += float64(i + 1)
		}
		return total / weights
	},
}

func l2Normalize(_ *engine.Tensor, in []Matrix, out Matrix) {
	for i := range out.Rows {
		row := in[0].Row(i)
		norm := max(math.Sqrt(dot(row, row)), 1e-12)
		for j, v := range row {
			out.Row(i)[j] = v / norm
		}
	}
}

// dot sums in four parts: one addition would have to wait for the one before.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(a) >= 4 && len(b) >= 4 {
		s0 += a[0] * b[0]
		s1 += a[1] * b[1]
		s2 += a[2] * b[2]
		s3 += a[3] * b[3]
		a, b = a[4:], b[4:]
	}
	for i := range a {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}

// addScaled adds the multiple of a row to another.
func addScaled(to []float64, by float64, row []float64) {
	row = row[:len(to)]
	for i := range to {
		to[i] += by * row[i]
	}
}

func sum(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += v
	}
	return total
}
