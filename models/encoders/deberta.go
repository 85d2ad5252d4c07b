package encoders

import (
	"fmt"
	"math"
	"strings"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// DeBERTa: He et al. 2020, arXiv:2006.03654; version 2 and 3: He et al. 2021,
// arXiv:2111.09543. BERT whose attention compares words with the distance of words, in
// place of positions. Version 3 differs from 2 in its training alone.

// deberta is what only this family reads.
type deberta struct {
	second           bool // the names and distances of version 2
	toKeys, toQuery  bool // words are compared with distances (c2p), and distances with words (p2c)
	shared           bool // with the matrices of words
	normed           bool // the vectors of distances have a norm
	farthest         int  // half of the vectors of distances
	buckets, reaches int  // beyond half of the buckets, distances up to reaches share them by logarithm; 0 = none do
	act              engine.Activation
	positions        bool // words have positions as well
	kernel           int  // words that the convolution behind the first layer sees; 0 = there is none
	convAct          engine.Activation
}

func readDeBERTa(f *family.Fields) family.Config  { return readDistances(f, false) }
func readDeBERTa2(f *family.Fields) family.Config { return readDistances(f, true) }

func readDistances(f *family.Fields, second bool) family.Config {
	c := bertSizes(f)
	if f.Values["type_vocab_size"] == nil {
		c.TypeVocab = 0
	}
	if f.Values["layer_norm_eps"] == nil {
		c.Epsilon = 1e-7
	}
	d := deberta{second: second, positions: f.FlagOr(true, "position_biased_input"), act: f.ActivationOr(engine.GELU, "pooler_hidden_act")}
	f.Refuse(!f.FlagOr(false, "relative_attention"), "relative_attention is not set: DeBERTa without distances is not supported")
	for _, kind := range distanceKinds(f) {
		switch kind {
		case "c2p":
			d.toKeys = true
		case "p2c":
			d.toQuery = true
		default:
			f.Fail("pos_att_type %.40q is not supported (only \"c2p\" and \"p2c\")", kind)
		}
	}
	f.Refuse(!d.toKeys && !d.toQuery, "pos_att_type is empty: DeBERTa without distances is not supported")
	d.reaches = int(f.Number(-1, -1, family.MaxPositions, "max_relative_positions"))
	if d.reaches < 1 {
		d.reaches = c.Positions
	}
	d.farthest = d.reaches
	if second {
		d.shared = f.FlagOr(false, "share_att_key")
		if n := int(f.Number(-1, -1, family.MaxPositions, "position_buckets")); n > 0 {
			d.buckets, d.farthest = n, n
			f.Refuse(n < 4 || d.reaches-1 <= n/2, fmt.Sprintf("position_buckets is %d, which does not fit %d positions", n, d.reaches))
		}
		d.normed = strings.Contains(f.Text("norm_rel_ebd"), "layer_norm")
		d.kernel, d.convAct = f.SizeOr(0, 1<<8, "conv_kernel_size"), f.ActivationOr(engine.Tanh, "conv_act")
		f.Refuse(d.kernel > 0 && d.kernel%2 == 0, fmt.Sprintf("conv_kernel_size is %d, which is not odd", d.kernel))
		f.Refuse(d.kernel > 0 && f.SizeOr(1, family.MaxHidden, "conv_groups") != 1, "conv_groups is not 1, which is not supported")
		f.Refuse(f.SizeOr(c.Hidden/max(c.Heads, 1), family.MaxHidden, "attention_head_size") != c.Hidden/max(c.Heads, 1), "attention_head_size is not that of equal shares of the columns, which is not supported")
	}
	for key, whole := range map[string]int{"embedding_size": c.Hidden, "pooler_hidden_size": c.Hidden} {
		f.Refuse(f.SizeOr(whole, family.MaxHidden, key) != whole, fmt.Sprintf("%s differs from hidden_size, which is not supported in DeBERTa", key))
	}
	f.Refuse(f.FlagOr(false, "talking_head"), "talking_head is set, which is not supported")
	c.Design = d
	return c
}

// distanceKinds reads pos_att_type: a list, or names with | between them.
func distanceKinds(f *family.Fields) (kinds []string) {
	switch v := f.Values["pos_att_type"].(type) {
	case nil:
	case []any:
		for _, e := range v {
			s, _ := e.(string)
			kinds = append(kinds, s)
		}
	case string:
		for s := range strings.SplitSeq(strings.ToLower(v), "|") {
			kinds = append(kinds, strings.TrimSpace(s))
		}
	default:
		f.Fail("pos_att_type is %s, neither a list nor a text", family.Brief(v))
	}
	return kinds
}

// row returns the vector that belongs to a distance, of those 2·farthest. The logarithms
// are those of float32, as the reference library takes them.
func (d deberta) row(distance int) int {
	far, half := max(distance, -distance), d.buckets/2
	if d.buckets > 0 && far > half {
		log := func(x float64) float32 { return float32(math.Log(float64(float32(x)))) }
		bucket := int(math.Ceil(float64(log(float64(far)/float64(half))/log(float64(d.reaches-1)/float64(half))*float32(half-1)))) + half
		if distance < 0 {
			bucket = -bucket
		}
		distance = bucket
	}
	return max(0, min(distance+d.farthest, 2*d.farthest-1))
}

// distances is the network of DeBERTa.
type distances struct {
	words, positions, types nn.Embedding // [vocab, hidden], [positions, hidden] or nothing, [types, hidden] or nothing
	norm                    nn.LayerNorm // [1, hidden]
	far                     nn.Embedding // [2·farthest, hidden]
	farNorm                 *nn.LayerNorm
	layers                  []*distanceLayer
	conv                    *wordConvolution // behind the first layer, or nil
	longest                 int              // tokens of a text
	design                  deberta
}

// Forward implements nn.Network. The vectors of the distances that occur go through each layer's
// matrices. What comes out does not depend on the texts, and is kept from pass to pass.
func (m *distances) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	x := m.words.Forward(g, p.Tokens) // [tokens, hidden]
	if m.positions.Table != nil {
		x = g.Add(x, m.positions.Forward(g, p.Positions))
	}
	if p.Types != nil {
		x = g.Add(x, m.types.Forward(g, p.Types))
	}
	x = m.norm.Forward(g, x)
	far := m.distant(p)
	for i, l := range m.layers {
		if m.conv == nil || i > 0 {
			x = l.Forward(p.Layer(i, len(m.layers)), x, far)
			continue
		}
		x = m.conv.Forward(p, x, l.Forward(p.Layer(0, 2), x, far)) // [tokens, hidden]
		if len(m.layers) == 1 {
			x = p.Layer(0, 1).Leaving(x)
		}
	}
	return x // [tokens, hidden] or [texts, hidden]
}

