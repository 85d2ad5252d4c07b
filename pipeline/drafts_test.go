package pipeline

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/engine/enginetest"
	"inglenook/sampling"
)

// drafted lets a generator continue ids without guesses and then with some, and requires
// the same tokens.
func drafted(t *testing.T, g *Generator, ids []int32, o ReplyOptions) (with heard) {
	t.Helper()
	hearing := func(way string) heard {
		g.Forget()
		o.Draft = way
		h := hear(t, g.CompleteIDs(context.Background(), ids, o))
		if h.err != nil {
			t.Fatal(h.err)
		}
		return h
	}
	without := hearing(DraftOff)
	if without.finished.Drafted != 0 {
		t.Errorf("%d tokens were guessed although that is off", without.finished.Drafted)
	}
	for _, way := range []string{DraftAuto, DraftLookup} {
		with = hearing(way)
		if !slices.Equal(with.ids, without.ids) || with.finished.Reason != without.finished.Reason {
			t.Errorf("%s: %v (%s) instead of %v (%s)", way, with.ids, with.finished.Reason, without.ids, without.finished.Reason)
		}
	}
	return with
}

// quoting is a prompt that repeats itself.
func quoting(n, vocab int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(4 + i*i%7%(vocab-4))
	}
	return ids
}

// TestDraftsOfFamilies: with guesses every family writes the same tokens, the likeliest or
// drawn with a seed, with penalties and biases, also those that cannot forget one token.
func TestDraftsOfFamilies(t *testing.T) {
	folders, err := filepath.Glob("../models/testdata/decoders/*/config.json")
	if err != nil || len(folders) < 30 {
		t.Fatal(folders, err)
	}
	tried, right := 0, 0
	for _, config := range folders {
		folder := filepath.Dir(config)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			g, err := openGenerator(context.Background(), os.DirFS(folder), oneThread(t), GeneratorOptions{IDsOnly: true})
			if err != nil {
				t.Fatal(err)
			}
			defer g.Close()
			for name, how := range map[string]Sampling{
				"likeliest": {},
				"drawn":     {Temperature: 0.3, TopP: 1, TypicalP: 1, Seed: 7},
				"adjusted":  {Temperature: 0.5, TopP: 0.9, TypicalP: 1, TopK: 20, RepeatPenalty: 1.05, RepeatWindow: 8, PresencePenalty: 0.1, LogitBias: map[int32]float32{5: 1}, Seed: 8},
			} {
				h := drafted(t, g, quoting(min(20, g.context/2), g.vocab), ReplyOptions{MaxTokens: 30, IgnoreEnd: true, Sampling: &how})
				if tried, right = tried+h.finished.Drafted, right+h.finished.Accepted; t.Failed() {
					t.Fatal(name)
				}
			}
		})
	}
	if right == 0 || right == tried {
		t.Errorf("%d of %d guesses were right: the test looks at one side only", right, tried)
	}
}

