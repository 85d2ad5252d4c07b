package server

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"inglenook/app/devices"
	"inglenook/app/texts"
)

// scored is what a client reads of an answer with logprobs.
type scored struct {
	Choices []struct {
		Text     string
		Message  struct{ Content string }
		Delta    struct{ Content string }
		Logprobs *struct {
			Content []tokenLogprob
			textLogprobs
		}
	}
	Response string
	Done     bool
	Message  struct{ Content string }
	Logprobs []tokenLogprob
}

// text is what all tokens of an answer spell.
func spelled(list []tokenLogprob) string {
	var b []byte
	for _, l := range list {
		for _, x := range l.Bytes {
			b = append(b, byte(x))
		}
	}
	return string(b)
}

func same(t *testing.T, name string, a, b []tokenLogprob) {
	t.Helper()
	if len(a) != len(b) || len(a) == 0 {
		t.Fatalf("%s: %d and %d tokens", name, len(a), len(b))
	}
	for i := range a {
		if a[i].Token != b[i].Token || math.Abs(a[i].Logprob-b[i].Logprob) > 1e-4 || len(a[i].Top) != len(b[i].Top) {
			t.Fatalf("%s: token %d is %+v and %+v", name, i, a[i], b[i])
		}
	}
}

// Logprobs are those of one forward pass over the same tokens, whole and as a stream, in each form.
func TestLogprobs(t *testing.T) {
	ctx := context.Background()
	s := start(t, Options{Target: devices.Target{Hold: devices.Hold{KV: "f32"}}})
	const ask, text = `"model":"starter-chat","prompt":"How do I add a model?","temperature":0,"max_tokens":12,"logprobs":4`, "How do I add a model?"
	_, _, body := s.post(t, "/v1/completions", `{`+ask+`}`)
	got := read[scored](t, body).Choices[0]
	prompt, err := s.app.Tokenize(ctx, texts.TokenizeRequest{Model: chatModel, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	ids := slices.Clone(prompt.IDs)
	for i, token := range got.Logprobs.Tokens {
		f, err := s.app.Forward(ctx, texts.ForwardRequest{Model: chatModel, IDs: ids}, nil)
		if err != nil {
			t.Fatal(err)
		}
		vocab := f.Shape[len(f.Shape)-1]
		row, sum := f.Data[len(f.Data)-vocab:], 0.0
		for _, v := range row {
			sum += math.Exp(float64(v))
		}
		best := slices.Max(row)
		if want := float64(best) - math.Log(sum); math.Abs(want-got.Logprobs.Scores[i]) > 1e-2 || len(got.Logprobs.Top[i]) > 4 || got.Logprobs.Top[i][token] != got.Logprobs.Scores[i] {
			t.Errorf("token %d, %q: %v among %v; forward has %v", i, token, got.Logprobs.Scores[i], got.Logprobs.Top[i], want)
		}
		ids = append(ids, int32(slices.Index(row, best)))
	}
	if all := strings.Join(got.Logprobs.Tokens, ""); strings.TrimLeft(all, " ") != strings.TrimLeft(got.Text, " ") {
		t.Errorf("the tokens are %q, the text is %q", all, got.Text)
	}
	_, _, body = s.post(t, "/v1/completions", `{"stream":true,`+ask+`}`)
	var streamed textLogprobs
	for _, data := range events(t, body) {
		if data == "[DONE]" {
			continue
		}
		for _, c := range read[scored](t, data).Choices {
			if c.Logprobs != nil {
				streamed.Tokens = append(streamed.Tokens, c.Logprobs.Tokens...)
				streamed.Offsets = append(streamed.Offsets, c.Logprobs.Offsets...)
			}
		}
	}
	if !slices.Equal(streamed.Tokens, got.Logprobs.Tokens) || !slices.Equal(streamed.Offsets, got.Logprobs.Offsets) {
		t.Errorf("streamed %+v, whole %+v", streamed, got.Logprobs)
	}

	chat := func(stream bool, more string) (text string, list []tokenLogprob) {
		_, _, body := s.post(t, "/v1/chat/completions", fmt.Sprintf(`{"stream":%v,%s,"max_tokens":12,"logprobs":true,"top_logprobs":3%s}`, stream, question, more))
		if !stream {
			c := read[scored](t, body).Choices[0]
			return c.Message.Content, c.Logprobs.Content
		}
		for _, data := range events(t, body) {
			if data == "[DONE]" {
				continue
			}
			c := read[scored](t, data).Choices[0]
			if text += c.Delta.Content; c.Logprobs != nil {
				list = append(list, c.Logprobs.Content...)
			}
		}
		return text, list
	}
	full, want := chat(false, "")
	if strings.TrimLeft(spelled(want), " ") != strings.TrimLeft(full, " ") || len(want) != 12 || len(want[0].Top) != 3 || want[0].Top[0].Token != want[0].Token {
		t.Errorf("%q has %+v", full, want)
	}
	text2, list := chat(true, "")
	if same(t, "chat", want, list); text2 != full {
		t.Errorf("streamed %q, whole %q", text2, full)
	}
	stop := fmt.Sprintf(`,"stop":[%q]`, full[len(full)/2:len(full)/2+3])
	cut, want := chat(false, stop)
	if _, list = chat(true, stop); len(list) != len(want) || !strings.HasPrefix(strings.TrimLeft(cut, " "), strings.TrimLeft(spelled(want), " ")) {
		t.Errorf("before %s: %q has %+v, streamed %+v", stop, cut, want, list)
	}

	for _, path := range []string{"/api/chat", "/api/generate"} {
		ask := `{"model":"starter-chat","messages":[{"role":"user","content":"How do I add a model?"}],"prompt":"How do I add a model?","logprobs":true,"top_logprobs":2,"options":{"temperature":0,"num_predict":8},"stream":`
		_, _, body := s.post(t, path, ask+`false}`)
		whole := read[scored](t, body)
		if strings.TrimLeft(spelled(whole.Logprobs), " ") != strings.TrimLeft(whole.Response+whole.Message.Content, " ") || len(whole.Logprobs[0].Top) != 2 {
			t.Errorf("%s: %+v", path, whole)
		}
		_, _, body = s.post(t, path, ask+`true}`)
		var list []tokenLogprob
		for line := range strings.Lines(body) {
			list = append(list, read[scored](t, line).Logprobs...)
		}
		same(t, path, whole.Logprobs, list)
	}
	responsesLogprobs(t, s)
	_, _, body = s.post(t, "/v1/chat/completions", `{`+question+`,"max_tokens":2}`)
	if !strings.Contains(body, `"logprobs":null`) {
		t.Errorf("not asked for: %s", body)
	}
}

// responsesLogprobs checks those of /v1/responses.
func responsesLogprobs(t *testing.T, s *running) {
	t.Helper()
	type output struct {
		Output []struct {
			Content []struct {
				Text     string
				Logprobs []tokenLogprob
			}
		}
	}
	ask := `{"model":"starter-chat","input":"How do I add a model?","temperature":0,"max_output_tokens":8,"top_logprobs":2,"include":["message.output_text.logprobs"],"stream":`
	_, _, body := s.post(t, "/v1/responses", ask+`false}`)
	whole := read[output](t, body).Output[0].Content[0]
	if strings.TrimLeft(spelled(whole.Logprobs), " ") != strings.TrimLeft(whole.Text, " ") || len(whole.Logprobs[0].Top) != 2 {
		t.Errorf("%+v", whole)
	}
	_, _, body = s.post(t, "/v1/responses", ask+`true}`)
	var pieces, done []tokenLogprob
	for _, e := range namedEvents(t, body) {
		data, _ := json.Marshal(e)
		x := read[struct {
			Type     string
			Logprobs []tokenLogprob
		}](t, string(data))
		switch x.Type {
		case "response.output_text.delta":
			pieces = append(pieces, x.Logprobs...)
		case "response.output_text.done":
			done = x.Logprobs
		}
	}
	same(t, "the end of the text", whole.Logprobs, done)
	same(t, "pieces", whole.Logprobs[:len(pieces)], pieces)
	if len(pieces) < len(done)-1 {
		t.Errorf("%d of %d tokens came with pieces", len(pieces), len(done))
	}
	if status, _, body := s.post(t, "/v1/responses", strings.Replace(ask, `"top_logprobs":2`, `"top_logprobs":21`, 1)+`false}`); status != 400 || !strings.Contains(body, "top_logprobs is 21") {
		t.Errorf("%d %s", status, body)
	}
}
