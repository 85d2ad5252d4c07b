package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"inglenook/engine"
	"inglenook/pipeline/decoding"
)

// goesOn writes what first has read and written to a file. Then it continues with first,
// with a model that restores the file, and with one that reads everything again. All must
// write the same tokens with the same scores.
//
// A GPU computes a prompt in another way than a token, and so does a processor with tiles. There,
// reading again gives only nearly the same scores.
func goesOn(t *testing.T, open func() *Generator, prompt []int32, exactly bool) {
	t.Helper()
	ctx := context.Background()
	first := open()
	how := ReplyOptions{Sampling: &Sampling{}, IgnoreEnd: true, MaxTokens: 20}
	a := hear(t, first.CompleteIDs(ctx, prompt, how))
	if a.err != nil {
		t.Fatal(a.err)
	}
	held := first.Held(context.Background())
	if all := slices.Concat(prompt, a.ids); !slices.Equal(held, all[:len(held)]) || len(held) < len(prompt) {
		t.Fatalf("%v is held of %v", held, all)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "prefix"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if err := first.KeepPrefix(ended, f, "model", held); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context ended: %v", err)
	} else if info, err := f.Stat(); err != nil || info.Size() > 0 {
		t.Errorf("after its context ended %d bytes are written, %v", info.Size(), err)
	}
	if err := first.KeepPrefix(ctx, f, "model", held); err != nil {
		t.Fatal(err)
	}
	longer := append(slices.Concat(prompt, a.ids), 5, 6, 7)
	answer := func(g *Generator, p *decoding.Prefix) (heard, []float32) {
		how := how
		how.Prefix = p
		h := hear(t, g.CompleteIDs(ctx, longer, how))
		if h.err != nil {
			t.Fatal(h.err)
		}
		scores, err := g.seats.all[0].history.Next(ctx, 9)
		if err != nil {
			t.Fatal(err)
		}
		return h, slices.Clone(scores)
	}
	want, scores := answer(first, nil)
	for name, from := range map[string]*decoding.Prefix{
		"taken up":    {From: f, Stamp: "model", Ignored: func(err error) { t.Errorf("ignored: %v", err) }},
		"read anew":   nil,
		"not its own": {From: f, Stamp: "another"},
	} {
		g := open()
		got, its := answer(g, from)
		far := apart(its, scores)
		if same := slices.Equal(its, scores); !slices.Equal(got.ids, want.ids) || !same && (exactly || from != nil && from.Stamp == "model") || !(far < 1e-4) {
			t.Errorf("%s: it goes on with %v, want %v (%.2g apart)", name, got.ids, want.ids, far)
		}
		took := 0
		if name == "taken up" {
			took = len(held)
		}
		if s := got.started; s.Recalled != took || s.Reused != took {
			t.Errorf("%s: %d of %d ids recalled, %d reused; the file holds %d", name, s.Recalled, len(longer), s.Reused, len(held))
		}
	}
}

func TestPrefixOfAModel(t *testing.T) {
	ids := make([]int32, 0, 300)
	for i := range cap(ids) {
		ids = append(ids, int32(i*37%64))
	}
	for _, kv := range []string{"f32", "f16", "q8_0"} {
		t.Run("small, "+kv, func(t *testing.T) {
			goesOn(t, func() *Generator { return openTiny(t, GeneratorOptions{ChunkTokens: 16, Hold: Hold{KV: kv}}) }, ids[:19], true)
		})
		for _, n := range []int{31, 300} {
			t.Run(fmt.Sprintf("real, %s, %d", kv, n), func(t *testing.T) {
				open := func() *Generator { return openStories(t, GeneratorOptions{Hold: Hold{KV: kv}}) }
				goesOn(t, open, ids[:n], !inTiles(t))
			})
		}
	}
}

// inTiles reports whether this processor has tiles, which are used from 32 rows on.
func inTiles(t *testing.T) bool {
	return slices.Contains(oneThread(t)[0].Device().Features, "amx")
}

// openFamily opens a tiny model of models/testdata.
func openFamily(t *testing.T, family string, bs []engine.Backend) *Generator {
	t.Helper()
	g, err := openGenerator(context.Background(), os.DirFS("../models/testdata/decoders/"+family), bs, GeneratorOptions{IDsOnly: true, ChunkTokens: 16})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	})
	return g
}

// recurrentFamilies have states besides keys and values.
var recurrentFamilies = []string{"qwen3_5", "qwen3_5-moe", "lfm2", "lfm2-moe"}