// distant is what a pass compares words with.
type distant struct {
	vectors *engine.Tensor // of distances from -reach to reach [vectors, hidden]; some distances share one
	rows    *engine.Tensor // which of them each distance has [2·reach+1, 1]
	reach   int
}

// distant records the vectors of the distances within the pass's texts. They reach as far as
// what is kept, if that is enough, and else to a power of two, so that longer texts seldom need
// others.
func (m *distances) distant(p nn.Pass) distant {
	g, reach := p.Graph, 1
	for reach < p.Longest()-1 {
		reach *= 2
	}
	for more := reach; more < 2*m.longest; more *= 2 {
		if first := m.layers[0]; g.Kept(projected{first, first.farKey == nil, more}) {
			reach = more
		}
	}
	at := make([]int32, 2*reach+1)
	lowest := m.design.row(-reach)
	for i := range at {
		at[i] = int32(m.design.row(i-reach) - lowest)
	}
	occur := make([]int32, at[2*reach]+1)
	for i := range occur {
		occur[i] = int32(lowest + i)
	}
	far := m.far.Forward(g, g.Ints("distances that occur", occur))
	if m.farNorm != nil {
		far = m.farNorm.Forward(g, far)
	}
	return distant{far, g.Ints("rows of distances", at), reach}
}

// wordConvolution is what DeBERTa v2-xlarge has beside its first layer: a product of each word and
// its neighbours.
type wordConvolution struct {
	taps       []*engine.Tensor // by distance [hidden, hidden] each; the word itself is in the middle
	bias       *engine.Tensor   // [1, hidden]
	activation engine.Activation
	norm       nn.LayerNorm
}

// Forward records norm(y + act(conv(x))) for what the first layer reads and returns: [tokens,
// hidden]. Beyond the ends of a text there are zeros.
func (c *wordConvolution) Forward(p nn.Pass, x, y *engine.Tensor) *engine.Tensor {
	g := p.Graph
	padded := g.Join(x, g.Floats("beyond a text", 1, make([]float32, x.Cols)))
	var sum *engine.Tensor
	for i, w := range c.taps {
		away := i - len(c.taps)/2
		rows := x
		if away != 0 {
			rows = g.Rows(padded, g.Ints("neighbours", neighbours(p.Bounds(), away)))
		}
		bias := c.bias
		if i > 0 {
			bias = nil
		}
		if h := g.Linear(rows, w, bias, engine.None); sum == nil {
			sum = h
		} else {
			sum = g.Add(sum, h)
		}
	}
	return c.norm.ForwardSum(g, g.Gate(sum, nil, c.activation), y)
}

// neighbours returns for each row of texts the row so far away in the same text, or the row
// behind all.
func neighbours(starts []int32, away int) []int32 {
	n := starts[len(starts)-1]
	rows := make([]int32, 0, n)
	for i := range len(starts) - 1 {
		for row := starts[i]; row < starts[i+1]; row++ {
			if at := row + int32(away); at >= starts[i] && at < starts[i+1] {
				rows = append(rows, at)
			} else {
				rows = append(rows, n)
			}
		}
	}
	return rows
}

// distanceLayer is a layer of BERT with another attention.
type distanceLayer struct {
	query, key, value nn.Linear  // [hidden, hidden] each
	farKey, farQuery  *nn.Linear // of distances [hidden, hidden], or nil
	out               nn.Linear
	rest              *postNormLayer // all but the attention
	params            engine.DisentangledParams
}

