// Package family is what the families of models share: Config, the content of
// config.json or of a GGUF file's metadata, and its readers Fields and Metadata. A
// family reads its config with them and builds its network with models/nn.
package family

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Entry is one row of the table: which checkpoints belong to it, and how to
// read their config.
type Entry struct {
	ModelType     string   // the family's model_type in config.json
	Architectures []string // its architectures in config.json; the first is the default
	Read          func(*Fields) Config
}

// New returns the row of a family.
func New(modelType string, read func(*Fields) Config, architectures ...string) Entry {
	return Entry{ModelType: modelType, Architectures: architectures, Read: read}
}

// Takes reports whether an architecture that is not in the table may be loaded
// as the family's first. If that one generates text, the architecture must do
// so, too. If not, it may be the same body with another head, which is not used.
func (f Entry) Takes(architecture string) bool {
	first := f.Architectures[0]
	body, encoder := strings.CutSuffix(first, "Model")
	switch {
	case architecture == "":
		return true
	case encoder && !writes(first):
		return strings.HasPrefix(architecture, body+"For") // BertForTokenClassification
	}
	return writes(architecture) || f.Bare(architecture)
}

// Bare reports whether an architecture is the family's decoder without the head
// that writes: as embedders are stored, Qwen3Model, or with a head for labels.
func (f Entry) Bare(architecture string) bool {
	first := f.Architectures[0]
	body := strings.TrimSuffix(strings.TrimSuffix(first, "ForCausalLM"), "LMHeadModel")
	return writes(first) && (architecture == body+"Model" || architecture == body+classifies && slices.Contains(f.Architectures, architecture))
}

// classifies ends the names of architectures with a head for labels.
const classifies = "ForSequenceClassification"

// writes reports whether an architecture's name is that of a text generator.
func writes(architecture string) bool {
	return strings.HasSuffix(architecture, "ForCausalLM") || strings.HasSuffix(architecture, "LMHeadModel")
}

// Unsupported returns the error for a model of no known family, or of one of which only the given
// architectures are supported.
func Unsupported(architecture, modelType string, known []string) error {
	what := cmp.Or(architecture, modelType)
	if len(known) > 0 {
		return fmt.Errorf("the architecture %q is not supported; of the family %q these are: %s", what, modelType, quotedList(known))
	}
	if what == "" {
		return errors.New("config.json names neither an architecture nor a model_type, so the model's family is unknown: download the model again, or choose another")
	}
	if part := NotYet(what); part != "" {
		return fmt.Errorf("the architecture %q has %s, which this version does not support yet; docs/MODELS.md lists the families that are supported, such as llama, qwen3, gemma3, mistral, phi3 and bert", what, part)
	}
	return fmt.Errorf("the architecture %q is not supported; docs/MODELS.md lists the families that are, such as llama, qwen3, gemma3, mistral, phi3 and bert", what)
}
