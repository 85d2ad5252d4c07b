package models_test

import (
	"context"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/models"
)

// TestTogether reads several texts in passes that they share, in pieces of different sizes,
// one joining later and one leaving earlier. Each has the logits that it has alone.
func TestTogether(t *testing.T) {
	devices, all := backends(t), languages(t) // the models' weights go before the devices
	for name, b := range devices {
		for i, l := range all {
			if leftToSweeps(name, i) {
				continue
			}
			t.Run(name+"/"+l.name, func(t *testing.T) {
				tokens := l.longest()
				texts := [][]int32{tokens, tokens[3:], append([]int32{9}, tokens[:7]...), tokens[1 : len(tokens)-4], tokens[2:9]}
				sizes := []int{1, 3, 1, 5, 2}
				if l.model.Alone() {
					g := engine.NewGraph()
					defer g.Close()
					l.model.Together(g, []models.Part{{Tokens: tokens, Cache: newCache(t, l.model, engine.F32, len(tokens))}}, nil, models.Logits)
					if err := g.Err(); err == nil || !strings.Contains(err.Error(), "one sequence at a time") {
						t.Errorf("the error is %v", err)
					}
					return
				}
				got := make([][]float32, len(texts))
				caches := make([]*models.Cache, len(texts))
				for i := range caches {
					caches[i] = newCache(t, l.model, engine.F32, len(tokens)+1)
				}
				for step := 0; ; step++ {
					var parts []models.Part
					var who []int
					for i, text := range texts {
						done := caches[i].Len
						if late := i == 4 && step < 2; late || done == len(text) {
							continue
						}
						n := min(sizes[(i+step)%len(sizes)], len(text)-done)
						parts, who = append(parts, models.Part{Tokens: text[done : done+n], Cache: caches[i]}), append(who, i)
					}
					if len(parts) == 0 {
						break
					}
					rows := together(t, b, l.model, parts)
					for k, i := range who {
						cols := l.model.Config().Vocab * len(parts[k].Tokens)
						got[i] = append(got[i], rows[:cols]...)
						rows = rows[cols:]
						caches[i].Advance()
					}
				}
				for i, text := range texts {
					want := read(t, b, l.model, newCache(t, l.model, engine.F32, len(tokens)+1), text, nil, models.Logits)
					if d := difference(got[i], want); !(d <= 1e-4) {
						t.Errorf("text %d: differs by %.2g", i, d)
					}
				}
			})
		}
	}
}

// together runs one pass of several sequences and returns the logits of all rows.
func together(t *testing.T, b engine.Backend, m models.Decoder, parts []models.Part) []float32 {
	t.Helper()
	g := engine.NewGraph()
	defer g.Close()
	y := g.Want(m.Together(g, parts, nil, models.Logits))
	if _, err := g.Run(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	rows, err := g.Result(y)
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// TestTogetherRefusals: sequences that cannot share a pass are refused.
func TestTogetherRefusals(t *testing.T) {
	for _, l := range languages(t) {
		if l.model.Alone() {
			continue
		}
		a, b, wide := newCache(t, l.model, engine.F32, 8), newCache(t, l.model, engine.F32, 8), newCache(t, l.model, engine.F32, 9)
		for want, parts := range map[string][]models.Part{
			"no sequences":     nil,
			"of their own":     {{Tokens: []int32{1}, Cache: a}, {Tokens: []int32{1}, Cache: a}},
			"all of one size":  {{Tokens: []int32{1}, Cache: a}, {Tokens: []int32{1}, Cache: wide}},
			"do not fit":       {{Tokens: []int32{1}, Cache: a}, {Tokens: make([]int32, 9), Cache: b}},
			"no tokens":        {{Tokens: []int32{1}, Cache: a}, {Cache: b}},
			"the vocabulary":   {{Tokens: []int32{1}, Cache: a}, {Tokens: []int32{-1}, Cache: b}},
			"made for another": {{Tokens: []int32{1}, Cache: a}, {Tokens: []int32{1}}},
		} {
			g := engine.NewGraph()
			l.model.Together(g, parts, nil, models.Logits)
			if _, err := g.Run(context.Background(), &enginetest.ReferenceBackend{}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error is %v, not of %q", l.name, err, want)
			}
			g.Close()
		}
	}
}