// TestDraftsOnMetal: the same on an emulated GPU.
func TestDraftsOnMetal(t *testing.T) {
	_, bs := emulatedMetal(t)
	tried := 0
	for _, family := range []string{"llama", "gemma2", "qwen3_5"} {
		g, err := openGenerator(context.Background(), os.DirFS("../models/testdata/decoders/"+family), bs, GeneratorOptions{IDsOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		h := drafted(t, g, quoting(20, g.vocab), ReplyOptions{MaxTokens: 20, IgnoreEnd: true, Sampling: &Sampling{}})
		auto := hear(t, g.CompleteIDs(context.Background(), quoting(20, g.vocab), ReplyOptions{MaxTokens: 20, IgnoreEnd: true, Sampling: &Sampling{}, Draft: DraftAuto}))
		if tried += h.finished.Drafted; h.finished.Device != "metal-emulated" || auto.finished.Drafted > 0 {
			t.Errorf("%s: %+v", family, h.finished)
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
	if tried == 0 {
		t.Error("nothing was guessed")
	}
}

// TestDraftsOnlyWhereExact: of themselves guesses are made where they change no bit: on the
// processor, and not with a cache of 8 bits.
func TestDraftsOnlyWhereExact(t *testing.T) {
	for kv, exact := range map[string]bool{"f16": true, "f32": true, "q8_0": false} {
		g := openTiny(t, GeneratorOptions{Hold: Hold{KV: kv}})
		o := ReplyOptions{MaxTokens: 30, IgnoreEnd: true, Sampling: &Sampling{}, Draft: DraftAuto}
		h := hear(t, g.CompleteIDs(context.Background(), quoting(20, 64), o))
		if got := g.seats.all[0].history.Steady(1); got != exact || !exact && h.finished.Drafted > 0 {
			t.Errorf("%s: steady is %v, %+v", kv, got, h.finished)
		}
	}
}

// TestDraftsEndWhereTheyMust: with guesses an answer ends at its stop text, its length,
// the end of its context and the model's own end, as without.
func TestDraftsEndWhereTheyMust(t *testing.T) {
	text := strings.Repeat("one two three ", 8)
	for name, c := range map[string]struct {
		o      ReplyOptions
		size   int
		reason string
	}{
		"the model's end": {ReplyOptions{}, 600, FinishStop},
		"a stop text":     {ReplyOptions{Stop: []string{"ee one tw"}}, 600, FinishStop},
		"the length":      {ReplyOptions{MaxTokens: 41}, 600, FinishLength},
		"one token":       {ReplyOptions{MaxTokens: 1}, 600, FinishLength},
		"the context":     {ReplyOptions{}, 200, FinishContext},
	} {
		s := &scripted{reply: bytesToIDs(text), prompt: len(text)}
		g := newScripted(t, s, c.size)
		c.o.Sampling = &Sampling{}
		h := drafted(t, g, bytesToIDs(text), c.o)
		if h.finished.Reason != c.reason || len(s.read) > c.size || c.o.MaxTokens != 1 && h.finished.Accepted == 0 {
			t.Errorf("%s: %+v, %d ids read", name, h.finished, len(s.read))
		}
		s.passes = nil
		if again := hear(t, g.CompleteIDs(context.Background(), bytesToIDs(text), c.o)); !slices.Equal(again.ids, h.ids) {
			t.Errorf("%s: another answer is %v instead of %v", name, again.ids, h.ids)
		}
	}
	g := newScripted(t, &scripted{}, 100)
	if h := hear(t, complete(context.Background(), g, "a", ReplyOptions{Draft: "guess"})); h.err == nil || !strings.Contains(h.err.Error(), "choose auto, off, lookup, mtp or model") {
		t.Errorf("an unknown way to guess: %v", h.err)
	}
}

// TestDraftsInJSON: guesses that a grammar forbids are not taken.
func TestDraftsInJSON(t *testing.T) {
	schema := []byte(`{"type":"object","properties":{"a":{"type":"string","maxLength":9},"b":{"type":"integer"}},"required":["a","b"],"additionalProperties":false}`)
	right := 0
	for seed := range uint64(20) {
		s := &scripted{scores: func(scores []float32, said int) {
			random := rand.New(rand.NewPCG(seed, uint64(said)))
			for i := range scores {
				scores[i] = float32(random.NormFloat64())
			}
			scores['}'], scores['"'], scores[idEnd] = 2, 3, 3
		}}
		g := newScripted(t, s, 2000)
		prompt := bytesToIDs(`{"a":"bcd","b":12} {"a": "bcd", "b": 12}`)
		s.prompt = len(prompt)
		h := drafted(t, g, prompt, ReplyOptions{JSONSchema: schema, Sampling: &Sampling{Temperature: 0.8, TopP: 1, TypicalP: 1, Seed: seed + 1}})
		right += h.finished.Accepted
	}
	if right == 0 {
		t.Error("no guess was right")
	}
}

// TestDraftsSurviveAFault: a device that fails while it checks guesses changes no token.
func TestDraftsSurviveAFault(t *testing.T) {
	o := ReplyOptions{MaxTokens: 30, IgnoreEnd: true, Sampling: &Sampling{}, Draft: DraftLookup}
	prompt := quoting(20, 64)
	want := hear(t, openTiny(t, GeneratorOptions{}).CompleteIDs(context.Background(), prompt, o))
	for _, at := range []int{1, 2, 4} {
		device, bs := faultyDevice(t)
		g, err := openGenerator(context.Background(), tinyChat(t), bs, GeneratorOptions{})
		if err != nil {
			t.Fatal(err)
		}
		device.Arm(enginetest.DeviceLost, enginetest.AtSubmit, at)
		h := hear(t, g.CompleteIDs(context.Background(), prompt, o))
		if h.err != nil || !slices.Equal(h.ids, want.ids) || len(h.finished.Notices) != 1 || h.finished.Drafted == 0 {
			t.Errorf("fault %d: %v instead of %v, %+v, %v", at, h.ids, want.ids, h.finished, h.err)
		}
		if err := g.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestDraftsKeepTheDistribution: tokens that are drawn with guesses follow the model's
// distribution after each token, by the chi-square test over 60,000 of them.
func TestDraftsKeepTheDistribution(t *testing.T) {
	const draws, kinds = 60_000, 4
	chances := [kinds][kinds]float64{{0.7, 0.2, 0.1, 0}, {0.05, 0.05, 0.85, 0.05}, {0.25, 0.25, 0.25, 0.25}, {0.9, 0, 0.05, 0.05}}
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
	g := newScripted(t, s, draws+100)
	how := sampling.Neutral()
	how.Seed = 3
	h := hear(t, g.CompleteIDs(context.Background(), bytesToIDs("abcdabcd"), ReplyOptions{MaxTokens: draws, IgnoreEnd: true, Sampling: &how, Draft: DraftLookup}))
	if h.err != nil || len(h.ids) != draws || h.finished.Accepted < draws/10 || h.finished.Drafted-h.finished.Accepted < draws/10 {
		t.Fatalf("%d tokens, %+v, %v", len(h.ids), h.finished, h.err)
	}
	follow(t, chances, h.ids)
}

// follow requires that the letters of ids follow one another with given chances, by the
// chi-square test.
func follow(t *testing.T, chances [4][4]float64, ids []int32) {
	t.Helper()
	var seen [4][4]float64
	var after [4]float64
	for i, id := range ids[1:] {
		seen[ids[i]-'a'][id-'a']++
		after[ids[i]-'a']++
	}
	for from := range chances {
		square := 0.0
		for to, p := range chances[from] {
			if want := p * after[from]; want > 0 {
				square += (seen[from][to] - want) * (seen[from][to] - want) / want
			} else if seen[from][to] > 0 {
				t.Errorf("%d follows %d, which it cannot", to, from)
			}
		}
		if square > 16.27 { // which a right distribution exceeds once in a thousand times
			t.Errorf("after %d a chi-square of %.1f: %v", from, square, seen[from])
		}
	}
}

// TestDraftsSavePasses: an answer that quotes its prompt takes far fewer passes, and one
// that repeats nothing takes as many as without guesses.
func TestDraftsSavePasses(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	other := make([]int32, 200)
	for i := range other {
		other[i] = int32(random.IntN(200))
	}
	text := strings.Repeat("It is a truth universally acknowledged, that a single man must be in want of a wife. ", 2)
	for name, c := range map[string]struct {
		reply []int32
		most  int
	}{"a quotation": {bytesToIDs(text), 40}, "nothing of it": {other, 200}} {
		s := &scripted{reply: c.reply, prompt: len(text)}
		g := newScripted(t, s, 1000)
		h := hear(t, g.CompleteIDs(context.Background(), bytesToIDs(text), ReplyOptions{MaxTokens: len(c.reply), Sampling: &Sampling{}, Draft: DraftLookup}))
		reading := (len(text) + 7) / 8
		if passes := len(s.passes) - reading; h.err != nil || passes > c.most {
			t.Errorf("%s: %d passes for %d tokens, %+v", name, passes, len(h.ids), fmt.Sprint(h.finished))
		}
	}
}
