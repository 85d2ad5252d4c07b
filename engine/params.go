package engine

import "fmt"

// Activation is the function that Linear applies to its result.
type Activation uint8

// The activations, with their names in config.json files.
const (
	None      Activation = iota
	GELU                 // x·Φ(x), exact, by erf ("gelu")
	GELUTanh             // the tanh approximation ("gelu_new", "gelu_pytorch_tanh")
	QuickGELU            // x·sigmoid(1.702·x) ("quick_gelu")
	ReLU                 // "relu"
	SiLU                 // x·sigmoid(x) ("silu", "swish")
	Tanh                 // "tanh"
	Sigmoid              // "sigmoid"
)

var activationNames = [...]string{"none", "gelu", "gelu_tanh", "quick_gelu", "relu", "silu", "tanh", "sigmoid"}

// Activations lists every activation.
func Activations() []Activation {
	as := make([]Activation, len(activationNames))
	for i := range as {
		as[i] = Activation(i)
	}
	return as
}

func (a Activation) String() string {
	if int(a) >= len(activationNames) {
		return fmt.Sprintf("activation(%d)", uint8(a))
	}
	return activationNames[a]
}

// PoolMode is how the rows of a text become one vector.
type PoolMode uint8

// The pooling modes, as sentence-transformers defines them.
const (
	PoolCLS          PoolMode = iota // the first row
	PoolMean                         // the mean over the rows
	PoolMax                          // the largest value of each column
	PoolLast                         // the last row
	PoolMeanSqrtLen                  // the sum divided by the square root of the row count
	PoolWeightedMean                 // the mean with weights 1, 2, 3 … from the first row on
)

var poolNames = [...]string{"cls", "mean", "max", "last", "mean_sqrt_len", "weighted_mean"}

// PoolModes lists every pooling mode.
func PoolModes() []PoolMode {
	ms := make([]PoolMode, len(poolNames))
	for i := range ms {
		ms[i] = PoolMode(i)
	}
	return ms
}

func (m PoolMode) String() string {
	if int(m) >= len(poolNames) {
		return fmt.Sprintf("pool(%d)", uint8(m))
	}
	return poolNames[m]
}

// LinearParams belong to OpLinear.
type LinearParams struct {
	Activation Activation
	Rounded    bool // x may become halves: see Graph.Rounds
}

// LayerNormParams belong to OpLayerNorm.
type LayerNormParams struct {
	Epsilon float32
}

// AttentionParams belong to OpAttention.
type AttentionParams struct {
	Heads int
	Scale float32 // factor of the scores, usually 1/√(head size)
	// MaxDistance belongs to the relative position bias: all positions from
	// that distance on share the last bucket.
	MaxDistance int
	// Reach is how many rows away, in both directions, the farthest row is that a row sees;
	// 0: it sees the whole text. With Causal it sees none behind itself.
	Reach  int
	Causal bool
	// Slopes has one linear position bias a head (ALiBi, Press et al. 2021,
	// arXiv:2108.12409), in both directions: slope·distance is subtracted from a score. nil
	// means none.
	Slopes []float32
}

// Sees returns how many rows before and behind its own a row sees at most, in texts of up to
// so many rows.
func (p AttentionParams) Sees(rows int) (before, after int) {
	before = rows
	if p.Reach > 0 {
		before = min(rows, p.Reach)
	}
	if p.Causal {
		return before, 0
	}
	return before, before
}

// DisentangledParams belong to OpDisentangled.
type DisentangledParams struct {
	Heads int
	Scale float32 // factor of the scores
}

// PoolParams belong to OpPool.
type PoolParams struct {
	Modes []PoolMode
}

// RMSNormParams belong to OpRMSNorm.
type RMSNormParams struct {
	Epsilon float32
	Offset  float32 // added to each weight: 1 where a checkpoint stores w−1, as Gemma's do
}

// Rotary describes how RoPE rotates the columns of a head (Su et al. 2021,
// arXiv:2104.09864). Layers share one by its pointer.
type Rotary struct {
	HeadSize int
	// Frequencies are the angles per position of the pairs that rotate: twice as
	// many leading columns of each head. The other columns stay unchanged.
	Frequencies []float32
	// Magnitude scales the rotated columns (YaRN and longrope use it); 0 means
	// 1.
	Magnitude float32
	// Interleaved pairs columns 2i and 2i+1 instead of i and i+len(Frequencies).
	Interleaved bool
}

// CausalConvParams belong to OpCausalConv.
type CausalConvParams struct {
	Activation Activation
}

// DeltaRuleParams belong to OpDeltaRule.
type DeltaRuleParams struct {
	Heads    int // of values, and of states
	KeyHeads int // of queries and keys; it divides Heads
	Size     int // columns of a head of queries and keys
	// Tiled: state h reads the queries and keys of head h mod KeyHeads, as GGUF
	// files order the states. Otherwise those of head h·KeyHeads/Heads.
	Tiled bool
	// LogRates: the rates are stored as log(−rate), otherwise as they are.
	LogRates bool
	Epsilon  float32 // added to the squared norms of queries and keys
}

// GateParams belong to OpGate.
type GateParams struct {
	Activation Activation
	// Limit bounds gate from above and up on both sides; 0 means no bound.
	Limit float32
	Shift float32 // added to up
}

// RouteParams belong to OpRoute.
type RouteParams struct {
	TopK    int  // experts of a row
	Sigmoid bool // the score of a logit is its sigmoid instead of the softmax over all experts
	// Normalize divides the weights of a row by their sum plus Epsilon.
	Normalize bool
	Epsilon   float32
	Factor    float32 // multiplies the weights; 0 means 1
}

// ScaleParams belong to OpScale.
type ScaleParams struct {
	Factor float32
}

// SoftCapParams belong to OpSoftCap.
type SoftCapParams struct {
	Cap float32
}

// CausalAttentionParams belong to OpCausalAttention.
type CausalAttentionParams struct {
	Heads   int // of q
	KVHeads int // of k, v and the caches; it divides Heads
	Scale   float32
	// Window is how many positions a query sees, including its own; 0 means all.
	Window int
	// SoftCap caps the scores: s becomes cap·tanh(s/cap); 0 means no cap.
	SoftCap float32
	// Slopes has one linear position bias a head (ALiBi, Press et al. 2021,
	// arXiv:2108.12409): slope·(position of the key) is added to the scaled
	// score. nil means none. With RoundBias that product is rounded to bfloat16
	// first, as the reference implementation of Falcon does, and BiasScale (0
	// means 1) multiplies it afterwards.
	Slopes    []float32
	BiasScale float32
	RoundBias bool
	// MaxDistance belongs to the relative position bias: all positions from that
	// distance on share the last bucket.
	MaxDistance int
}

// CrossAttentionParams belong to OpCrossAttention.
type CrossAttentionParams struct {
	Heads int
	Scale float32 // factor of the scores
}
