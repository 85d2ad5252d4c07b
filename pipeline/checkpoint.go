// Package pipeline turns text into vectors, scores and more text: an [Embedder]
// runs the whole module list of a sentence-transformers checkpoint, a [Reranker]
// scores documents against a query, a [Writer] writes, a [Forward] returns the
// bare numbers of one pass. The first three are interfaces, so that an engine on
// another machine is one more implementation.
//
// A checkpoint is an fs.FS whose root holds config.json and safetensors, or a
// GGUF file. Nothing about a model is guessed in silence: what a checkpoint does
// not say is marked in its Info.
// The package names no device; it is handed backends, best first, CPU last.
package pipeline

import (
	"errors"
	"io/fs"

	"inglenook/models"
	"inglenook/pipeline/chattemplate"
	"inglenook/pipeline/smallfile"
	"inglenook/pipeline/words"
	"inglenook/tokenizer"
)

// readConfig reads and checks config.json.
func readConfig(fsys fs.FS) (models.Config, error) {
	data, err := smallfile.Read(fsys, "config.json")
	if errors.Is(err, fs.ErrNotExist) {
		return models.Config{}, errors.New("there is no config.json here, so this is not a model folder; choose the folder that holds config.json and the weights")
	}
	if err != nil {
		return models.Config{}, err
	}
	return models.ParseConfig(data)
}

// The types that a caller of the tokenizer of [OpenTokenizer] has to name.
type (
	Tokenizer       = tokenizer.Tokenizer
	TokenizeOptions = tokenizer.Options
	Encoding        = tokenizer.Encoding
)

// OpenTokenizer opens the tokenizer of a checkpoint. weightsFile may name one of its
// weights files, or be empty. The tokenizer comes from the weights file if that is a
// GGUF file, else from the folder, which then needs neither weights nor config.json.
func OpenTokenizer(checkpoint fs.FS, weightsFile string) (*tokenizer.Tokenizer, error) {
	w, err := words.Open(checkpoint, weightsFile)
	if err != nil {
		return nil, err
	}
	return w.Tokenizer()
}

// ChatTokenizer is a chat template together with its tokenizer.
type ChatTokenizer struct {
	*chattemplate.Template
	tok *tokenizer.Tokenizer
}

// OpenChatTokenizer opens tokenizer and chat template of a checkpoint as
// OpenTokenizer does.
func OpenChatTokenizer(checkpoint fs.FS, weightsFile string) (*ChatTokenizer, error) {
	text, err := words.Open(checkpoint, weightsFile)
	if err != nil {
		return nil, err
	}
	tok, err := text.Tokenizer()
	if err != nil {
		return nil, err
	}
	c, err := text.ChatTemplate(tok)
	if err != nil {
		return nil, errors.Join(err, tok.Close())
	}
	return &ChatTokenizer{c, tok}, nil
}

// Close closes the tokenizer.
func (c *ChatTokenizer) Close() error { return c.tok.Close() }
