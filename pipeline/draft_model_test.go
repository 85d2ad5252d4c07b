package pipeline

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/pipeline/decoding"
)

// withModel is drafted for a generator for which another one guesses, in both ways.
func withModel(t *testing.T, g, small *Generator, ids []int32, o ReplyOptions) (with heard) {
	t.Helper()
	hearing := func(way string) heard {
		g.Forget()
		o.Draft, o.Drafter = way, &Drafter{small: small}
		h := hear(t, g.CompleteIDs(context.Background(), ids, o))
		if h.err != nil {
			t.Fatal(h.err)
		}
		return h
	}
	without := hearing(DraftOff)
	for _, way := range []string{DraftAuto, DraftModel} {
		with = hearing(way)
		if !slices.Equal(with.ids, without.ids) || with.finished.Reason != without.finished.Reason {
			t.Errorf("%s: %v (%s) instead of %v (%s)", way, with.ids, with.finished.Reason, without.ids, without.finished.Reason)
		}
	}
	return with
}

// TestModelDraftsOfFamilies: with the guesses of another model, or of itself, every family
// writes the same tokens. Its own guesses come true also where tokens are drawn.
func TestModelDraftsOfFamilies(t *testing.T) {
	folders, err := filepath.Glob("../models/testdata/decoders/*/config.json")
	if err != nil || len(folders) < 30 {
		t.Fatal(folders, err)
	}
	open := func(t *testing.T, folder string) *Generator {
		g, err := openGenerator(context.Background(), os.DirFS(folder), oneThread(t), GeneratorOptions{IDsOnly: true})
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
	other := open(t, "../models/testdata/decoders/llama")
	wrong := 0
	for _, config := range folders {
		folder := filepath.Dir(config)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			g, same := open(t, folder), open(t, folder)
			for name, how := range map[string]Sampling{
				"likeliest": {},
				"drawn":     {Temperature: 1, TopP: 1, TypicalP: 1, Seed: 7},
				"adjusted":  {Temperature: 0.8, TopP: 0.9, TypicalP: 1, TopK: 20, RepeatPenalty: 1.05, RepeatWindow: 8, PresencePenalty: 0.1, LogitBias: map[int32]float32{5: 1}, Seed: 8},
			} {
				o := ReplyOptions{MaxTokens: 30, IgnoreEnd: true, Sampling: &how}
				prompt := quoting(min(20, g.context/2), min(g.vocab, other.vocab))
				if f := withModel(t, g, same, prompt, o).finished; f.Accepted < f.Drafted*9/10 || f.Drafted == 0 {
					t.Errorf("%s: %d of %d guesses of the model itself were right", name, f.Accepted, f.Drafted)
				}
				f := withModel(t, g, other, prompt, o).finished
				if wrong += f.Drafted - f.Accepted; t.Failed() {
					t.Fatal(name)
				}
			}
		})
	}
	if wrong < 100 {
		t.Errorf("only %d guesses were wrong", wrong)
	}
}

// TestModelDraftsOnMetal: the same on an emulated GPU, for the model, the one that guesses, or both.
func TestModelDraftsOnMetal(t *testing.T) {
	_, metal := emulatedMetal(t)
	cpu := oneThread(t)
	for _, family := range []string{"llama", "qwen3_5"} {
		for i, where := range [][2]int{{0, 1}, {1, 0}, {0, 0}} {
			var both [2]*Generator
			for j := range both {
				bs := metal
				if where[j] == 1 {
					bs = cpu
				}
				g, err := openGenerator(context.Background(), os.DirFS("../models/testdata/decoders/"+family), bs, GeneratorOptions{IDsOnly: true})
				if err != nil {
					t.Fatal(err)
				}
				defer g.Close()
				both[j] = g
			}
			h := withModel(t, both[0], both[1], quoting(20, both[0].vocab), ReplyOptions{MaxTokens: 20, IgnoreEnd: true, Sampling: &Sampling{}})
			if h.finished.Accepted < 10 {
				t.Errorf("%s, %d: %+v", family, i, h.finished)
			}
		}
	}
}

