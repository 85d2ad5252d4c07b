package decoders

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"inglenook/engine"
	"inglenook/models/family"
	"inglenook/models/nn"
)

// Gemma 4 (ai.google.dev/gemma/docs/core/model_card_4): E2B, E4B, 12B, 26B-A4B and
// 31B. Gemma 3's layers with plain norms. Values are normed too, and scores are not
// scaled. Layers that see all positions have wider heads, of which a quarter of
// the pairs rotates; their values may be their keys. In E2B and E4B, the last
// layers read the keys and values of earlier ones, and each layer has vectors of
// the words of its own.

// gemma4Design has what differs between layers and between models.
type gemma4Design struct {
	kinds         []gemma4Kind // one a layer
	sharing       int          // layers from this one on have no keys and values of their own
	wide          bool         // these have a feed-forward part twice as wide
	words, vocab  int          // columns of a layer's own vectors of words, 0 = none; how many words have some
	attentionBias bool
	logitCap      float32 // 0 = none
	mixture               // no experts: a dense model
}

// gemma4Kind is what the layers with a window, or those without, have alike.
type gemma4Kind struct {
	slides       bool
	size, kv     int  // columns of a head; heads of keys and values
	valuesAsKeys bool // values are the keys before their norm
}

func readGemma4(f *family.Fields) family.Config {
	bidirectional := f.Values["use_bidirectional_attention"]
	f.Refuse(bidirectional == "all" || bidirectional == true, "use_bidirectional_attention is set for all tokens: such a model reads text in both directions and cannot write any")
	c := gemma4Sizes(f)
	near := gemma4Kind{slides: true, size: c.HeadSize, kv: c.KVHeads}
	far := gemma4Kind{size: f.SizeOr(512, family.MaxHidden, "global_head_dim"), kv: c.KVHeads, valuesAsKeys: f.FlagOr(false, "attention_k_eq_v")}
	if far.valuesAsKeys {
		far.kv = f.SizeOr(c.KVHeads, family.MaxHidden, "num_global_key_value_heads")
	}
	slides := f.Sliding(c.Layers, func(i int) bool { return (i+1)%6 != 0 && i < c.Layers-1 })
	gemma4Layers(f, slides, near, &far)
	f.Refuse(f.Err == nil && (far.kv < 1 || c.Heads%far.kv != 0), fmt.Sprintf("num_global_key_value_heads is %d, which does not divide the %d attention heads", far.kv, c.Heads))
	f.Refuse(f.Err == nil && (far.size < 2 || c.Heads*far.size > family.MaxInner), fmt.Sprintf("global_head_dim is %d, which is not possible", far.size))
	window := f.Size(family.MaxPositions, "sliding_window")
	d := gemma4Design{
		wide: f.FlagOr(false, "use_double_wide_mlp"), attentionBias: f.FlagOr(false, "attention_bias"),
		words: f.SizeOr(256, family.MaxHidden, "hidden_size_per_layer_input"), logitCap: readCap(f, 0, "final_logit_softcapping"),
	}
	if f.FlagOr(false, "enable_moe_block") {
		d.mixture = readMixture(f, f.Size(family.MaxInner, "moe_intermediate_size"))
		d.normalize = true
	}
	global, local := gemma4Ropes(f, c, far.size)
	for i, slides := range slides {
		if d.kinds = append(d.kinds, far); slides {
			d.kinds[i] = near
		}
		if c.Span[i] = (family.Span{Rope: global}); slides {
			c.Span[i] = family.Span{Window: window, Rope: local}
		}
	}
	d.sharing = c.Layers - f.SizeOr(0, c.Layers, "num_kv_shared_layers")
	if f.Err == nil {
		d.checkSharing(f)
	}
	if d.vocab = f.SizeOr(262144, family.MaxVocab, "vocab_size_per_layer_input"); d.words > 0 {
		f.Refuse(d.vocab < c.Vocab, fmt.Sprintf("vocab_size_per_layer_input is %d, fewer than the %d tokens of vocab_size", d.vocab, c.Vocab))
		f.Refuse(c.Layers*d.words > family.MaxInner || d.vocab > math.MaxInt32/c.Layers, fmt.Sprintf("hidden_size_per_layer_input is %d, too much for %d layers", d.words, c.Layers))
	}
	c.Design = d
	return c
}