// projected names what one of a layer's matrices makes of the vectors of distances up to a reach.
type projected struct {
	layer   *distanceLayer
	queries bool
	reach   int
}

// Forward records the layer: x [tokens, hidden], and the distances within its texts.
func (l *distanceLayer) Forward(p nn.Pass, x *engine.Tensor, far distant) *engine.Tensor {
	g := p.Graph
	var keys, queries *engine.Tensor // [vectors, hidden]
	if l.farKey != nil {
		keys = g.Keep(l.farKey.Forward(g, far.vectors), projected{l, false, far.reach})
	}
	if l.farQuery != nil {
		queries = g.Keep(l.farQuery.Forward(g, far.vectors), projected{l, true, far.reach})
	}
	h := g.Disentangled(l.query.Forward(g, x), l.key.Forward(g, x), l.value.Forward(g, x), p.Starts(), far.rows, keys, queries, l.params)
	h = l.out.Forward(g, p.Leaving(h)) // [wanted, hidden]
	x = l.rest.attentionNorm.ForwardSum(g, h, p.Leaving(x))
	return l.rest.outputNorm.ForwardSum(g, l.rest.mlp.Forward(g, x), x)
}

// build implements Design.
func (d deberta) build(c family.Config, b nn.Builder) *encoder {
	at := base(b, "deberta")
	e := newEmbeddings(c, at, c.Hidden)
	m := &distances{words: e.words, types: e.types, norm: e.norm, longest: c.MaxTokens, design: d, far: nn.NewEmbedding(at, "encoder.rel_embeddings", 2*d.farthest, c.Hidden)}
	if d.positions {
		m.positions = nn.NewEmbedding(at, "embeddings.position_embeddings", c.Positions, c.Hidden)
	}
	if d.normed {
		norm := nn.NewLayerNorm(at, "encoder.LayerNorm", c.Hidden, c.Epsilon)
		m.farNorm = &norm
	}
	for i := range c.Layers {
		m.layers = append(m.layers, d.layer(c, at.In(fmt.Sprintf("encoder.layer.%d", i))))
	}
	if d.kernel > 0 {
		at := at.In("encoder.conv")
		m.conv = &wordConvolution{
			taps: at.Taps("conv.weight", c.Hidden, c.Hidden, d.kernel), bias: at.Vector("conv.bias", c.Hidden),
			norm: nn.NewLayerNorm(at, "LayerNorm", c.Hidden, c.Epsilon), activation: d.convAct,
		}
	}
	whole := &encoder{config: c, network: m, types: c.TypeVocab, positions: fromZero}
	if c.Head == family.Logits {
		whole.classifier = newPooledClassifier(c, b, b, "pooler.dense")
		whole.classifier.activation = d.act
	}
	return whole
}

// layer returns one layer with its weights. Each term of a score has an equal share.
func (d deberta) layer(c family.Config, b nn.Builder) *distanceLayer {
	terms := 1
	for _, there := range []bool{d.toKeys, d.toQuery} {
		if there {
			terms++
		}
	}
	n, size := c.Hidden, c.Hidden/c.Heads
	l := &distanceLayer{
		params: engine.DisentangledParams{Heads: c.Heads, Scale: float32(1 / math.Sqrt(float64(size*terms)))},
		out:    nn.NewLinear(b, "attention.output.dense", n, n),
		rest: &postNormLayer{
			attentionNorm: nn.NewLayerNorm(b, "attention.output.LayerNorm", n, c.Epsilon),
			mlp:           nn.MLP{Up: nn.NewLinear(b, "intermediate.dense", c.Intermediate, n), Down: nn.NewLinear(b, "output.dense", n, c.Intermediate), Activation: c.Activation},
			outputNorm:    nn.NewLayerNorm(b, "output.LayerNorm", n, c.Epsilon),
		},
	}
	at := b.In("attention.self")
	far := func(name string, bias bool) *nn.Linear {
		l := nn.NewProjection(at, name, n, n, bias)
		return &l
	}
	var keys, queries func() *nn.Linear
	if d.second {
		l.query, l.key, l.value = nn.NewLinear(at, "query_proj", n, n), nn.NewLinear(at, "key_proj", n, n), nn.NewLinear(at, "value_proj", n, n)
		keys, queries = func() *nn.Linear { return far("pos_key_proj", true) }, func() *nn.Linear { return far("pos_query_proj", true) }
		if d.shared {
			keys, queries = func() *nn.Linear { return &l.key }, func() *nn.Linear { return &l.query }
		}
	} else {
		rows := nn.Heads{Count: c.Heads, KV: c.Heads, Size: size}.Grouped()
		l.query, l.key, l.value = rows.Split(at, "in_proj", n, false)
		l.query.B, l.value.B = at.Vector("q_bias", n), at.Vector("v_bias", n)
		keys, queries = func() *nn.Linear { return far("pos_proj", false) }, func() *nn.Linear { return far("pos_q_proj", true) }
	}
	if d.toKeys {
		l.farKey = keys()
	}
	if d.toQuery {
		l.farQuery = queries()
	}
	return l
}
