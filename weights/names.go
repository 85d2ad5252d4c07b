package weights

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"inglenook/weights/gguf"
)

// ggufNames translates the tensor names of a GGUF file into Hugging Face's names.
// {} stands for the number of the layer.
type ggufNames struct {
	layer string            // the prefix of a layer's names
	whole map[string]string // names outside of the layers
	parts map[string]string // names within a layer, after "blk.{}."
	// headOrder: the converter changed the order of the query and key rows, which
	// is undone on reading (see inHeadOrder).
	headOrder bool
}

// llamaNames are Llama's names, which most later models follow.
var llamaNames = ggufNames{
	layer: "model.layers.{}.",
	whole: map[string]string{"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head", "cls.output": "score"},
	parts: map[string]string{
		"attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
		"attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm",
		"ffn_norm": "post_attention_layernorm", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
	},
}

// but returns a copy of the table with other names for some parts.
func (n ggufNames) but(parts map[string]string) ggufNames {
	all := map[string]string{}
	for _, m := range []map[string]string{n.parts, parts} {
		for from, to := range m {
			all[from] = to
		}
	}
	n.parts = all
	return n
}

// expertNames are the names of a router, of experts and of shared experts.
var expertNames = map[string]string{
	"ffn_gate_inp": "mlp.gate", "ffn_gate_exps": "mlp.experts.gate_proj", "ffn_up_exps": "mlp.experts.up_proj", "ffn_down_exps": "mlp.experts.down_proj",
	"ffn_gate_up_exps": "mlp.experts.gate_up_proj", "ffn_gate_inp_shexp": "mlp.shared_expert_gate",
	"ffn_gate_shexp": "mlp.shared_expert.gate_proj", "ffn_up_shexp": "mlp.shared_expert.up_proj", "ffn_down_shexp": "mlp.shared_expert.down_proj",
}

// qwen35Names are those of Qwen 3.5, most of whose layers are recurrent.
var qwen35Names = llamaNames.but(map[string]string{
	"post_attention_norm": "post_attention_layernorm", "attn_qkv": "linear_attn.in_proj_qkv", "attn_gate": "linear_attn.in_proj_z",
	"ssm_conv1d": "linear_attn.conv1d", "ssm_a": "linear_attn.A_log", "ssm_dt": "linear_attn.dt_proj", "ssm_alpha": "linear_attn.in_proj_a",
	"ssm_beta": "linear_attn.in_proj_b", "ssm_norm": "linear_attn.norm", "ssm_out": "linear_attn.out_proj",
	"nextn.eh_proj": "eh_proj", "nextn.enorm": "enorm", "nextn.hnorm": "hnorm", "nextn.shared_head_norm": "shared_head.norm",
})

// lfm2Names are those of LFM2, most of whose layers are short convolutions.
var lfm2Names = ggufNames{
	layer: "model.layers.{}.",
	whole: map[string]string{"token_embd": "model.embed_tokens", "token_embd_norm": "model.embedding_norm", "output": "lm_head"},
	parts: map[string]string{
		"attn_norm": "operator_norm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.out_proj",
		"attn_q_norm": "self_attn.q_layernorm", "attn_k_norm": "self_attn.k_layernorm",
		"shortconv.conv": "conv.conv", "shortconv.in_proj": "conv.in_proj", "shortconv.out_proj": "conv.out_proj",
		"ffn_norm": "ffn_norm", "ffn_gate": "feed_forward.w1", "ffn_up": "feed_forward.w3", "ffn_down": "feed_forward.w2",
		"ffn_gate_inp": "feed_forward.gate", "exp_probs_b": "feed_forward.expert_bias",
		"ffn_gate_exps": "feed_forward.experts.gate_proj", "ffn_up_exps": "feed_forward.experts.up_proj", "ffn_down_exps": "feed_forward.experts.down_proj",
	},
}

// with returns a copy of the table with further names outside of the layers.
func (n ggufNames) with(whole map[string]string) ggufNames {
	all := maps.Clone(n.whole)
	maps.Copy(all, whole)
	n.whole = all
	return n
}

