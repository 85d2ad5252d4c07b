package app

import (
	"context"
	"io/fs"

	"inglenook/engine"
	"inglenook/pipeline"
)

// openers open models and look at checkpoints. Tests put doubles in their place.
type openers struct {
	embedder func(context.Context, fs.FS, []engine.Backend, pipeline.EmbedderOptions) (pipeline.Embedder, error)
	writer   func(context.Context, fs.FS, []engine.Backend, pipeline.GeneratorOptions) (pipeline.Writer, error)
	describe func(checkpoint fs.FS, weightsFile string) (pipeline.Description, error)
	needs    func(checkpoint fs.FS, bs []engine.Backend, o pipeline.OutlineOptions) (pipeline.Memory, error)
}

func realOpeners() openers {
	return openers{pipeline.OpenEmbedder, pipeline.OpenWriter, pipeline.Describe, pipeline.Needs}
}
