package pipeline

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"inglenook/sampling"
)

// TestJSON makes a model with random weights write valid JSON.
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
				continue // the context ended inside a string
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

// TestJSONWithoutThinking: the template is told to leave thinking out, unless the caller
// says otherwise.
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

// TestJSONChecked: an answer that breaks a rule which a grammar cannot enforce ends with
// an error that names the rule. An answer that was cut off is not checked.
func TestJSONChecked(t *testing.T) {
	schema := []byte(`{"type":"array","items":{"type":"integer"},"maxItems":2,"uniqueItems":true}`)
	for text, want := range map[string]string{
		"[1,1]": `the answer does not follow the JSON schema: at #, items 0 and 1 are equal, which "uniqueItems" excludes`,
		"[1,2]": "",
	} {
		var reply []int32
		for _, b := range []byte(text) {
			reply = append(reply, int32(b))
		}
		g := newScripted(t, &scripted{reply: reply}, 200)
		h := hear(t, Answer(context.Background(), g, []Message{user("?")}, ReplyOptions{JSONSchema: schema}))
		reason := FinishStop
		if want != "" {
			reason = FinishError
		}
		if h.text != text || h.finished.Reason != reason || (h.err == nil) != (want == "") || h.err != nil && !strings.Contains(h.err.Error(), want) {
			t.Errorf("%q, %q, %v; want %q and %q", h.text, h.finished.Reason, h.err, text, want)
		}
	}
	g := newScripted(t, &scripted{reply: []int32{'[', '1', ',', '1'}}, 200)
	if h := hear(t, Answer(context.Background(), g, []Message{user("?")}, ReplyOptions{JSONSchema: schema, MaxTokens: 4})); h.err != nil || h.finished.Reason != FinishLength {
		t.Errorf("%q, %v", h.finished.Reason, h.err)
	}
}
