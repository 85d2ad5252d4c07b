package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"inglenook/engine/enginetest"
	"inglenook/sampling"
)

// greedy asks for so many of the likeliest tokens.
func greedy(tokens int) ReplyOptions {
	how := sampling.Likeliest()
	return ReplyOptions{MaxTokens: tokens, IgnoreEnd: true, Sampling: &how}
}

// prompts are ids below vocab, of several lengths.
func prompts(n, vocab, longest int) (list [][]int32) {
	for i := range n {
		ids := make([]int32, min(3+7*i%23, longest))
		for k := range ids {
			ids[k] = int32((5 + 11*k + 17*i + k*k) % vocab)
		}
		list = append(list, ids)
	}
	return list
}

// TestAnswersTogether: with an f32 cache answers that are made at once are those that are made
// alone, in every family; more of them than seats wait for their turn.
func TestAnswersTogether(t *testing.T) {
	folders, err := filepath.Glob("../models/testdata/decoders/*")
	if err != nil || len(folders) == 0 {
		t.Fatal(err)
	}
	for _, dir := range folders {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			open := func(n int) *Generator {
				g, err := openGenerator(context.Background(), os.DirFS(dir), oneThread(t), GeneratorOptions{IDsOnly: true, ChunkTokens: 8, Hold: Hold{KV: "f32", Sequences: n}})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { g.Close() })
				return g
			}
			alone, many := open(1), open(3)
			list := prompts(5, alone.vocab, alone.context-12)
			want := make([][]int32, len(list))
			for i, ids := range list {
				h := hear(t, alone.CompleteIDs(context.Background(), ids, greedy(12)))
				if want[i] = h.ids; h.err != nil || len(h.ids) != 12 {
					t.Fatalf("%d tokens, %v", len(h.ids), h.err)
				}
			}
			if n := many.Info().Sequences; n != 3 {
				if notes := strings.Join(many.Info().Notes, " "); n != 1 || !strings.Contains(notes, "one after the other") {
					t.Errorf("%d answers at once, %q", n, notes)
				}
			}
			if one, several := alone.Info().Local.Memory.Cache, many.Info().Local.Memory.Cache; several != one*int64(many.Info().Sequences) {
				t.Errorf("caches take %d bytes, and one %d", several, one)
			}
			each(len(list), func(i int) {
				h := hear(t, many.CompleteIDs(context.Background(), list[i], greedy(12)))
				if h.err != nil || !slices.Equal(h.ids, want[i]) {
					t.Errorf("answer %d: %v, %v; alone %v", i, h.ids, h.err, want[i])
				}
			})
		})
	}
}

// each calls do for 0 to n-1 at the same time.
func each(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

func openSeveral(t *testing.T, n int) *Generator {
	return openTiny(t, GeneratorOptions{ChunkTokens: 8, Hold: Hold{KV: "f32", Sequences: n}})
}

// TestLeaving: answers that are cancelled, stopped or refused leave the others as they are,
// whatever the token at which they end.
func TestLeaving(t *testing.T) {
	alone, many := openSeveral(t, 1), openSeveral(t, 4)
	list := prompts(4, alone.vocab, 30)
	want := hear(t, alone.CompleteIDs(context.Background(), list[3], greedy(20))).ids
	for end := range 8 {
		each(4, func(i int) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			got := 0
			switch i {
			case 0: // its context ends
				h := hear(t, func(yield func(Token, error) bool) {
					for token, err := range many.CompleteIDs(ctx, list[0], greedy(20)) {
						if got == end {
							cancel()
						}
						got++
						if !yield(token, err) {
							return
						}
					}
				})
				if h.finished == nil || h.finished.Reason != FinishCancelled {
					t.Errorf("ended by %+v, %v", h.finished, h.err)
				}
			case 1: // its reader leaves
				for range many.CompleteIDs(ctx, list[1], greedy(20)) {
					if got++; got > end {
						break
					}
				}
			case 2:
				if h := hear(t, many.CompleteIDs(ctx, []int32{1, 9999}, greedy(20))); h.err == nil {
					t.Error("an id outside the vocabulary is read")
				}
			default:
				if h := hear(t, many.CompleteIDs(ctx, list[3], greedy(20))); h.err != nil || !slices.Equal(h.ids, want) {
					t.Errorf("%v, %v; alone %v", h.ids, h.err, want)
				}
			}
		})
	}
}

// TestSeats: an answer takes the seat that has read its beginning.
func TestSeats(t *testing.T) {
	g := openSeveral(t, 3)
	list := prompts(3, g.vocab, 30)
	for range 2 {
		for _, ids := range list {
			hear(t, g.CompleteIDs(context.Background(), ids, greedy(2)))
		}
	}
	for _, i := range []int{1, 0, 2, 2} {
		h := hear(t, g.CompleteIDs(context.Background(), list[i], greedy(2)))
		if h.started.Reused != len(list[i])-1 {
			t.Errorf("prompt %d: %d of %d tokens were known", i, h.started.Reused, len(list[i]))
		}
	}
	g.Forget()
	if h := hear(t, g.CompleteIDs(context.Background(), list[2], greedy(2))); h.started.Reused != 0 {
		t.Errorf("%d tokens are known after all were forgotten", h.started.Reused)
	}
}

