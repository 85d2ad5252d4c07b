package storetest

import (
	"math"
	"math/rand/v2"
)

// Clusters makes vectors that lie in groups, as those of texts do.
type Clusters struct {
	centres [][]float32
	r       *rand.Rand
}

// spread is how far vectors lie from their centre: their cosine with it is about 0.78.
const spread = 0.8

// NewClusters returns clusters of a dimension. The centres are always the same; the vectors
// depend on a seed.
func NewClusters(dimension, centres int, seed uint64) *Clusters {
	c := &Clusters{r: rand.New(rand.NewPCG(7, 7))}
	for range centres {
		c.centres = append(c.centres, Around(c.r, make([]float32, dimension), 1))
	}
	c.r = rand.New(rand.NewPCG(seed, 2))
	return c
}

// Vector returns a unit vector near one of the centres.
func (c *Clusters) Vector() []float32 {
	return Around(c.r, c.centres[c.r.IntN(len(c.centres))], spread)
}

// Vectors returns some of them.
func (c *Clusters) Vectors(n int) [][]float32 {
	all := make([][]float32, n)
	for i := range all {
		all[i] = c.Vector()
	}
	return all
}

// Around returns a unit vector near another one. Around zeros it has any direction.
func Around(r *rand.Rand, centre []float32, spread float64) []float32 {
	v := make([]float32, len(centre))
	each := spread / math.Sqrt(float64(len(v)))
	var sum float64
	for i := range v {
		x := float64(centre[i]) + each*r.NormFloat64()
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}
