package pipeline

import (
	"fmt"
	"slices"

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

// textMemory is what tokenizers of 32,000 and of 152,000 tokens were seen to
// take, the program included.
func textMemory(tokens int) int64 { return 16<<20 + 512*int64(tokens) }

// needs tells what the predictor will take, and where its operations will run.
// Nothing is read or taken for that.
func (p *causal) needs() (Memory, engine.Report, error) {
	p.record(0, make([]int32, p.chunk), true)
	report, err := p.graph.Coverage(p.on.backends...)
	if err != nil {
		return Memory{}, report, err
	}
	m := Memory{Activations: int64(report.ArenaBytes)}
	for _, t := range slices.Concat(p.cache.Keys, p.cache.Values) {
		m.Cache += int64(t.Bytes())
	}
	m.Weights = weightMemory(p.graph)
	return m, report, nil
}

// needs tells so for a model that reads, with texts of up to longest tokens.
func (e *encoder) needs(record recorder, longest int) (Memory, engine.Report, error) {
	if _, err := e.record(fullBatch(max(e.budget, longest), longest), record); err != nil {
		return Memory{}, engine.Report{}, err
	}
	report, err := e.graph.Coverage(e.on.backends...)
	if err != nil {
		return Memory{}, report, err
	}
	return Memory{
		Weights: weightMemory(e.graph), Activations: int64(report.ArenaBytes), Text: textMemory(e.config.Vocab),
	}, report, nil
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

// weightMemory is what the weights of a recorded pass take.
func weightMemory(g *engine.Graph) (bytes int64) {
	type use struct { // a table that is also the head is laid out for both
		weight *engine.Tensor
		op     engine.Op
	}
	seen := map[use]bool{}
	for _, op := range g.Ops() {
		for _, s := range op.Src {
			if s != nil && s.Op == engine.OpWeight && !seen[use{s, op.Op}] {
				seen[use{s, op.Op}] = true
				bytes += int64(s.Bytes())
			}
		}
	}
	return bytes
}

// minContext is the smallest context that is advised.
const minContext = 512

// fits refuses what does not fit into the available bytes (0 = unknown), with
// the sizes and what to do.
func (m Memory) fits(available int64, context int) error {
	if available <= 0 || m.Total() <= available {
		return nil
	}
	perToken := m.Cache / int64(context)
	advice := "choose a smaller model, or hold the weights as q4_k"
	if perToken > 0 {
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