// gemma4Layers reads the sizes of single layers, as the library writes them today.
// All layers of a kind have to be alike.
func gemma4Layers(f *family.Fields, slides []bool, near gemma4Kind, far *gemma4Kind) {
	single, done := f.In("per_layer_config")
	defer done()
	first := true
	for i := range slides {
		layer, layerDone := single.In(strconv.Itoa(i))
		kind := near
		if kind.slides = slides[i]; !kind.slides {
			kind = *far
		}
		is := kind
		is.size = layer.SizeOr(kind.size, family.MaxHidden, "head_dim")
		is.kv = layer.SizeOr(kind.kv, family.MaxHidden, "num_key_value_heads")
		if layerDone(); !slides[i] && first {
			*far, kind, first = is, is, false
		}
		single.Refuse(is != kind, fmt.Sprintf("layer %d has %d heads of %d columns for keys and values, other layers of its kind have %d of %d: this is not supported", i, is.kv, is.size, kind.kv, kind.size))
	}
}

func gemma4Sizes(f *family.Fields) family.Config {
	c := family.DecoderSizes(f, 131072)
	c.HeadSize = f.SizeOr(256, family.MaxHidden, "head_dim")
	c.ScoreScale = 1
	c.Epsilon = f.Epsilon(1e-6, "rms_norm_eps")
	c.Activation = f.ActivationOr(engine.GELUTanh, "hidden_activation")
	c.Tied = f.FlagOr(true, "tie_word_embeddings")
	c.Everywhere(0, nil)
	return c
}

// gemma4Ropes reads the positions of the layers that see all positions, with
// heads of size columns, and of those with a window.
func gemma4Ropes(f *family.Fields, c family.Config, size int) (global, local *nn.Rope) {
	if f.Values["rope_parameters"] == nil {
		f.Values["rope_parameters"] = map[string]any{"full_attention": map[string]any{"rope_type": "proportional", "partial_rotary_factor": family.Decimal(0.25)}}
	}
	f.Refuse(f.Values["rope_scaling"] != nil, "rope_scaling is set, which is not supported in Gemma 4")
	both, done := f.RopesByLayer()
	defer done()
	wide, wideDone := both.In("full_attention")
	near, nearDone := both.In("sliding_attention")
	defer nearDone()
	defer wideDone()
	local = near.RopeParameters(c, 10000, 1, 0)
	c.HeadSize = size
	return wide.RopeParameters(c, 1e6, 1, 0), local
}

