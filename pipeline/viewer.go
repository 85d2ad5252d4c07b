package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"inglenook/engine"
	"inglenook/models"
	"inglenook/pipeline/pictures"
	"inglenook/pipeline/placement"
)

// Viewer turns pictures into vectors that can be compared with those of texts of the same
// checkpoint.
type Viewer struct {
	enc   *encoder
	look  pictures.Processor
	match *Match
}

// ViewerOptions change how a checkpoint is opened; the zero value changes nothing.
type ViewerOptions struct {
	WeightsFile string
	Weights     string       // how weights are held, as in GeneratorOptions
	Available   func() int64 // as in EmbedderOptions
	Prove       bool         // as in GeneratorOptions
	Progress    func(done, total int64)
}

// OpenViewer opens the half of a checkpoint that reads pictures.
func OpenViewer(ctx context.Context, checkpoint fs.FS, bs []engine.Backend, o ViewerOptions) (*Viewer, error) {
	quantize, err := weightType(o.Weights)
	if err != nil {
		return nil, err
	}
	root, err := transformerRoot(checkpoint)
	if err != nil {
		return nil, err
	}
	s, err := openSource(root, o.WeightsFile, quantize)
	if err != nil {
		return nil, err
	}
	s.pictures = true
	v := &Viewer{}
	if v.enc, err = newEncoder(s, placement.NewList(bs, o.Available), 0); err != nil {
		return nil, err
	}
	if v.look, err = v.enc.look(); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	if v.match, err = v.enc.match(); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	if err := v.enc.load(ctx, v.record, o.Progress, o.Prove); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return v, nil
}

func (v *Viewer) record(g *engine.Graph, b models.Batch) *engine.Tensor {
	return v.enc.model.Forward(g, b, models.Pooled)
}

// Proof is what the comparison of the first device with the CPU came to.
func (v *Viewer) Proof() placement.Proof { return v.enc.proof }

// Embed returns the vectors of n pictures, in their order. read gives the bytes of a PNG or
// JPEG file. Tokens of a picture are the parts into which the model cuts it.
func (v *Viewer) Embed(ctx context.Context, n int, read func(ctx context.Context, i int) ([]byte, error), progress func(done, total int)) (Embeddings, error) {
	start := time.Now()
	if n == 0 {
		return Embeddings{}, errors.New("there is no picture; give at least one")
	}
	each := v.enc.config.MaxTokens
	out := Embeddings{Tokens: slices.Repeat([]int{each}, n), Truncated: make([]bool, n), Match: v.match}
	var o placement.Outcome
	for len(out.Vectors) < n {
		first := len(out.Vectors)
		batch := models.Batch{Starts: []int32{0}}
		for i := first; i < n && (i == first || (i-first+1)*each <= v.enc.passTokens()); i++ {
			pixels, err := v.pixels(ctx, i, read)
			if err != nil {
				return Embeddings{}, err
			}
			batch.Pixels = append(batch.Pixels, pixels...)
			batch.Starts = append(batch.Starts, int32(i-first+1))
		}
		rows, err := v.enc.pass(ctx, batch, v.record, &o)
		if err != nil {
			return Embeddings{}, err
		}
		for i, row := range rows {
			if !placement.Finite(row) {
				return Embeddings{}, notFinite(fmt.Sprintf(" for picture %d", first+i+1))
			}
		}
		if out.Vectors = append(out.Vectors, rows...); progress != nil {
			progress(len(out.Vectors), n)
		}
	}
	out.Device, out.Fallbacks, out.Notices, out.Profile, out.Took = o.Device(), o.Fallbacks, v.enc.notices(), o.Profile, time.Since(start)
	return out, nil
}

func (v *Viewer) pixels(ctx context.Context, i int, read func(context.Context, int) ([]byte, error)) ([]float32, error) {
	data, err := read(ctx, i)
	if err != nil {
		return nil, err
	}
	pixels, err := v.look.Read(ctx, data)
	if err != nil && ctx.Err() == nil {
		return nil, &PictureError{i, err}
	}
	return pixels, err
}

// PictureError says why a picture cannot be used.
type PictureError struct {
	Index int // of the picture
	Why   error
}

func (e *PictureError) Error() string {
	return fmt.Sprintf("picture %d cannot be used: %v", e.Index+1, e.Why)
}

// Unwrap returns the reason.
func (e *PictureError) Unwrap() error { return e.Why }

// Close frees the weights.
func (v *Viewer) Close() error { return v.enc.close() }
