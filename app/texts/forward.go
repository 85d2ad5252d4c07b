package texts

import (
	"context"
	"time"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/pool"
	"inglenook/engine"
	"inglenook/pipeline"
)

// ForwardRequest asks for one forward pass on token ids or a picture, for checking numbers.
type ForwardRequest struct {
	Model   string
	Device  string
	IDs     []int32
	TypeIDs []int32 // nil: all 0
	// DecoderIDs are what a text-to-text model has written of its answer to IDs, from its
	// start token on; nil for other models.
	DecoderIDs []int32
	Image      string // path of a PNG or JPEG file that is read instead of token ids
	Output     string // "hidden", "pooled", "logits"; "": what the model is meant to give
}

// ForwardResult is the result of one pass: Data has the given Shape
// [rows, columns], row-major.
type ForwardResult struct {
	Shape     [2]int
	Data      []float32
	Device    string
	Fallbacks []engine.Fallback
	Notices   []string // as in EmbedResult
	Notes     []string // sentences for a person about the numbers
	Took      time.Duration
}

// Forward runs one forward pass.
func (t *Service) Forward(ctx context.Context, r ForwardRequest, report func(base.Progress)) (ForwardResult, error) {
	ctx, done, err := t.life.Begin(ctx)
	if err != nil {
		return ForwardResult{}, err
	}
	defer done()
	defer t.devices.Awake()()
	e, err := t.library.WithoutTexts(ctx, r.Model)
	if err != nil {
		return ForwardResult{}, err
	}
	var picture []byte
	job := "forward"
	if r.Image != "" {
		if picture, err = readPicture(ctx, r.Image); err != nil {
			return ForwardResult{}, err
		}
		job = "forward picture"
	}
	open, err := pool.Open(ctx, t.pool, job, e, devices.Target{Device: r.Device}, "", report, func(ctx context.Context, c pool.Checkpoint) (*pipeline.Forward, error) {
		return pipeline.OpenForward(ctx, c.Files, c.Backends, pipeline.ForwardOptions{
			WeightsFile: c.WeightsFile, Pictures: picture != nil, Available: devices.AvailableMemory, Progress: base.NewStage(base.StageLoading, "bytes", report).At,
		})
	})
	if err != nil {
		return ForwardResult{}, err
	}
	defer open.Release()
	start := time.Now()
	got, err := open.Model.Run(ctx, pipeline.ForwardInput{IDs: r.IDs, TypeIDs: r.TypeIDs, DecoderIDs: r.DecoderIDs, Image: picture}, r.Output)
	if err != nil {
		return ForwardResult{}, base.InContext(ctx, err)
	}
	took := time.Since(start)
	notices := append(open.Notices, got.Notices...)
	t.devices.LogWork("forward", e.ID, got.Device, 1, took, got.Fallbacks, notices)
	return ForwardResult{
		Shape: [2]int{got.Rows, got.Cols}, Data: got.Data,
		Device: got.Device, Fallbacks: got.Fallbacks, Notices: notices, Notes: got.Notes, Took: took,
	}, nil
}