func TestPrefixOfStates(t *testing.T) {
	for _, family := range recurrentFamilies {
		for _, n := range []int{1, 8, 9, 31} {
			t.Run(fmt.Sprint(family, " ", n), func(t *testing.T) {
				goesOn(t, func() *Generator { return openFamily(t, family, oneThread(t)) }, quoting(n, 64)[:n], false)
			})
		}
		t.Run(family+" on a GPU", func(t *testing.T) {
			_, bs := emulatedMetal(t)
			goesOn(t, func() *Generator { return openFamily(t, family, bs) }, quoting(19, 64)[:19], false)
		})
	}
}

// TestPrefixOfAnotherAnswer: after a restart, another answer to the same prompt goes on from
// the state before the prompt's end, and another prompt that begins alike reads as much as
// it must.
func TestPrefixOfAnotherAnswer(t *testing.T) {
	ctx := t.Context()
	f, err := os.Create(filepath.Join(t.TempDir(), "prefix"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	prompt := quoting(30, 64)[:30]
	how := ReplyOptions{Sampling: &Sampling{}, IgnoreEnd: true, MaxTokens: 12}
	first := openFamily(t, "qwen3_5", oneThread(t))
	want := hear(t, first.CompleteIDs(ctx, prompt, how))
	if err := first.KeepPrefix(ctx, f, "model", first.Held(ctx)); err != nil {
		t.Fatal(err)
	}
	how.Prefix = &decoding.Prefix{From: f, Stamp: "model", Ignored: func(err error) { t.Error(err) }}
	again := openFamily(t, "qwen3_5", oneThread(t))
	got := hear(t, again.CompleteIDs(ctx, prompt, how))
	if !slices.Equal(got.ids, want.ids) || got.started.Recalled != 22 {
		t.Errorf("%v after %d recalled, want %v after 22", got.ids, got.started.Recalled, want.ids)
	}
	other := slices.Clone(prompt)
	other[25] = other[25]%60 + 1
	branch := openFamily(t, "qwen3_5", oneThread(t))
	recalled := hear(t, branch.CompleteIDs(ctx, other, how))
	anew := hear(t, openFamily(t, "qwen3_5", oneThread(t)).CompleteIDs(ctx, other, ReplyOptions{Sampling: &Sampling{}, IgnoreEnd: true, MaxTokens: 12}))
	if !slices.Equal(recalled.ids, anew.ids) || recalled.started.Recalled != 22 {
		t.Errorf("another prompt: %v after %d recalled, want %v after 22", recalled.ids, recalled.started.Recalled, anew.ids)
	}
	// The file follows the other conversation, and is good for the model that had the first.
	if err := branch.KeepPrefix(ctx, f, "model", branch.Held(ctx)); err != nil {
		t.Fatal(err)
	}
	longer := append(slices.Concat(other, recalled.ids), 3, 4)
	end := hear(t, first.CompleteIDs(ctx, longer, how))
	fresh := hear(t, openFamily(t, "qwen3_5", oneThread(t)).CompleteIDs(ctx, longer, ReplyOptions{Sampling: &Sampling{}, IgnoreEnd: true, MaxTokens: 12}))
	if !slices.Equal(end.ids, fresh.ids) || end.started.Recalled == 0 {
		t.Errorf("the first model goes on with %v after %d recalled, want %v", end.ids, end.started.Recalled, fresh.ids)
	}
}

func TestPrefixOfAGPU(t *testing.T) {
	_, bs := emulatedMetal(t)
	goesOn(t, func() *Generator {
		g, err := openGenerator(context.Background(), tinyChat(t), bs, GeneratorOptions{ChunkTokens: 16})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { g.Close() })
		return g
	}, prompt11, false)
}

// The cache of one device or type is not restored on another.
func TestPrefixOfAnotherForm(t *testing.T) {
	forms := map[string]string{}
	for _, o := range []GeneratorOptions{{Hold: Hold{KV: "f32"}}, {Hold: Hold{KV: "f16"}}} {
		m, err := openTiny(t, o).seats.all[0].history.Model.(decoding.BlockKeeper).Blocks()
		if err != nil {
			t.Fatal(err)
		}
		form, bytes, count := m.Size()
		forms[form] = o.KV
		if bytes <= 0 || count < 1 {
			t.Errorf("%d blocks of %d bytes", count, bytes)
		}
		for _, bad := range []struct{ block, bytes int }{{-1, bytes}, {count, bytes}, {0, bytes - 1}} {
			if m.Read(bad.block, make([]byte, bad.bytes)) == nil || m.Write(bad.block, make([]byte, bad.bytes)) == nil {
				t.Errorf("%+v was copied", bad)
			}
		}
	}
	if len(forms) != 2 {
		t.Errorf("forms %v", forms)
	}
	g := engine.NewGraph()
	defer g.Close()
	if _, err := g.CacheBlocks(); err == nil {
		t.Error("no devices, no error")
	}
}