// permuted returns the table for a converter that reorders the rows of heads.
func (n ggufNames) permuted() ggufNames {
	n.headOrder = true
	return n
}

// gemmaNames are the names of Gemma 2 and 3, which have a norm before and after
// each part.
var gemmaNames = llamaNames.but(map[string]string{
	"post_attention_norm": "post_attention_layernorm", "ffn_norm": "pre_feedforward_layernorm", "post_ffw_norm": "post_feedforward_layernorm",
})

// postNormNames are those of OLMo 2 and EXAONE 4, which have a norm behind each part.
var postNormNames = llamaNames.but(map[string]string{
	"post_attention_norm": "post_attention_layernorm", "post_ffw_norm": "post_feedforward_layernorm",
})

// gemma4Names are those of Gemma 4, whose layers have vectors of words of their own.
var gemma4Names = gemmaNames.but(map[string]string{
	"inp_gate": "per_layer_input_gate", "proj": "per_layer_projection", "post_norm": "post_per_layer_input_norm", "layer_output_scale": "layer_scalar",
	"ffn_gate_inp": "router.proj", "ffn_gate_exps": "experts.gate_proj", "ffn_up_exps": "experts.up_proj", "ffn_gate_up_exps": "experts.gate_up_proj", "ffn_down_exps": "experts.down_proj",
	"pre_ffw_norm_2": "pre_feedforward_layernorm_2", "post_ffw_norm_1": "post_feedforward_layernorm_1", "post_ffw_norm_2": "post_feedforward_layernorm_2",
}).with(map[string]string{
	"per_layer_token_embd": "model.embed_tokens_per_layer", "per_layer_model_proj": "model.per_layer_model_projection", "per_layer_proj_norm": "model.per_layer_projection_norm",
})

// bertNames are BERT's names, which the files of RoBERTa and DistilBERT get as well.
var bertNames = ggufNames{
	layer: "encoder.layer.{}.",
	whole: map[string]string{
		"token_embd": "embeddings.word_embeddings", "token_types": "embeddings.token_type_embeddings", "position_embd": "embeddings.position_embeddings",
		"token_embd_norm": "embeddings.LayerNorm", "cls": "classifier.dense", "cls.output": "classifier.out_proj",
	},
	parts: map[string]string{
		"attn_q": "attention.self.query", "attn_k": "attention.self.key", "attn_v": "attention.self.value", "attn_output": "attention.output.dense",
		"attn_output_norm": "attention.output.LayerNorm", "ffn_up": "intermediate.dense", "ffn_down": "output.dense", "layer_output_norm": "output.LayerNorm",
	},
}

// jinaNames are those of JinaBERT.
var jinaNames = bertNames.but(map[string]string{
	"attn_q_norm": "attention.self.layer_norm_q", "attn_k_norm": "attention.self.layer_norm_k", "attn_norm_2": "layer_norm_1",
	"ffn_up": "mlp.gated_layers", "ffn_gate": "mlp.gated_layers_w", "ffn_down": "mlp.wo", "layer_output_norm": "mlp.layernorm",
})

// nomicNames are those of NomicBERT.
var nomicNames = ggufNames{
	layer: "encoder.layers.{}.",
	whole: map[string]string{"token_embd": "embeddings.word_embeddings", "token_types": "embeddings.token_type_embeddings", "token_embd_norm": "emb_ln"},
	parts: map[string]string{
		"attn_qkv": "attn.Wqkv", "attn_output": "attn.out_proj", "attn_output_norm": "norm1",
		"ffn_up": "mlp.fc11", "ffn_gate": "mlp.fc12", "ffn_down": "mlp.fc2", "layer_output_norm": "norm2",
	},
}

// nomicExpertNames are those of NomicBERT with experts.
var nomicExpertNames = nomicNames.but(map[string]string{
	"ffn_up": "mlp.fc1", "ffn_gate_inp": "mlp.router.layer", "ffn_up_exps": "mlp.experts.mlp.w1", "ffn_down_exps": "mlp.experts.mlp.w2",
})