// TestClosingSeveral: Close ends all answers and those who wait.
func TestClosingSeveral(t *testing.T) {
	g := openSeveral(t, 2)
	begun := make(chan bool, 5)
	var all sync.WaitGroup
	for _, ids := range prompts(5, g.vocab, 30) {
		all.Go(func() {
			for token, err := range g.CompleteIDs(context.Background(), ids, greedy(0)) {
				if err == nil && token.Started != nil {
					begun <- true
				}
			}
		})
	}
	<-begun
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	all.Wait()
	if h := hear(t, g.CompleteIDs(context.Background(), []int32{1}, greedy(1))); h.err != ErrClosed {
		t.Errorf("a closed model says %v", h.err)
	}
}

// TestDeviceFailsTogether: when a device fails under several answers, all of them go on on the
// CPU with the tokens that they have there.
func TestDeviceFailsTogether(t *testing.T) {
	alone := openSeveral(t, 1)
	list := prompts(3, alone.vocab, 30)
	var want [][]int32
	for _, ids := range list {
		want = append(want, hear(t, alone.CompleteIDs(context.Background(), ids, greedy(15))).ids)
	}
	for _, fault := range []enginetest.Fault{enginetest.CommandBufferError, enginetest.Timeout, enginetest.DeviceLost, enginetest.Zeros, enginetest.NaNs} {
		for after := 0; after < 15; after += 2 {
			t.Run(fmt.Sprint(fault, after), func(t *testing.T) {
				f, bs := faultyDevice(t)
				g, err := openGenerator(context.Background(), tinyChat(t), bs, GeneratorOptions{ChunkTokens: 8, Hold: Hold{KV: "f32", Sequences: 3}})
				if err != nil {
					t.Fatal(err)
				}
				defer g.Close()
				f.Arm(fault, enginetest.AtSubmit, after)
				var told atomic.Int32
				each(3, func(i int) {
					h := hear(t, g.CompleteIDs(context.Background(), list[i], greedy(15)))
					if h.err != nil || !slices.Equal(h.ids, want[i]) {
						t.Errorf("answer %d: %v, %v; alone %v", i, h.ids, h.err, want[i])
					}
					if h.finished != nil {
						told.Add(int32(len(h.finished.Notices)))
					}
				})
				if !f.Struck() || told.Load() == 0 {
					t.Errorf("the fault struck: %v; %d notices", f.Struck(), told.Load())
				}
			})
		}
	}
}

// TestPair: a model that is open for one answer makes two at once, which are those that it makes
// alone, and goes on alone with what it had read.
func TestPair(t *testing.T) {
	folders, err := filepath.Glob("../models/testdata/decoders/*")
	if err != nil || len(folders) == 0 {
		t.Fatal(err)
	}
	for _, dir := range folders {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			g, err := openGenerator(t.Context(), os.DirFS(dir), oneThread(t), GeneratorOptions{IDsOnly: true, ChunkTokens: 8, Hold: Hold{KV: "f32"}})
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			ids := prompts(1, g.vocab, g.context-12)[0]
			for len(ids) < min(70, g.context-12) {
				ids = append(ids, ids[len(ids)%3])
			}
			want := hear(t, g.CompleteIDs(t.Context(), ids, greedy(10)))
			for range 2 {
				g.Forget()
				read := 0
				together, single, err := g.Pair(t.Context(), newPrompt(ids, g.context), ReplyOptions{Progress: func(done, _ int) { read = done }})
				if err != nil {
					t.Fatal(err)
				}
				if alone := !together; alone == (read > 0) {
					t.Fatalf("together: %v, %d tokens were read", together, read)
				}
				each(2, func(i int) {
					h := hear(t, g.CompleteIDs(t.Context(), ids, greedy(10)))
					if h.err != nil || !slices.Equal(h.ids, want.ids) {
						t.Errorf("answer %d: %v, %v; alone %v", i, h.ids, h.err, want.ids)
					}
					if most := len(ids) - 1; together && h.started.Reused < most/32*32 {
						t.Errorf("answer %d has %d of %d tokens", i, h.started.Reused, len(ids))
					}
				})
				single()
				h := hear(t, g.CompleteIDs(t.Context(), ids, greedy(10)))
				if h.err != nil || !slices.Equal(h.ids, want.ids) || together && h.started.Reused != len(ids)-1 {
					t.Errorf("alone again: %v, %v, %+v", h.ids, h.err, h.started)
				}
			}
		})
	}
}

// TestPairNeedsRoom: a second context for which there is no memory is refused, and the model goes
// on as before; a model that is closed says so.
func TestPairNeedsRoom(t *testing.T) {
	free := int64(1 << 40)
	g := openTiny(t, GeneratorOptions{ChunkTokens: 8, Hold: Hold{KV: "f32"}, Available: func() int64 { return free }})
	ids := prompts(1, g.vocab, 30)[0]
	want := hear(t, g.CompleteIDs(t.Context(), ids, greedy(5))).ids
	free = 10
	if _, _, err := g.Pair(t.Context(), newPrompt(ids, g.context), ReplyOptions{}); err == nil || !strings.Contains(err.Error(), "a second answer at the same time needs") {
		t.Errorf("without memory: %v", err)
	}
	if h := hear(t, g.CompleteIDs(t.Context(), ids, greedy(5))); h.err != nil || !slices.Equal(h.ids, want) {
		t.Errorf("%v, %v", h.ids, h.err)
	}
	free = 1 << 40
	_, single, err := g.Pair(t.Context(), newPrompt(ids, g.context), ReplyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	single()
	if _, _, err := g.Pair(t.Context(), newPrompt(ids, g.context), ReplyOptions{}); err != ErrClosed {
		t.Errorf("a closed model: %v", err)
	}
}
