package models

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"inglenook/engine"
	"inglenook/models/nn"
)

// Gemma 4 (ai.google.dev/gemma/docs/core/model_card_4): E2B, E4B, 12B and 31B.
// Gemma 3's layers with plain norms. Values are normed too, and scores are not
// scaled. Layers that see all positions have wider heads, of which a quarter of
// the pairs rotates; their values may be their keys. In E2B and E4B, the last
// layers read the keys and values of earlier ones, and each layer has vectors of
// the words of its own.

// gemma4Design has what differs between layers and between models.
type gemma4Design struct {
	kinds         []gemma4Kind // one a layer
	sharing       int          // layers from this one on have no keys and values of their own
	wide          bool         // these have a feed-forward part twice as wide
	inner, vocab  int          // columns of a layer's own vectors of words, 0 = none; how many words have some
	attentionBias bool
	logitCap      float32 // 0 = none
}

// gemma4Kind is what the layers with a window, or those without, have alike.
type gemma4Kind struct {
	slides       bool
	size, kv     int  // columns of a head; heads of keys and values
	valuesAsKeys bool // values are the keys before their norm
}

func readGemma4(f *fields) Config {
	f.refuse(f.flagOr(false, "enable_moe_block"), "enable_moe_block is set: Gemma 4 as a mixture of experts (26B-A4B) is not supported yet; choose E2B, E4B, 12B or 31B")
	bidirectional := f.m["use_bidirectional_attention"]
	f.refuse(bidirectional == "all" || bidirectional == true, "use_bidirectional_attention is set for all tokens: such a model reads text in both directions and cannot write any")
	c := gemma4Sizes(f)
	near := gemma4Kind{slides: true, size: c.HeadSize, kv: c.KVHeads}
	far := gemma4Kind{size: f.sizeOr(512, maxHidden, "global_head_dim"), kv: c.KVHeads, valuesAsKeys: f.flagOr(false, "attention_k_eq_v")}
	if far.valuesAsKeys {
		far.kv = f.sizeOr(c.KVHeads, maxHidden, "num_global_key_value_heads")
	}
	slides := f.sliding(c.Layers, func(i int) bool { return (i+1)%6 != 0 && i < c.Layers-1 })
	f.gemma4Layers(slides, near, &far)
	f.refuse(f.err == nil && (far.kv < 1 || c.Heads%far.kv != 0), fmt.Sprintf("num_global_key_value_heads is %d, which does not divide the %d attention heads", far.kv, c.Heads))
	f.refuse(f.err == nil && (far.size < 2 || c.Heads*far.size > maxInner), fmt.Sprintf("global_head_dim is %d, which is not possible", far.size))
	window := f.size(maxPositions, "sliding_window")
	d := gemma4Design{
		wide: f.flagOr(false, "use_double_wide_mlp"), attentionBias: f.flagOr(false, "attention_bias"),
		inner: f.sizeOr(256, maxHidden, "hidden_size_per_layer_input"), logitCap: f.cap(0, "final_logit_softcapping"),
	}
	global, local := f.gemma4Ropes(c, far.size)
	for i, slides := range slides {
		if d.kinds = append(d.kinds, far); slides {
			d.kinds[i] = near
		}
		if c.Span[i] = (Span{Rope: global}); slides {
			c.Span[i] = Span{Window: window, Rope: local}
		}
	}
	d.sharing = c.Layers - f.sizeOr(0, c.Layers, "num_kv_shared_layers")
	if f.err == nil {
		d.checkSharing(f)
	}
	if d.vocab = f.sizeOr(262144, maxVocab, "vocab_size_per_layer_input"); d.inner > 0 {
		f.refuse(d.vocab < c.Vocab, fmt.Sprintf("vocab_size_per_layer_input is %d, fewer than the %d tokens of vocab_size", d.vocab, c.Vocab))
		f.refuse(c.Layers*d.inner > maxInner || d.vocab > math.MaxInt32/c.Layers, fmt.Sprintf("hidden_size_per_layer_input is %d, too much for %d layers", d.inner, c.Layers))
	}
	c.design = d
	return c
}

