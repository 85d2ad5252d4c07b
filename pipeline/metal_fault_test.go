package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/gpu/emulator"
	"inglenook/metalbackend/emulated"
	"inglenook/metalbackend/fake"
	"inglenook/pipeline/placement"
)

// emulatedMetal is the whole Metal backend over an emulated GPU that can be made to fail,
// with the CPU as its fallback.
func emulatedMetal(t *testing.T) (*fake.Fake, []engine.Backend) {
	t.Helper()
	return emulatedGPU(t, fake.Options{})
}

// emulatedGPU is emulatedMetal with a GPU of some kind.
func emulatedGPU(t *testing.T, gpu fake.Options) (*fake.Fake, []engine.Backend) {
	t.Helper()
	b, rt, err := emulated.Runtime(emulated.Options{Device: gpu})
	if errors.Is(err, emulator.ErrMissing) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return rt, append([]engine.Backend{engine.NewGuard(b)}, oneThread(t)...)
}

// gpuFaults are the ways in which the emulated GPU can fail. A GPU that computes wrong
// numbers keeps doing so: a single wrong number in the middle could not be noticed.
var gpuFaults = map[string]fake.Fault{
	"memory refused":     {Kind: fake.RefuseBuffer, At: 1, Lasting: true},
	"out of memory":      {Kind: fake.FailCommand, At: 1, Code: fake.CodeOutOfMemory},
	"timeout":            {Kind: fake.FailCommand, At: 1, Code: fake.CodeTimeout},
	"address fault":      {Kind: fake.FailCommand, At: 1, Code: fake.CodePageFault},
	"submission ignored": {Kind: fake.FailCommand, At: 1, Code: fake.CodeAccessRevoked},
	"device removed":     {Kind: fake.FailCommand, At: 1, Code: fake.CodeDeviceRemoved},
	"zeros":              {Kind: fake.WriteZeros, At: 1, Lasting: true},
	"NaN":                {Kind: fake.WriteNaN, At: 3},
}

// checkOthers requires that other models have the GPU after a fault that concerns one:
// memory was short.
func checkOthers(t *testing.T, gpu engine.Backend, fault fake.Fault) {
	t.Helper()
	memory := fault.Kind == fake.RefuseBuffer || fault.Code == fake.CodeOutOfMemory
	if err := gpu.(*engine.Guard).Failed(); memory && err != nil {
		t.Errorf("the device counts as failed: %v", err)
	}
}

// TestMetalFaults: if a GPU fails, the answer continues like the CPU's after the same
// tokens, and one sentence reports it.
func TestMetalFaults(t *testing.T) {
	for name, fault := range gpuFaults {
		for _, moment := range []string{"load", "prompt", "first token", "fifth token", "next answer"} {
			if fault.Kind == fake.RefuseBuffer && moment != "load" {
				continue // an answer needs no new buffer
			}
			t.Run(fmt.Sprintf("%s, %s", name, moment), func(t *testing.T) { metalFault(t, fault, moment) })
		}
	}
}

func metalFault(t *testing.T, fault fake.Fault, moment string) {
	rt, bs := emulatedMetal(t)
	answersGoOn(t, bs, moment, func() { rt.Inject(fault) })
	checkOthers(t, bs[0], fault)
}

// answersGoOn requires that two answers have the CPU's tokens although the first of the
// devices fails at a moment, and that one sentence tells it.
func answersGoOn(t *testing.T, bs []engine.Backend, moment string, fail func()) {
	t.Helper()
	now := func(m string) {
		if m == moment {
			moment = ""
			fail()
		}
	}
	now("load")
	o := GeneratorOptions{ChunkTokens: 4, Prove: moment == "", Hold: Hold{KV: "f32"}}
	g, err := openGenerator(context.Background(), tinyChat(t), bs, o)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	told := g.Info().Notices
	ids := slices.Clone(prompt11)
	for _, answer := range []string{"first answer", "next answer"} {
		now(answer)
		made, start := 0, len(ids)
		for token, err := range g.CompleteIDs(context.Background(), ids, ReplyOptions{
			MaxTokens: 9, IgnoreEnd: true, Sampling: &Sampling{}, Progress: func(int, int) { now("prompt") },
		}) {
			if err != nil {
				t.Fatal(err)
			}
			if token.Notice != "" {
				told = append(told, token.Notice)
			}
			ids = append(ids, token.ID)
			switch made++; made {
			case 1:
				now("first token")
			case 5:
				now("fifth token")
			}
		}
		cpu := openTiny(t, GeneratorOptions{ChunkTokens: 4, Hold: Hold{KV: "f32"}})
		for i := start; i < len(ids); i++ { // forced through the same tokens
			h := hear(t, cpu.CompleteIDs(context.Background(), ids[:i], ReplyOptions{MaxTokens: 1, IgnoreEnd: true, Sampling: &Sampling{}}))
			if h.err != nil || h.ids[0] != ids[i] {
				t.Errorf("%s: token %d is %d, the CPU's %v, %v", answer, i-start, ids[i], h.ids, h.err)
			}
		}
	}
	if len(told) != 1 || !strings.Contains(told[0], "the device "+bs[0].Device().ID+" ") {
		t.Errorf("told %q", told)
	}
	if h := nineTokens(t, g, ids[:20], ReplyOptions{}); h.finished.Device != "cpu" || h.finished.Notices != nil {
		t.Errorf("afterwards on %s, told %q", h.finished.Device, h.finished.Notices)
	}
}

