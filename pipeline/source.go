package pipeline

import (
	"errors"
	"io/fs"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/words"
	"inglenook/weights"
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
	if s.set, err = weights.Open(folder, weights.Options{File: file, Quantize: quantize, Packing: s.config.Packing}); err != nil {
		return s, err
	}
	if self {
		if s.config, err = models.ConfigFromGGUF(s.set.Meta()); err != nil {
			return s, errors.Join(err, s.set.Close())
		}
	}
	return s, nil
}

// words returns what the checkpoint says about text.
func (s source) words() words.Words { return words.Of(s.folder, s.set.Meta()) }

func (s source) close() error { return s.set.Close() }