// gemma4Layers reads the sizes of single layers, as the library writes them today.
// All layers of a kind have to be alike.
func (f *fields) gemma4Layers(slides []bool, near gemma4Kind, far *gemma4Kind) {
	single, done := f.in("per_layer_config")
	defer done()
	first := true
	for i := range slides {
		layer, layerDone := single.in(strconv.Itoa(i))
		kind := near
		if kind.slides = slides[i]; !kind.slides {
			kind = *far
		}
		is := kind
		is.size = layer.sizeOr(kind.size, maxHidden, "head_dim")
		is.kv = layer.sizeOr(kind.kv, maxHidden, "num_key_value_heads")
		if layerDone(); !slides[i] && first {
			*far, kind, first = is, is, false
		}
		single.refuse(is != kind, fmt.Sprintf("layer %d has %d heads of %d columns for keys and values, other layers of its kind have %d of %d: this is not supported", i, is.kv, is.size, kind.kv, kind.size))
	}
}

func gemma4Sizes(f *fields) Config {
	c := decoderSizes(f, 131072)
	c.HeadSize = f.sizeOr(256, maxHidden, "head_dim")
	c.ScoreScale = 1
	c.Epsilon = f.epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.activationOr(engine.GELUTanh, "hidden_activation")
	c.Tied = f.flagOr(true, "tie_word_embeddings")
	c.everywhere(0, nil)
	return c
}

// gemma4Ropes reads the positions of the layers that see all positions, with
// heads of size columns, and of those with a window.
func (f *fields) gemma4Ropes(c Config, size int) (global, local *nn.Rope) {
	if f.m["rope_parameters"] == nil {
		f.m["rope_parameters"] = map[string]any{"full_attention": map[string]any{"rope_type": "proportional", "partial_rotary_factor": decimal(0.25)}}
	}
	both, done := f.in("rope_parameters")
	defer done()
	wide, wideDone := both.in("full_attention")
	near, nearDone := both.in("sliding_attention")
	defer nearDone()
	defer wideDone()
	local = near.ropeParameters(c, 10000, 1, 0)
	c.HeadSize = size
	return wide.ropeParameters(c, 1e6, 1, 0), local
}

// checkSharing checks that each layer without keys and values of its own finds
// some.
func (d gemma4Design) checkSharing(f *fields) {
	for i := d.sharing; i < len(d.kinds); i++ {
		if d.source(i) < 0 {
			f.fail("num_kv_shared_layers is %d, so layer %d has no keys and values: no layer of its kind (layer_types) before layer %d keeps any", len(d.kinds)-d.sharing, i, d.sharing)
			return
		}
	}
}

// source returns the layer whose keys and values layer i reads: its own, or the
// last of its kind that keeps any; -1 if there is none.
func (d gemma4Design) source(i int) int {
	for from := min(i, d.sharing-1); from >= 0; from-- {
		if from == i || d.kinds[from] == d.kinds[i] {
			return from
		}
	}
	return -1
}

// ignores implements unusedTensors: files hold keys and values of the layers that
// share those of others, which the reference ignores as well.
func (d gemma4Design) ignores(name string) bool {
	m := gemma4Shared.FindStringSubmatch(name)
	if m == nil {
		return false
	}
	i, err := strconv.Atoi(m[1])
	return err == nil && i >= d.sharing
}

var gemma4Shared = regexp.MustCompile(`\.layers\.(\d+)\.self_attn\.(?:k_proj|v_proj|k_norm|v_norm)\.`)

// gemma4 is the network.
type gemma4 struct {
	words     nn.Embedding // [vocab, hidden]
	wordScale float32      // √hidden
	layers    []*gemma4Layer
	sharing   int        // the first layer that reads the keys and values of another
	norm      nn.RMSNorm // [1, hidden]
	head      nn.Linear  // [vocab, hidden]
	logitCap  float32    // 0 = none
}

// Forward implements network.
func (m *gemma4) Forward(p nn.Pass) *engine.Tensor {
	g := p.Graph
	words := g.Scale(m.words.Forward(g, p.Tokens), m.wordScale) // [tokens, hidden]
	x := words
	for i, l := range m.layers {
		if i == m.sharing {
			narrow, only := p.Narrow()
			p, x, words = narrow, only(x), only(words) // [wanted, hidden]
		}
		x = l.Forward(p.Layer(i, len(m.layers)), x, words)
	}
	x = m.norm.Forward(g, x) // [wanted, hidden]
	if p.Hidden {
		return x
	}
	x = m.head.Forward(g, x) // [wanted, vocab]
	if m.logitCap > 0 {
		x = g.SoftCap(x, m.logitCap)
	}
	return x
}