// modernBERTNames are those of ModernBERT.
var modernBERTNames = ggufNames{
	layer: "layers.{}.",
	whole: map[string]string{
		"token_embd": "embeddings.tok_embeddings", "token_embd_norm": "embeddings.norm", "output_norm": "final_norm",
		"cls": "head.dense", "cls.norm": "head.norm", "cls.output": "classifier",
	},
	parts: map[string]string{
		"attn_norm": "attn_norm", "attn_qkv": "attn.Wqkv", "attn_output": "attn.Wo", "ffn_norm": "mlp_norm", "ffn_up": "mlp.Wi", "ffn_down": "mlp.Wo",
	},
}

// architectures maps the general.architecture of a GGUF file. What llama.cpp's
// converter (conversion/*.py there) does to tensors besides naming them, models
// have to know, as the row order of queries and keys alone is undone here:
//
//   - gemma, gemma2, gemma3: 1 is added to the weights of every norm, so that they
//     multiply as they are. lm_head is never stored (it is tied). gemma3: rows of
//     the embedding beyond the tokenizer's vocabulary are cut off.
//   - gemma4: norms as stored. The scalar of a layer gets the suffix .weight. The
//     pairs that do not rotate have the divisor 1e30 in rope_freqs.weight. The factors
//     of the router's columns are router.proj.scale, those of the experts
//     experts.down_proj.scale.
//   - lfm2moe: the numbers that help to pick experts are expert_bias.bias.
//   - qwen35, qwen35moe: 1 is added to the weights of every norm but linear_attn.norm. A_log
//     is stored as the rates themselves, -e^A_log, and dt_bias as dt_proj.bias. The
//     heads of values, and what belongs to them, are in another order: head i of
//     each group of keys, for each i in turn.
//   - falcon, gptneox: the rows of query_key_value are all queries, then all keys,
//     then all values, each head after head, and no longer grouped by heads. So
//     are the elements of gptneox's bias.
//   - gpt2: the linear layers are transposed, [out, in] as everywhere else.
//   - stablelm: the norms of each head's queries (and keys), where a model has
//     them, are one matrix [heads, head size], q_layernorm.weight.
//   - phi2: files made from the first release of the model hold queries, keys and
//     values as one tensor, which is handed out as three (see fusedParts).
//   - phi3: as stored, with qkv_proj and gate_up_proj. The factors of longrope are
//     the tensors rope_factors_long.weight and rope_factors_short.weight.
//   - glm4: as stored, with gate_up_proj.
//   - exaone4, hunyuan-dense, cohere2, command-r: lm_head is not stored where it is tied.
//     Stretched positions are rope_freqs.weight in exaone4, and a larger rope.freq_base
//     in hunyuan-dense.
//   - bert: without the pooler and the heads for words. A RoBERTa's table of positions has
//     lost its first rows, so positions count from 0. The head for labels of RoBERTa's
//     kind is whole; BERT's own lacks its first layer, which is the pooler. A DistilBERT
//     has no table of types.
//   - jina-bert-v2: mlp.gated_layers as stored, or cut into its two halves in older files.
//   - nomic-bert, nomic-bert-moe, modern-bert: as stored; experts are stacked, and the
//     bias behind them is left out.
//   - llama, smollm3: the factors of "llama3" rope scaling are the tensor
//     rope_freqs.weight [head size / 2], by which the wave lengths grow.
//
// Norms and biases are F32 everywhere.
var architectures = map[string]ggufNames{
	"llama":    llamaNames.permuted(), // Mistral and SmolLM2 too
	"mistral3": llamaNames.permuted(),
	"granite":  llamaNames.permuted(),
	"smollm3":  llamaNames.permuted(),
	"qwen2":    llamaNames,
	"qwen3":    llamaNames,
	"qwen3moe": llamaNames.but(expertNames),
	"olmo2":    postNormNames,
	"exaone4":  postNormNames,
	"glm4": llamaNames.but(map[string]string{
		"post_attention_norm": "post_self_attn_layernorm", "post_ffw_norm": "post_mlp_layernorm", "ffn_up": "mlp.gate_up_proj",
	}),
	"ernie4_5": llamaNames,
	"hunyuan-dense": llamaNames.but(map[string]string{
		"attn_q_norm": "self_attn.query_layernorm", "attn_k_norm": "self_attn.key_layernorm",
	}),
	"command-r": llamaNames,
	"cohere2":   llamaNames,
	"stablelm": llamaNames.but(map[string]string{
		"attn_q_norm": "self_attn.q_layernorm", "attn_k_norm": "self_attn.k_layernorm",
	}),
	"qwen35":    qwen35Names,
	"qwen35moe": qwen35Names.but(expertNames),
	"lfm2":      lfm2Names,
	"lfm2moe":   lfm2Names,
	"gemma":     llamaNames,
	"gemma2":    gemmaNames,
	"gemma3":    gemmaNames,
	"gemma4":    gemma4Names,
	"phi2": {
		layer: "model.layers.{}.",
		whole: map[string]string{"token_embd": "model.embed_tokens", "output_norm": "model.final_layernorm", "output": "lm_head"},
		parts: map[string]string{
			"attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.dense",
			"ffn_up": "mlp.fc1", "ffn_down": "mlp.fc2",
		},
	},
	"bert":           bertNames,
	"jina-bert-v2":   jinaNames,
	"nomic-bert":     nomicNames,
	"nomic-bert-moe": nomicExpertNames,
	"modern-bert":    modernBERTNames,
	"phi3":           llamaNames.but(map[string]string{"attn_qkv": "self_attn.qkv_proj", "ffn_up": "mlp.gate_up_proj"}),
	"falcon": {
		layer: "transformer.h.{}.",
		whole: map[string]string{"token_embd": "transformer.word_embeddings", "output_norm": "transformer.ln_f", "output": "lm_head"},
		parts: map[string]string{
			"attn_norm": "input_layernorm", "attn_norm_2": "ln_attn", "attn_qkv": "self_attention.query_key_value", "attn_output": "self_attention.dense",
			"ffn_up": "mlp.dense_h_to_4h", "ffn_down": "mlp.dense_4h_to_h",
		},
	},
	"gpt-oss": llamaNames.but(expertNames).but(map[string]string{
		"attn_sinks": "self_attn.sinks", "post_attention_norm": "post_attention_layernorm", "ffn_gate_inp": "mlp.router",
	}),
	"gptneox": {
		layer: "gpt_neox.layers.{}.",
		whole: map[string]string{"token_embd": "gpt_neox.embed_in", "output_norm": "gpt_neox.final_layer_norm", "output": "embed_out"},
		parts: map[string]string{
			"attn_norm": "input_layernorm", "attn_qkv": "attention.query_key_value", "attn_output": "attention.dense",
			"ffn_norm": "post_attention_layernorm", "ffn_up": "mlp.dense_h_to_4h", "ffn_down": "mlp.dense_4h_to_h",
		},
	},
	"gpt2": {
		layer: "transformer.h.{}.",
		whole: map[string]string{"token_embd": "transformer.wte", "position_embd": "transformer.wpe", "output_norm": "transformer.ln_f", "output": "lm_head"},
		parts: map[string]string{
			"attn_norm": "ln_1", "attn_qkv": "attn.c_attn", "attn_output": "attn.c_proj",
			"ffn_norm": "ln_2", "ffn_up": "mlp.c_fc", "ffn_down": "mlp.c_proj",
		},
	},
}

