package app

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"inglenook/engine"
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
}

// Foresee predicts, for each place of a request, what Measure would find there;
// nothing for devices that are for checking, not for speed, and where it cannot be
// told. The first time, the devices are measured for it, in seconds.
func (a *App) Foresee(ctx context.Context, r PerformanceRequest) ([][]Prediction, error) {
	ctx, done, err := a.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	e, err := a.usable(ctx, r.Model)
	if err != nil {
		return nil, err
	}
	work, err := workFor(e, r)
	if err != nil {
		return nil, err
	}
	list := make([][]Prediction, len(r.Places))
	for i, place := range r.Places {
		if list[i], err = a.foreseeWork(ctx, e, work, place); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			a.log.Warn("no prediction", "model", e.ID, "device", place.wish(), "error", err)
		}
	}
	return list, nil
}

// foretellRow puts what was to be expected beside what a row measured. It comes
// after the measuring, which it would disturb. The error is that of ctx.
func (a *App) foretellRow(ctx context.Context, e entry, work performanceWork, row *PerformanceRow) error {
	list, err := a.foreseeWork(ctx, e, work, row.Place)
	if err != nil && ctx.Err() == nil {
		a.log.Warn("no prediction", "model", e.ID, "device", row.wish(), "error", err)
	}
	for _, p := range list {
		for i := range row.Measures {
			if m := &row.Measures[i]; m.Work == p.Work {
				m.Predicted = p.Value
			}
		}
	}
	return ctx.Err()
}

// foreseeWork predicts the work of a measurement in one place.
func (a *App) foreseeWork(ctx context.Context, e entry, w performanceWork, place Place) ([]Prediction, error) {
	if place.Device == emulated.ID {
		return nil, nil
	}
	bs, err := a.backendsOf(place)
	if err != nil {
		return nil, err
	}
	folder, closer, err := e.place.open()
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	o := pipeline.OutlineOptions{WeightsFile: e.place.weightsFile, Weights: place.Weights}
	if w.kind == WorkGenerate {
		o.Context = max(w.amount, w.generate+1) + 1
	}
	x, err := pipeline.OpenOutline(folder, o)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	if w.kind != WorkGenerate {
		lengths, err := a.benchLengths(folder, e, w)
		if err != nil {
			return nil, err
		}
		v, err := a.foreseeTexts(ctx, x, bs, lengths)
		return []Prediction{{w.kind, w.amount, unitOf(w.kind), v}}, err
	}
	read, err := a.foreseeReading(ctx, x, bs, w.amount, 0)
	if err != nil || read == 0 {
		return nil, err
	}
	write, err := a.foreseeWriting(ctx, x, bs, w.generate, 1)
	return []Prediction{
		{WorkPrompt, w.amount, unitOf(WorkPrompt), read},
		{WorkFirst, w.amount, unitOf(WorkFirst), 1e3 * float64(w.amount) / read},
		{WorkGenerate, w.generate, unitOf(WorkGenerate), write},
	}, err
}

// backendsOf are those that a model in this place runs on, best first.
func (a *App) backendsOf(p Place) ([]engine.Backend, error) {
	if p.Device != "cpu" || p.Threads == 0 {
		return a.compatBackends(p.Device)
	}
	cpu, err := a.devices.cpu(p.Threads)
	return []engine.Backend{cpu}, err
}

// benchLengths are the tokens of the texts that are measured, or of their pairs with
// the query.
func (a *App) benchLengths(folder fs.FS, e entry, w performanceWork) ([]int, error) {
	t, err := pipeline.OpenTokenizer(folder, e.place.weightsFile)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	count := func(text string) (int, error) {
		got, err := t.Encode(text, pipeline.TokenizeOptions{})
		return len(got.IDs), err
	}
	query := 0
	if w.kind == WorkRerank {
		if query, err = count(benchQuery); err != nil {
			return nil, err
		}
	}
	var lengths []int
	for _, text := range benchTexts(w.amount) {
		n, err := count(text)
		if err != nil {
			return nil, err
		}
		lengths = append(lengths, query+n)
	}
	return lengths, nil
}

// predictedText is how long the texts of a prediction are, in tokens.
const predictedText = 64

// foresee predicts the usual work of a model on a device; nothing for devices
// that are there for checking, not for speed.
func (a *App) foresee(ctx context.Context, x *pipeline.Outline, bs []engine.Backend) ([]Prediction, error) {
	if bs[0].Device().ID == emulated.ID {
		return nil, nil
	}
	if !x.Writes {
		n := min(predictedText, x.Context)
		v, err := a.foreseeTexts(ctx, x, bs, slices.Repeat([]int{n}, 64))
		return []Prediction{{WorkEmbed, n, "texts/s", v}}, err
	}
	prompt := min(defaultBenchPrompt, x.Context-1)
	read, err := a.foreseeReading(ctx, x, bs, prompt, 0)
	if err != nil {
		return nil, err
	}
	write, err := a.foreseeWriting(ctx, x, bs, 1, min(prompt, x.Context-2))
	return []Prediction{{WorkPrompt, prompt, "tokens/s", read}, {WorkGenerate, prompt, "tokens/s", write}}, err
}

