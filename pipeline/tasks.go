package pipeline

import (
	"cmp"
	"fmt"
	"slices"

	"inglenook/engine"
	"inglenook/engine/probe"
	"inglenook/pipeline/decoding"
	"inglenook/pipeline/placement"
)

// Reading is the work of reading a prompt of so many tokens after others.
func (x *Outline) Reading(bs []engine.Backend, tokens, before int) ([]probe.Task, error) {
	return x.decoderTasks(bs, func(p *decoding.Decoder, record func(past, n, scores int) error) error {
		for end := before + tokens; before < end; {
			n, scores := min(end-before, p.Chunk), 0
			if before+n == end {
				scores = 1
			}
			if err := record(before, n, scores); err != nil {
				return err
			}
			before += n
		}
		return nil
	})
}

// Writing is the work of writing one token after others.
func (x *Outline) Writing(bs []engine.Backend, before int) ([]probe.Task, error) {
	return x.decoderTasks(bs, func(_ *decoding.Decoder, record func(past, n, scores int) error) error {
		return record(before, 1, 1)
	})
}

func (x *Outline) decoderTasks(bs []engine.Backend, passes func(*decoding.Decoder, func(past, n, scores int) error) error) (tasks []probe.Task, err error) {
	if x.decoder == nil {
		return nil, fmt.Errorf("%s does not write text", x.Architecture)
	}
	p, err := decoding.NewDecoder(x.decoder, x.kv, x.Context, min(defaultChunkTokens, x.Context), placement.NewList(bs, nil))
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := p.Divide(); err != nil {
		return nil, err
	}
	err = passes(p, func(past, n, scores int) error {
		p.Record(past, make([]int32, n), scores)
		tasks, err = AppendTasks(tasks, p.Graph, p.List.Backends)
		return err
	})
	return tasks, err
}

// Texts is the work of a model that reads on texts of these lengths, in tokens.
func (x *Outline) Texts(bs []engine.Backend, lengths []int) (tasks []probe.Task, err error) {
	if x.enc == nil {
		return nil, fmt.Errorf("%s is a language model and cannot encode texts", x.Architecture)
	}
	x.enc.on = placement.NewList(bs, nil)
	for lengths = slices.SortedFunc(slices.Values(lengths), func(a, b int) int { return cmp.Compare(b, a) }); len(lengths) > 0; {
		pass := fullBatch(0, 1)
		for len(lengths) > 0 && (len(pass.Starts) == 1 || len(pass.Tokens)+lengths[0] <= x.enc.passTokens()) {
			pass.Tokens = append(pass.Tokens, make([]int32, min(lengths[0], x.Context))...)
			pass.Starts, lengths = append(pass.Starts, int32(len(pass.Tokens))), lengths[1:]
		}
		if _, err = x.enc.record(pass, x.reads); err != nil {
			return nil, err
		}
		if tasks, err = AppendTasks(tasks, x.enc.graph, x.enc.on.Backends); err != nil {
			return nil, err
		}
	}
	return tasks, nil
}

// AppendTasks appends the operations of a graph as they would run on these backends.
func AppendTasks(tasks []probe.Task, g *engine.Graph, bs []engine.Backend) ([]probe.Task, error) {
	report, err := g.Coverage(bs...)
	if err != nil {
		return nil, err
	}
	for i, op := range g.Ops() {
		at := report.Placements[i]
		t := probe.Task{Op: op.Op, DType: at.DType, Device: at.Device, Rows: op.Rows, Values: op.Len(), Cost: op.Cost()}
		if p, linear := op.Params.(engine.LinearParams); linear {
			t.Activation = p.Activation
		}
		tasks = append(tasks, t)
	}
	return tasks, nil
}
