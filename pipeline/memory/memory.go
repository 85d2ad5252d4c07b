// Package memory tells what a model takes in memory, and refuses what does not fit.
package memory

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"inglenook/engine"
)

// Needs is what an open model takes, in bytes.
type Needs struct {
	Weights     int64
	Cache       int64 // keys and values of the whole context
	Activations int64
	Text        int64 // the tokenizer, and what the program takes without a model
	Apart       int64 // of all these, what lies in a device's own memory

	// Experts that are left in their file because they do not fit, and how much of them
	// each token reads. They are not in the sum.
	Left, LeftToken int64
}

// Total is the sum.
func (m Needs) Total() int64 { return m.Weights + m.Cache + m.Activations + m.Text }

// Host is what lies in the computer's memory.
func (m Needs) Host() int64 { return m.Total() - m.Apart }

// OfText returns the memory of the program without a model, its own code
// included, and of a tokenizer with so many tokens. The figures were measured:
// a token of a vocabulary of 32,000 takes more than one of 152,000.
func OfText(tokens int) int64 {
	const few = 32_000
	return codeMemory() + 14_000_000 + 900*int64(min(tokens, few)) + 700*int64(max(tokens-few, 0))
}

// usualCode is what codeMemory returns where the system does not say.
const usualCode = 32 << 20

// Weigh returns the memory that a model takes and where its operations will
// run. g has the model's longest pass. Weigh reads no weights and allocates
// none of that memory.
func Weigh(g *engine.Graph, bs []engine.Backend, vocab int) (Needs, engine.Report, error) {
	all, report, err := g.Footprints(bs...)
	m := Needs{Text: OfText(vocab)}
	for i, f := range all {
		if engine.Room(bs[i]) > 0 {
			m.Apart += f.Total()
		}
		m.Weights += f.Weights
		m.Cache += f.Caches
		m.Activations += f.Working
	}
	return m, report, err
}

// minContext is the smallest context that is advised.
const minContext = 512

// Fits refuses what does not fit into the available bytes (0 = unknown), with
// the sizes and what to do.
func (m Needs) Fits(available int64, context int) error {
	if available <= 0 || m.Host() <= available {
		return nil
	}
	if m.Apart > 0 {
		return short("this model needs %s of memory, of which %s are the device's own, and %s of the other %s are free; choose a smaller model, a smaller context, or hold the weights as q4_k",
			bytesText(m.Total()), bytesText(m.Apart), bytesText(available), bytesText(m.Host()))
	}
	if m.Cache == 0 {
		return short("this model needs %s of memory (%s for its weights, %s to work) and %s are free; choose a smaller model",
			bytesText(m.Total()), bytesText(m.Weights), bytesText(m.Activations+m.Text), bytesText(available))
	}
	advice := "choose a smaller model, or hold the weights as q4_k"
	if perToken := m.Cache / int64(context); perToken > 0 {
		if most := min((available-m.Total()+m.Cache)/perToken, int64(context)-1) / 256 * 256; most >= minContext {
			advice = fmt.Sprintf("choose a context of %d tokens or less", most)
		}
	}
	return short("this model needs %s of memory (%s for its weights, %s for a context of %d tokens, %s to work) and %s are free; %s",
		bytesText(m.Total()), bytesText(m.Weights), bytesText(m.Cache), context, bytesText(m.Activations+m.Text), bytesText(available), advice)
}

// ShortError says that a model needs more memory than is free.
type ShortError struct{ sentence string }

func (e *ShortError) Error() string { return e.sentence }

func short(format string, args ...any) error { return &ShortError{fmt.Sprintf(format, args...)} }

// Cost says what it costs that experts are left in their file, in one sentence; "" if
// none are.
func (m Needs) Cost() string {
	if m.Left == 0 {
		return ""
	}
	return fmt.Sprintf("%s of this model's experts stay in the file, because they do not fit into memory: each token reads %s of them, so that a disk that reads 1 GB in a second allows %s tokens a second at most, and a prompt is read slowly too",
		bytesText(m.Left), bytesText(m.LeftToken), humanize.FtoaWithDigits(1e9/float64(max(m.LeftToken, 1)), 1))
}

// WeightsFit refuses weights that do not fit into the available bytes (0 = unknown).
func WeightsFit(bytes, available int64) error {
	if available <= 0 || bytes <= available {
		return nil
	}
	return fmt.Errorf("this model needs %s of memory for its weights and %s are free; choose a smaller model", bytesText(bytes), bytesText(available))
}

func bytesText(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }
