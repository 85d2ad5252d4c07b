package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/engine"
	"inglenook/pipeline/decoding"
	"inglenook/pipeline/drafting"
)

// openSpelling opens a tiny model that writes bytes below 64 as its tokens, so that grammars and stop texts
// work with it: digits, quotes and commas.
func openSpelling(t *testing.T, files fs.FS, bs []engine.Backend, o GeneratorOptions) *Generator {
	t.Helper()
	o.KV = "f32"
	g := openAhead(t, files, bs, o)
	g.tok, g.ends = byteTokenizer(t), []int32{2}
	return g
}

// TestDraftsEverywhere sweeps what was not combined before: each way to guess with grammars, stop texts,
// penalties, biases, recorded chances and a prefix from a file, for models that attend, that keep states and
// whose head lies in a file of its own, of the likeliest tokens and of drawn ones, on the processor and
// on an emulated GPU, which is slow, and gets what could depend on it. The tokens, their chances and the end are
// those without guesses.
func TestDraftsEverywhere(t *testing.T) {
	_, metal := emulatedMetal(t)
	models := map[string]struct {
		folder string
		head   bool
	}{
		"attention":          {"../models/testdata/decoders/llama", false},
		"states and head":    {foreseeing + "qwen3_5", true},
		"head beside it":     {foreseeing + "qwen35-apart", true},
		"experts and a head": {foreseeing + "qwen3_5-moe", true},
	}
	how := map[string]ReplyOptions{
		"plain":     {},
		"grammar":   {JSONSchema: []byte(`{"type":"string","minLength":8,"maxLength":20}`)},
		"stop":      {Stop: []string{"7", "()", "0", "#"}},
		"penalties": {Sampling: &Sampling{RepeatPenalty: 1.3, RepeatWindow: 8, PresencePenalty: 0.4, FrequencyPenalty: 0.2}},
		"bias":      {Sampling: &Sampling{LogitBias: map[int32]float32{'1': 4, '2': 3.5, '3': float32(math.Inf(-1))}}},
		"chances":   {Logprobs: true, TopLogprobs: 3},
		"prefix":    {},
	}
	guessed := map[string]int{}
	for where, bs := range map[string][]engine.Backend{"cpu": oneThread(t), "metal": metal} {
		for kind, m := range models {
			if where == "metal" && kind != "attention" && kind != "head beside it" {
				continue
			}
			t.Run(where+"/"+kind, func(t *testing.T) {
				open := func() *Generator { return openSpelling(t, os.DirFS(m.folder), bs, GeneratorOptions{}) }
				g, same := open(), open()
				for name, o := range how {
					if where == "metal" && !slices.Contains([]string{"grammar", "stop", "prefix"}, name) {
						continue
					}
					for draw, temperature := range map[string]float64{"likeliest": 0, "drawn": 0.9} {
						if where == "metal" && draw != "drawn" {
							continue
						}
						s := Sampling{TopP: 1, TypicalP: 1, RepeatPenalty: 1}
						if o.Sampling != nil {
							s = *o.Sampling
							s.TopP, s.TypicalP = 1, 1
						}
						s.Temperature, s.Seed = temperature, 11
						o := o
						o.Sampling, o.MaxTokens, o.IgnoreEnd = &s, 24, o.JSONSchema == nil
						prompt := quoting(20, g.vocab)
						if name == "prefix" {
							o.Prefix = prefixOf(t, g, prompt)
						}
						var want heard
						for _, way := range []string{DraftOff, DraftLookup, DraftModel, DraftMTP, DraftAuto} {
							g.Forget()
							o.Draft, o.Drafter = way, &Drafter{small: same}
							h := hear(t, g.CompleteIDs(context.Background(), prompt, o))
							if way == DraftOff {
								want = h
							}
							alike(t, name+", "+draw+", "+way, h, want)
							f := h.finished
							if guessed[way+" "+name] += f.Drafted; way == DraftModel && f.Drafted > 0 && f.Accepted == 0 {
								t.Errorf("%s, %s: none of %d guesses of the model itself came true", name, draw, f.Drafted)
							}
							if way == DraftMTP && !m.head && f.Drafted > 0 {
								t.Errorf("%s: a model without a head made %d guesses", name, f.Drafted)
							}
							if o.JSONSchema != nil && h.finished.Reason == FinishStop && !json.Valid([]byte(h.text)) {
								t.Errorf("%s, %s: %q is no JSON", draw, way, h.text)
							}
							if name == "prefix" && h.started.Recalled == 0 {
								t.Errorf("%s: nothing came from the file", way)
							}
						}
					}
				}
			})
		}
	}
	for _, way := range []string{DraftLookup, DraftModel, DraftMTP} {
		for name := range how {
			if guessed[way+" "+name] == 0 {
				t.Errorf("%s with %s: nothing was guessed, so the test tells nothing", way, name)
			}
		}
	}
}

