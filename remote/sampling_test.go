package remote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"inglenook/pipeline"
	"inglenook/remote/remotetest"
)

// TestChosenFields: a server is sent what a person chose, and what is not our usual value.
func TestChosenFields(t *testing.T) {
	usual, likeliest := pipeline.DefaultSampling(), pipeline.Sampling{TopP: 1, TypicalP: 1, RepeatPenalty: 1}
	warmer := usual
	warmer.Temperature = 1.5
	for name, c := range map[string]struct {
		o    pipeline.ReplyOptions
		want string
	}{
		"nothing":                    {pipeline.ReplyOptions{}, "map[]"},
		"our usual values":           {pipeline.ReplyOptions{Sampling: &usual}, "map[]"},
		"another value":              {pipeline.ReplyOptions{Sampling: &warmer}, "map[temperature:1.5]"},
		"a usual value, by name":     {pipeline.ReplyOptions{Sampling: &usual, Chosen: map[string]bool{"top_k": true, "min_p": true, "prompt": true}}, "map[min_p:0.05 top_k:40]"},
		"the likeliest, for figures": {pipeline.ReplyOptions{Sampling: &likeliest}, "map[temperature:0]"},
	} {
		in := map[string]any{}
		if samplingFields(in, c.o); fmt.Sprint(in) != c.want {
			t.Errorf("%s: %v, not %s", name, in, c.want)
		}
	}
}

// TestRefusedFields: a field that a server does not take is left out, with one sentence, and not
// sent again. What makes the answer another one is not left out.
func TestRefusedFields(t *testing.T) {
	for name, c := range map[string]struct {
		says    map[string]string // what the server says about a field
		status  int
		o       pipeline.ReplyOptions
		without string // in the notice; "": there is none
		refused string // in the error; "": there is none
		tries   int
	}{
		"one":      {map[string]string{"top_p": `{"error":{"message":"Unrecognized request argument supplied: top_p"}}`}, 400, pipeline.ReplyOptions{Chosen: map[string]bool{"top_p": true}}, "lab takes no top_p", "", 2},
		"by param": {map[string]string{"top_p": `{"error":{"message":"temperature is fine, this is not","param":"top_p"}}`}, 400, pipeline.ReplyOptions{Chosen: map[string]bool{"top_p": true, "temperature": true}}, "lab takes no top_p", "", 2},
		"two": {
			map[string]string{"top_p": `{"detail":[{"loc":["body","top_p"],"msg":"Extra inputs are not permitted"}]}`, "min_p": `{"detail":[{"loc":["body","min_p"]}]}`},
			422,
			pipeline.ReplyOptions{Chosen: map[string]bool{"top_p": true, "min_p": true}},
			"min_p", "", 3,
		},
		"counts":         {map[string]string{"stream_options": `{"error":"stream_options is not known"}`}, 400, pipeline.ReplyOptions{}, "", "", 2},
		"the older name": {map[string]string{"max_tokens": `{"error":"Unsupported parameter: 'max_tokens'"}`}, 400, pipeline.ReplyOptions{MaxTokens: 5}, "", "", 2},
		"the form":       {map[string]string{"response_format": `{"error":"response_format is not known"}`}, 400, pipeline.ReplyOptions{JSON: true}, "", "response_format", 1},
		"texts to stop":  {map[string]string{"stop": `{"error":"'stop' is not supported"}`}, 400, pipeline.ReplyOptions{Stop: []string{"o t", "x"}}, "", "", 2},
		"a failure":      {map[string]string{"top_p": `{"error":"KeyError: 'top_p'"}`}, 500, pipeline.ReplyOptions{Chosen: map[string]bool{"top_p": true}}, "lab takes no top_p", "", 2},
		"not sent":       {map[string]string{"messages": `{"error":"temperature of the room"}`}, 400, pipeline.ReplyOptions{}, "", "temperature of the room", 1},
	} {
		d := remotetest.New(t)
		d.Fault = func(w http.ResponseWriter, _ *http.Request, body []byte) bool {
			var in map[string]any
			if err := json.Unmarshal(body, &in); err != nil {
				return false
			}
			for field, says := range c.says {
				if in[field] != nil {
					w.WriteHeader(c.status)
					fmt.Fprint(w, says)
					return true
				}
			}
			return false
		}
		usual := pipeline.DefaultSampling()
		c.o.Sampling = &usual
		w := serve(t, OpenAI, d).OpenWriter(Model{ID: "talker"}, 0)
		for again := range 2 {
			var text, notices string
			var failed error
			before := d.Requests("/v1/chat/completions")
			for token, err := range pipeline.Answer(t.Context(), w, []pipeline.Message{pipeline.TextMessage("user", "hi")}, c.o) {
				text, failed = text+token.Text, err
				if token.Notice != "" {
					notices += token.Notice + "\n"
				}
			}
			tries := c.tries
			if again > 0 {
				tries = 1
			}
			if got := d.Requests("/v1/chat/completions") - before; got != tries {
				t.Errorf("%s: %d requests, not %d", name, got, tries)
			}
			if c.refused != "" {
				if failed == nil || !strings.Contains(failed.Error(), c.refused) {
					t.Errorf("%s: %v", name, failed)
				}
				continue
			}
			want := "One two three."
			if len(c.o.Stop) > 0 {
				want = "One tw"
			}
			if failed != nil || text != want || (notices == "") != (c.without == "") || !strings.Contains(notices, c.without) || strings.Count(notices, "\n") > 1 {
				t.Errorf("%s: %q %q %v", name, text, notices, failed)
			}
		}
	}
}
