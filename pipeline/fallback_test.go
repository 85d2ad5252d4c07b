package pipeline

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// spoiled is the CPU with a function that changes its results.
type spoiled struct {
	engine.Backend
	spoil func(op *engine.Tensor, values []byte)
}

func (s *spoiled) Submit(ctx context.Context, arena engine.Buffer, ops []*engine.Tensor) error {
	if err := s.Backend.Submit(ctx, arena, ops); err != nil {
		return err
	}
	for _, op := range ops {
		s.spoil(op, arena.Bytes()[op.Offset:op.Offset+op.Bytes()])
	}
	return nil
}

func putNaN(values []byte) {
	binary.NativeEndian.PutUint32(values, math.Float32bits(float32(math.NaN())))
}

var prompt11 = []int32{2, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21}

func nineTokens(t *testing.T, g *Generator, ids []int32, o ReplyOptions) heard {
	t.Helper()
	o.MaxTokens, o.IgnoreEnd, o.Sampling = 9, true, &Sampling{}
	return hear(t, g.CompleteIDs(context.Background(), ids, o))
}

// TestCancelWhileReadingAnew cancels an answer while another device reads the tokens
// again. It ends at once, and the next answer continues from there.
func TestCancelWhileReadingAnew(t *testing.T) {
	want := nineTokens(t, openTiny(t, GeneratorOptions{ChunkTokens: 2}), prompt11, ReplyOptions{})
	device, bs := faultyDevice(t)
	g, err := openGenerator(context.Background(), tinyChat(t), bs, GeneratorOptions{ChunkTokens: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	device.Arm(enginetest.DeviceLost, enginetest.AtSubmit, 9) // the prompt takes six
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	anew := 0
	h := hear(t, g.CompleteIDs(ctx, prompt11, ReplyOptions{MaxTokens: 9, IgnoreEnd: true, Sampling: &Sampling{}, Progress: func(done, total int) {
		if !device.Struck() {
			return
		}
		if anew = done; total != len(prompt11)+4 {
			t.Errorf("%d of %d", done, total)
		}
		if done >= 6 {
			cancel()
		}
	}}))
	if !errors.Is(h.err, context.Canceled) || h.finished.Reason != FinishCancelled || anew != 6 || len(h.finished.Notices) != 1 {
		t.Errorf("%v, %+v, %d tokens read anew", h.err, h.finished, anew)
	}
	again := nineTokens(t, g, prompt11, ReplyOptions{})
	if !slices.Equal(again.ids, want.ids) || again.started.Reused != 6 || again.finished.Notices != nil || again.finished.Device != "cpu" {
		t.Errorf("afterwards %v, reused %d, %+v", again.ids, again.started.Reused, again.finished)
	}
}

// TestOneDeviceForSeveralModels: if a device fails under one model, other open models
// leave it as well, and the failure is reported once.
func TestOneDeviceForSeveralModels(t *testing.T) {
	device, bs := faultyDevice(t)
	bs[0] = engine.NewGuard(bs[0])
	ctx := context.Background()
	g, err := openGenerator(ctx, tinyChat(t), bs, GeneratorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	e, err := OpenEmbedder(ctx, os.DirFS("testdata/mean-normalize"), bs, EmbedderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	want := nineTokens(t, g, prompt11, ReplyOptions{})
	device.Arm(enginetest.CommandBufferError, enginetest.AtSubmit, 0)
	if r, err := e.Embed(ctx, []string{"tea"}, EmbedRequest{}); err != nil || len(r.Notices) != 1 || r.Device != "cpu" {
		t.Errorf("%q on %s, %v", r.Notices, r.Device, err)
	}
	submits := device.Submits()
	longer := append(slices.Clone(prompt11), want.ids...)
	h := nineTokens(t, g, longer, ReplyOptions{})
	if h.err != nil || h.finished.Notices != nil || h.finished.Device != "cpu" || device.Submits() != submits {
		t.Errorf("%+v, %v, %d submissions", h.finished, h.err, device.Submits()-submits)
	}
	if cpu := nineTokens(t, openTiny(t, GeneratorOptions{}), longer, ReplyOptions{}); !slices.Equal(h.ids, cpu.ids) {
		t.Errorf("%v instead of %v", h.ids, cpu.ids)
	}
}

// TestNothingTakesOver: without memory for the weights on the CPU, the answer ends with
// one sentence that says why. With memory a later answer works.
func TestNothingTakesOver(t *testing.T) {
	free := int64(1) << 40
	available := func() int64 { return free }
	device, bs := faultyDevice(t)
	g, err := openGenerator(context.Background(), tinyChat(t), bs, GeneratorOptions{Available: available})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	device.Arm(enginetest.Timeout, enginetest.AtSubmit, 3)
	free = 1000
	h := nineTokens(t, g, prompt11, ReplyOptions{})
	if h.err == nil || !strings.Contains(h.err.Error(), "the device gpu failed (the command buffer did not end in 5 ms), and nothing can take over: this model needs") || strings.Contains(h.err.Error(), "\n") || len(h.ids) != 3 || h.finished.Notices != nil {
		t.Errorf("%v, %v, %+v", h.ids, h.err, h.finished)
	}
	free = 1 << 40
	again := nineTokens(t, g, prompt11, ReplyOptions{})
	if want := nineTokens(t, openTiny(t, GeneratorOptions{}), prompt11, ReplyOptions{}); again.err != nil || !slices.Equal(again.ids, want.ids) {
		t.Errorf("%v instead of %v, %v", again.ids, want.ids, again.err)
	}

	other, bs := faultyDevice(t)
	e, err := OpenEmbedder(context.Background(), os.DirFS("testdata/mean-normalize"), bs, EmbedderOptions{Available: available})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	other.Arm(enginetest.AllocationRefused, enginetest.AtSubmit, 0)
	free = 1000
	for range 2 {
		if _, err := e.Embed(context.Background(), []string{"tea"}, EmbedRequest{}); err == nil || !strings.Contains(err.Error(), "nothing can take over") {
			t.Errorf("%v", err)
		}
	}
	free = 0 // unknown
	if _, err := e.Embed(context.Background(), []string{"tea"}, EmbedRequest{}); err != nil {
		t.Error(err)
	}
}

// TestTheModelIsOdd: odd numbers that the CPU computes as well are not the device's
// fault.
func TestTheModelIsOdd(t *testing.T) {
	same := func(op *engine.Tensor, values []byte) {
		if op.Op == engine.OpLinear && op.Cols > 60 { // scores
			clear(values)
		}
	}
	device, bs := faultyDevice(t)
	device.Backend = &spoiled{device.Backend, same}
	bs[0], bs[1] = engine.NewGuard(bs[0]), &spoiled{bs[1], same}
	g, err := openGenerator(context.Background(), tinyChat(t), bs, GeneratorOptions{Prove: true})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	h := nineTokens(t, g, prompt11, ReplyOptions{})
	if h.err != nil || len(h.ids) != 9 || len(h.finished.Notices) != 1 || !strings.Contains(h.finished.Notices[0], "nothing but the number 0 with this model, and so does cpu") {
		t.Errorf("%v, %v, %+v", h.ids, h.err, h.finished)
	}
	if err := bs[0].(*engine.Guard).Failed(); err != nil {
		t.Errorf("the device is blamed: %v", err)
	}
}

// TestOverflow: if numbers are not finite because keys and values overflow in 16 bits,
// they are computed again with 32 bits, once.
func TestOverflow(t *testing.T) {
	want := nineTokens(t, openTiny(t, GeneratorOptions{Hold: Hold{KV: "f32"}}), prompt11, ReplyOptions{})
	at := 0
	for _, c := range []struct {
		room  int64
		wide  bool // overflows in 32 bits as well
		fails bool
	}{{0, false, false}, {1 << 40, false, false}, {10_000, false, true}, {0, true, true}} {
		at = 0
		bs := oneThread(t)
		bs[0] = &spoiled{bs[0], func(op *engine.Tensor, values []byte) {
			if op.Op != engine.OpCausalAttention {
				return
			}
			if at++; at > 6 && (c.wide || op.Src[3].DType == engine.F16) {
				putNaN(values)
			}
		}}
		room := int64(1) << 40
		g, err := openGenerator(context.Background(), tinyChat(t), bs, GeneratorOptions{Available: func() int64 { return room }})
		if err != nil {
			t.Fatal(err)
		}
		defer g.Close()
		room = c.room
		h := nineTokens(t, g, prompt11, ReplyOptions{})
		if c.fails {
			if h.err == nil || !strings.Contains(h.err.Error(), "its weights may be damaged") || h.finished.Notices != nil {
				t.Errorf("%+v: %v, %+v", c, h.err, h.finished)
			}
			continue
		}
		if h.err != nil || !slices.Equal(h.ids, want.ids) || len(h.finished.Notices) != 1 || !strings.Contains(h.finished.Notices[0], "now uses f32") {
			t.Errorf("%+v: %v instead of %v, %v, %+v", c, h.ids, want.ids, h.err, h.finished)
		}
		if h := nineTokens(t, g, prompt11, ReplyOptions{}); h.err != nil || h.finished.Notices != nil {
			t.Errorf("%+v, again: %v, %+v", c, h.err, h.finished)
		}
	}
}

// TestProof: a device that computes something else is not used for the model,
// one that rounds is.
func TestProof(t *testing.T) {
	for _, c := range []struct {
		factor float32
		good   bool
	}{{1, true}, {1.001, true}, {1.3, false}} {
		device, bs := faultyDevice(t)
		device.Backend = &spoiled{device.Backend, func(op *engine.Tensor, values []byte) {
			if op.Op == engine.OpLinear {
				for i := 0; i < len(values); i += 8 {
					v := math.Float32frombits(binary.NativeEndian.Uint32(values[i:]))
					binary.NativeEndian.PutUint32(values[i:], math.Float32bits(v*c.factor))
				}
			}
		}}
		bs[0] = engine.NewGuard(bs[0])
		e, err := OpenEmbedder(context.Background(), os.DirFS("testdata/mean-normalize"), bs, EmbedderOptions{Prove: true})
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		p := e.Info().Proof
		if p.Device != "gpu" || (p.Reason == "") != c.good || (p.Difference == 0) != (c.factor == 1) {
			t.Errorf("factor %v: %+v", c.factor, p)
		}
		r, err := e.Embed(context.Background(), []string{"tea"}, EmbedRequest{})
		if err != nil || (r.Device == "gpu") != c.good || (len(r.Notices) == 0) != c.good {
			t.Errorf("factor %v: on %s, told %q, %v", c.factor, r.Device, r.Notices, err)
		}
		if bs[0].(*engine.Guard).Failed() != nil {
			t.Error("the device is off for other models, too")
		}
	}
}