// checkSharing checks that each layer without keys and values of its own finds
// some.
func (d gemma4Design) checkSharing(f *family.Fields) {
	for i := d.sharing; i < len(d.kinds); i++ {
		if d.source(i) < 0 {
			f.Fail("num_kv_shared_layers is %d, so layer %d has no keys and values: no layer of its kind (layer_types) before layer %d keeps any", len(d.kinds)-d.sharing, i, d.sharing)
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

// Ignores implements family.Ignorer: files hold keys and values of the layers that
// share those of others, which the reference ignores as well.
func (d gemma4Design) Ignores(name string) bool {
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

// Forward implements nn.Network.
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
	experts                     *gemma4Experts // nil = none
	own                         *gemma4Words   // nil = none
	scale                       float32        // of all that leaves the layer
}

// Forward records the layer: x and the vectors of the words [tokens, hidden] to
// [wanted, hidden].
func (l *gemma4Layer) Forward(p nn.Pass, x, words *engine.Tensor) *engine.Tensor {
	g := p.Graph
	h := l.attention.Forward(p, l.attentionNorm.Forward(g, x)) // [wanted, hidden]
	x = g.Add(p.Leaving(x), l.attentionEnd.Forward(g, h))
	h = l.mlp.Forward(g, l.mlpNorm.Forward(g, x))
	if l.experts != nil {
		h = l.experts.Forward(g, h, x)
	}
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

// gemma4Experts is a mixture of experts beside the feed-forward part. Its router has a
// norm of its own.
type gemma4Experts struct {
	mlpEnd     nn.RMSNorm // of the feed-forward part [1, hidden]
	routerNorm nn.RMSNorm // [1, hidden]
	norm, end  nn.RMSNorm // [1, hidden]
	experts    nn.Experts
	scale      float32 // of what the router reads: 1/√hidden
}

// Forward adds what the experts make of the rows x to what the feed-forward part made of
// them: both [n, hidden].
func (e *gemma4Experts) Forward(g *engine.Graph, mlp, x *engine.Tensor) *engine.Tensor {
	by := g.Scale(e.routerNorm.Forward(g, x), e.scale)
	h := e.experts.ForwardBy(g, by, e.norm.Forward(g, x))
	return g.Add(e.mlpEnd.Forward(g, mlp), e.end.Forward(g, h))
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

// build implements Design.
func (d gemma4Design) build(c family.Config, b nn.Builder) (nn.Network, error) {
	at := body(b, "model", "embed_tokens")
	m := &gemma4{wordScale: float32(math.Sqrt(float64(c.Hidden))), sharing: d.sharing, logitCap: d.logitCap}
	m.words, m.head = wordsAndHead(c, b, at, "embed_tokens", "lm_head")
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
			mlp:           newGatedMLP(wide, in.In("mlp"), false),
			scale:         gemma4Scale(in),
		}
		l.attention = d.attention(c, i, in.In("self_attn"), m.layers)
		if d.experts > 0 {
			l.experts = d.routedBeside(c, in)
		}
		if d.words > 0 {
			l.own = d.ownWords(c, i, at, in)
		}
		m.layers = append(m.layers, l)
	}
	return m, nil
}

// routedBeside returns the experts of a layer. A GGUF file has the factors of the router's
// columns, and those of the experts, under other names.
func (d gemma4Design) routedBeside(c family.Config, b nn.Builder) *gemma4Experts {
	columns, factors := "router.scale", "router.per_expert_scale"
	if c.GGUF {
		columns, factors = "router.proj.scale", "experts.down_proj.scale"
	}
	e := &gemma4Experts{
		mlpEnd:     nn.NewRMSNorm(b, "post_feedforward_layernorm_1", c.Hidden, c.Epsilon),
		routerNorm: nn.RMSNorm{W: b.Vector(columns, c.Hidden), Epsilon: c.Epsilon},
		norm:       nn.NewRMSNorm(b, "pre_feedforward_layernorm_2", c.Hidden, c.Epsilon),
		end:        nn.NewRMSNorm(b, "post_feedforward_layernorm_2", c.Hidden, c.Epsilon),
		experts:    nn.NewExperts(b, nn.Mixture{Count: d.experts, Inner: d.inner, Hidden: c.Hidden}),
		scale:      float32(1 / math.Sqrt(float64(c.Hidden))),
	}
	e.experts.Router = nn.NewProjection(b, "router.proj", d.experts, c.Hidden, false)
	e.experts.Scale = b.Vector(factors, d.experts)
	e.experts.Route = engine.RouteParams{TopK: d.topK, Normalize: d.normalize}
	e.experts.Shape = engine.GateParams{Activation: c.Activation}
	return e
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
func (d gemma4Design) attention(c family.Config, i int, b nn.Builder, before []*gemma4Layer) gemma4Attention {
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
func (d gemma4Design) ownWords(c family.Config, i int, model, layer nn.Builder) *gemma4Words {
	rows := [2]int{i * d.words, (i + 1) * d.words}
	return &gemma4Words{
		layer: i, layers: c.Layers,
		table:      nn.NewParts(model, "embed_tokens_per_layer", d.vocab, c.Layers, d.words),
		tableScale: float32(math.Sqrt(float64(d.words))),
		project:    nn.Linear{W: model.Rows("per_layer_model_projection.weight", c.Layers*d.words, c.Hidden, rows)},
		norm:       nn.NewRMSNorm(model, "per_layer_projection_norm", d.words, c.Epsilon*float32(c.Hidden)),
		gate:       nn.NewProjection(layer, "per_layer_input_gate", d.words, c.Hidden, false),
		out:        nn.NewProjection(layer, "per_layer_projection", c.Hidden, d.words, false),
		end:        nn.NewRMSNorm(layer, "post_per_layer_input_norm", c.Hidden, 2*c.Epsilon),
		activation: c.Activation,
	}
}

// gemma4GGUF reads what differs between layers, which the metadata state for each
// of them.
func gemma4GGUF(r *family.Metadata) {
	types, err := r.Meta.Bools(r.Key("attention.sliding_window_pattern"))
	r.Note(err)
	layers := int(min(r.Optional("block_count"), family.MaxLayers))
	if r.Fields.Refuse(len(types) != layers, fmt.Sprintf("%s has %d values for %d layers", r.Key("attention.sliding_window_pattern"), len(types), layers)); r.Fields.Err != nil {
		return
	}
	names := make([]any, layers)
	for i, slides := range types {
		if names[i] = "full_attention"; slides {
			names[i] = "sliding_attention"
		}
	}
	r.Set("layer_types", r.Key("attention.sliding_window_pattern"), names)
	r.Whole("sliding_window", "attention.sliding_window")
	r.Whole("global_head_dim", "attention.key_length")
	r.Whole("head_dim", "attention.key_length_swa")
	r.Whole("num_kv_shared_layers", "attention.shared_kv_layers")
	r.Set("hidden_size_per_layer_input", r.Key("embedding_length_per_layer_input"), json.Number("0"))
	r.Whole("hidden_size_per_layer_input", "embedding_length_per_layer_input")
	r.Set("vocab_size_per_layer_input", "", r.Fields.Values["vocab_size"])
	r.Number("final_logit_softcapping", "final_logit_softcapping")
	r.Set("enable_moe_block", "", r.Optional("expert_count") > 0)
	r.Experts()
	r.Set("attention_k_eq_v", "", true) // where the file holds no values
	byKind(r, "num_key_value_heads", "attention.head_count_kv", types, true)
	byKind(r, "num_global_key_value_heads", "attention.head_count_kv", types, false)
	gemma4Widths(r, layers)
	gemma4RopesGGUF(r)
}

// byKind sets a field to the value of the layers of one kind, which have to be
// alike.
func byKind(r *family.Metadata, field, name string, slides []bool, kind bool) {
	key := r.Key(name)
	all, err := r.Meta.Ints(key)
	r.Note(err)
	if len(all) == 1 {
		r.Set(field, key, family.WholeNumber(all[0]))
		return
	}
	if r.Fields.Refuse(len(all) != len(slides), fmt.Sprintf("%s has %d values for %d layers", key, len(all), len(slides))); r.Fields.Err != nil {
		return
	}
	var first any
	for i, n := range all {
		if slides[i] != kind {
			continue
		}
		if first == nil {
			first = family.WholeNumber(n)
			r.Set(field, key, first)
		}
		r.Fields.Refuse(family.WholeNumber(n) != first, fmt.Sprintf("%s differs between layers of one kind (%v and %d), which is not supported", key, first, n))
	}
	if first == nil { // no layer is of this kind
		r.Set(field, key, family.WholeNumber(all[0]))
	}
}

// gemma4Widths reads the width of the feed-forward parts, which may double where
// layers begin to share keys and values.
func gemma4Widths(r *family.Metadata, layers int) {
	key := r.Key("feed_forward_length")
	all, err := r.Meta.Ints(key)
	r.Note(err)
	if len(all) == 0 {
		return
	}
	r.Set("intermediate_size", key, family.WholeNumber(all[0]))
	if len(all) == 1 {
		return
	}
	sharing := layers - int(min(r.Optional("attention.shared_kv_layers"), float64(layers)))
	wide := all[len(all)-1] == 2*all[0]
	r.Set("use_double_wide_mlp", key, wide)
	for i, n := range all {
		want := all[0]
		if wide && i >= sharing {
			want *= 2
		}
		r.Fields.Refuse(n != want || len(all) != layers, fmt.Sprintf("%s is %d in layer %d of %d, where %d is expected", key, n, i, layers, want))
	}
}

// gemma4RopesGGUF sets the positions of both kinds of layers. Which pairs of the
// wider heads rotate is in rope_freqs.weight.
func gemma4RopesGGUF(r *family.Metadata) {
	r.Fields.Refuse(r.Fields.Values["rope_scaling"] != nil, r.Key("rope.scaling.type")+" stretches positions, which is not supported in this architecture")
	near := r.Optional("rope.freq_base_swa")
	if near == 0 {
		near = 10000
	}
	r.Set("rope_parameters", "", map[string]any{
		"full_attention":    map[string]any{"rope_type": "proportional", "rope_theta": r.Fields.Values["rope_theta"]},
		"sliding_attention": map[string]any{"rope_type": "default", "rope_theta": family.Decimal(near)},
	})
	if turn, size := r.Optional("rope.dimension_count_swa"), r.Optional("attention.key_length_swa"); turn != 0 {
		r.Fields.Refuse(turn != size, fmt.Sprintf("%s is %v, but a head has %v columns: parts of heads that rotate are not supported here", r.Key("rope.dimension_count_swa"), turn, size))
	}
}
