// Package pipeline turns text into vectors and scores: an [Embedder] runs the
// whole module list of a sentence-transformers checkpoint, a [Reranker] scores
// documents against a query, a [Forward] gives the bare numbers of one pass.
//
// A checkpoint is an fs.FS whose root holds config.json. Nothing about a model
// is guessed in silence: what a checkpoint does not say is marked in its Info.
// The package names no device; it is handed backends, best first, CPU last.
package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"inglenook/models"
	"inglenook/tokenizer"
	"inglenook/weights"
)

// maxJSONBytes bounds the small JSON files of a checkpoint.
const maxJSONBytes = 16 << 20

// readSmall reads a small file of the checkpoint whole.
func readSmall(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxJSONBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(data) > maxJSONBytes {
		return nil, fmt.Errorf("%s is larger than %d bytes, more than any real one; get the checkpoint again", name, maxJSONBytes)
	}
	return data, nil
}

// readJSON decodes a small JSON file into v and says whether it is there.
func readJSON(fsys fs.FS, name string, v any) (bool, error) {
	data, err := readSmall(fsys, name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return false, fmt.Errorf("%s is not what it should be (%w); get the checkpoint again", name, err)
	}
	return true, nil
}

// readConfig reads and checks config.json.
func readConfig(fsys fs.FS) (models.Config, error) {
	data, err := readSmall(fsys, "config.json")
	if errors.Is(err, fs.ErrNotExist) {
		return models.Config{}, errors.New("there is no config.json here, so this is not a model folder; choose the folder that holds config.json and the weights")
	}
	if err != nil {
		return models.Config{}, err
	}
	return models.ParseConfig(data)
}

// OpenTokenizer opens the tokenizer of a checkpoint.
func OpenTokenizer(checkpoint fs.FS) (*tokenizer.Tokenizer, error) {
	return tokenizer.Open(checkpoint)
}

// Description is what can be told about a checkpoint from its config and the
// directory of its tensors, without reading weights.
type Description struct {
	Architecture string
	Kind         string // "embedding", "reranker" or "encoder" (states no pooling)
	Supported    bool
	Reason       string // one sentence where it is not supported
	Format       string // "safetensors"
	DType        string // of the largest tensors: "F32", "F16", "BF16"
	Parameters   int64
	WeightBytes  int64
	Dimension    int // of the hidden state or the embedding
	MaxLength    int // tokens
	// Prompts are texts that the model was trained to see before its input, by
	// name; DefaultPrompt is the name of the one that it uses by itself.
	Prompts       map[string]string
	DefaultPrompt string
}

// Describe looks at a checkpoint without reading its weights. An error means
// that there is no model here at all; a model that cannot run is described
// with Supported false and its Reason.
func Describe(checkpoint fs.FS, weightsFile string) (Description, error) {
	d := Description{Format: "safetensors"}
	root, err := transformerRoot(checkpoint)
	if err != nil {
		return d, err
	}
	c, err := readConfig(root)
	if err != nil {
		if _, statErr := fs.Stat(root, "config.json"); statErr != nil {
			return d, err
		}
		d.Reason = err.Error()
		return d, nil
	}
	d.Architecture, d.Dimension, d.MaxLength = c.Architecture, c.Hidden, c.MaxTokens
	set, err := weights.Open(root, weights.Options{File: weightsFile})
	if err != nil {
		d.Reason = err.Error()
		return d, nil
	}
	defer set.Close()
	d.Parameters, d.WeightBytes, d.DType = measure(set)
	if _, err := models.Load(c, set); err != nil {
		d.Reason = err.Error()
		return d, nil
	}
	chain, err := readModules(checkpoint, c.Hidden)
	switch {
	case err != nil:
		d.Reason = err.Error()
		return d, nil
	case c.Head == models.Logits:
		d.Kind = "reranker"
	case chain.stated:
		d.Kind, d.Dimension = "embedding", chain.dimension
	default:
		d.Kind = "encoder"
	}
	d.MaxLength = min(d.MaxLength, chain.maxLengthOr(d.MaxLength))
	d.Prompts, d.DefaultPrompt = chain.prompts, chain.defaultPrompt
	d.Supported = true
	return d, nil
}

// measure counts the parameters of a checkpoint and finds its main type.
func measure(set *weights.Set) (parameters, bytes int64, dtype string) {
	byType := map[string]int64{}
	for _, name := range set.Names() {
		info, _ := set.Info(name)
		n := int64(1)
		for _, d := range info.Shape {
			n *= int64(d)
		}
		switch info.DType {
		case "F64", "F32", "F16", "BF16":
			parameters += n
			byType[info.DType] += n
		}
	}
	for t, n := range byType {
		if n > byType[dtype] || dtype == "" || n == byType[dtype] && t < dtype {
			dtype = t
		}
	}
	return parameters, set.Bytes(), dtype
}
