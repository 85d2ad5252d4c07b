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
// A GPU computes a prompt in another way than a token. There, reading again gives only
// nearly the same scores.
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
		scores, err := g.history.Next(ctx, 9)
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
				goesOn(t, func() *Generator { return openStories(t, GeneratorOptions{Hold: Hold{KV: kv}}) }, ids[:n], true)
			})
		}
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
		m, err := openTiny(t, o).history.Model.(decoding.BlockKeeper).Blocks()
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
