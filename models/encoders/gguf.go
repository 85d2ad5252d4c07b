package encoders

import (
	"errors"

	"inglenook/models/family"
	"inglenook/weights"
)

// GGUF lists the encoders by the general.architecture of GGUF files. The first
// architecture is the one that files are read as; with a head for labels, classifier is.
var GGUF = map[string]GGUFEntry{
	"bert": {
		Architectures: []string{
			"BertModel", "BertForMaskedLM", "DistilBertModel", "DistilBertForMaskedLM", "RobertaModel", "RobertaForSequenceClassification",
			"XLMRobertaModel", "XLMRobertaForSequenceClassification", "CamembertModel",
		},
		More: typesGGUF, classifier: "BertForSequenceClassification", head: []string{"classifier.dense", "classifier.out_proj"},
	},
	"jina-bert-v2":   {Architectures: []string{"JinaBertModel", "JinaBertForMaskedLM"}, More: jinaGGUF},
	"nomic-bert":     {Architectures: []string{"NomicBertModel"}, More: typesGGUF},
	"nomic-bert-moe": {Architectures: []string{"NomicBertModel"}, More: nomicGGUF, Mixture: true},
	"modern-bert": {
		Architectures: []string{"ModernBertModel", "ModernBertForMaskedLM", "ModernBertForSequenceClassification"},
		More:          modernGGUF, classifier: "ModernBertForSequenceClassification", head: []string{"head.dense", "classifier"},
	},
}

// GGUFEntry maps a general.architecture to families of config.json.
type GGUFEntry struct {
	Architectures []string
	More          func(*family.Metadata) // reads the keys that not all architectures have
	Mixture       bool                   // the family has experts
	classifier    string                 // the architecture with a head for labels; "": heads are refused
	head          []string               // the layers of that head, the last one gives the labels
}

// ranks is the pooling type of a file that scores pairs of texts.
const ranks = 4

// errPartOfHead refuses a file whose head cannot be computed.
var errPartOfHead = errors.New("the file is a classifier, but holds only a part of its head (llama.cpp's converter leaves BERT's pooler out), so its scores would be wrong: choose a safetensors revision")

// FromTensors completes the config of a GGUF file by what only its tensors tell: whether
// there is a table of types, and whether there is a head for labels.
func FromTensors(c family.Config, set *weights.Set) (family.Config, error) {
	entry, has := GGUF[c.ModelType], func(name string) bool { _, there := set.Info(name); return there }
	if c.TypeVocab > 0 && !has("embeddings.token_type_embeddings.weight") {
		c.TypeVocab = 0
	}
	for _, norm := range []string{"layer_norm_1", "attention.self.layer_norm_q", "attention.self.layer_norm_k"} {
		if has("encoder.layer.0." + norm + ".weight") {
			return c, errors.New("the layers have norms of queries, keys or of attention and its input, as in jina-embeddings-v2-base-code, which are not supported: choose another model")
		}
	}
	pooling, err := set.Meta().Int(c.ModelType + ".pooling_type")
	stated := err == nil && pooling == ranks
	whole := entry.classifier != ""
	for _, name := range append([]string{"classifier.dense", "classifier.out_proj", "cls", "cls.output"}, entry.head...) {
		stated = stated || has(name+".weight")
	}
	for _, name := range entry.head {
		whole = whole && has(name+".weight")
	}
	switch {
	case !stated:
		return c, nil
	case !whole:
		return c, errPartOfHead
	}
	info, _ := set.Info(entry.head[len(entry.head)-1] + ".weight")
	if len(info.Shape) == 1 {
		info.Shape = []int{1, info.Shape[0]}
	}
	c.Architecture, c.Head, c.Labels = entry.classifier, family.Logits, info.Shape[0]
	return c, nil
}

// typesGGUF reads the number of types of tokens.
func typesGGUF(r *family.Metadata) {
	const key = "tokenizer.ggml.token_type_count"
	n, err := r.Meta.Int(key)
	if err != nil {
		r.Fields.Fail("%w", err)
	}
	r.Set("type_vocab_size", key, family.WholeNumber(n))
}

// jinaGGUF sets what all files of JinaBERT have in common.
func jinaGGUF(r *family.Metadata) {
	typesGGUF(r)
	r.Fields.Values["position_embedding_type"] = "alibi"
	r.Fields.Values["feed_forward_type"] = "geglu"
}

// modernGGUF reads the windows, both kinds of positions and the activation. The files
// state the norms' epsilon under one of two keys.
func modernGGUF(r *family.Metadata) {
	f := r.Fields
	r.Number("norm_eps", "attention.layer_norm_rms_epsilon")
	r.Number("norm_eps", "attention.layer_norm_epsilon")
	r.Number("global_rope_theta", "rope.freq_base")
	r.Number("local_rope_theta", "rope.freq_base")
	r.Number("local_rope_theta", "rope.freq_base_swa")
	r.Whole("local_attention", "attention.sliding_window")
	r.Whole("global_attn_every_n_layers", "attention.sliding_window_pattern")
	act, err := r.Meta.String(r.Key("hidden_activation"))
	if r.Note(err); err == nil {
		r.Set("hidden_activation", r.Key("hidden_activation"), act)
	}
	f.Refuse(f.Values["local_attention"] == nil, f.Label("local_attention")+" is missing")
	pooling, err := r.Meta.Int(r.Key("classifier.pooling_type"))
	switch r.Note(err); {
	case err != nil, pooling == 1:
		f.Values["classifier_pooling"] = "mean" // as llama.cpp takes files that do not say
	case pooling != 2:
		f.Fail("%s is %d, which is not supported", r.Key("classifier.pooling_type"), pooling)
	}
}