// translate returns the Hugging Face name of a tensor; a name that is not in the
// table stays. has reports whether the file contains another tensor.
func (n ggufNames) translate(name string, has func(string) bool) string {
	layer, part, suffix := splitTensor(name)
	if layer == "" {
		if to, known := n.whole[part]; known {
			return to + suffix
		}
		return name
	}
	to, known := n.parts[part]
	if !known {
		return name
	}
	// Falcon's layers with two norms use another name for the first one.
	if part == "attn_norm" && n.parts["attn_norm_2"] != "" && has("blk."+layer+".attn_norm_2"+suffix) {
		to = "ln_mlp"
	}
	return n.inLayer(layer, to) + suffix
}

// inLayer returns a name within a layer.
func (n ggufNames) inLayer(layer, part string) string {
	return strings.Replace(n.layer, "{}", layer, 1) + part
}

// splitTensor splits the name blk.7.attn_q.weight into 7, attn_q and .weight;
// outside of the layers the first is empty.
func splitTensor(name string) (layer, part, suffix string) {
	part = name
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		part, suffix = name[:i], name[i:]
	}
	if number, ok := strings.CutPrefix(part, "blk."); ok && suffix != "" && number != "" && strings.Trim(number, "0123456789") == "" {
		return number, suffix[1:], "" // blk.7.ssm_a
	}
	rest, ok := strings.CutPrefix(part, "blk.")
	if number, after, dot := strings.Cut(rest, "."); ok && dot && number != "" && strings.Trim(number, "0123456789") == "" {
		return number, after, suffix
	}
	return "", part, suffix
}