// prefixOf is a file of what a model has read of a prompt.
func prefixOf(t *testing.T, g *Generator, prompt []int32) *decoding.Prefix {
	t.Helper()
	ctx := context.Background()
	file, err := os.Create(filepath.Join(t.TempDir(), "prefix"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	if h := hear(t, g.CompleteIDs(ctx, prompt[:12], ReplyOptions{MaxTokens: 1, IgnoreEnd: true, Sampling: &Sampling{}})); h.err != nil {
		t.Fatal(h.err)
	}
	if err := g.KeepPrefix(ctx, file, "model", prompt[:12]); err != nil {
		t.Fatal(err)
	}
	return &decoding.Prefix{From: file, Stamp: "model"}
}

// alike requires that an answer has the tokens, the text, the end and the chances of another.
func alike(t *testing.T, name string, got, want heard) {
	t.Helper()
	if got.err != nil || want.err != nil || !slices.Equal(got.ids, want.ids) || got.text != want.text || got.finished.Reason != want.finished.Reason || got.finished.Stop != want.finished.Stop {
		t.Fatalf("%s: %v %q (%+v, %v) instead of %v %q (%+v, %v)", name, got.ids, got.text, got.finished, got.err, want.ids, want.text, want.finished, want.err)
	}
	chances := func(h heard) (list []Logprob) {
		for _, x := range h.tokens {
			list = append(list, x.Logprobs...)
		}
		return list
	}
	a, b := chances(got), chances(want)
	if len(a) != len(b) {
		t.Fatalf("%s: %d chances instead of %d", name, len(a), len(b))
	}
	for i := range a {
		if a[i].ID != b[i].ID || math.Abs(float64(a[i].Logprob)-float64(b[i].Logprob)) > 1e-3 {
			t.Fatalf("%s: chance %d is %+v instead of %+v", name, i, a[i], b[i])
		}
	}
}

// TestDraftsOfSeveral: answers that are made at once, each guessing in a way of its own, are those that are
// made alone without guesses. A head cannot guess for several yet, and says so.
func TestDraftsOfSeveral(t *testing.T) {
	const folder = "../models/testdata/decoders/llama"
	alone := openSpelling(t, os.DirFS(folder), oneThread(t), GeneratorOptions{ChunkTokens: 8})
	many := openSpelling(t, os.DirFS(folder), oneThread(t), GeneratorOptions{ChunkTokens: 8, Hold: Hold{Sequences: 3}})
	small := openSpelling(t, os.DirFS(folder), oneThread(t), GeneratorOptions{})
	if why := many.Head(); !strings.Contains(why, "several answers are made at once") {
		t.Errorf("of its head it says %q", why)
	}
	ways := []string{DraftLookup, DraftModel, DraftAuto, DraftMTP, DraftOff, DraftModel}
	how := []ReplyOptions{{}, {JSONSchema: []byte(`{"type":"string","minLength":8,"maxLength":20}`)}, {Stop: []string{"7", "()", "0"}}}
	guessed := map[string]int{}
	for round := range 4 {
		options := func(i int) ReplyOptions {
			o := how[(i+round)%len(how)]
			o.Sampling, o.MaxTokens, o.IgnoreEnd = &Sampling{Temperature: float64(round%2) * 0.9, TopP: 1, TypicalP: 1, Seed: uint64(i + 1)}, 24, o.JSONSchema == nil
			return o
		}
		answers := make([]heard, len(ways))
		each(len(ways), func(i int) {
			o := options(i)
			o.Draft, o.Drafter = ways[i], &Drafter{small: small}
			answers[i] = hear(t, many.CompleteIDs(context.Background(), quoting(14+i, 64), o))
		})
		for i, h := range answers {
			alike(t, ways[i], h, hear(t, alone.CompleteIDs(context.Background(), quoting(14+i, 64), options(i))))
			guessed[ways[i]] += h.finished.Drafted
		}
	}
	if guessed[DraftLookup] == 0 || guessed[DraftModel] == 0 || guessed[DraftMTP] > 0 || guessed[DraftOff] > 0 {
		t.Errorf("guesses: %v", guessed)
	}
}

// TestGrammarForbidsEveryGuess: where a grammar allows nothing of what is guessed, the answer is the same; a model
// that can say nothing else stops, with one sentence.
func TestGrammarForbidsEveryGuess(t *testing.T) {
	digits := func() *scripted {
		return &scripted{prompt: 12, scores: func(scores []float32, said int) {
			for i := range scores {
				scores[i] = float32(7 * (i + said) % 11)
			}
		}}
	}
	stubborn := &scripted{prompt: 12, scores: func(scores []float32, _ int) {
		for i := range scores {
			scores[i] = float32(math.Inf(-1))
		}
		scores['x'] = 1
	}}
	o := ReplyOptions{JSONSchema: []byte(`{"type":"array","items":{"type":"integer","maximum":99},"minItems":9,"maxItems":9}`), Sampling: &Sampling{Temperature: 1, TopP: 1, TypicalP: 1, Seed: 5}, MaxTokens: 60}
	prompt := bytesToIDs("1x2x3x[x,x1x") // after each character that the grammar allows comes one that it does not
	want := hear(t, newScripted(t, digits(), 400).CompleteIDs(context.Background(), prompt, o))
	small := newScripted(t, stubborn, 400)
	for _, way := range []string{DraftLookup, DraftModel, DraftAuto} {
		o.Draft, o.Drafter = way, &Drafter{small: small}
		h := hear(t, newScripted(t, digits(), 400).CompleteIDs(context.Background(), prompt, o))
		alike(t, way, h, want)
		told := strings.Join(h.finished.Notices, "|")
		if way == DraftModel && (h.finished.Drafted > 0 || len(h.finished.Notices) != 1 || !strings.Contains(told, "none of its tokens is allowed here")) || way == DraftLookup && told != "" {
			t.Errorf("%s: %d guesses, told %q", way, h.finished.Drafted, told)
		}
	}
}

// TestHeadKeepsTheDistribution: tokens that are drawn with the guesses of a head that sees other chances follow those
// of the model, in which nothing but the last token counts, by the chi-square test over 60,000 of them.
func TestHeadKeepsTheDistribution(t *testing.T) {
	const answers, length = 60, 1000
	files := sure(t).(fstest.MapFS)
	rewriteHalves(t, files, "mtp.norm.weight", 0x3800) // 0.5: its scores are half as large again
	config := files["config.json"]
	config.Data = bytes.Replace(config.Data, []byte(`"max_position_embeddings": 64`), []byte(`"max_position_embeddings": 1100`), 1)
	ctx := context.Background()
	g := openAhead(t, files, oneThread(t), GeneratorOptions{Hold: Hold{KV: "f32", Context: 1100}})
	seen, drafted, accepted := make([][]float64, g.vocab), 0, 0
	for i := range seen {
		seen[i] = make([]float64, g.vocab)
	}
	for seed := range uint64(answers) {
		s := Sampling{Temperature: 1, TopP: 1, TypicalP: 1, Seed: seed + 1}
		h := hear(t, g.CompleteIDs(ctx, quoting(4, g.vocab), ReplyOptions{MaxTokens: length, IgnoreEnd: true, Sampling: &s, Draft: DraftMTP}))
		if h.err != nil || len(h.ids) != length {
			t.Fatal(len(h.ids), h.err)
		}
		for i, id := range h.ids[1:] {
			seen[h.ids[i]][id]++
		}
		drafted, accepted = drafted+h.finished.Drafted, accepted+h.finished.Accepted
	}
	t.Logf("%d guesses, %d came true", drafted, accepted)
	if accepted < 10_000 || drafted-accepted < 5000 {
		t.Errorf("of %d guesses %d came true: the test looks at one side only", drafted, accepted)
	}
	square, free := 0.0, 0
	for last, counts := range seen {
		g.Forget()
		scores, err := g.seats.all[0].history.Read(ctx, []int32{1, int32(last)})
		if err != nil {
			t.Fatal(err)
		}
		more, cells := chiSquare(scores, counts)
		square, free = square+more, free+cells
	}
	// Wilson and Hilferty 1931: the cube root of such a sum is nearly normal. Once in ten thousand times it is more.
	n := float64(free)
	limit := n * math.Pow(1-2/(9*n)+3.72*math.Sqrt(2/(9*n)), 3)
	if t.Logf("a chi-square of %.0f with %d degrees of freedom", square, free); square > limit || free < 100 {
		t.Errorf("a chi-square of %.0f with %d degrees of freedom, and %.0f is the limit", square, free, limit)
	}
}

// rewriteHalves gives all numbers of a tensor in F16 one value.
func rewriteHalves(t *testing.T, files fstest.MapFS, tensor string, bits uint16) {
	t.Helper()
	file := files["model.safetensors"].Data
	size := int(binary.LittleEndian.Uint64(file))
	var header map[string]struct {
		Offsets [2]int `json:"data_offsets"`
	}
	if err := json.Unmarshal(file[8:8+size], &header); err != nil {
		t.Fatal(err)
	}
	at := header[tensor].Offsets
	if at[0] == at[1] {
		t.Fatalf("there is no %s", tensor)
	}
	for i := 8 + size + at[0]; i < 8+size+at[1]; i += 2 {
		binary.LittleEndian.PutUint16(file[i:], bits)
	}
}

// chiSquare compares counts with the chances that scores give, and returns its degrees of freedom. Rare tokens
// count as one.
func chiSquare(scores []float32, counts []float64) (square float64, free int) {
	sum, n := 0.0, 0.0
	for i, s := range scores {
		sum, n = sum+math.Exp(float64(s)), n+counts[i]
	}
	rare, came, free := 0.0, 0.0, -1
	add := func(want, got float64) {
		square += (got - want) * (got - want) / want
		free++
	}
	for i, s := range scores {
		if want := n * math.Exp(float64(s)) / sum; want < 5 {
			rare, came = rare+want, came+counts[i]
		} else {
			add(want, counts[i])
		}
	}
	if rare >= 1 {
		add(rare, came)
	}
	return square, max(free, 0)
}

// longer is a checkpoint's folder, whose model takes longer texts.
func longer(t *testing.T, folder string, tokens int) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"config.json", "model.safetensors"} {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: bytes.Replace(data, []byte(`"max_position_embeddings": 64`), fmt.Appendf(nil, `"max_position_embeddings": %d`, tokens), 1)}
	}
	return files
}

