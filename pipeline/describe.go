package pipeline

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/judge"
	"inglenook/pipeline/modules"
	"inglenook/weights"
)

// Description is what can be told about a checkpoint from its config and the
// directory of its tensors, without reading weights.
type Description struct {
	Architecture string
	Kind         string // "embedding", "reranker", "encoder" (states no pooling), "chat", "text" (writes, without a chat template), "text-to-text", or "pictures" (reads nothing else)
	Supported    bool
	Reason       string   // one sentence where it is not supported
	Incomplete   string   // one sentence where a file is missing without which it can read no texts, only token ids
	Choices      []string // files, any of which may be meant, where that is the reason
	Format       string   // "safetensors" or "gguf"
	DType        string   // of the largest tensors: "F32", "BF16", "Q4_K" …
	Parameters   int64
	WeightBytes  int64
	Dimension    int  // of the hidden state or the embedding
	Pictures     bool // it makes vectors of pictures that can be compared with those of texts
	Tools        bool // its chat template teaches calls of tools
	MaxLength    int  // tokens; of a model that writes, its context
	// Thinking and Sampling are those of a model that writes, as in [GeneratorInfo].
	Thinking Thinking
	Sampling *Sampling
	// Prompts are texts that the model was trained to see before its input, by
	// name; DefaultPrompt is the name of the one that it uses by itself.
	Prompts       map[string]string
	DefaultPrompt string
	Tasks         []string // for each of which it has weights of its own
	// Classifies is what it gives texts as a classifier: "labels", "entities", "words" for
	// their gaps, or nothing.
	Classifies string
}

// Describe looks at a checkpoint without reading its weights. An error means
// that there is no model here at all; a model that cannot run is described
// with Supported false and its Reason.
func Describe(checkpoint fs.FS, weightsFile string) (Description, error) {
	root, err := transformerRoot(checkpoint)
	if err != nil {
		return Description{}, err
	}
	d := Description{Format: "safetensors"}
	if weights.DescribesItself(root, weightsFile) {
		d.Format = "gguf"
	} else if _, missing := fs.Stat(root, "config.json"); missing != nil {
		_, err := readConfig(root)
		return d, err
	}
	s, err := openSource(root, weightsFile, engine.F32)
	d.Architecture, d.Dimension, d.MaxLength = s.config.Architecture, s.config.Hidden, s.config.MaxTokens
	if err == nil {
		defer s.close()
		d.Parameters, d.WeightBytes, d.DType = measure(s.set)
		if s.config.Causal {
			err = d.causal(s, checkpoint)
		} else {
			err = d.encoder(s, checkpoint)
		}
	}
	if err == nil && !s.config.PicturesOnly && s.words().MissingTokenizer() != nil {
		d.Incomplete = "it is incomplete, because its tokenizer.json is missing, with which it reads texts; add that file to its folder, or get the whole model again"
	}
	if d.Supported = err == nil; err != nil {
		d.Reason = err.Error()
		var several *weights.SeveralError
		if errors.As(err, &several) {
			d.Choices = several.Files
		}
	}
	return d, nil
}

// causal describes a language model: one that writes, one that embeds because its
// module list says how to pool, or one that ranks because it says so.
func (d *Description) causal(s source, checkpoint fs.FS) error {
	if _, err := models.LoadDecoder(s.config, s.set); err != nil {
		return err
	}
	if s.config.TextToText {
		d.Kind = "text-to-text"
		return d.writes(s)
	}
	chain, err := s.modules(checkpoint)
	if err != nil {
		return err
	}
	defer chain.Close()
	if chain.Stated {
		d.embeds(chain)
		return nil
	}
	switch form, err := s.form(chain, ""); {
	case err == nil:
		d.Kind, d.MaxLength = "reranker", longest(d.MaxLength, form.MaxLength)
		return nil
	case !errors.Is(err, judge.ErrNone):
		return err
	case s.config.Headless:
		return errHeadless(s.config)
	}
	d.Kind = "text"
	switch chats, err := s.words().HasChatTemplate(); {
	case err != nil:
		return err
	case chats:
		d.Kind = "chat"
		var switches []string
		d.Tools, switches, err = s.words().Offers()
		if err != nil {
			return err
		}
		d.Thinking = thinkingOf(func(name string) bool { return slices.Contains(switches, name) })
	}
	return d.writes(s)
}

// writes describes how a model writes where nobody says otherwise: the same as once it is open.
func (d *Description) writes(s source) error {
	written, err := s.words().Generation()
	if err != nil {
		return err
	}
	how := samplingOf(s.config, written)
	d.Sampling = &how
	return nil
}

// encoder describes a model that reads.
func (d *Description) encoder(s source, checkpoint fs.FS) error {
	if _, err := models.Load(s.config, s.set); err != nil {
		return err
	}
	chain, err := s.modules(checkpoint)
	if err != nil {
		return err
	}
	defer chain.Close()
	d.embeds(chain)
	d.Pictures, d.Tasks = s.config.Picture > 0, s.config.Tasks
	if out, err := s.labelled(); err == nil {
		d.Classifies = map[models.Output]string{models.Logits: "labels", models.Marks: "entities", models.Words: "words"}[out]
	}
	_, ranks := s.relevance()
	switch {
	case s.config.PicturesOnly:
		d.Kind = "pictures"
	case s.config.Head == models.Logits && ranks == nil:
		d.Kind = "reranker"
	case !chain.Stated:
		d.Kind = "encoder"
	}
	return nil
}

// embeds describes a model with a module list.
func (d *Description) embeds(chain *modules.List) {
	d.Kind, d.Dimension = "embedding", chain.Dimension
	d.MaxLength = min(d.MaxLength, chain.MaxLengthOr(d.MaxLength))
	d.Prompts, d.DefaultPrompt = chain.Prompts, chain.DefaultPrompt
}

// errHeadless refuses to write with a model that has no output layer.
func errHeadless(c models.Config) error {
	return fmt.Errorf("%s has no output layer, so it cannot write, and it does not say how to pool, so it cannot embed; choose the whole model", c.Architecture)
}

// measure counts the parameters of a checkpoint, without those of a head in a file beside it, and
// finds its main type.
func measure(set *weights.Set) (parameters, bytes int64, dtype string) {
	types := []string{"F64"}
	for _, d := range engine.WeightTypes() {
		types = append(types, d.FileName())
	}
	byType := map[string]int64{}
	for _, name := range set.Names() {
		info, _ := set.Info(name)
		n := int64(1)
		switch {
		case set.OfHead(name):
			continue
		case weights.Packed(name, info):
			n, info.DType = 2, engine.MXFP4.FileName() // to a byte
		case !slices.Contains(types, info.DType):
			continue
		}
		for _, d := range info.Shape {
			n *= int64(d)
		}
		parameters += n
		byType[info.DType] += n
	}
	for t, n := range byType {
		if n > byType[dtype] || dtype == "" || n == byType[dtype] && t < dtype {
			dtype = t
		}
	}
	return parameters, set.Bytes(), dtype
}
