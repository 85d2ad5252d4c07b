// Package models knows the families of neural networks: how their config.json
// spells the sizes, how their checkpoints name the weights, and which
// operations one forward pass records. A family is one file; what encoders share
// is in blocks.go, what language models share in decoder.go. Configs come from
// config.json or from the metadata of a GGUF file. The package computes nothing
// and reads no text.
package models

import (
	"fmt"
	"slices"
	"strings"

	"inglenook/engine"
	"inglenook/weights"
)

// Batch is a ragged batch of token ids: text i is Tokens[Starts[i]:Starts[i+1]],
// so Starts has one entry more than there are texts and no padding exists.
// Types are the segment ids of each token; nil means all 0.
type Batch struct {
	Tokens, Types, Starts []int32
}

// Output is what a forward pass should give.
type Output uint8

// The outputs. Hidden is the last hidden state [tokens, hidden], First that of
// each text's first token [texts, hidden], Pooled the pooler's vectors
// [texts, hidden], Logits the classification head's scores [texts, labels].
const (
	Hidden Output = iota
	First
	Pooled
	Logits
)

func (o Output) String() string {
	return [...]string{"hidden", "first", "pooled", "logits"}[o]
}

// Model records forward passes of one checkpoint. It is safe for use by
// several goroutines, each with its own graph.
type Model interface {
	Config() Config
	// Has reports whether the checkpoint can give this output.
	Has(Output) bool
	// Forward records one pass over the batch; mistakes (an id outside the
	// vocabulary, a text longer than the positions) stick to the graph.
	Forward(g *engine.Graph, b Batch, out Output) *engine.Tensor
}

// family is one row of the table: how to read the config and how to build.
type family struct {
	sizes func(*fields) Config
	build func(Config, *weights.Scope) *encoder
	head  Output // what the architecture is meant to give
}

// families maps the architecture names of config.json.
var families = map[string]family{
	"BertModel":                     {bertSizes, buildBERT, Hidden},
	"BertForMaskedLM":               {bertSizes, buildBERT, Hidden},
	"BertForPreTraining":            {bertSizes, buildBERT, Hidden},
	"BertForSequenceClassification": {bertSizes, buildBERT, Logits},

	"DistilBertModel":                     {distilBERTSizes, buildDistilBERT, Hidden},
	"DistilBertForMaskedLM":               {distilBERTSizes, buildDistilBERT, Hidden},
	"DistilBertForSequenceClassification": {distilBERTSizes, buildDistilBERT, Logits},

	"RobertaModel":                        {robertaSizes, buildRoBERTa, Hidden},
	"RobertaForMaskedLM":                  {robertaSizes, buildRoBERTa, Hidden},
	"RobertaForSequenceClassification":    {robertaSizes, buildRoBERTa, Logits},
	"XLMRobertaModel":                     {robertaSizes, buildRoBERTa, Hidden},
	"XLMRobertaForMaskedLM":               {robertaSizes, buildRoBERTa, Hidden},
	"XLMRobertaForSequenceClassification": {robertaSizes, buildRoBERTa, Logits},
	"CamembertModel":                      {robertaSizes, buildRoBERTa, Hidden},
	"CamembertForMaskedLM":                {robertaSizes, buildRoBERTa, Hidden},
	"CamembertForSequenceClassification":  {robertaSizes, buildRoBERTa, Logits},

	"MPNetModel":                     {mpnetSizes, buildMPNet, Hidden},
	"MPNetForMaskedLM":               {mpnetSizes, buildMPNet, Hidden},
	"MPNetForSequenceClassification": {mpnetSizes, buildMPNet, Logits},
}

// byType finds the architecture where config.json names only a model_type, as
// old checkpoints do.
var byType = map[string]string{
	"bert":        "BertModel",
	"distilbert":  "DistilBertModel",
	"roberta":     "RobertaModel",
	"xlm-roberta": "XLMRobertaModel",
	"camembert":   "CamembertModel",
	"mpnet":       "MPNetModel",

	"llama":       "LlamaForCausalLM",
	"mistral":     "MistralForCausalLM",
	"qwen2":       "Qwen2ForCausalLM",
	"qwen3":       "Qwen3ForCausalLM",
	"smollm3":     "SmolLM3ForCausalLM",
	"phi":         "PhiForCausalLM",
	"phi3":        "Phi3ForCausalLM",
	"stablelm":    "StableLmForCausalLM",
	"falcon":      "FalconForCausalLM",
	"gemma2":      "Gemma2ForCausalLM",
	"gemma3_text": "Gemma3ForCausalLM",
	"gpt2":        "GPT2LMHeadModel",
	"gpt_neox":    "GPTNeoXForCausalLM",
}

// supportedFamilies lists the families for messages.
func supportedFamilies() string {
	types := make([]string, 0, len(byType))
	for t := range byType {
		types = append(types, t)
	}
	slices.Sort(types)
	return strings.Join(types, ", ")
}

// Load builds the model that config.json describes from the weights of its
// checkpoint. Nothing is read but the tensor directory; the error names all
// missing tensors at once.
func Load(c Config, set *weights.Set) (Model, error) {
	f, ok := families[c.Architecture]
	if !ok {
		if c.Causal {
			return nil, fmt.Errorf("%s writes text; it gives no vectors or scores", c.Architecture)
		}
		return nil, unsupported(c.Architecture, c.ModelType)
	}
	scope := set.Scope()
	e := f.build(c, scope)
	if err := scope.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", c.Architecture, err)
	}
	return e, nil
}

func unsupported(architecture, modelType string) error {
	what := architecture
	if what == "" {
		what = modelType
	}
	if what == "" {
		return fmt.Errorf("config.json names neither an architecture nor a model_type, so the model's family is unknown; supported families: %s", supportedFamilies())
	}
	return fmt.Errorf("the architecture %q is not supported; supported families: %s", what, supportedFamilies())
}
