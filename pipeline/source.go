package pipeline

import (
	"errors"
	"io/fs"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/chattemplate"
	"inglenook/tokenizer"
	"inglenook/weights"
	"inglenook/weights/gguf"
)

// source is an open checkpoint: a folder with config.json and its weights, or a
// GGUF file, which describes itself.
type source struct {
	folder fs.FS
	config models.Config
	set    *weights.Set
}

// openSource opens config and weights of a checkpoint. file is a certain weights
// file of the folder, or empty. With an error comes the config, if it was read.
func openSource(folder fs.FS, file string, quantize engine.DType) (s source, err error) {
	s.folder = folder
	self := weights.DescribesItself(folder, file)
	if !self {
		if s.config, err = readConfig(folder); err != nil {
			return s, err
		}
	}
	if s.set, err = weights.Open(folder, weights.Options{File: file, Quantize: quantize}); err != nil {
		return s, err
	}
	if self {
		if s.config, err = models.ConfigFromGGUF(s.set.Meta()); err != nil {
			return s, errors.Join(err, s.set.Close())
		}
	}
	return s, nil
}

// words are what a checkpoint has beside its weights.
func (s source) words() words { return words{s.folder, s.set.Meta()} }

func (s source) close() error { return s.set.Close() }

// words are what a checkpoint says about text: in its GGUF file, or in the files
// of its folder.
type words struct {
	folder fs.FS
	meta   *gguf.Meta // nil: no GGUF file
}

// openWords opens them alone: of safetensors no weights and no config.json are
// needed.
func openWords(folder fs.FS, file string) (words, error) {
	if !weights.DescribesItself(folder, file) {
		return words{folder: folder}, nil
	}
	set, err := weights.Open(folder, weights.Options{File: file})
	if err != nil {
		return words{}, err
	}
	return words{folder, set.Meta()}, set.Close()
}

// tokenizer opens the tokenizer. A GGUF file without one may lie beside a
// tokenizer.json.
func (w words) tokenizer() (*tokenizer.Tokenizer, error) {
	if w.meta != nil && w.meta.Has("tokenizer.ggml.tokens") {
		return tokenizerOf(w.meta)
	}
	return tokenizer.Open(w.folder)
}

// chatTemplate opens the chat template, in the same order.
func (w words) chatTemplate(tok *tokenizer.Tokenizer) (*chattemplate.Template, error) {
	if tok.ChatTemplate() != "" {
		return templateOf(w.meta, tok)
	}
	return chattemplate.Open(w.folder, tok)
}

// generation reads how the checkpoint's makers want text to be written.
func (w words) generation() (generation, error) {
	if w.meta != nil {
		return generationOf(w.meta), nil
	}
	return readGeneration(w.folder)
}

// hasChatTemplate reports whether there is one, whatever it holds.
func (w words) hasChatTemplate() (bool, error) {
	if w.meta != nil && w.meta.Has("tokenizer.chat_template") {
		return true, nil
	}
	_, err := chattemplate.Sources(w.folder)
	if errors.Is(err, chattemplate.ErrMissing) {
		return false, nil
	}
	return err == nil, err
}
