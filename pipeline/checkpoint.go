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

// OpenTokenizer opens the tokenizer of a checkpoint: that in weightsFile, or in
// what the folder holds where that is empty, if it is a GGUF file, else the
// folder's own, for which neither weights nor config.json are needed.
func OpenTokenizer(checkpoint fs.FS, weightsFile string) (*tokenizer.Tokenizer, error) {
	w, err := words.Open(checkpoint, weightsFile)
	if err != nil {
		return nil, err
	}
	return w.Tokenizer()
}