// ggufFile translates the directory of a GGUF file, or of all parts of one, to
// Hugging Face's names.
type ggufFile struct {
	names ggufNames
	heads heads
	all   map[string]bool // the names in the file
}

// add adds a tensor under its Hugging Face name, or under several, to the last of
// the headers.
func (g ggufFile) add(t gguf.Tensor, headers []*header) error {
	h := headers[len(headers)-1]
	s := newStored(t, h.file)
	under := map[string]*stored{g.names.translate(t.Name, func(name string) bool { return g.all[name] }): s}
	layer, part, suffix := splitTensor(t.Name)
	var err error
	switch {
	case part == "attn_qkv" && g.names.parts["attn_q"] != "" && g.names.parts["attn_qkv"] == "":
		under, err = g.fusedParts(s, layer, suffix)
	case part == "attn_q" && g.names.headOrder:
		s.heads, err = g.heads.query(layer)
	case part == "attn_k" && g.names.headOrder:
		s.heads, err = g.heads.keyValue(layer)
	}
	if err != nil {
		return fmt.Errorf("the tensor %s: %w", quote(t.Name), err)
	}
	for name, s := range under {
		if err := s.checkHeads(); err != nil {
			return fmt.Errorf("the tensor %s: %w", quote(t.Name), err)
		}
		for _, other := range headers {
			if other.tensors[name] != nil {
				return fmt.Errorf("the tensor %s comes twice", quote(name))
			}
		}
		h.tensors[name] = s
	}
	return nil
}

// fusedParts splits queries, keys and values that are stored as one tensor, if the
// architecture has a name for each.
func (g ggufFile) fusedParts(s *stored, layer, suffix string) (map[string]*stored, error) {
	q, err := g.heads.query(layer)
	if err != nil {
		return nil, err
	}
	kv, err := g.heads.keyValue(layer)
	if err != nil {
		return nil, err
	}
	if len(s.shape) == 0 || q > s.shape[0] || kv > s.shape[0] || s.shape[0]%(q+2*kv) != 0 {
		return nil, fmt.Errorf("its shape %s does not hold %d heads of queries and %d of keys and of values", shapeText(s.shape), q, kv)
	}
	under := map[string]*stored{}
	size, at := s.shape[0]/(q+2*kv), s.begin // rows of a head
	for _, p := range []struct {
		name  string
		heads int
		order bool
	}{{"attn_q", q, g.names.headOrder}, {"attn_k", kv, g.names.headOrder}, {"attn_v", kv, false}} {
		part := *s
		part.shape = slices.Clone(s.shape)
		part.shape[0] = p.heads * size
		part.begin, part.end = at, at+(s.end-s.begin)/int64(s.shape[0])*int64(part.shape[0])
		if at = part.end; p.order {
			part.heads = p.heads
		}
		under[g.names.inLayer(layer, g.names.parts[p.name])+suffix] = &part
	}
	return under, nil
}
