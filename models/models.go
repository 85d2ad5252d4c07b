// Package models knows the families of neural networks: how their config.json
// spells the sizes, how their checkpoints name the weights, and which operations
// one forward pass records. It is the door to four rooms. Package family reads
// configs, encoders and decoders have a file for each family, which shows Forward
// from top to bottom, and nn has the blocks of which families are made. Configs come
// from config.json or from the metadata of a GGUF file. The package computes
// nothing and reads no text.
package models

import (
	"inglenook/models/decoders"
	"inglenook/models/encoders"
	"inglenook/models/family"
	"inglenook/models/nn"
	"inglenook/weights"
)

// The parts of the package that its users see.
type (
	Config  = family.Config  // what config.json or a GGUF file says of a model
	Output  = family.Output  // the result of a pass
	Batch   = family.Batch   // texts as token ids, end to end
	Model   = encoders.Model // records passes over texts
	Decoder = decoders.Decoder
	Reader  = decoders.Reader  // a decoder that reads texts as an encoder does
	Input   = nn.Input         // what a decoder reads in one pass
	Part    = nn.Part          // what one sequence reads in a pass of several
	Guesser = decoders.Guesser // a decoder with a head that guesses
	Ahead   = nn.Ahead         // what such a head wants of a pass
	Cache   = nn.Cache         // keys and values of the tokens that a decoder has read
)

// The outputs of a pass.
const (
	Hidden = family.Hidden
	First  = family.First
	Pooled = family.Pooled
	Logits = family.Logits
	Marks  = family.Marks
	Words  = family.Words
)

// Load builds the encoder that config.json describes.
func Load(c Config, set *weights.Set) (Model, error) { return encoders.Load(c, set) }

// LoadPictures builds the half of a checkpoint that reads pictures. A batch for it has a text for
// each picture, whose tokens do not count.
func LoadPictures(c Config, set *weights.Set) (Model, error) { return encoders.LoadPictures(c, set) }

// LoadDecoder builds the decoder that config.json or the metadata of a GGUF file
// describes.
func LoadDecoder(c Config, set *weights.Set) (Decoder, error) {
	if _, _, err := familyOf(c.Architecture, c.ModelType); err != nil {
		return nil, err
	}
	return decoders.Load(c, set)
}

// NewReader returns a model that reads texts with a decoder.
func NewReader(d Decoder) *Reader { return decoders.NewReader(d) }

// PlainJSON returns Python's JSON as valid JSON.
func PlainJSON(data []byte) []byte { return family.PlainJSON(data) }

// QuantizedError returns the error for weights quantized by the named method,
// which is not supported.
func QuantizedError(by string) error { return family.QuantizedError(by) }
