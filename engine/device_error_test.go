package engine_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// unwilling is a backend that fails in one given way.
type unwilling struct {
	*enginetest.ReferenceBackend
	stage engine.Stage
	err   error
}

func (u *unwilling) at(stage engine.Stage) error {
	if u.stage == stage {
		return u.err
	}
	return nil
}

func (u *unwilling) Supports(op *engine.Tensor) error {
	if err := u.at(engine.StagePlace); err != nil {
		return err
	}
	return u.ReferenceBackend.Supports(op)
}

func (u *unwilling) Prepare(ctx context.Context, op *engine.Tensor) error {
	if err := u.at(engine.StagePrepare); err != nil {
		return err
	}
	return u.ReferenceBackend.Prepare(ctx, op)
}

func (u *unwilling) Alloc(bytes int) (engine.Buffer, error) {
	if err := u.at(engine.StageAlloc); err != nil {
		return nil, err
	}
	b, err := u.ReferenceBackend.Alloc(bytes)
	return unwillingBuffer{b, u}, err
}

func (u *unwilling) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	if err := u.at(engine.StageSubmit); err != nil {
		return err
	}
	return u.ReferenceBackend.Submit(ctx, arena.(unwillingBuffer).Buffer, ops)
}

func (u *unwilling) Wait(ctx context.Context, arena engine.Buffer) error {
	if err := u.at(engine.StageWait); err != nil {
		return err
	}
	return u.ReferenceBackend.Wait(ctx, arena.(unwillingBuffer).Buffer)
}

type unwillingBuffer struct {
	engine.Buffer
	of *unwilling
}

func (b unwillingBuffer) ReadAt(p []byte, off int64) (int, error) {
	if err := b.of.at(engine.StageRead); err != nil {
		return 0, err
	}
	return b.Buffer.ReadAt(p, off)
}

func (b unwillingBuffer) WriteAt(p []byte, off int64) (int, error) {
	if err := b.of.at(engine.StageWrite); err != nil {
		return 0, err
	}
	return b.Buffer.WriteAt(p, off)
}

// Whatever a device fails at, the error names the device and what it was asked for. The
// end of the caller's context is not the device's fault.
func TestDeviceErrors(t *testing.T) {
	smoke := errors.New("it smokes")
	for _, stage := range []engine.Stage{
		engine.StagePlace, engine.StagePrepare, engine.StageAlloc, engine.StageWrite, engine.StageSubmit, engine.StageWait, engine.StageRead,
	} {
		g := newGraph(t)
		small(g)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		b := &unwilling{&enginetest.ReferenceBackend{ID: "stove"}, stage, smoke}
		run := func() error {
			if stage == engine.StagePrepare {
				return g.Prepare(ctx, nil, b)
			}
			_, err := g.Run(ctx, b)
			return err
		}
		err := run()
		var failed *engine.DeviceError
		if !errors.As(err, &failed) || failed.Device != "stove" || failed.Stage != stage || !errors.Is(err, smoke) || !strings.HasPrefix(err.Error(), "stove: ") {
			t.Errorf("%s: %v", stage, err)
		}
		if stage == engine.StagePlace || stage == engine.StageAlloc {
			continue // finished before the context is checked
		}
		cancel()
		if err := run(); errors.As(err, &failed) || !errors.Is(err, context.Canceled) && !errors.Is(err, smoke) {
			t.Errorf("%s, cancelled: %v", stage, err)
		}
	}
}

// halfSource returns half of the bytes that it is asked for.
type halfSource struct{ err error }

func (s halfSource) ReadAt(p []byte, _ int64) (int, error) { return len(p) / 2, s.err }

// A weight that cannot be read is not the device's fault, however the backend reports
// it.
func TestWeightErrors(t *testing.T) {
	gone := errors.New("the disk is gone")
	for _, c := range []struct{ source, want error }{{gone, gone}, {io.EOF, io.ErrUnexpectedEOF}} {
		g := newGraph(t)
		w := engine.NewWeight("encoder.w", engine.F32, 2, 3, halfSource{c.source})
		g.Linear(g.Floats("x", 1, make([]float32, 3)), w, nil, engine.None)
		_, err := g.Run(t.Context(), &enginetest.ReferenceBackend{})
		var device *engine.DeviceError
		var weight *engine.WeightError
		if !errors.As(err, &weight) || weight.Weight != "encoder.w" || errors.As(err, &device) || !errors.Is(err, c.want) {
			t.Errorf("%v: %v", c.source, err)
		}
		if n, err := w.Source().ReadAt(make([]byte, 8), int64(w.Bytes())-4); c.source == io.EOF && (n != 4 || err != io.EOF) {
			t.Errorf("a read beyond the end gives %d bytes and %v", n, err)
		}
	}
}
