package pipeline

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"inglenook/cudabackend/driver"
	"inglenook/engine"
)

// nineOf opens a model with random weights and lets it write nine tokens.
func nineOf(t *testing.T, family string, bs []engine.Backend) (ids []int32, info GeneratorInfo, told []string) {
	t.Helper()
	g, err := openGenerator(context.Background(), os.DirFS("../models/testdata/decoders/"+family), bs, GeneratorOptions{IDsOnly: true, Hold: Hold{KV: "f32", Context: 64}})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	info = g.Info()
	h := hear(t, g.CompleteIDs(context.Background(), prompt11, ReplyOptions{MaxTokens: 9, IgnoreEnd: true, Sampling: &Sampling{}}))
	if h.err != nil {
		t.Fatal(h.err)
	}
	return h.ids, info, append(slices.Clone(info.Notices), h.finished.Notices...)
}

// layersOnCard returns how many layers of a model the card would have, of how many; all of them
// if there is room for the whole model.
func layersOnCard(t *testing.T, family string, bs []engine.Backend) (has, of int) {
	t.Helper()
	x, err := OpenOutline(os.DirFS("../models/testdata/decoders/"+family), OutlineOptions{Hold: Hold{KV: "f32", Context: 64}})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	fit, err := x.On(bs, 0)
	if err != nil {
		t.Fatal(err)
	}
	on := map[string]int{}
	for _, p := range fit.Report.Placements {
		on[p.Device]++
		for _, r := range p.Refused {
			if _, err := fmt.Sscanf(r.Reason, "its memory has room for %d of %d layers", &has, &of); err != nil {
				t.Fatalf("the reason is %q", r.Reason)
			}
		}
	}
	switch {
	case on["cpu"] == 0:
		return 99, 99
	case on["cuda"] == 0:
		return 0, 99
	}
	return has, of
}

// TestLayersOnTheCPU: of a model that is larger than the card's memory the last layers run on
// the card, as many as it has room for, and the text is the CPU's. The prediction says so.
func TestLayersOnTheCPU(t *testing.T) {
	for family, layers := range map[string]int{"olmo3": 4, "gemma4-sharing": 5, "lfm2": 4} {
		t.Run(family, func(t *testing.T) {
			want, _, _ := nineOf(t, family, oneThread(t))
			f, bs := fakeCUDA(t)
			rooms := map[int]uint64{} // by the layers that have room
			for bytes, before := uint64(4<<20), 99; bytes > 16<<10; bytes -= 16 << 10 {
				f.Bytes = bytes
				has, _ := layersOnCard(t, family, bs)
				if has > before {
					t.Errorf("%d bytes have room for %d layers, and more for %d", bytes, has, before)
				}
				before, rooms[has] = has, bytes
			}
			if len(rooms) < layers {
				t.Errorf("there is room for %v", rooms)
			}
			for has, bytes := range rooms {
				f, bs := fakeCUDA(t) // which keeps nothing of what ran before
				f.Bytes = bytes
				got, info, told := nineOf(t, family, bs)
				if !slices.Equal(got, want) {
					t.Errorf("%d layers on the card: it writes %v, the CPU %v", has, got, want)
				}
				device, notices := "cpu+cuda", 0
				switch has {
				case 0:
					device, notices = "cpu", 1
				case 99:
					device = "cuda"
				}
				if info.Device != device || len(told) != notices {
					t.Errorf("%d layers on the card: it runs on %s, told %q", has, info.Device, told)
				}
				if notices > 0 && len(told) > 0 && (!strings.Contains(told[0], "the device cuda has no room for this model") || !strings.HasSuffix(told[0], "so cpu computes with it")) {
					t.Errorf("told %q", told)
				}
			}
		})
	}
}

// TestMemoryRefused: whichever piece of memory the card refuses, because another program took
// it in the meantime, the text goes on, and one sentence says how many layers the CPU has now.
func TestMemoryRefused(t *testing.T) {
	const family = "olmo3"
	want, _, _ := nineOf(t, family, oneThread(t))
	for after := 0; ; after += 3 {
		f, bs := fakeCUDA(t)
		f.Bytes = 1 << 30
		f.FailOnce("cuMemAlloc", driver.OutOfMemory, after)
		got, _, told := nineOf(t, family, bs)
		if !slices.Equal(got, want) {
			t.Errorf("after %d: it writes %v, the CPU %v", after, got, want)
		}
		if f.Calls("cuMemAlloc") <= after {
			if after < 20 {
				t.Errorf("only %d pieces of memory", after)
			}
			break
		}
		if len(told) != 1 || !strings.HasPrefix(told[0], "the device cuda has no room for so much of this model (the GPU refused") || !strings.HasSuffix(told[0], "so cpu computes 1 of its 4 layers") {
			t.Errorf("after %d: told %q", after, told)
		}
	}
	f, bs := fakeCUDA(t)
	f.Fail("cuMemAlloc", driver.OutOfMemory, 9, true)
	got, _, told := nineOf(t, family, bs)
	if !slices.Equal(got, want) || len(told) != 1 || !strings.HasSuffix(told[0], "so cpu computes with it") {
		t.Errorf("with no memory at all it writes %v, the CPU %v; told %q", got, want, told)
	}
}

// TestMemoryTaken: another program takes memory between two answers, so that the longer one
// does not find enough for all layers. It is the CPU's.
func TestMemoryTaken(t *testing.T) {
	const family = "olmo3"
	f, bs := fakeCUDA(t)
	f.Bytes = 1 << 30
	long := slices.Concat(prompt11, prompt11, prompt11, prompt11)
	open := func(bs []engine.Backend) *Generator {
		g, err := openGenerator(context.Background(), os.DirFS("../models/testdata/decoders/"+family), bs, GeneratorOptions{IDsOnly: true, Hold: Hold{KV: "f32", Context: 64}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { g.Close() })
		return g
	}
	write := func(g *Generator, prompt []int32) heard {
		h := hear(t, g.CompleteIDs(context.Background(), prompt, ReplyOptions{MaxTokens: 9, IgnoreEnd: true, Sampling: &Sampling{}}))
		if h.err != nil {
			t.Fatal(h.err)
		}
		return h
	}
	g, cpu := open(bs), open(oneThread(t))
	if h := write(g, prompt11); h.finished.Device != "cuda" {
		t.Fatalf("it runs on %s", h.finished.Device)
	}
	other, empty := fakeCUDA(t)
	for other.Bytes = 4 << 20; ; other.Bytes -= 8 << 10 {
		if has, _ := layersOnCard(t, family, empty); has < 3 {
			break
		}
	}
	f.Bytes = other.Bytes
	f.FailOnce("cuMemAlloc", driver.OutOfMemory, 0)
	got, want := write(g, long), write(cpu, long)
	if !slices.Equal(got.ids, want.ids) || got.finished.Device == "cuda" {
		t.Errorf("on %s it writes %v, the CPU %v", got.finished.Device, got.ids, want.ids)
	}
	if n := got.finished.Notices; len(n) != 1 || !strings.HasPrefix(n[0], "the device cuda has no room for ") {
		t.Errorf("told %q", n)
	}
}
