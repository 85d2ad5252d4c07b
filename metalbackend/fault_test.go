package metalbackend

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu"
	"inglenook/metalbackend/fake"
)

// chain records n additions, one after the other.
func chain(g *engine.Graph, n int) *engine.Tensor {
	g.Reset()
	x := g.Floats("x", 4, make([]float32, 4*32))
	for range n {
		x = g.Add(x, x)
	}
	return g.Want(x)
}

// faulty makes a backend whose fake allows leaks, because work that hangs is never
// released.
func faulty(t *testing.T, o Options) (*Backend, *fake.Fake, *engine.Graph) {
	t.Helper()
	rt, err := fake.New(fake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(rt, o)
	if err != nil {
		t.Fatal(err)
	}
	g := engine.NewGraph()
	t.Cleanup(func() {
		if err := errors.Join(g.Close(), b.Close()); err != nil {
			t.Error(err)
		}
	})
	return b, rt, g
}

// A command buffer that fails ends all work on the device: its run fails with Metal's
// reason, and so does everything after it.
func TestFailedCommandBuffer(t *testing.T) {
	for _, n := range []int{1, 2} {
		b, rt, g := faulty(t, Options{})
		rt.Inject(fake.Fault{Kind: fake.FailCommand, At: n, Code: fake.CodePageFault})
		var err error
		for range n {
			if err != nil {
				t.Fatalf("run before the fault: %v", err)
			}
			chain(g, 3)
			_, err = g.Run(t.Context(), b)
		}
		var failure *GPUError
		if !errors.As(err, &failure) || failure.Code != fake.CodePageFault || !strings.Contains(err.Error(), "the GPU failed: Caused GPU Address Fault Error (code 3)") {
			t.Errorf("the error is %v", err)
		}
		var device *engine.DeviceError
		if !errors.As(err, &device) || device.Device != "metal" {
			t.Errorf("the error does not name the device: %v", err)
		}
		if _, again := g.Run(t.Context(), b); !errors.As(again, &failure) {
			t.Errorf("the next run gives %v", again)
		}
		if _, err := b.Alloc(64); !errors.As(err, &failure) {
			t.Errorf("Alloc gives %v", err)
		}
		w := enginetest.RandomWeight("w", engine.F32, 1, 32, 1, 1)
		g.Reset()
		if err := b.Prepare(t.Context(), g.RMSNorm(g.Floats("x", 1, make([]float32, 32)), w, engine.RMSNormParams{})); !errors.As(err, &failure) {
			t.Errorf("Prepare gives %v", err)
		}
	}
}

// A command buffer that ends for lack of memory fails the work on its arena, once, also
// where each operation is timed. Who waits for another arena does not hear of it, and the
// GPU works on.
func TestOutOfMemoryIsOfOneArena(t *testing.T) {
	b, rt, g := faulty(t, Options{})
	chain(g, 3)
	var arenas [2]engine.Buffer
	for i := range arenas {
		var err error
		if arenas[i], err = b.Alloc(1 << 16); err != nil {
			t.Fatal(err)
		}
	}
	submit := func(arena engine.Buffer) {
		t.Helper()
		if err := b.Submit(t.Context(), arena, g.Ops()); err != nil {
			t.Fatal(err)
		}
	}
	lacks := func(err error) bool {
		var full *engine.NoRoomError
		return errors.As(err, &full) && full.Device == "metal" && err.Error() == "the GPU ran out of memory: Insufficient Memory (code 8)"
	}
	rt.Inject(fake.Fault{Kind: fake.FailCommand, At: 1, Code: fake.CodeOutOfMemory})
	submit(arenas[0])
	submit(arenas[1])
	if err := b.Wait(t.Context(), arenas[1]); err != nil {
		t.Errorf("the arena that had its memory: %v", err)
	}
	if err := b.Wait(t.Context(), arenas[0]); !lacks(err) {
		t.Errorf("the arena that lacked it: %v", err)
	}
	if err := b.Wait(t.Context(), arenas[0]); err != nil {
		t.Errorf("the error comes twice: %v", err)
	}
	rt.Inject(fake.Fault{Kind: fake.FailCommand, At: 2, Code: fake.CodeOutOfMemory})
	if err := b.Submit(engine.Timed(t.Context()), arenas[0], g.Ops()); !lacks(err) {
		t.Errorf("timed: %v", err)
	}
	if _, err := g.Run(t.Context(), b); err != nil || b.Failed() != nil {
		t.Errorf("the next run: %v; the device: %v", err, b.Failed())
	}
	if err := errors.Join(arenas[0].Close(), arenas[1].Close()); err != nil {
		t.Error(err)
	}
}

// A pass that another program's work broke off runs again. A GPU on which that does not
// end has failed.
func TestVictimRunsAgain(t *testing.T) {
	b, rt, g := faulty(t, Options{})
	chain(g, 3)
	rt.Inject(fake.Fault{Kind: fake.FailCommand, At: 1, Code: fake.CodeVictim})
	if _, err := g.Run(t.Context(), b); err != nil || rt.Pending() > 0 || rt.Stats().Commands != 2 {
		t.Errorf("%v, %d faults to come, %d command buffers", err, rt.Pending(), rt.Stats().Commands)
	}
	rt.Inject(fake.Fault{Kind: fake.FailCommand, At: 1, Code: fake.CodeVictim, Lasting: true})
	var device *engine.DeviceError
	if _, err := g.Run(t.Context(), b); !errors.As(err, &device) || device.Device != "metal" {
		t.Errorf("a GPU that drops everything: %v", err)
	}
}

// A GPU that never answers is abandoned, and Close does not wait for it.
func TestWatchdog(t *testing.T) {
	b, rt, g := faulty(t, Options{Timeout: 50 * time.Millisecond})
	rt.Inject(fake.Fault{Kind: fake.Hang, At: 1})
	chain(g, 3)
	_, err := g.Run(t.Context(), b)
	var failure *GPUError
	if !errors.As(err, &failure) || !strings.Contains(err.Error(), "has not answered for 50ms") {
		t.Errorf("the error is %v", err)
	}
}

// A GPU with a clock of its own is given the time that this shows, within a limit.
func TestWatchdogWithAClock(t *testing.T) {
	lost := func(each time.Duration) (asked int) {
		now := time.Duration(0)
		b, rt, g := faulty(t, Options{Timeout: 5 * time.Millisecond, Clock: func() time.Duration {
			asked++
			now += each
			return now
		}})
		rt.Inject(fake.Fault{Kind: fake.Hang, At: 1})
		chain(g, 3)
		_, err := g.Run(t.Context(), b)
		var failure *GPUError
		if !errors.As(err, &failure) || !strings.Contains(err.Error(), "has not answered for 5ms") {
			t.Errorf("the error is %v", err)
		}
		return asked
	}
	for _, c := range []struct {
		each time.Duration
		want int // how often the clock is read for a command buffer
	}{{5 * time.Millisecond, 2}, {time.Millisecond, 6}, {0, mostTimeouts}} {
		if got := lost(c.each); got != c.want {
			t.Errorf("a clock that goes %v while 5 ms pass is read %d times, want %d", c.each, got, c.want)
		}
	}
}

// The end of a context is noticed while the GPU does not answer, long before the GPU is
// abandoned.
func TestWaitHonoursContext(t *testing.T) {
	b, rt, g := faulty(t, Options{Timeout: time.Hour})
	rt.Inject(fake.Fault{Kind: fake.Hang, At: 1})
	chain(g, 1)
	arena, err := b.Alloc(1 << 16)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Submit(t.Context(), arena, g.Ops()); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if err := b.Wait(ctx, arena); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if err := rt.Close(); err != nil { // ends what hangs
		t.Error(err)
	}
	var failure *GPUError
	if err := b.Wait(t.Context(), arena); !errors.As(err, &failure) {
		t.Errorf("then the error is %v", err)
	}
}

// Long work is sent in several command buffers. Once the context ends, no more are sent.
func TestLongWorkIsCut(t *testing.T) {
	b, rt, g := faulty(t, Options{Rate: 1e6})
	w := enginetest.RandomWeight("w", engine.F32, 32, 32, 1, 1)
	x := g.Floats("x", 16, make([]float32, 16*32)) // 32768 multiply-adds, 81920 for reading the weight
	for range 40 {
		x = g.Linear(x, w, nil, engine.None)
	}
	g.Want(x)
	defer w.Release()
	if _, err := g.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if n := rt.Stats().Commands; n != 40 {
		t.Errorf("40 products of more work than a command buffer should have are cut into %d", n)
	}
	b.pace = gpu.NewPace(1e6) // it has measured how fast empty work is
	rt.Inject(fake.Fault{Kind: fake.Hang, At: 5})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	arena, err := b.Alloc(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	before := rt.Stats().Commands
	if err := b.Submit(ctx, arena, g.Ops()); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
	if n := rt.Stats().Commands - before; n > 6 {
		t.Errorf("%d command buffers were committed", n)
	}
	rt.Close()
}

func TestEndedContext(t *testing.T) {
	b, rt, g := faulty(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	chain(g, 3)
	if _, err := g.Run(ctx, b); !errors.Is(err, context.Canceled) {
		t.Errorf("Run gives %v", err)
	}
	g.Reset()
	w := enginetest.RandomWeight("w", engine.F32, 1, 32, 1, 1)
	norm := g.RMSNorm(g.Floats("x", 1, make([]float32, 32)), w, engine.RMSNormParams{})
	if err := b.Prepare(ctx, norm); !errors.Is(err, context.Canceled) {
		t.Errorf("Prepare gives %v", err)
	}
	chain(g, 3)
	if _, err := g.Run(t.Context(), b); err != nil {
		t.Errorf("the run after it: %v", err)
	}
	if p := rt.Problems(); len(p) > 0 {
		t.Error(p)
	}
}

// A refused buffer is an error with a size, and the device keeps working.
func TestRefusedMemory(t *testing.T) {
	b, rt, g := faulty(t, Options{})
	for range 2 { // the arena, then a weight
		rt.Inject(fake.Fault{Kind: fake.RefuseBuffer, At: 1})
		w := enginetest.RandomWeight("w", engine.F32, 32, 32, 1, 1)
		g.Reset()
		g.Want(g.Linear(g.Floats("x", 1, make([]float32, 32)), w, nil, engine.None))
		_, err := g.Run(t.Context(), b)
		if err == nil || !strings.Contains(err.Error(), "the GPU refused") {
			t.Errorf("the error is %v", err)
		}
		if _, err := g.Run(t.Context(), b); err != nil {
			t.Errorf("the run after it: %v", err)
		}
		w.Release()
	}
}

// An unreadable weight is not the device's fault.
func TestUnreadableWeight(t *testing.T) {
	b, _, g := faulty(t, Options{})
	w := engine.NewWeight("w", engine.F32, 32, 32, strings.NewReader("short"))
	g.Want(g.Linear(g.Floats("x", 1, make([]float32, 32)), w, nil, engine.None))
	_, err := g.Run(t.Context(), b)
	var unread *engine.WeightError
	var device *engine.DeviceError
	if !errors.As(err, &unread) || errors.As(err, &device) {
		t.Errorf("the error is %v", err)
	}
}

func TestForeignMemory(t *testing.T) {
	b, _, g := faulty(t, Options{})
	other, _, _ := faulty(t, Options{})
	chain(g, 1)
	arena, err := other.Alloc(1 << 16)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Submit(t.Context(), arena, g.Ops()); err == nil || !strings.Contains(err.Error(), "another backend") {
		t.Errorf("the error is %v", err)
	}
}

func TestClosed(t *testing.T) {
	b, _, g := faulty(t, Options{})
	chain(g, 1)
	if _, err := g.Run(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := g.Run(t.Context(), b); !errors.Is(err, errClosed) {
		t.Errorf("Run gives %v", err)
	}
	if _, err := b.Alloc(64); !errors.Is(err, errClosed) {
		t.Errorf("Alloc gives %v", err)
	}
}

// lacking is the emulator without one kernel, as if it were older than the kernels.
type lacking struct {
	fake.Executor
	kernel string
}

func (l lacking) Has(kernel string) error {
	if kernel == l.kernel {
		return errors.New("no kernel " + kernel)
	}
	return l.Executor.Has(kernel)
}

// A kernel that the device's library lacks fails the operations that need it, and no
// others.
func TestMissingKernel(t *testing.T) {
	b, _ := open(t, fake.Options{Executor: lacking{emulate(t), "scale"}}, Options{})
	g := engine.NewGraph()
	defer release(t, g)
	x := g.Floats("x", 2, []float32{1, 2, 3, 4})
	g.Want(g.Scale(x, 2))
	if _, err := g.Run(t.Context(), b); err == nil || !strings.Contains(err.Error(), "no kernel scale") {
		t.Errorf("the error is %v", err)
	}
	g.Reset()
	x = g.Floats("x", 2, []float32{1, 2, 3, 4})
	if got := results(t, g, b, g.Want(g.Add(x, x))); !slices.Equal(got, []float32{2, 4, 6, 8}) {
		t.Errorf("the next run gives %v", got)
	}
}

// A model that the GPU has no memory for is not the device's failure: what is there
// goes on.
func TestNoRoomIsNoFailure(t *testing.T) {
	rt, err := fake.New(fake.Options{Memory: 600 << 20, LongestBuffer: 4 << 30})
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(rt, Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, err := b.newMemory("the first model", 400<<20) // never touched
	if err != nil {
		t.Fatal(err)
	}
	g := engine.NewGraph()
	w := engine.NewWeight("w", engine.F32, 10<<10, 10<<10, strings.NewReader("never read"))
	g.Want(g.Linear(g.Floats("x", 1, make([]float32, 10<<10)), w, nil, engine.None))
	_, err = g.Run(t.Context(), b)
	var full *engine.NoRoomError
	var failed *engine.DeviceError
	if !errors.As(err, &full) || full.Device != "metal" || errors.As(err, &failed) || !strings.Contains(err.Error(), "it can work with 600 MB") {
		t.Errorf("the error is %#v: %v", err, err)
	}
	chain(g, 2)
	if _, err := g.Run(t.Context(), b); err != nil {
		t.Errorf("what the GPU has room for: %v", err)
	}
	if err := errors.Join(first.Close(), w.Release(), g.Close(), b.Close()); err != nil {
		t.Error(err)
	}
}
