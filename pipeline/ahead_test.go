package pipeline

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/engine"
	"inglenook/pipeline/decoding"
)

const foreseeing = "../models/testdata/ahead/"

// edited is a folder with a checkpoint whose tensors are changed: edit gets each with its shape
// and its numbers in F16, and reports whether it stays.
func edited(t *testing.T, folder string, edit func(name string, shape []int, halves []byte) bool) fs.FS {
	t.Helper()
	file, err := os.ReadFile(folder + "/model.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile(folder + "/config.json")
	if err != nil {
		t.Fatal(err)
	}
	size := int(binary.LittleEndian.Uint64(file))
	header := map[string]json.RawMessage{}
	if err := json.Unmarshal(file[8:8+size], &header); err != nil {
		t.Fatal(err)
	}
	data := file[8+size:]
	for name, raw := range header {
		var of struct {
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}
		if name == "__metadata__" {
			continue
		}
		if err := json.Unmarshal(raw, &of); err != nil {
			t.Fatal(err)
		}
		if !edit(name, of.Shape, data[of.Offsets[0]:of.Offsets[1]]) {
			delete(header, name)
			header["other."+name] = raw
		}
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	return fstest.MapFS{"config.json": {Data: config}, "model.safetensors": {Data: slices.Concat(out, text, data)}}
}

// sure is the checkpoint whose head is always right: nothing but the last token counts.
func sure(t *testing.T) fs.FS {
	return edited(t, foreseeing+"qwen3_5", func(name string, shape []int, halves []byte) bool {
		switch {
		case strings.HasSuffix(name, "o_proj.weight"), strings.HasSuffix(name, "out_proj.weight"), strings.HasSuffix(name, "down_proj.weight"),
			strings.HasPrefix(name, "mtp.pre_fc_norm"), name == "mtp.norm.weight", name == "model.norm.weight":
			clear(halves)
		case name == "mtp.fc.weight": // the token's vector as it is
			clear(halves)
			for i := range shape[0] {
				binary.LittleEndian.PutUint16(halves[2*(i*shape[1]+i):], 0x3c00)
			}
		}
		return true
	})
}

func openAhead(t *testing.T, files fs.FS, bs []engine.Backend, o GeneratorOptions) *Generator {
	t.Helper()
	o.IDsOnly = true
	g, err := openGenerator(context.Background(), files, bs, o)
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

// TestHeadDrafts: with the guesses of its own head a model writes the same tokens, whether
// these are right or not, likeliest or drawn, on the processor and on a GPU.
func TestHeadDrafts(t *testing.T) {
	_, metal := emulatedMetal(t)
	for where, bs := range map[string][]engine.Backend{"cpu": oneThread(t), "metal": metal} {
		for name, files := range map[string]fs.FS{"sure": sure(t), "random": os.DirFS(foreseeing + "qwen3_5"), "gguf": os.DirFS(foreseeing + "qwen35"), "a file of its own": os.DirFS(foreseeing + "qwen35-apart"), "experts in a file": os.DirFS(foreseeing + "qwen35moe-apart"), "experts": os.DirFS(foreseeing + "qwen3_5-moe")} {
			t.Run(where+"/"+name, func(t *testing.T) {
				g := openAhead(t, files, bs, GeneratorOptions{Hold: Hold{KV: "f32"}})
				if why := g.Head(); why != "" {
					t.Fatal(why)
				}
				wrong := 0
				for how, s := range map[string]Sampling{
					"likeliest": {},
					"drawn":     {Temperature: 1, TopP: 1, TypicalP: 1, Seed: 7},
					"adjusted":  {Temperature: 0.8, TopP: 0.9, TypicalP: 1, TopK: 20, RepeatPenalty: 1.05, RepeatWindow: 8, LogitBias: map[int32]float32{5: 1}, Seed: 8},
				} {
					prompt := quoting(20, g.vocab)
					o := ReplyOptions{MaxTokens: 30, IgnoreEnd: true, Sampling: &s}
					write := func(way string, ids []int32) heard {
						o.Draft = way
						h := hear(t, g.CompleteIDs(context.Background(), ids, o))
						if h.err != nil {
							t.Fatal(h.err)
						}
						return h
					}
					g.Forget()
					want := write(DraftOff, prompt).ids
					g.Forget()
					got := write(DraftMTP, prompt)
					f := got.finished
					if !slices.Equal(got.ids, want) || f.Drafted == 0 || name == "sure" && f.Accepted < f.Drafted*9/10 {
						t.Errorf("%s: %v, %d of %d guesses right; without: %v", how, got.ids, f.Accepted, f.Drafted, want)
					}
					wrong += f.Drafted - f.Accepted
					// another answer goes on from what both have read, and one without forgets it
					further := append(slices.Clone(prompt), append(slices.Clone(want[:10]), 9, 8, 7)...)
					again := write(DraftMTP, further)
					if without := write(DraftOff, further); !slices.Equal(again.ids, without.ids) || !slices.Equal(write(DraftMTP, further).ids, without.ids) {
						t.Errorf("%s: a second answer is %v, without guesses %v", how, again.ids, without.ids)
					}
				}
				if name != "sure" && wrong < 10 {
					t.Errorf("only %d guesses were wrong", wrong)
				}
			})
		}
	}
}

// TestHeadIncomplete: of a head that lacks tensors, or has others, a sentence says so, and the
// answer is the same. A checkpoint without one says so when it is asked.
func TestHeadIncomplete(t *testing.T) {
	write := func(g *Generator, way string) heard {
		h := hear(t, g.CompleteIDs(context.Background(), quoting(20, g.vocab), ReplyOptions{MaxTokens: 12, IgnoreEnd: true, Sampling: &Sampling{}, Draft: way}))
		if h.err != nil {
			t.Fatal(h.err)
		}
		return h
	}
	want := write(openAhead(t, os.DirFS(foreseeing+"qwen3_5"), oneThread(t), GeneratorOptions{}), DraftOff).ids
	n := 0
	half := edited(t, foreseeing+"qwen3_5", func(name string, _ []int, _ []byte) bool {
		if strings.HasPrefix(name, "mtp.layers") {
			n++
		}
		return !strings.HasPrefix(name, "mtp.layers") || n%2 == 0
	})
	for name, files := range map[string]fs.FS{"half": half, "none": os.DirFS("../models/testdata/decoders/qwen3_5")} {
		g := openAhead(t, files, oneThread(t), GeneratorOptions{})
		noted := slices.ContainsFunc(g.Info().Notes, func(s string) bool {
			return strings.Contains(s, "the head that could guess what comes next is not used, and answers are as without it") && strings.Contains(s, "missing")
		})
		if why := g.Head(); noted != (name == "half") || !strings.Contains(why, "no head that guesses") {
			t.Errorf("%s: %q, %q", name, why, g.Info().Notes)
		}
		if got := write(g, DraftMTP); got.finished.Drafted != 0 || name == "half" && !slices.Equal(got.ids, want) {
			t.Errorf("%s: %v, %+v", name, got.ids, got.finished)
		}
	}
}

// TestHeadAuto: in the way that pays, a model with a head writes the same tokens, answer after
// answer, whether its head guesses, rests or tries again.
func TestHeadAuto(t *testing.T) {
	same := func(string, []int, []byte) bool { return true }
	for name, files := range map[string]fs.FS{"sure": sure(t), "random": edited(t, foreseeing+"qwen3_5", same), "experts": edited(t, foreseeing+"qwen3_5-moe", same)} {
		t.Run(name, func(t *testing.T) {
			config := files.(fstest.MapFS)["config.json"]
			config.Data = bytes.Replace(config.Data, []byte(`"max_position_embeddings": 64`), []byte(`"max_position_embeddings": 400`), 1)
			g := openAhead(t, files, oneThread(t), GeneratorOptions{Hold: Hold{KV: "f32", Context: 400}})
			write := func(way string, seed uint64) []int32 {
				h := hear(t, g.CompleteIDs(context.Background(), quoting(20, g.vocab), ReplyOptions{
					MaxTokens: 150, IgnoreEnd: true, Draft: way, Sampling: &Sampling{Temperature: 1, TopP: 1, TypicalP: 1, Seed: seed},
				}))
				if h.err != nil {
					t.Fatal(h.err)
				}
				return h.ids
			}
			for seed := uint64(1); seed <= 5; seed++ {
				got := write(DraftAuto, seed)
				if want := write(DraftOff, seed); !slices.Equal(got, want) {
					t.Errorf("answer %d is %v, without guesses %v", seed, got, want)
				}
			}
		})
	}
}

// TestHeadHasNoRoom: where there is no memory for the head, a sentence says so once, and the answer
// is the same.
func TestHeadHasNoRoom(t *testing.T) {
	free := int64(1 << 40)
	g := openAhead(t, sure(t), oneThread(t), GeneratorOptions{Available: func() int64 { return free }})
	write := func(way string) heard {
		h := hear(t, g.CompleteIDs(context.Background(), quoting(20, g.vocab), ReplyOptions{MaxTokens: 12, IgnoreEnd: true, Sampling: &Sampling{}, Draft: way}))
		if h.err != nil {
			t.Fatal(h.err)
		}
		return h
	}
	want := write(DraftOff).ids
	free = 100
	for _, way := range []string{DraftMTP, DraftAuto} {
		got := write(way)
		told := strings.Join(got.finished.Notices, "; ")
		if !slices.Equal(got.ids, want) || way == DraftMTP && (got.finished.Drafted > 0 || !strings.Contains(told, "needs") || !strings.Contains(told, "so there are no guesses; close other programs")) || way == DraftAuto && told != "" {
			t.Errorf("%s: %v, %d guesses, told %q; want %v", way, got.ids, got.finished.Drafted, told, want)
		}
	}
	free = 1 << 40
	if got := write(DraftMTP); !slices.Equal(got.ids, want) || got.finished.Drafted == 0 || len(got.finished.Notices) > 0 {
		t.Errorf("with memory again: %v, %+v", got.ids, got.finished)
	}
}

// TestHeadReads: whatever passes the model has read a text in, with guesses that did not come and
// texts that were given up, its head guesses as the reference library's does.
func TestHeadReads(t *testing.T) {
	data, err := os.ReadFile(foreseeing + "qwen3_5/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		IDs   []int32
		Chain []struct {
			Token int32
			Guess []float32
		}
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	ctx, last := context.Background(), len(want.IDs)-1
	for name, read := range map[string]func(h *decoding.History) error{
		"at once": func(h *decoding.History) error {
			_, err := h.Read(ctx, want.IDs[:last])
			return err
		},
		"one by one": func(h *decoding.History) error {
			for n := range last {
				if _, err := h.Read(ctx, want.IDs[:n+1]); err != nil {
					return err
				}
			}
			return nil
		},
		"with wrong guesses": func(h *decoding.History) error {
			_, err := h.Read(ctx, want.IDs[:8])
			for n := 8; n < last && err == nil; n++ {
				if _, err = h.Try(ctx, want.IDs[n], []int32{3, 4, 5}); err == nil && n+1 < last && h.Tried(want.IDs[n+1]) {
					t.Error("a wrong guess came true")
				}
			}
			return err
		},
		"with right guesses": func(h *decoding.History) error {
			_, err := h.Read(ctx, want.IDs[:8])
			for n := 8; n < last && err == nil; n++ {
				if id := want.IDs[n]; h.Tried(id) {
					_, err = h.Next(ctx, id)
				} else {
					_, err = h.Try(ctx, id, want.IDs[n+1:min(n+4, last)])
				}
			}
			return err
		},
	} {
		g := openAhead(t, os.DirFS(foreseeing+"qwen3_5"), oneThread(t), GeneratorOptions{Hold: Hold{KV: "f32"}})
		h := g.seats.all[0].history
		head, err := h.Model.(*decoding.Decoder).Guessed()
		if err == nil {
			err = read(h)
		}
		if err != nil {
			t.Fatal(name, err)
		}
		ids := slices.Clone(want.IDs)
		for i, c := range want.Chain {
			scores, err := head.Read(ctx, ids)
			if err != nil {
				t.Fatal(name, err)
			}
			for j, s := range scores {
				if d := math.Abs(float64(s - c.Guess[j])); !(d <= 2e-3) {
					t.Fatalf("%s: guess %d: the score of token %d is %v instead of %v", name, i, j, s, c.Guess[j])
				}
			}
			ids = append(ids, c.Token)
		}
	}
}