// gemma4Layer has a norm before and after each part.
type gemma4Layer struct {
	attentionNorm, attentionEnd nn.RMSNorm // [1, hidden]
	attention                   gemma4Attention
	mlpNorm, mlpEnd             nn.RMSNorm // [1, hidden]
	mlp                         nn.GatedMLP
	own                         *gemma4Words // nil = none
	scale                       float32      // of all that leaves the layer
}

// Forward records the layer: x and the vectors of the words [tokens, hidden] to
// [wanted, hidden].
func (l *gemma4Layer) Forward(p nn.Pass, x, words *engine.Tensor) *engine.Tensor {
	g := p.Graph
	h := l.attention.Forward(p, l.attentionNorm.Forward(g, x)) // [wanted, hidden]
	x = g.Add(p.Leaving(x), l.attentionEnd.Forward(g, h))
	h = l.mlp.Forward(g, l.mlpNorm.Forward(g, x))
	x = g.Add(x, l.mlpEnd.Forward(g, h))
	if l.own != nil {
		x = g.Add(x, l.own.Forward(p, x, words))
	}
	return g.Scale(x, l.scale)
}

// gemma4Attention norms each head's query, key and value.
type gemma4Attention struct {
	nn.Attention                             // without Value where values are the keys
	queryNorm, keyNorm, valueNorm nn.RMSNorm // [1, size]
	shares                        bool       // the keys and values are those of an earlier layer
}

// Forward records the attention of the normed rows h: [tokens, hidden] to
// [wanted, hidden].
func (a gemma4Attention) Forward(p nn.Pass, h *engine.Tensor) *engine.Tensor {
	g := p.Graph
	q := a.queryNorm.Forward(g, a.Query.Forward(g, h)) // [tokens, count·size]
	if a.shares {
		return a.AttendShared(p, q)
	}
	k := a.Key.Forward(g, h) // [tokens, kv·size]
	v := k
	if a.Value.W != nil {
		v = a.Value.Forward(g, h)
	}
	return a.Attend(p, q, a.keyNorm.Forward(g, k), a.valueNorm.Forward(g, v))
}

// gemma4Words is what a layer knows of the words: vectors of its own, joined with
// a projection of the first layer's, and let through by a gate.
type gemma4Words struct {
	layer, layers int
	table         nn.Embedding // [vocab·layers, inner]
	tableScale    float32      // √inner
	project       nn.Linear    // [inner, hidden]
	norm          nn.RMSNorm   // [1, inner]
	gate, out     nn.Linear    // [inner, hidden], [hidden, inner]
	end           nn.RMSNorm   // [1, hidden]
	activation    engine.Activation
}

// Forward records what the words add to x [wanted, hidden].
func (w *gemma4Words) Forward(p nn.Pass, x, words *engine.Tensor) *engine.Tensor {
	g := p.Graph
	own := g.Scale(w.table.Forward(g, p.Parts(w.layer, w.layers)), w.tableScale) // [tokens, inner]
	own = g.Add(w.norm.Forward(g, w.project.Forward(g, words)), own)
	h := g.Gate(w.gate.Forward(g, x), p.Leaving(own), w.activation) // [wanted, inner]
	return w.end.Forward(g, w.out.Forward(g, h))
}

