package cudabackend

import (
	"testing"
	"unsafe"

	"inglenook/cudabackend/driver"
	"inglenook/cudabackend/fake"
	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// BenchmarkHost measures what the host does for a token, from recording to the last
// launch, over a driver that does nothing.
func BenchmarkHost(b *testing.B) {
	backend, err := New(Options{Driver: idle(), Compile: fake.Compile})
	if err != nil {
		b.Fatal(err)
	}
	defer backend.Close()
	l := enginetest.Decoder{Layers: 22, Hidden: 256, Heads: 32, KVHeads: 4, Inner: 512, Vocab: 96, Weights: engine.F16, Cache: engine.F16, Capacity: 1024, Last: true, Repeat: true}.Load()
	defer l.Release()
	g := engine.NewGraph()
	defer g.Close()
	for b.Loop() {
		g.Reset()
		l.Pass(g, 128, l.IDs(128, 1)...)
		if _, err := g.Run(b.Context(), backend); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkHostTexts measures the same for a pass of an encoder over 132 texts.
func BenchmarkHostTexts(b *testing.B) {
	backend, err := New(Options{Driver: idle(), Compile: fake.Compile})
	if err != nil {
		b.Fatal(err)
	}
	defer backend.Close()
	e := newEncoder(engine.F16)
	ids, starts := texts(132, 128)
	g := engine.NewGraph()
	defer g.Close()
	g.Rounds = true
	for b.Loop() {
		g.Reset()
		e.pass(g, ids, starts)
		if _, err := g.Run(b.Context(), backend); err != nil {
			b.Fatal(err)
		}
	}
}

// idle returns a driver of a card on which nothing happens.
func idle() *driver.API {
	next := uintptr(1 << 20)
	handle := func(h *uintptr) int32 { next += 1 << 20; *h = next; return 0 }
	one := func(uintptr) int32 { return 0 }
	return &driver.API{
		Init: func(uint32) int32 { return 0 }, DriverVersion: func(*int32) int32 { return 0 }, DeviceCount: func(n *int32) int32 { *n = 1; return 0 },
		DeviceGet: func(*int32, int32) int32 { return 0 }, DeviceName: func(*byte, int32, int32) int32 { return 0 },
		DeviceMemory: func(n *uint64, _ int32) int32 { *n = 8 << 30; return 0 },
		Attribute: func(v *int32, attribute, _ int32) int32 {
			*v = map[int32]int32{driver.Processors: 132, driver.Major: 9}[attribute]
			return 0
		},
		RetainContext: func(c *uintptr, _ int32) int32 { return handle(c) }, ReleaseContext: func(int32) int32 { return 0 }, SetContext: one,
		LoadModule: func(m *uintptr, _ *byte) int32 { return handle(m) }, UnloadModule: one,
		GetFunction:  func(f *uintptr, _ uintptr, _ string) int32 { return handle(f) },
		SetAttribute: func(uintptr, int32, int32) int32 { return 0 },
		Alloc:        func(a *uintptr, _ uint64) int32 { return handle(a) }, Free: one,
		QueueToCard: func(uintptr, *byte, uint64, uintptr) int32 { return 0 }, QueueToHost: func(*byte, uintptr, uint64, uintptr) int32 { return 0 },
		AllocHost: func(**byte, uint64) int32 { return driver.OutOfMemory },
		QueueFill: func(uintptr, byte, uint64, uintptr) int32 { return 0 },
		NewStream: func(s *uintptr, _ uint32) int32 { return handle(s) }, CloseStream: one, FinishStream: one,
		NewEvent: func(e *uintptr, _ uint32) int32 { return handle(e) }, DestroyEvent: one, Record: func(uintptr, uintptr) int32 { return 0 }, QueryEvent: one,
		Launch:       func(*driver.Launch, uintptr, *unsafe.Pointer, uintptr) int32 { return 0 },
		BeginCapture: func(uintptr, int32) int32 { return 0 }, EndCapture: func(_ uintptr, g *uintptr) int32 { return handle(g) },
		Instantiate: func(r *uintptr, _ uintptr, _ uint64) int32 { return handle(r) }, Run: func(uintptr, uintptr) int32 { return 0 },
		DestroyGraph: one, DestroyRun: one,
	}
}
