package pipeline

import (
	"fmt"

	"github.com/dustin/go-humanize"

	"inglenook/engine"
	"inglenook/models"
)

// Memory is what a generator takes, in bytes.
type Memory struct {
	Weights     int64
	Cache       int64 // keys and values of the whole context
	Activations int64
	Text        int64 // the tokenizer, and what the program takes without a model
}

// Total is the sum.
func (m Memory) Total() int64 { return m.Weights + m.Cache + m.Activations + m.Text }

// textMemory is what the program takes without a model, its own code included,
// and what tokenizers were seen to take: more a token for those of 32,000 than for
// those of 152,000.
func textMemory(tokens int) int64 {
	const few = 32_000
	return codeMemory() + 14_000_000 + 900*int64(min(tokens, few)) + 700*int64(max(tokens-few, 0))
}

// usualCode is what codeMemory returns where the system does not say.
const usualCode = 32 << 20

// needs tells what the predictor will take, and where its operations will run.
// Nothing is read or taken for that.
func (d *decoder) needs() (Memory, engine.Report, error) {
	d.record(0, make([]int32, d.chunk), true)
	return weigh(d.graph, d.on.backends, d.model.Config().Vocab)
}

// needs tells so for a model that reads, with texts of up to longest tokens.
func (e *encoder) needs(record recorder, longest int) (Memory, engine.Report, error) {
	if _, err := e.record(fullBatch(max(e.budget, longest), longest), record); err != nil {
		return Memory{}, engine.Report{}, err
	}
	return weigh(e.graph, e.on.backends, e.config.Vocab)
}

// weigh tells what the passes of a model take of which this is the longest.
func weigh(g *engine.Graph, bs []engine.Backend, vocab int) (Memory, engine.Report, error) {
	all, report, err := g.Footprints(bs...)
	m := Memory{Text: textMemory(vocab)}
	for _, f := range all {
		m.Weights += f.Weights
		m.Cache += f.Caches
		m.Activations += f.Working
	}
	return m, report, err
}

// fullBatch has so many tokens, in texts of at most length.
func fullBatch(tokens, length int) models.Batch {
	b := models.Batch{Tokens: make([]int32, tokens), Starts: []int32{0}}
	for at := 0; at < tokens; {
		at = min(at+length, tokens)
		b.Starts = append(b.Starts, int32(at))
	}
	return b
}

// minContext is the smallest context that is advised.
const minContext = 512

// fits refuses what does not fit into the available bytes (0 = unknown), with
// the sizes and what to do.
func (m Memory) fits(available int64, context int) error {
	if available <= 0 || m.Total() <= available {
		return nil
	}
	if m.Cache == 0 {
		return fmt.Errorf("this model needs %s of memory (%s for its weights, %s to work) and %s are free; choose a smaller model",
			bytesText(m.Total()), bytesText(m.Weights), bytesText(m.Activations+m.Text), bytesText(available))
	}
	advice := "choose a smaller model, or hold the weights as q4_k"
	if perToken := m.Cache / int64(context); perToken > 0 {
		if most := min((available-m.Total()+m.Cache)/perToken, int64(context)-1) / 256 * 256; most >= minContext {
			advice = fmt.Sprintf("choose a context of %d tokens or less", most)
		}
	}
	return fmt.Errorf("this model needs %s of memory (%s for its weights, %s for a context of %d tokens, %s to work) and %s are free; %s",
		bytesText(m.Total()), bytesText(m.Weights), bytesText(m.Cache), context, bytesText(m.Activations+m.Text), bytesText(available), advice)
}

// weightsFit refuses weights that do not fit into the available bytes (0 = unknown).
func weightsFit(bytes, available int64) error {
	if available <= 0 || bytes <= available {
		return nil
	}
	return fmt.Errorf("this model needs %s of memory for its weights and %s are free; choose a smaller model", bytesText(bytes), bytesText(available))
}

func bytesText(n int64) string { return humanize.Bytes(uint64(max(n, 0))) }