// TestMetalFaultsInVectors: if the GPU fails, vectors and scores are the CPU's.
func TestMetalFaultsInVectors(t *testing.T) {
	texts := []string{"the cat sleeps on the warm stone", "tea"}
	for name, fault := range gpuFaults {
		for _, loading := range []bool{true, false} {
			if fault.Kind == fake.RefuseBuffer && !loading {
				continue
			}
			t.Run(fmt.Sprintf("%s, loading %v", name, loading), func(t *testing.T) {
				rt, bs := emulatedMetal(t)
				if loading {
					rt.Inject(fault)
				}
				e, err := openEmbedder(context.Background(), os.DirFS("testdata/mean-normalize"), bs, EmbedderOptions{Prove: loading})
				if err != nil {
					t.Fatal(err)
				}
				defer e.Close()
				r, err := OpenReranker(context.Background(), os.DirFS("testdata/rerank-bert"), bs, RerankerOptions{})
				if err != nil {
					t.Fatal(err)
				}
				defer r.Close()
				if !loading {
					rt.Inject(fault)
				}
				check := func() ([][]float32, []float32, []string) {
					got, err := e.Embed(context.Background(), texts, EmbedRequest{})
					if err != nil {
						t.Fatal(err)
					}
					s, err := r.Score(context.Background(), "who sleeps ?", texts, RerankRequest{})
					if err != nil {
						t.Fatal(err)
					}
					return got.Vectors, s.Values, append(got.Notices, s.Notices...)
				}
				vectors, scores, told := check()
				checkOthers(t, bs[0], fault)
				e.enc.on, r.(*reranker).enc.on = placement.NewList(oneThread(t), nil), placement.NewList(oneThread(t), nil)
				wantVectors, wantScores, _ := check()
				for i, v := range vectors {
					if d := apart(v, wantVectors[i]); !(d <= 1e-3) {
						t.Errorf("vector %d is %.2g apart", i, d)
					}
				}
				if d := apart(scores, wantScores); !(d <= 1e-3) {
					t.Errorf("scores are %.2g apart", d)
				}
				if len(told) == 0 || len(told) > 2 { // one for each model that saw it
					t.Errorf("told %q", told)
				}
			})
		}
	}
}

// TestRefusedMemoryLeavesTheDevice: a model that a GPU has no memory for runs on the CPU, with
// one sentence. The GPU works on for the model that it has, and for the next one.
func TestRefusedMemoryLeavesTheDevice(t *testing.T) {
	rt, bs := emulatedMetal(t)
	open := func() *Generator {
		t.Helper()
		g, err := openGenerator(context.Background(), tinyChat(t), bs, GeneratorOptions{ChunkTokens: 4, Hold: Hold{KV: "f32"}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { g.Close() })
		return g
	}
	runsOn := func(g *Generator, device string) {
		t.Helper()
		if h := nineTokens(t, g, prompt11, ReplyOptions{}); h.finished.Device != device {
			t.Errorf("it ran on %s, not on %s; told %q", h.finished.Device, device, h.finished.Notices)
		}
	}
	first := open()
	rt.Inject(fake.Fault{Kind: fake.RefuseBuffer, At: 3})
	second := open()
	told := second.Info().Notices
	if len(told) != 1 || !strings.Contains(told[0], "has no room for this model") || !strings.HasSuffix(told[0], "so cpu computes with it") {
		t.Errorf("told %q", told)
	}
	if err := bs[0].(*engine.Guard).Failed(); err != nil {
		t.Errorf("the device counts as failed: %v", err)
	}
	runsOn(second, "cpu")
	runsOn(first, "metal-emulated")
	runsOn(open(), "metal-emulated")
}
