package pool

import (
	"context"
	"io/fs"

	"inglenook/app/devices"
	"inglenook/engine"
	"inglenook/pipeline"
	"inglenook/pipeline/memory"
)

// Openers open models and look at checkpoints, and say how much memory is free for them.
// Tests put doubles in their place.
type Openers struct {
	Embedder func(context.Context, fs.FS, []engine.Backend, pipeline.EmbedderOptions) (pipeline.Embedder, error)
	Writer   func(context.Context, fs.FS, []engine.Backend, pipeline.GeneratorOptions) (pipeline.Writer, error)
	Describe func(checkpoint fs.FS, weightsFile string) (pipeline.Description, error)
	Needs    func(checkpoint fs.FS, bs []engine.Backend, o pipeline.OutlineOptions) (memory.Needs, error)
	Free     func() int64 // bytes that may still be taken; 0: unknown
}

// RealOpeners are those of package pipeline.
func RealOpeners() *Openers {
	return &Openers{pipeline.OpenEmbedder, pipeline.OpenWriter, pipeline.Describe, pipeline.Needs, devices.AvailableMemory}
}

// NoMemoryError says that a model needs more memory than is free.
type NoMemoryError = memory.ShortError
