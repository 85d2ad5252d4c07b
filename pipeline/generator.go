package pipeline

import (
	"context"
	"errors"
	"io/fs"
	"iter"

	"inglenook/engine"
)

// GeneratorOptions belong to OpenGenerator; the zero value fits a chat.
type GeneratorOptions struct {
	WeightsFile string // a certain .safetensors or .gguf file of the folder
	// Weights is how weights are held: "" or "auto" as in the file, or "q8_0",
	// "q4_k" to quantize those that are larger.
	Weights string
	// KV is the type of the cache of keys and values: "" or "f16", "f32", "q8_0".
	KV string
	// Context is how many tokens the model sees at once, 0 for the model's own
	// limit or 4096, whichever is less.
	Context int
	// ChunkTokens of a prompt are read in one pass; 0 for 512.
	ChunkTokens int
	// AvailableBytes is the memory that may be used; 0 where that is unknown.
	// A model that needs more is refused before it is loaded.
	AvailableBytes int64
	Progress       func(done, total int64) // bytes of weights
}

// Generator writes text with a causal language model.
type Generator struct{}

// GeneratorInfo describes an open generator.
type GeneratorInfo struct {
	Architecture string
	Format       string // "safetensors" or "gguf"
	Parameters   int64
	WeightBytes  int64  // as in the files
	DType        string // of most weights as they are held: "F32", "Q8_0" …
	KV           string // "f16" …
	Context      int    // tokens
	ModelContext int    // tokens that the model was made for
	Memory       Memory
	Chat         bool     // has a chat template
	Sampling     Sampling // what the model's makers suggest, else what fits most models
	Device       string
	Fallbacks    []engine.Fallback
	// Notes are sentences about what is not as one may expect.
	Notes []string
}

// Memory is what a generator takes, in bytes.
type Memory struct {
	Weights     int64
	Cache       int64 // keys and values of the whole context
	Activations int64
}

// Total is the sum.
func (m Memory) Total() int64 { return m.Weights + m.Cache + m.Activations }

// Sampling says how the next token is chosen from the model's scores. The
// fields mean what they mean to llama.cpp.
type Sampling struct {
	Temperature float64 // 0: always the likeliest token

	TopK     int     // 0: off
	TypicalP float64 // 1: off
	TopP     float64 // 1: off
	MinP     float64 // 0: off

	RepeatPenalty    float64 // 1: off
	FrequencyPenalty float64
	PresencePenalty  float64
	RepeatWindow     int // tokens that the penalties look at; negative: all

	LogitBias map[int32]float32
	Seed      uint64 // 0: one that Started reports
}

// prompt is what an answer continues.
type prompt struct {
	Plan
	ids []int32
}

var errNotYet = errors.New("this program cannot run language models")

// OpenGenerator opens a checkpoint for writing text and prepares its weights.
func OpenGenerator(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o GeneratorOptions) (*Generator, error) {
	return nil, errNotYet
}

// Info describes the generator.
func (g *Generator) Info() GeneratorInfo { return GeneratorInfo{} }

// Forget empties the cache, so that the next answer reads its prompt anew.
func (g *Generator) Forget() {}

// Close ends an answer that is being made, waits for its loop, and frees the
// weights, the cache and the tokenizer. It must not be called inside that loop.
func (g *Generator) Close() error { return nil }

func (g *Generator) plan(ctx context.Context, chat []Message, o ReplyOptions) (prompt, error) {
	return prompt{}, errNotYet
}

func (g *Generator) rawPrompt(text string) (prompt, error) { return prompt{}, errNotYet }

func (g *Generator) idPrompt(ids []int32) (prompt, error) { return prompt{}, errNotYet }

func (g *Generator) reply(ctx context.Context, o ReplyOptions, p func(context.Context) (prompt, error)) iter.Seq2[Token, error] {
	return func(yield func(Token, error) bool) { yield(Token{ID: -1}, errNotYet) }
}