// build implements decoderDesign.
func (d gemma4Design) build(c Config, b nn.Builder) (network, error) {
	at := body(b, "model", "embed_tokens")
	m := &gemma4{wordScale: float32(math.Sqrt(float64(c.Hidden))), sharing: d.sharing, logitCap: d.logitCap}
	m.words, m.head = c.wordsAndHead(b, at, "embed_tokens", "lm_head")
	m.norm = nn.NewRMSNorm(at, "norm", c.Hidden, c.Epsilon)
	for i := range c.Layers {
		in := at.In(fmt.Sprintf("layers.%d", i))
		wide := c
		if i >= d.sharing && d.wide {
			wide.Intermediate *= 2
		}
		l := &gemma4Layer{
			attentionNorm: nn.NewRMSNorm(in, "input_layernorm", c.Hidden, c.Epsilon),
			attentionEnd:  nn.NewRMSNorm(in, "post_attention_layernorm", c.Hidden, c.Epsilon),
			mlpNorm:       nn.NewRMSNorm(in, "pre_feedforward_layernorm", c.Hidden, c.Epsilon),
			mlpEnd:        nn.NewRMSNorm(in, "post_feedforward_layernorm", c.Hidden, c.Epsilon),
			mlp:           wide.gatedMLP(in.In("mlp"), false),
			scale:         gemma4Scale(in),
		}
		l.attention = d.attention(c, i, in.In("self_attn"), m.layers)
		if d.inner > 0 {
			l.own = d.ownWords(c, i, at, in)
		}
		m.layers = append(m.layers, l)
	}
	return m, nil
}

// gemma4Scale returns the scalar of a layer, whose name a GGUF file extends.
func gemma4Scale(b nn.Builder) float32 {
	for _, name := range []string{"layer_scalar", "layer_scalar.weight"} {
		if b.Has(name) {
			return b.Scalar(name)
		}
	}
	return 1
}

// attention returns layer i's attention; before are the layers before it.
func (d gemma4Design) attention(c Config, i int, b nn.Builder, before []*gemma4Layer) gemma4Attention {
	kind := d.kinds[i]
	q, kv := c.Heads*kind.size, kind.kv*kind.size
	a := gemma4Attention{shares: i >= d.sharing, queryNorm: nn.NewRMSNorm(b, "q_norm", kind.size, c.Epsilon)}
	if a.shares {
		a.Attention = before[d.source(i)].attention.Sharing()
	} else {
		a.Attention = nn.NewAttention(b, nn.Heads{Count: c.Heads, KV: kind.kv, Size: kind.size, Scale: c.ScoreScale, Window: c.Span[i].Window, Rope: c.Span[i].Rope})
		a.Key = nn.NewProjection(b, "k_proj", kv, c.Hidden, d.attentionBias)
		if stored := b.Has("v_proj.weight"); !kind.valuesAsKeys || c.GGUF && stored {
			a.Value = nn.NewProjection(b, "v_proj", kv, c.Hidden, d.attentionBias)
		}
		a.keyNorm = nn.NewRMSNorm(b, "k_norm", kind.size, c.Epsilon)
		a.valueNorm = nn.NewPlainRMSNorm(b, kind.size, c.Epsilon)
	}
	a.Query = nn.NewProjection(b, "q_proj", q, c.Hidden, d.attentionBias)
	a.Out = nn.NewProjection(b, "o_proj", c.Hidden, q, d.attentionBias)
	return a
}

// ownWords returns layer i's own words, from the tables of the model and the
// weights of the layer. A factor before an RMSNorm changes nothing but its
// epsilon: the reference divides the projection by √hidden, and the sum by √2.
func (d gemma4Design) ownWords(c Config, i int, model, layer nn.Builder) *gemma4Words {
	rows := [2]int{i * d.inner, (i + 1) * d.inner}
	return &gemma4Words{
		layer: i, layers: c.Layers,
		table:      nn.NewParts(model, "embed_tokens_per_layer", d.vocab, c.Layers, d.inner),
		tableScale: float32(math.Sqrt(float64(d.inner))),
		project:    nn.Linear{W: model.Rows("per_layer_model_projection.weight", c.Layers*d.inner, c.Hidden, rows)},
		norm:       nn.NewRMSNorm(model, "per_layer_projection_norm", d.inner, c.Epsilon*float32(c.Hidden)),
		gate:       nn.NewProjection(layer, "per_layer_input_gate", d.inner, c.Hidden, false),
		out:        nn.NewProjection(layer, "per_layer_projection", c.Hidden, d.inner, false),
		end:        nn.NewRMSNorm(layer, "post_per_layer_input_norm", c.Hidden, 2*c.Epsilon),
		activation: c.Activation,
	}
}

