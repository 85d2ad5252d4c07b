package pipeline

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"inglenook/sampling"
)

// TestJSON makes a model without any sense write valid JSON.
func TestJSON(t *testing.T) {
	schema := []byte(`{"type":"object","properties":{"name":{"type":"string","maxLength":5},"age":{"type":"integer"}},"required":["name","age"],"additionalProperties":false}`)
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 1))
		s := &scripted{scores: func(scores []float32, _ int) {
			for i := range scores {
				scores[i] = float32(random.NormFloat64())
			}
			scores['}'], scores['"'], scores[idEnd] = 3, 3, 3
		}}
		g := newScripted(t, s, 4000)
		for _, o := range []ReplyOptions{{JSON: true}, {JSONSchema: schema}} {
			how := sampling.Neutral()
			how.Seed = seed + 1
			o.Sampling = &how
			h := hear(t, Answer(context.Background(), g, []Message{user("<think>")}, o))
			if h.err != nil || h.thinking != "" {
				t.Fatalf("%q, %q, %v", h.text, h.thinking, h.err)
			}
			if h.finished.Reason != FinishStop {
				continue // the context ended within a text
			}
			var v map[string]any
			if err := json.Unmarshal([]byte(h.text), &v); err != nil {
				t.Errorf("seed %d: %q: %v", seed, h.text, err)
			}
			if o.JSONSchema != nil {
				if name, ok := v["name"].(string); !ok || len([]rune(name)) > 5 || v["age"] == nil || len(v) != 2 {
					t.Errorf("seed %d: %q", seed, h.text)
				}
			}
		}
	}
	g := newScripted(t, &scripted{}, 100)
	if h := hear(t, Answer(context.Background(), g, []Message{user("?")}, ReplyOptions{JSONSchema: []byte("{")})); h.err == nil || strings.Count(h.err.Error(), "schema cannot be used") != 1 {
		t.Errorf("a broken schema: %v", h.err)
	}
}

// TestJSONWithoutThinking: the template is asked to leave thinking out, unless
// the caller asks otherwise.
func TestJSONWithoutThinking(t *testing.T) {
	if v := (ReplyOptions{JSON: true}).variables(); v["enable_thinking"] != false {
		t.Errorf("%v", v)
	}
	if v := (ReplyOptions{JSON: true, Variables: map[string]any{"enable_thinking": true}}).variables(); v["enable_thinking"] != true {
		t.Errorf("%v", v)
	}
	if v := (ReplyOptions{}).variables(); v != nil {
		t.Errorf("%v", v)
	}
}
