package models

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// family is one row of the table: which checkpoints belong to it, and how to
// read their config.
type family struct {
	modelType     string   // the family's model_type in config.json
	architectures []string // its architectures in config.json; the first is the default
	read          func(*fields) Config
}

// families lists all that can be loaded: the encoders, then the decoders.
var families = []family{
	{"bert", []string{"BertModel", "BertForMaskedLM", "BertForPreTraining", "BertForSequenceClassification"}, readBERT},
	{"distilbert", []string{"DistilBertModel", "DistilBertForMaskedLM", "DistilBertForSequenceClassification"}, readDistilBERT},
	{"roberta", []string{"RobertaModel", "RobertaForMaskedLM", "RobertaForSequenceClassification"}, readRoBERTa},
	{"xlm-roberta", []string{"XLMRobertaModel", "XLMRobertaForMaskedLM", "XLMRobertaForSequenceClassification"}, readRoBERTa},
	{"camembert", []string{"CamembertModel", "CamembertForMaskedLM", "CamembertForSequenceClassification"}, readRoBERTa},
	{"mpnet", []string{"MPNetModel", "MPNetForMaskedLM", "MPNetForSequenceClassification"}, readMPNet},

	{"llama", []string{"LlamaForCausalLM"}, readLlama},
	{"mistral", []string{"MistralForCausalLM"}, readMistral},
	{"qwen2", []string{"Qwen2ForCausalLM"}, readQwen2},
	{"qwen3", []string{"Qwen3ForCausalLM"}, readQwen3},
	{"qwen3_moe", []string{"Qwen3MoeForCausalLM"}, readQwen3MoE},
	{"qwen3_5_text", []string{"Qwen3_5ForCausalLM", "Qwen3_5ForConditionalGeneration"}, readQwen35},
	{"smollm3", []string{"SmolLM3ForCausalLM"}, readSmolLM3},
	{"phi", []string{"PhiForCausalLM"}, readPhi},
	{"phi3", []string{"Phi3ForCausalLM"}, readPhi3},
	{"stablelm", []string{"StableLmForCausalLM"}, readStableLM},
	{"falcon", []string{"FalconForCausalLM"}, readFalcon},
	{"gemma", []string{"GemmaForCausalLM"}, readGemma},
	{"gemma2", []string{"Gemma2ForCausalLM"}, readGemma2},
	{"gemma3_text", []string{"Gemma3ForCausalLM"}, readGemma3},
	{"gemma4_text", []string{"Gemma4ForCausalLM", "Gemma4ForConditionalGeneration", "Gemma4UnifiedForConditionalGeneration"}, readGemma4},
	{"gpt2", []string{"GPT2LMHeadModel"}, readGPT2},
	{"gpt_neox", []string{"GPTNeoXForCausalLM"}, readGPTNeoX},
	{"gpt_oss", []string{"GptOssForCausalLM"}, readGPTOSS},
}

// familyOf finds the row of an architecture and returns the architecture in our
// spelling. If config.json names none, as in old checkpoints, or one that is not
// in the table, the model_type decides.
func familyOf(architecture, modelType string) (family, string, error) {
	for _, f := range families {
		for _, a := range f.architectures {
			if strings.EqualFold(a, architecture) { // LLaMAForCausalLM
				return f, a, nil
			}
		}
		if f.bare(architecture) {
			return f, architecture, nil
		}
	}
	for _, f := range families {
		if modelType == f.modelType && f.takes(architecture) {
			return f, f.architectures[0], nil
		}
	}
	return family{}, "", unsupported(architecture, modelType)
}

// takes reports whether an architecture that is not in the table may be loaded
// as the family's first. If that one generates text, the architecture must do
// so, too. If not, it may be the same body with another head, which is not used.
func (f family) takes(architecture string) bool {
	first := f.architectures[0]
	body, encoder := strings.CutSuffix(first, "Model")
	switch {
	case architecture == "":
		return true
	case encoder && !writes(first):
		return strings.HasPrefix(architecture, body+"For") // BertForTokenClassification
	}
	return writes(architecture) || f.bare(architecture)
}

// bare reports whether an architecture is the family's decoder without the head
// that writes, as embedders are stored: Qwen3Model.
func (f family) bare(architecture string) bool {
	first := f.architectures[0]
	return writes(first) && architecture == strings.TrimSuffix(strings.TrimSuffix(first, "ForCausalLM"), "LMHeadModel")+"Model"
}

// writes reports whether an architecture's name is that of a text generator.
func writes(architecture string) bool {
	return strings.HasSuffix(architecture, "ForCausalLM") || strings.HasSuffix(architecture, "LMHeadModel")
}

// unsupported returns the error for a model of no known family.
func unsupported(architecture, modelType string) error {
	what := cmp.Or(architecture, modelType)
	if what == "" {
		return errors.New("config.json names neither an architecture nor a model_type, so the model's family is unknown: download the model again, or choose another")
	}
	return fmt.Errorf("the architecture %q is not supported; docs/MODELS.md lists the families that are, such as llama, qwen3, gemma3, mistral, phi3 and bert", what)
}