// gemma4GGUF reads what differs between layers, which the metadata state for each
// of them.
func gemma4GGUF(r *ggufReader) {
	types, err := r.meta.Bools(r.key("attention.sliding_window_pattern"))
	r.note(err)
	layers := int(min(r.optional("block_count"), maxLayers))
	if r.fields.refuse(len(types) != layers, fmt.Sprintf("%s has %d values for %d layers", r.key("attention.sliding_window_pattern"), len(types), layers)); r.fields.err != nil {
		return
	}
	names := make([]any, layers)
	for i, slides := range types {
		if names[i] = "full_attention"; slides {
			names[i] = "sliding_attention"
		}
	}
	r.set("layer_types", r.key("attention.sliding_window_pattern"), names)
	r.whole("sliding_window", "attention.sliding_window")
	r.whole("global_head_dim", "attention.key_length")
	r.whole("head_dim", "attention.key_length_swa")
	r.whole("num_kv_shared_layers", "attention.shared_kv_layers")
	r.set("hidden_size_per_layer_input", r.key("embedding_length_per_layer_input"), json.Number("0"))
	r.whole("hidden_size_per_layer_input", "embedding_length_per_layer_input")
	r.set("vocab_size_per_layer_input", "", r.fields.m["vocab_size"])
	r.number("final_logit_softcapping", "final_logit_softcapping")
	r.set("attention_k_eq_v", "", true) // where the file holds no values
	r.byKind("num_key_value_heads", "attention.head_count_kv", types, true)
	r.byKind("num_global_key_value_heads", "attention.head_count_kv", types, false)
	r.gemma4Widths(layers)
	r.gemma4Ropes()
}

// byKind sets a field to the value of the layers of one kind, which have to be
// alike.
func (r *ggufReader) byKind(field, name string, slides []bool, kind bool) {
	key := r.key(name)
	all, err := r.meta.Ints(key)
	r.note(err)
	if len(all) == 1 {
		r.set(field, key, wholeNumber(all[0]))
		return
	}
	if r.fields.refuse(len(all) != len(slides), fmt.Sprintf("%s has %d values for %d layers", key, len(all), len(slides))); r.fields.err != nil {
		return
	}
	var first any
	for i, n := range all {
		if slides[i] != kind {
			continue
		}
		if first == nil {
			first = wholeNumber(n)
			r.set(field, key, first)
		}
		r.fields.refuse(wholeNumber(n) != first, fmt.Sprintf("%s differs between layers of one kind (%v and %d), which is not supported", key, first, n))
	}
	if first == nil { // no layer is of this kind
		r.set(field, key, wholeNumber(all[0]))
	}
}

// gemma4Widths reads the width of the feed-forward parts, which may double where
// layers begin to share keys and values.
func (r *ggufReader) gemma4Widths(layers int) {
	key := r.key("feed_forward_length")
	all, err := r.meta.Ints(key)
	r.note(err)
	if len(all) == 0 {
		return
	}
	r.set("intermediate_size", key, wholeNumber(all[0]))
	if len(all) == 1 {
		return
	}
	sharing := layers - int(min(r.optional("attention.shared_kv_layers"), float64(layers)))
	wide := all[len(all)-1] == 2*all[0]
	r.set("use_double_wide_mlp", key, wide)
	for i, n := range all {
		want := all[0]
		if wide && i >= sharing {
			want *= 2
		}
		r.fields.refuse(n != want || len(all) != layers, fmt.Sprintf("%s is %d in layer %d of %d, where %d is expected", key, n, i, layers, want))
	}
}

// gemma4Ropes sets the positions of both kinds of layers. Which pairs of the
// wider heads rotate is in rope_freqs.weight.
func (r *ggufReader) gemma4Ropes() {
	r.fields.refuse(r.fields.m["rope_scaling"] != nil, r.key("rope.scaling.type")+" stretches positions, which is not supported in this architecture")
	near := r.optional("rope.freq_base_swa")
	if near == 0 {
		near = 10000
	}
	r.set("rope_parameters", "", map[string]any{
		"full_attention":    map[string]any{"rope_type": "proportional", "rope_theta": r.fields.m["rope_theta"]},
		"sliding_attention": map[string]any{"rope_type": "default", "rope_theta": decimal(near)},
	})
	if turn, size := r.optional("rope.dimension_count_swa"), r.optional("attention.key_length_swa"); turn != 0 {
		r.fields.refuse(turn != size, fmt.Sprintf("%s is %v, but a head has %v columns: parts of heads that rotate are not supported here", r.key("rope.dimension_count_swa"), turn, size))
	}
}
