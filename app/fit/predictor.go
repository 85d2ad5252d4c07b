package fit

import (
	"context"
	"log/slog"
	"slices"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/engine"
	"inglenook/engine/probe"
	"inglenook/metalbackend/emulated"
	"inglenook/pipeline"
)

// Prediction is how fast a kind of work would go, from the speed of this machine's
// devices and what the model's operations have to do.
type Prediction struct {
	Work   string // one of the Work constants
	Amount int    // tokens of the prompt, or of each text; of "generate", those before
	Unit   string
	Value  float64
	// Busy says that the processors were busy with other work when their speed was measured
	// for this: the value may be far off.
	Busy bool `json:",omitempty"`
}

// Predictor predicts speeds by adding up what the operations of a model would take at the
// rates of this machine's devices.
type Predictor struct {
	log     *slog.Logger
	devices *devices.Service
	speeds  *speeds
}

// NewPredictor measures nothing yet; the rates that were measured before are in the cache folder.
func NewPredictor(log *slog.Logger, paths base.Paths, devices *devices.Service) *Predictor {
	return &Predictor{log: log, devices: devices, speeds: newSpeeds(speedsPath(paths))}
}

// Forget drops all rates, so that they are measured again.
func (p *Predictor) Forget() { p.speeds.forget() }

// predictedText is how long the texts of a prediction are, in tokens.
const predictedText = 64

// Usual predicts the usual work of a model on a device: nothing for devices that are for
// checking, not for speed. What fails is only logged.
func (p *Predictor) Usual(ctx context.Context, device string, x *pipeline.Outline) ([]Prediction, error) {
	bs, err := p.devices.Backends(device)
	var list []Prediction
	if err == nil && device != emulated.ID {
		list, err = p.usualOn(ctx, bs, x)
	}
	if err != nil && ctx.Err() == nil {
		p.log.Warn("no prediction", "device", device, "error", err)
		return nil, nil
	}
	return list, ctx.Err()
}

func (p *Predictor) usualOn(ctx context.Context, bs []engine.Backend, x *pipeline.Outline) ([]Prediction, error) {
	if !x.Writes {
		n := min(predictedText, x.Context)
		v, busy, err := p.Texts(ctx, x, bs, slices.Repeat([]int{n}, 64))
		return []Prediction{{WorkEmbed, n, UnitOf(WorkEmbed), v, busy}}, err
	}
	prompt := min(UsualPrompt, x.Context-1)
	read, busyReading, err := p.Reading(ctx, x, bs, prompt, 0)
	if err != nil {
		return nil, err
	}
	write, busyWriting, err := p.Writing(ctx, x, bs, 1, min(prompt, x.Context-2))
	return []Prediction{{WorkPrompt, prompt, UnitOf(WorkPrompt), read, busyReading}, {WorkGenerate, prompt, UnitOf(WorkGenerate), write, busyWriting}}, err
}

// Texts predicts how many texts of these lengths a second go through the model, and whether
// that comes from processors that were busy.
func (p *Predictor) Texts(ctx context.Context, x *pipeline.Outline, bs []engine.Backend, lengths []int) (value float64, busy bool, err error) {
	tasks, err := x.Texts(bs, lengths)
	return p.perSecond(ctx, x, bs, tasks, len(lengths), err)
}

// Reading predicts how many tokens a second of a prompt are read after some others, and whether
// that comes from processors that were busy.
func (p *Predictor) Reading(ctx context.Context, x *pipeline.Outline, bs []engine.Backend, tokens, before int) (value float64, busy bool, err error) {
	tasks, err := x.Reading(bs, tokens, before)
	return p.perSecond(ctx, x, bs, tasks, tokens, err)
}

// Writing predicts how many tokens a second are written after some others, from the token in
// the middle, and whether that comes from processors that were busy.
func (p *Predictor) Writing(ctx context.Context, x *pipeline.Outline, bs []engine.Backend, tokens, before int) (value float64, busy bool, err error) {
	tasks, err := x.Writing(bs, before+tokens/2)
	return p.perSecond(ctx, x, bs, tasks, 1, err)
}

func (p *Predictor) perSecond(ctx context.Context, x *pipeline.Outline, bs []engine.Backend, tasks []probe.Task, amount int, err error) (value float64, busy bool, _ error) {
	if err != nil {
		return 0, false, err
	}
	took, err := p.speeds.seconds(ctx, bs, tasks, x.WeightBytes)
	if err != nil || took == 0 {
		return 0, false, err
	}
	return float64(amount) / took, p.speeds.fromBusy(bs, tasks, x.WeightBytes), nil
}
