package judge

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"inglenook/pipeline/modules"
	"inglenook/pipeline/smallfile"
	"inglenook/weights/gguf"
)

// Checkpoint is what a checkpoint tells about itself.
type Checkpoint struct {
	Folder    fs.FS
	Meta      *gguf.Meta // of a GGUF file, else nil
	ModelType string     // "qwen3"
	// Words are the ids of the words that count, as the module list states them; nil: it
	// does not.
	Words *modules.LogitScore
	// Classifies: the architecture is that of a classifier with one output.
	Classifies bool
}

// ErrNone says that a checkpoint does not say that it ranks.
var ErrNone = errors.New("this language model does not say that it ranks documents; choose a reranker, or state the form in which it is asked")

// Find returns the form of a checkpoint, or ErrNone. name is a form that a person
// chose, or "". Without one the checkpoint has to tell, in one of these ways:
//
//   - modules.json lists a LogitScore, as sentence-transformers writes it since version 5.4
//   - the metadata of a GGUF file has a template named "rerank", or the pooling type is
//     that of ranking, as llama.cpp's converter writes them
//   - config.json names the words, as vLLM reads it (classifier_from_token)
//   - the model is called so in its card, its config.json or its metadata
func Find(c Checkpoint, name string) (Form, error) {
	if name != "" {
		return byName(name)
	}
	for _, tells := range []func(Checkpoint) (Form, error){fromModules, fromMeta, fromConfig, fromCard} {
		if f, err := tells(c); !errors.Is(err, ErrNone) {
			return f, err
		}
	}
	return Form{}, ErrNone
}

// fromModules reads the module list. Its prompt is the checkpoint's chat template, which
// needs a tokenizer; see Open.
func fromModules(c Checkpoint) (Form, error) {
	if c.Words == nil {
		return Form{}, ErrNone
	}
	if f, ok := ofFamily(c.ModelType); ok {
		return f, nil
	}
	return Form{Name: OwnTemplate}, nil
}

// OwnTemplate is the name of the form of a checkpoint whose chat template is the prompt.
const OwnTemplate = "its chat template"

// The metadata of llama.cpp's files.
const (
	templateKey = "tokenizer.chat_template.rerank"
	labelsKey   = ".classifier.output_labels"
	poolingKey  = ".pooling_type"
	poolingRank = 4
)

func fromMeta(c Checkpoint) (Form, error) {
	if c.Meta == nil {
		return Form{}, ErrNone
	}
	f, known := ofFamily(c.ModelType)
	if c.Meta.Has(templateKey) {
		text, err := c.Meta.String(templateKey)
		if err != nil {
			return Form{}, err
		}
		if !known {
			f = Form{Name: "its rerank template", Yes: "yes", No: "no"}
		}
		if text != f.text() {
			f.Parts = []string{text}
		}
		return f, f.check()
	}
	if pooling, err := c.Meta.Int(c.ModelType + poolingKey); err != nil || pooling != poolingRank {
		return titledOr(c, metaNames(c.Meta)...)
	}
	if !known {
		return Form{}, fmt.Errorf("this GGUF file holds a reranker, but not the words in which it is asked (%s); get the file anew from a newer conversion", templateKey)
	}
	return f, nil
}

// metaNames are the names that a GGUF file gives its model.
func metaNames(m *gguf.Meta) (names []string) {
	for _, key := range []string{"general.name", "general.basename"} {
		if s, err := m.String(key); err == nil {
			names = append(names, s)
		}
	}
	return names
}

func fromConfig(c Checkpoint) (Form, error) {
	var config struct {
		Words []string `json:"classifier_from_token"`
		Name  string   `json:"_name_or_path"`
	}
	if _, err := smallfile.JSON(c.Folder, "config.json", &config); err != nil {
		return Form{}, err
	}
	f, known := ofFamily(c.ModelType)
	switch {
	case len(config.Words) == 0 && !c.Classifies:
		return titledOr(c, config.Name)
	case !known:
		return Form{}, fmt.Errorf("config.json says that this model ranks by one word, but how a model of the type %.40q is asked is not known; choose another reranker", c.ModelType)
	case len(config.Words) == 2:
		f.No, f.Yes = config.Words[0], config.Words[1]
	case len(config.Words) == 1:
		f.No, f.Yes = "", config.Words[0]
	}
	return f, nil
}

// fromCard reads the first heading of the model card.
func fromCard(c Checkpoint) (Form, error) {
	card, err := smallfile.Read(c.Folder, "README.md")
	if err != nil {
		return Form{}, ErrNone // a card is for people; a model works without
	}
	for line := range strings.Lines(string(card)) {
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			return titledOr(c, heading)
		}
	}
	return Form{}, ErrNone
}

// titledOr returns the form of the first name that has one, else ErrNone.
func titledOr(c Checkpoint, names ...string) (Form, error) {
	for _, name := range names {
		if f, ok := titled(name, c.ModelType); ok {
			return f, nil
		}
	}
	return Form{}, ErrNone
}

// check refuses a prompt that does not hold each text once.
func (f Form) check() error {
	for _, place := range []string{queryPlace, documentPlace} {
		if n := strings.Count(f.text(), place); n != 1 {
			return fmt.Errorf("the prompt in which this model is asked has %d places for %s instead of 1, so it cannot rank; get the model anew", n, place)
		}
	}
	return nil
}

// Labels are the labels of the rows of a classifier in a GGUF file: the row of the word
// that speaks for a document, and of the word against it. One row has no label.
func Labels(m *gguf.Meta, modelType string, rows int) (yes, no int, err error) {
	if rows == 1 {
		return 0, -1, nil
	}
	labels := []string{"yes", "no"} // as the converter writes the rows
	if key := modelType + labelsKey; m != nil && m.Has(key) {
		if labels, err = m.Strings(key); err != nil {
			return 0, 0, err
		}
	}
	yes = slices.IndexFunc(labels, func(s string) bool { return strings.EqualFold(s, "yes") })
	if rows != 2 || len(labels) != 2 || yes < 0 {
		return 0, 0, fmt.Errorf("the head of this reranker has %d outputs (%.100q) instead of one for yes and one for no, so it cannot rank documents; choose another reranker", rows, labels)
	}
	return yes, 1 - yes, nil
}
