package nn

import "inglenook/engine"

// Norm normalizes rows: an RMSNorm or a LayerNorm.
type Norm interface {
	Forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor
}

// RMSNorm divides by the root mean square (Zhang and Sennrich 2019,
// arXiv:1910.07467) of a row, or of each head if W is as wide as a head.
type RMSNorm struct {
	W       *engine.Tensor // [1, n]
	Epsilon float32
	Offset  float32 // added to W
}

// NewRMSNorm takes the weights of a norm of n columns.
func NewRMSNorm(b Builder, name string, n int, epsilon float32) RMSNorm {
	return RMSNorm{W: b.Vector(name+".weight", n), Epsilon: epsilon}
}

// NewPlainRMSNorm returns a norm of n columns that has no weights.
func NewPlainRMSNorm(b Builder, n int, epsilon float32) RMSNorm {
	return RMSNorm{W: b.Ones(n), Epsilon: epsilon}
}

// Forward implements Norm.
func (n RMSNorm) Forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	return g.RMSNorm(x, n.W, engine.RMSNormParams{Epsilon: n.Epsilon, Offset: n.Offset})
}

// LayerNorm normalizes to mean 0 and variance 1 (Ba et al. 2016,
// arXiv:1607.06450), then scales and shifts.
type LayerNorm struct {
	W, B    *engine.Tensor // [1, n]; B may be nil
	Epsilon float32
}

// NewLayerNorm takes the weights of a norm of n columns.
func NewLayerNorm(b Builder, name string, n int, epsilon float32) LayerNorm {
	return LayerNorm{b.Vector(name+".weight", n), b.Vector(name+".bias", n), epsilon}
}

// NewScaleNorm takes the weights of a norm of n columns that does not shift.
func NewScaleNorm(b Builder, name string, n int, epsilon float32) LayerNorm {
	return LayerNorm{W: b.Vector(name+".weight", n), Epsilon: epsilon}
}

// NewNorm takes the weights of a LayerNorm with or without a shift. For a GGUF file, the
// stored tensors decide.
func NewNorm(b Builder, name string, n int, epsilon float32, shift bool) LayerNorm {
	if b.GGUF {
		shift = b.Has(name + ".bias")
	}
	if shift {
		return NewLayerNorm(b, name, n, epsilon)
	}
	return NewScaleNorm(b, name, n, epsilon)
}

// Forward implements Norm.
func (n LayerNorm) Forward(g *engine.Graph, x *engine.Tensor) *engine.Tensor {
	return g.LayerNorm(x, nil, n.W, n.B, n.Epsilon)
}

// ForwardSum normalizes x + residual.
func (n LayerNorm) ForwardSum(g *engine.Graph, x, residual *engine.Tensor) *engine.Tensor {
	return g.LayerNorm(x, residual, n.W, n.B, n.Epsilon)
}