// TestDraftsInLongAnswers: models that keep states write long answers that are the same with guesses, also when more
// passes were made than states are kept.
func TestDraftsInLongAnswers(t *testing.T) {
	for _, folder := range []string{foreseeing + "qwen3_5", foreseeing + "qwen3_5-moe", "../models/testdata/decoders/lfm2"} {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			open := func() *Generator {
				return openAhead(t, longer(t, folder, 700), oneThread(t), GeneratorOptions{Hold: Hold{KV: "f32", Context: 700}})
			}
			g, same := open(), open()
			for seed, temperature := range []float64{0, 0.4, 1} {
				o := ReplyOptions{MaxTokens: 600, IgnoreEnd: true, Sampling: &Sampling{Temperature: temperature, TopP: 1, TypicalP: 1, Seed: uint64(seed + 1)}, Drafter: &Drafter{small: same}}
				var want heard
				for _, way := range []string{DraftOff, DraftLookup, DraftModel, DraftMTP, DraftAuto} {
					o.Draft = way
					h := hear(t, g.CompleteIDs(context.Background(), quoting(20, g.vocab), o))
					if way == DraftOff {
						want = h
					}
					alike(t, way, h, want)
					if lost := g.seats.all[0].history.Lost(); lost > drafting.Most {
						t.Errorf("%s: %d tokens would be read again", way, lost)
					}
				}
			}
		})
	}
}