// foreseeOn is foresee for a device by its id. What fails is only logged.
func (a *App) foreseeOn(ctx context.Context, device string, x *pipeline.Outline) ([]Prediction, error) {
	bs, err := a.compatBackends(device)
	var p []Prediction
	if err == nil {
		p, err = a.foresee(ctx, x, bs)
	}
	if err != nil && ctx.Err() == nil {
		a.log.Warn("no prediction", "device", device, "error", err)
		return nil, nil
	}
	return p, ctx.Err()
}

func (a *App) foreseeTexts(ctx context.Context, x *pipeline.Outline, bs []engine.Backend, lengths []int) (float64, error) {
	tasks, err := x.Texts(bs, lengths)
	return a.perSecond(ctx, x, bs, tasks, len(lengths), err)
}

func (a *App) foreseeReading(ctx context.Context, x *pipeline.Outline, bs []engine.Backend, tokens, before int) (float64, error) {
	tasks, err := x.Reading(bs, tokens, before)
	return a.perSecond(ctx, x, bs, tasks, tokens, err)
}

// foreseeWriting takes the token in the middle for all.
func (a *App) foreseeWriting(ctx context.Context, x *pipeline.Outline, bs []engine.Backend, tokens, before int) (float64, error) {
	tasks, err := x.Writing(bs, before+tokens/2)
	return a.perSecond(ctx, x, bs, tasks, 1, err)
}

func (a *App) perSecond(ctx context.Context, x *pipeline.Outline, bs []engine.Backend, tasks []pipeline.Task, amount int, err error) (float64, error) {
	if err != nil {
		return 0, err
	}
	took, err := a.speeds.seconds(ctx, bs, tasks, x.WeightBytes)
	if err != nil || took == 0 {
		return 0, err
	}
	return float64(amount) / took, nil
}

// foretell predicts what bench lines measured, and keeps both in the history. It
// comes after the measuring, whose memory it would add to. A prediction that fails
// is only logged.
func (a *App) foretell(ctx context.Context, e entry, r BenchRequest, lines []BenchLine) error {
	folder, closer, err := e.place.open()
	if err != nil {
		return err
	}
	defer closer.Close()
	x, err := pipeline.OpenOutline(folder, pipeline.OutlineOptions{
		WeightsFile: e.place.weightsFile, Weights: r.Held.Weights, KV: r.Held.KV, Context: r.Held.Context,
	})
	if err != nil {
		a.log.Warn("no prediction", "model", e.ID, "error", err)
		return nil
	}
	defer x.Close()
	for i := range lines {
		line := &lines[i]
		if line.Predicted, err = a.foretellLine(ctx, x, r, *line); ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			a.log.Warn("no prediction", "model", e.ID, "error", err)
		}
		if p := line.Predicted; p > 0 {
			a.keepPrediction(kept{
				time.Now().UTC().Truncate(time.Second), Version().Version, e.ID, line.Device, line.Work, line.Context, line.Unit,
				p, line.Median, p/line.Median - 1,
			})
		}
	}
	return nil
}

func (a *App) foretellLine(ctx context.Context, x *pipeline.Outline, r BenchRequest, line BenchLine) (float64, error) {
	device := line.asked
	if device == "" || device == "auto" {
		device, _, _ = strings.Cut(line.Device, "+")
	}
	bs, err := a.compatBackends(device)
	if err != nil || device == emulated.ID {
		return 0, err
	}
	switch line.Work {
	case WorkPrompt:
		return a.foreseeReading(ctx, x, bs, r.Prompt, r.Depth)
	case WorkGenerate:
		return a.foreseeWriting(ctx, x, bs, r.Generate, r.Depth+1)
	}
	return a.foreseeTexts(ctx, x, bs, line.lengths)
}

// kept is a prediction with what came of it, a line of the history.
type kept struct {
	When      time.Time `json:"when"`
	Version   string    `json:"version"`
	Model     string    `json:"model"`
	Device    string    `json:"device"`
	Work      string    `json:"work"`
	Context   int       `json:"context"`
	Unit      string    `json:"unit"`
	Predicted float64   `json:"predicted"`
	Measured  float64   `json:"measured"`
	Error     float64   `json:"error"` // as a part of what was measured
}

func predictionsPath(p Paths) string { return filepath.Join(p.Data, "predictions.jsonl") }

func (a *App) keepPrediction(k kept) {
	line, err := json.Marshal(k)
	if err == nil {
		err = appendLine(predictionsPath(a.paths), line)
	}
	if err != nil {
		a.log.Warn("prediction not kept", "error", err)
	}
}

func appendLine(path string, line []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(line, '\n'))
	return errors.Join(err, f.Close())
}