// TestNewDrafter: what cannot guess for a model says why in one sentence, and the answer is
// made without.
func TestNewDrafter(t *testing.T) {
	g := openTiny(t, GeneratorOptions{})
	same := openTiny(t, GeneratorOptions{})
	words := tinyChat(t)
	words["vocab.txt"].Data = []byte(strings.Replace(string(words["vocab.txt"].Data), "\nb\n", "\nbb\n", 1))
	otherWords, err := openGenerator(context.Background(), words, oneThread(t), GeneratorOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer otherWords.Close()
	otherWords.info.Local.Parameters--
	small := openTiny(t, GeneratorOptions{})
	small.info.Local.Parameters--
	for name, c := range map[string]struct {
		other Writer
		why   string
	}{
		"as large":      {same, "not smaller"},
		"other words":   {otherWords, `token 14 is "b" in one and "bb" in the other`},
		"elsewhere":     {nil, "does not run on this computer"},
		"a smaller one": {small, ""},
	} {
		d := g.NewDrafter(c.other)
		if c.why == "" != (d.Why == "") || !strings.Contains(d.Why, c.why) {
			t.Errorf("%s: %q", name, d.Why)
		}
		o := ReplyOptions{MaxTokens: 20, IgnoreEnd: true, Sampling: &Sampling{}}
		want := hear(t, g.CompleteIDs(context.Background(), quoting(20, 64), o))
		o.Draft, o.Drafter = DraftModel, d
		h := hear(t, g.CompleteIDs(context.Background(), quoting(20, 64), o))
		if h.err != nil || !slices.Equal(h.ids, want.ids) || (h.finished.Drafted > 0) != (c.why == "") {
			t.Errorf("%s: %v, %+v", name, h.err, h.finished)
		}
	}
}

// TestModelDraftsSurvive: where the model that guesses gives no numbers, fails, is closed or answers
// somebody else, the answer is the same, and says why where it matters.
func TestModelDraftsSurvive(t *testing.T) {
	text := strings.Repeat("one two three ", 8)
	for name, c := range map[string]struct {
		broken func(s *scripted, g *Generator)
		notice string
	}{
		"NaN": {func(s *scripted, _ *Generator) {
			s.scores = func(scores []float32, said int) {
				if said > 20 {
					scores[3] = float32(math.NaN())
				}
			}
		}, "goes on without it"},
		"an error": {func(s *scripted, _ *Generator) {
			s.before = func(_ context.Context, s *scripted) error {
				if len(s.passes) > 30 {
					return errors.New("the device is gone")
				}
				return nil
			}
		}, "the device is gone"},
		"busy":            {func(_ *scripted, g *Generator) { g.seats.lend(nil) }, "busy with another answer, so there are no guesses for this one"},
		"a small context": {func(s *scripted, g *Generator) {}, ""},
	} {
		g := newScripted(t, &scripted{reply: bytesToIDs(text), prompt: len(text)}, 600)
		s := &scripted{reply: bytesToIDs(text), prompt: len(text)}
		size := 600
		if name == "a small context" {
			size = len(text) + 10
		}
		small := newScripted(t, s, size)
		o := ReplyOptions{Sampling: &Sampling{}}
		want := hear(t, g.CompleteIDs(context.Background(), bytesToIDs(text), o))
		c.broken(s, small)
		o.Draft, o.Drafter = DraftModel, &Drafter{small: small}
		h := hear(t, g.CompleteIDs(context.Background(), bytesToIDs(text), o))
		told := strings.Join(h.finished.Notices, "|")
		if h.err != nil || !slices.Equal(h.ids, want.ids) || c.notice == "" != (told == "") || !strings.Contains(told, c.notice) {
			t.Errorf("%s: %v, %q, %+v", name, h.err, told, h.finished)
		}
		if name == "busy" {
			small.seats.give(small.seats.all[0])
		}
	}
}

// TestModelDraftsAfterCancel: an answer that ends at any of its tokens, with the loop or its
// context, leaves both models ready for the same answer.
func TestModelDraftsAfterCancel(t *testing.T) {
	g, small := openTiny(t, GeneratorOptions{}), openTiny(t, GeneratorOptions{})
	prompt, o := quoting(20, 64), ReplyOptions{MaxTokens: 24, IgnoreEnd: true, Sampling: &Sampling{Temperature: 1, TopP: 1, TypicalP: 1, Seed: 5}}
	want := hear(t, g.CompleteIDs(context.Background(), prompt, o))
	o.Draft, o.Drafter = DraftModel, &Drafter{small: small}
	for at := range 24 {
		ctx, cancel := context.WithCancel(context.Background())
		made := 0
		for _, err := range g.CompleteIDs(ctx, prompt, o) {
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if made++; made == at && at%2 == 0 {
				cancel()
			} else if made == at {
				break
			}
		}
		cancel()
		if h := hear(t, g.CompleteIDs(context.Background(), prompt, o)); !slices.Equal(h.ids, want.ids) || h.finished.Accepted == 0 {
			t.Fatalf("after an end at %d: %v instead of %v", at, h.ids, want.ids)
		}
	}
}

// TestModelDraftsEndWhereTheyMust: the end of the model, a stop text, the length and the context
// are the same; a grammar allows the same.
func TestModelDraftsEndWhereTheyMust(t *testing.T) {
	text := strings.Repeat("one two three ", 8)
	for name, c := range map[string]struct {
		o    ReplyOptions
		size int
	}{
		"the model's end": {ReplyOptions{}, 600},
		"a stop text":     {ReplyOptions{Stop: []string{"ee one tw"}}, 600},
		"the length":      {ReplyOptions{MaxTokens: 41}, 600},
		"one token":       {ReplyOptions{MaxTokens: 1}, 600},
		"the context":     {ReplyOptions{}, 200},
	} {
		g := newScripted(t, &scripted{reply: bytesToIDs(text), prompt: len(text)}, c.size)
		small := newScripted(t, &scripted{reply: bytesToIDs(text), prompt: len(text)}, c.size)
		c.o.Sampling = &Sampling{}
		if h := withModel(t, g, small, bytesToIDs(text), c.o); c.o.MaxTokens != 1 && h.finished.Accepted == 0 {
			t.Errorf("%s: %+v", name, h.finished)
		}
	}
	schema := []byte(`{"type":"object","properties":{"a":{"type":"string","maxLength":9},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}`)
	right := 0
	for seed := range uint64(20) {
		noise := func(other uint64) *scripted {
			return &scripted{prompt: 2, scores: func(scores []float32, said int) {
				random := rand.New(rand.NewPCG(seed+other, uint64(said)))
				for i := range scores {
					scores[i] = float32(random.NormFloat64())
				}
				scores['}'], scores['"'], scores[idEnd] = 2, 3, 3
			}}
		}
		for _, other := range []uint64{0, 1} {
			g, small := newScripted(t, noise(0), 2000), newScripted(t, noise(other), 2000)
			h := withModel(t, g, small, bytesToIDs("{}"), ReplyOptions{JSONSchema: schema, Sampling: &Sampling{Temperature: 0.8, TopP: 1, TypicalP: 1, Seed: seed + 1}})
			right += h.finished.Accepted
		}
	}
	if right == 0 {
		t.Error("no guess was right within a grammar")
	}
}

// TestModelDraftsKeepTheDistribution: tokens drawn with the guesses of a model that sees other
// chances follow those of the model that checks, by the chi-square test over 60,000 of them.
func TestModelDraftsKeepTheDistribution(t *testing.T) {
	const draws, kinds = 60_000, 4
	chances := [kinds][kinds]float64{{0.7, 0.2, 0.1, 0}, {0.05, 0.05, 0.85, 0.05}, {0.25, 0.25, 0.25, 0.25}, {0.9, 0, 0.05, 0.05}}
	others := [kinds][kinds]float64{{0.5, 0.3, 0.1, 0.1}, {0.05, 0.15, 0.75, 0.05}, {0.35, 0.15, 0.25, 0.25}, {0.8, 0.1, 0.05, 0.05}}
	chain := func(chances [kinds][kinds]float64) *scripted {
		s := &scripted{prompt: 8}
		s.scores = func(scores []float32, said int) {
			last := s.read[s.prompt+said-1] - 'a'
			for i := range scores {
				scores[i] = float32(math.Inf(-1))
			}
			for k, p := range chances[last] {
				scores['a'+k] = float32(math.Log(p))
			}
		}
		return s
	}
	g, small := newScripted(t, chain(chances), draws+100), newScripted(t, chain(others), draws+100)
	o := ReplyOptions{MaxTokens: draws, IgnoreEnd: true, Sampling: &Sampling{Temperature: 1, TopP: 1, TypicalP: 1, Seed: 3}, Draft: DraftModel, Drafter: &Drafter{small: small}}
	h := hear(t, g.CompleteIDs(context.Background(), bytesToIDs("abcdabcd"), o))
	if h.err != nil || len(h.ids) != draws || h.finished.Accepted < draws/4 || h.finished.Drafted-h.finished.Accepted < draws/20 {
		t.Fatalf("%d tokens, %+v, %v", len(h.ids), h.finished, h.err)
	}
	t.Logf("%d of %d guesses came true", h.finished.Accepted, h.finished.Drafted)
	follow(t, chances, h.ids)
}

// TestModelDraftsOfStories: the model in 8 bits guesses for itself in 32, both trained: much of what it guesses comes,
// of the likeliest tokens and of drawn ones, and an answer goes on from a file of what was read before.
func TestModelDraftsOfStories(t *testing.T) {
	g, small := openStories(t, GeneratorOptions{}), openStories(t, GeneratorOptions{WeightsFile: "stories260K-Q8_0.gguf"})
	for name, how := range map[string]Sampling{
		"likeliest": {},
		"drawn":     {Temperature: 1, TopP: 1, TypicalP: 1, Seed: 7},
		"adjusted":  {Temperature: 0.8, TopP: 0.9, TypicalP: 1, TopK: 40, RepeatPenalty: 1.1, RepeatWindow: 64, Seed: 8},
	} {
		o := ReplyOptions{MaxTokens: 200, IgnoreEnd: true, Sampling: &how}
		f := withModel(t, g, small, []int32{1}, o).finished
		if t.Logf("%s: %d of %d guesses came true", name, f.Accepted, f.Drafted); f.Accepted < f.Drafted*4/10 || f.Drafted < 100 {
			t.Errorf("%s: %d of %d guesses came true", name, f.Accepted, f.Drafted)
		}
		want := hear(t, g.CompleteIDs(context.Background(), []int32{1}, o))
		file, err := os.Create(filepath.Join(t.TempDir(), "prefix"))
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		ctx := context.Background()
		half := append([]int32{1}, want.ids[:100]...)
		if err := g.KeepPrefix(ctx, file, "model", g.Held(ctx)); err != nil {
			t.Fatal(err)
		}
		g.Forget()
		o.MaxTokens, o.Draft, o.Drafter = 100, DraftOff, &Drafter{small: small}
		anew := hear(t, g.CompleteIDs(ctx, half, o))
		g.Forget()
		o.Prefix, o.Draft = &decoding.Prefix{From: file, Stamp: "model"}, DraftModel
		h := hear(t, g.CompleteIDs(ctx, half, o))
		if h.err != nil || h.started.Recalled == 0 || h.finished.Accepted == 0 || !slices.Equal(h.ids, anew.ids) {
			t.Errorf("%s: %v after %d recalled instead of %v, %v", name, h.ids, h.started.Recalled, anew.ids, h.err)
		}
	}
}

// TestPasses: what passes take is measured behind a text, which stays read; a size without room is an error.
func TestPasses(t *testing.T) {
	g := openTiny(t, GeneratorOptions{})
	ids := quoting(20, 64)
	took, err := g.Passes(context.Background(), ids, []int{1, 2, 16})
	if err != nil || len(took) != 3 || slices.Min(took) <= 0 || !slices.Equal(g.Held(context.Background()), ids) {
		t.Errorf("%v, %v", took, err)
	}
	for _, size := range []int{0, 60} {
		if _, err := g.Passes(context.Background(), ids, []int{size}); err == nil || !strings.Contains(err.Error(), "no room") {
			t.Errorf("%d tokens: %v", size, err)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := g.Passes(ended, ids, []int{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}
