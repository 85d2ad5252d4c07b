package remote

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"inglenook/hub/fault"
	"inglenook/pipeline"
	"inglenook/remote/remotetest"
)

// heard is what came of an answer.
type heard struct {
	text    string
	notices []string
	calls   []pipeline.ToolCall
	end     *pipeline.Finished
	err     error
}

// hear asks a double that answers by send, in a form, with some options. The server's patience is
// short, unless tune changes that.
func hear(t *testing.T, form string, m Model, o pipeline.ReplyOptions, send func(w http.ResponseWriter, r *http.Request), tune ...func(*Server)) (h heard, host string) {
	t.Helper()
	d := remotetest.New(t)
	d.Token = "very-secret-token"
	d.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		send(w, r)
		return true
	}
	m.ID = "talker"
	s := serve(t, form, d)
	for _, change := range tune {
		change(s)
	}
	w := s.OpenWriter(m, 0)
	for token, err := range pipeline.Answer(t.Context(), w, []pipeline.Message{pipeline.TextMessage("user", "hi")}, o) {
		h.text += token.Text
		if token.Notice != "" {
			h.notices = append(h.notices, token.Notice)
		}
		if token.Call != nil {
			h.calls = append(h.calls, *token.Call)
		}
		h.end, h.err = token.Finished, err
	}
	return h, strings.TrimPrefix(d.URL, "http://")
}

// sends is a server that sends a text and ends its answer.
func sends(text string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
}

// then sends a text, and another one for ever.
func then(text, again string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, text)
		for i := 0; r.Context().Err() == nil; i++ {
			if again != "" {
				fmt.Fprint(w, strings.ReplaceAll(again, "N", fmt.Sprint(i)))
			}
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	}
}

func event(data string) string { return "data: " + data + "\n\n" }

// word is an event with a word.
func word(text string) string {
	return event(fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":%q}}]}`, text))
}

// ends is an event with the reason for which an answer ends.
func ends(reason string) string {
	return event(fmt.Sprintf(`{"choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, reason))
}

// TestLeftAlone: a wait that a server asks for is told before it, and one beyond all patience ends
// the answer at once.
func TestLeftAlone(t *testing.T) {
	for name, c := range map[string]struct {
		status  int
		after   string
		asked   int32
		notices int
	}{
		"short":            {429, "0.04", 3, 2},
		"short, not ready": {503, "0.04", 3, 2},
		"without":          {429, "", 3, 0},
		"a day":            {429, "86400", 1, 0},
		"a day, not ready": {503, "86400", 1, 0},
		"a date":           {429, "Wed, 21 Oct 2099 07:28:00 GMT", 1, 0},
		"for ever":         {429, "99999999999999999999", 1, 0},
	} {
		var asked atomic.Int32
		h, host := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{}, func(w http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			w.Header().Set("Retry-After", c.after)
			remotetest.Error(w, c.status, "slow down")
		})
		if h.err == nil || !strings.Contains(h.err.Error(), host) || asked.Load() != c.asked || len(h.notices) != c.notices {
			t.Errorf("%s: %d requests, %q, %v", name, asked.Load(), h.notices, h.err)
		}
		if c.asked == 1 && !strings.Contains(h.err.Error(), "more than a day") && !strings.Contains(h.err.Error(), "hours") {
			t.Errorf("%s: %v", name, h.err)
		}
		for _, n := range h.notices {
			if !strings.Contains(n, "slow down; it asks to be left alone for") || !strings.Contains(n, "asked again then") {
				t.Errorf("%s: %q", name, n)
			}
		}
	}
}

// TestAnswersWithoutEnd: an answer that goes on beyond what was allowed, or what the model can
// see, or that repeats itself, is ended with a sentence, and its text is kept.
func TestAnswersWithoutEnd(t *testing.T) {
	line := `{"message":{"content":"a word of nineteen N "}}` + "\n"
	calls := event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"","arguments":"and so on and on N "}}]}}]}`)
	for name, c := range map[string]struct {
		form, sent string
		m          Model
		o          pipeline.ReplyOptions
		reason     string
		notice     string
	}{
		"a limit":                    {OpenAI, word("a word of nineteen N "), Model{}, pipeline.ReplyOptions{MaxTokens: 20}, pipeline.FinishLength, "goes on beyond 20 tokens"},
		"a limit, Ollama":            {Ollama, line, Model{}, pipeline.ReplyOptions{MaxTokens: 20}, pipeline.FinishLength, "goes on beyond 20 tokens"},
		"a limit, calls":             {OpenAI, word("x") + calls, Model{}, pipeline.ReplyOptions{MaxTokens: 20}, pipeline.FinishLength, "goes on beyond 20 tokens"},
		"no limit":                   {OpenAI, word("a word of nineteen N "), Model{Context: 30}, pipeline.ReplyOptions{}, pipeline.FinishOther, "can see at once"},
		"a loop":                     {OpenAI, word("again "), Model{}, pipeline.ReplyOptions{}, pipeline.FinishRepeats, ""},
		"a loop that is to go on":    {OpenAI, word("a word of nineteen or so "), Model{}, pipeline.ReplyOptions{MaxTokens: 300, IgnoreEnd: true}, pipeline.FinishLength, "goes on beyond 300 tokens"},
		"a loop of thoughts":         {OpenAI, event(`{"choices":[{"delta":{"reasoning_content":"hm "}}]}`), Model{}, pipeline.ReplyOptions{}, pipeline.FinishRepeats, ""},
		"a loop of the older thinks": {OpenAI, event(`{"choices":[{"delta":{"reasoning":"hm "}}]}`), Model{}, pipeline.ReplyOptions{}, pipeline.FinishRepeats, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h, _ := hear(t, c.form, c.m, c.o, then("", c.sent), unhurried)
			if h.err != nil || h.text == "" || h.end == nil || h.end.Reason != c.reason || !strings.Contains(strings.Join(h.notices, " "), c.notice) || c.notice == "" && len(h.notices) > 0 {
				t.Errorf("%.60q %q %+v %v", h.text, h.notices, h.end, h.err)
			}
		})
	}
}

// TestLongAnswers: what only looks long is not cut: letter by letter, all at once, or many tokens a piece.
func TestLongAnswers(t *testing.T) {
	text := strings.Repeat("incomprehensible things ", 10) + strings.Repeat("-", 300) // of some 60 tokens
	letters := ""
	for _, l := range text {
		letters += word(string(l))
	}
	for name, sent := range map[string]string{"letters": letters, "at once": word(text)} {
		h, _ := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{MaxTokens: 60}, sends(sent+ends("stop")))
		if h.err != nil || h.text != text || h.end.Reason != pipeline.FinishStop {
			t.Errorf("%s: %d of %d bytes, %+v %v", name, len(h.text), len(text), h.end, h.err)
		}
	}
}

// TestSignsOfLife: a server that shows that it lives, and says nothing, is left after a while, and
// what it said before is kept.
func TestSignsOfLife(t *testing.T) {
	signs := map[string]string{
		"comments":     ": still here\n\n",
		"empty deltas": event(`{"choices":[{"index":0,"delta":{}}]}`),
		"empty words":  event(`{"choices":[{"index":0,"delta":{"content":""}}]}`),
		"roles":        event(`{"choices":[{"index":0,"delta":{"role":"assistant","content":null}}]}`),
		"no choices":   event(`{"choices":[]}`),
		"counts":       event(`{"choices":[],"usage":{"prompt_tokens":3}}`),
		"pings":        "event: ping\ndata: {\"type\":\"ping\"}\n\n",
		"fields":       "id: 7\nretry: 100\n\n",
		"empty lines":  "\n",
		"other words":  "hello\n",
		"silence":      "",
	}
	onlyWords := func(s *Server) { // are awaited for a while, however slow the machine is
		t := &s.replicas[0].t
		first, words := t.first, t.words
		unhurried(s)
		t.first, t.words = first, words
	}
	for name, sign := range signs {
		tune := onlyWords
		if name == "silence" {
			tune = func(*Server) {}
		}
		for _, before := range []string{"", word("One") + word(" two")} {
			t.Run(name+" after "+before, func(t *testing.T) {
				t.Parallel()
				h, host := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{}, then(before, sign), tune)
				sentence(t, h.err, host, "")
				if !errors.Is(h.err, fault.ErrUnreachable) && name != "other words" || before != "" && h.text != "One two" || h.end.Reason != pipeline.FinishError {
					t.Errorf("%q %+v %v", h.text, h.end, h.err)
				}
			})
		}
	}
	for _, sign := range []string{"\n", `{"message":{"content":""}}` + "\n", `{"message":{"role":"assistant"},"done":false}` + "\n"} {
		h, host := hear(t, Ollama, Model{}, pipeline.ReplyOptions{}, then(`{"message":{"content":"One"}}`+"\n", sign), onlyWords)
		sentence(t, h.err, host, "no word of its answer")
		if h.text != "One" {
			t.Errorf("%q: %q", sign, h.text)
		}
	}
}

// TestReasons: why an answer ended is told where that is not the usual end.
func TestReasons(t *testing.T) {
	for said, want := range map[string][2]string{
		"stop": {pipeline.FinishStop, ""}, "length": {pipeline.FinishLength, ""}, "max_tokens": {pipeline.FinishLength, ""}, "eos_token": {pipeline.FinishStop, ""},
		"tool_calls": {pipeline.FinishStop, ""}, "content_filter": {pipeline.FinishFiltered, "a filter of lab"}, "SAFETY": {pipeline.FinishFiltered, "a filter of lab"},
		"abort": {pipeline.FinishOther, `("abort")`}, "error": {pipeline.FinishOther, `("error")`}, "x\x1b[31m\nnew": {pipeline.FinishOther, "not known here"},
	} {
		for _, words := range []string{"", "One"} {
			sent := ""
			if words != "" {
				sent = word(words)
			}
			h, host := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{}, sends(sent+event(fmt.Sprintf(`{"choices":[{"delta":{},"finish_reason":"%s"}]}`, strings.NewReplacer("\x1b", `\u001b`, "\n", `\n`).Replace(said)))))
			if words == "" && want[0] == pipeline.FinishStop {
				sentence(t, h.err, host, "without a word")
				continue
			}
			told := strings.Join(h.notices, " ")
			if h.err != nil || h.text != words || h.end.Reason != want[0] || !strings.Contains(told, want[1]) || want[1] == "" && told != "" || strings.ContainsAny(told, "\x1b\n") {
				t.Errorf("%q after %q: %q %q %+v %v", said, words, h.text, told, h.end, h.err)
			}
		}
	}
}

// TestOddCalls: a call that cannot be made is never made, never shown as text, and told.
func TestOddCalls(t *testing.T) {
	call := func(name, arguments string) string {
		return event(fmt.Sprintf(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":%s,"arguments":%s}}]}}]}`, name, arguments))
	}
	for what, c := range map[string]struct{ sent, want string }{
		"cut arguments":   {call(`"look"`, `"{\"at\": and then"`), "cannot be read"},
		"a list":          {call(`"look"`, `"[1]"`), "cannot be read"},
		"words":           {call(`"look"`, `"hello"`), "cannot be read"},
		"a number":        {call(`"look"`, `7`), "cannot be read"},
		"no name":         {call(`""`, `"{}"`), "cannot be read"},
		"null as a name":  {call(`null`, `"{}"`), "cannot be read"},
		"no function":     {event(`{"choices":[{"delta":{"tool_calls":[{"index":0}]}}]}`), "cannot be read"},
		"not offered":     {call(`"delete_all"`, `"{}"`), `"delete_all", which was not offered`},
		"a long name":     {call(`"`+strings.Repeat("x", 400)+`"`, `"{}"`), "cannot be read"},
		"too many":        {strings.Repeat(event(`{"choices":[{"delta":{"tool_calls":[{"function":{"name":"other","arguments":"{}"}}]}}]}`), 80), "cannot be read"},
		"hostile letters": {call(`"a\u001b[31m\nb"`, `"{}"`), "which was not offered"},
	} {
		for _, words := range []string{"", "One"} {
			sent := ""
			if words != "" {
				sent = word(words)
			}
			h, host := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{Tools: []pipeline.Tool{{Name: "look"}}}, sends(sent+c.sent+ends("tool_calls")))
			told := strings.Join(h.notices, " ")
			if words == "" {
				sentence(t, h.err, host, c.want)
			} else if h.err != nil || !strings.Contains(told, c.want) || strings.ContainsAny(told, "\x1b\n") {
				t.Errorf("%s: %q, %v", what, told, h.err)
			}
			if h.text != words || len(h.calls) > 0 {
				t.Errorf("%s after %q: %q, %+v", what, words, h.text, h.calls)
			}
		}
	}
	h, _ := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{Tools: []pipeline.Tool{{Name: "look"}}}, sends(call(`"look"`, `"{\"at\":1}"`)+strings.ReplaceAll(call(`"gone"`, `"{}"`), `"index":0`, `"index":1`)+ends("tool_calls")))
	if h.err != nil || len(h.calls) != 1 || h.calls[0].Name != "look" || len(h.notices) != 1 {
		t.Errorf("a right one beside: %+v", h)
	}
}

// TestCompleteAtOnce: an answer whose end was told is complete, whatever follows or does not.
func TestCompleteAtOnce(t *testing.T) {
	whole := word("One") + word(" two") + ends("stop")
	for name, send := range map[string]func(http.ResponseWriter, *http.Request){
		"nothing more":         sends(whole),
		"silence":              then(whole, ""),
		"comments":             then(whole, ": here\n\n"),
		"empty deltas":         then(whole, event(`{"choices":[{"delta":{}}]}`)),
		"counts, then silence": then(whole+event(`{"choices":[],"usage":{"completion_tokens":2}}`), ""),
		"nonsense":             sends(whole + event("nonsense")),
		"half an event":        sends(whole + `data: {"choi`),
		"a web page":           sends(whole + "<html>bye</html>\n"),
		"a broken connection": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, whole)
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond)
			panic(http.ErrAbortHandler)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if h, _ := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{}, send); h.err != nil || h.text != "One two" || h.end.Reason != pipeline.FinishStop {
				t.Errorf("%q %+v %v", h.text, h.end, h.err)
			}
		})
	}
}

// harmless are events that say nothing of the answer, wherever they stand.
var harmless = map[string]string{
	"a comment": ": here\n\n", "a ping": "event: ping\ndata: {\"type\":\"ping\"}\n\n", "fields": "id: 3\nretry: 9\n\n", "carriage returns": "\r\n\r\n",
	"an empty delta": event(`{"choices":[{"delta":{}}]}`), "no choices": event(`{"choices":[]}`), "choices of null": event(`{"choices":null}`), "an object": event(`{}`),
	"no error": event(`{"error":null,"choices":[]}`), "usage of null": event(`{"choices":[],"usage":null}`), "a text as usage": event(`{"choices":[],"usage":"many"}`),
	"a list as usage": event(`{"choices":[],"usage":[1]}`), "texts as counts": event(`{"choices":[],"usage":{"prompt_tokens":"7","completion_tokens":"x"}}`),
	"negative counts": event(`{"choices":[],"usage":{"prompt_tokens":-7,"completion_tokens":-1}}`), "huge counts": event(`{"choices":[],"usage":{"prompt_tokens":1e300,"completion_tokens":999999999999}}`),
	"counts beyond numbers": event(`{"choices":[],"usage":{"prompt_tokens":1e999}}`), "fractions": event(`{"choices":[],"usage":{"completion_tokens":{"a":0.5}}}`),
	"calls of null": event(`{"choices":[{"delta":{"tool_calls":null,"content":null}}]}`), "no calls": event(`{"choices":[{"delta":{"tool_calls":[]}}]}`),
	"a list of no parts": event(`{"choices":[{"delta":{"content":[]}}]}`),
}

// failures are ways in which servers tell an error in the middle, with the words "out of memory".
var failures = map[string]string{
	"OpenAI":         event(`{"error":{"message":"out of memory, very-secret-token","type":"server_error"}}`),
	"a text":         event(`{"error":"out of memory, very-secret-token"}`),
	"llama-server":   "error: {\"code\":500,\"message\":\"out of memory, very-secret-token\"}\n\n",
	"an older vLLM":  event(`{"object":"error","message":"out of memory, very-secret-token","code":500}`),
	"TEI":            "event: error\ndata: {\"error\":\"out of memory, very-secret-token\",\"error_type\":\"generation\"}\n\n",
	"named, a text":  "event: error\ndata: out of memory, very-secret-token\n\n",
	"a typed one":    event(`{"type":"error","error":{"type":"overloaded","message":"out of memory, very-secret-token"}}`),
	"a detail":       event(`{"detail":"out of memory, very-secret-token"}`),
	"words as data":  event("out of memory, very-secret-token"),
	"words":          "out of memory, very-secret-token\n",
	"words, not cut": "out of memory, very-secret-token",
	"JSON, no event": "{\"error\":{\"message\":\"out of memory, very-secret-token\"}}\n",
}

// TestEventsAnywhere puts each event between those of a right answer, at each place. What is
// harmless changes nothing; an error keeps its words, without the token, and the text before it.
func TestEventsAnywhere(t *testing.T) {
	right := []string{word("One"), word(" two"), word(" three."), ends("stop"), event(`{"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}`), event("[DONE]")}
	texts := []string{"", "One", "One two", "One two three."}
	for name, e := range harmless {
		for at := range right {
			h, _ := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{}, sends(strings.Join(right[:at], "")+e+strings.Join(right[at:], "")))
			if h.err != nil || h.text != "One two three." || h.end.Reason != pipeline.FinishStop || h.end.Tokens != 3 || len(h.notices) > 0 {
				t.Errorf("%s at %d: %q %+v %q %v", name, at, h.text, h.end, h.notices, h.err)
			}
		}
	}
	for name, e := range failures {
		for at := range texts[:3] {
			h, host := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{}, sends(strings.Join(right[:at], "")+e))
			want := "out of memory"
			if at == 0 && name == "words as data" {
				want = "(it begins with \"out of memory"
			} else if at == 0 && strings.HasPrefix(name, "words") {
				want = ""
			}
			sentence(t, h.err, host, want)
			if h.text != texts[at] || h.end.Reason != pipeline.FinishError || strings.Contains(h.err.Error(), "very-secret-token") {
				t.Errorf("%s at %d: %q %+v %v", name, at, h.text, h.end, h.err)
			}
		}
	}
	h, host := hear(t, Ollama, Model{}, pipeline.ReplyOptions{}, sends(`{"message":{"content":"One"}}`+"\n"+`{"error":"out of memory, very-secret-token"}`+"\n"))
	if sentence(t, h.err, host, "out of memory"); h.text != "One" || strings.Contains(h.err.Error(), "very-secret-token") {
		t.Errorf("Ollama: %+v", h)
	}
	h, _ = hear(t, Ollama, Model{}, pipeline.ReplyOptions{}, sends(`{"message":{"content":"One"}}`+"\n"+`{"done":true,"done_reason":"stop","prompt_eval_count":"x","eval_count":-4}`+"\n"))
	if h.err != nil || h.text != "One" || h.end.Tokens != 1 {
		t.Errorf("odd counts of Ollama: %+v", h)
	}
}

// TestOneAnswer: of several answers only the first counts, and nothing after its end.
func TestOneAnswer(t *testing.T) {
	other := event(`{"choices":[{"index":1,"delta":{"content":"OTHER"}}]}`)
	both := event(`{"choices":[{"index":1,"delta":{"content":"OTHER"}},{"index":0,"delta":{"content":" two"}}]}`)
	for name, sent := range map[string]string{
		"another beside":     word("One") + other + word(" two") + ends("stop"),
		"both in one event":  word("One") + both + ends("stop"),
		"its end is no end":  word("One") + event(`{"choices":[{"index":1,"delta":{},"finish_reason":"length"}]}`) + word(" two") + ends("stop"),
		"text after the end": word("One") + word(" two") + ends("stop") + word(" after stop") + ends("length") + event("[DONE]"),
	} {
		if h, _ := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{}, sends(sent)); h.err != nil || h.text != "One two" || h.end.Reason != pipeline.FinishStop {
			t.Errorf("%s: %q %+v %v", name, h.text, h.end, h.err)
		}
	}
}

// TestPageInTheMiddle: a web page in the place of the next words is an error that says so.
func TestPageInTheMiddle(t *testing.T) {
	for _, page := range []string{"<html>502 Bad Gateway</html>\n", event("<html>502</html>"), "error: \n\n"} {
		h, host := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{}, sends(word("One")+page))
		if sentence(t, h.err, host, ""); h.text != "One" || strings.Contains(h.err.Error(), ": ;") || strings.HasPrefix(page, "<") && !strings.Contains(h.err.Error(), "web page") {
			t.Errorf("%q: %q %v", page, h.text, h.err)
		}
	}
}

// TestWholeAnswer: an answer that comes whole, though it was asked for in events, is one. Texts may come in parts.
func TestWholeAnswer(t *testing.T) {
	for name, sent := range map[string]string{
		"whole":    `{"choices":[{"message":{"role":"assistant","content":"One two","reasoning_content":""},"finish_reason":"stop"}],"usage":{"completion_tokens":2}}`,
		"indented": "{\n  \"choices\": [\n{\"message\":{\"content\":\"One two\"},\"finish_reason\":\"stop\"}]\n}\n",
		"a text":   `{"choices":[{"text":"One two","finish_reason":"stop"}]}`,
		"parts":    event(`{"choices":[{"delta":{"content":[{"type":"text","text":"One"},{"type":"text","text":" two"}]},"finish_reason":"stop"}]}`),
	} {
		if h, _ := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{}, sends(sent)); h.err != nil || h.text != "One two" || h.end.Reason != pipeline.FinishStop {
			t.Errorf("%s: %q %+v %v", name, h.text, h.end, h.err)
		}
	}
}

// TestFailedBefore: what an address said before it failed, without a word for the person, is not part of the next one's answer.
func TestFailedBefore(t *testing.T) {
	asked := 0
	h, _ := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{Tools: []pipeline.Tool{{Name: "look"}}}, func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			fmt.Fprint(w, event(`{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"look","arguments":"{}"}}]}}]}`))
			return
		}
		fmt.Fprint(w, word("One")+ends("stop"))
	})
	if h.err != nil || h.text != "One" || len(h.calls) > 0 || asked != 2 {
		t.Errorf("asked %d times: %+v", asked, h)
	}
}

// TestWaiting: who waits for an answer is told of it until its first word, and not any more after that.
func TestWaiting(t *testing.T) {
	var told atomic.Int64
	var started atomic.Bool
	o := pipeline.ReplyOptions{Waiting: func(server string, since time.Duration) {
		if server != "lab" || since <= 0 || started.Load() {
			t.Errorf("told of %s, %v, after the first word: %v", server, since, started.Load())
		}
		told.Add(1)
	}}
	d := remotetest.New(t)
	d.Fault = func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		for told.Load() < 3 && r.Context().Err() == nil {
			time.Sleep(time.Millisecond)
		}
		return false
	}
	s := serve(t, OpenAI, d)
	s.t.told = time.Millisecond
	for token, err := range pipeline.Answer(t.Context(), s.OpenWriter(Model{ID: "talker"}, 0), []pipeline.Message{pipeline.TextMessage("user", "hi")}, o) {
		started.Store(true)
		if err != nil {
			t.Fatal(err)
		}
		if token.Finished == nil {
			time.Sleep(3 * time.Millisecond)
		}
	}
	if told.Load() < 3 {
		t.Errorf("told %d times", told.Load())
	}
}

// TestSchemaElsewhere: an answer that does not follow the schema is no answer, also where the server
// says that all is well. One that was cut is told apart.
func TestSchemaElsewhere(t *testing.T) {
	const end, cut = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`, `{"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}`
	schema := []byte(`{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}},"required":["n"],"additionalProperties":false}`)
	for _, c := range []struct {
		text, end, want string
		schema          []byte
	}{
		{`{"s":"a","n":1}`, end, "", schema}, // in another order than a model here would write it
		{`{"n":"one"}`, end, "does not follow the JSON schema", schema},
		{`{"s":"a"}`, end, "does not follow the JSON schema", schema},
		{`Surely! {"n":1}`, end, "does not follow the JSON schema", schema},
		{`{"n":"one"}`, cut, "", schema},
		{`{"n":"one"}`, end, "", nil},
	} {
		h, _ := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{JSONSchema: c.schema}, sends(word(c.text)+event(c.end)+event("[DONE]")))
		if c.want == "" && h.err != nil || c.want != "" && (h.err == nil || !strings.Contains(h.err.Error(), c.want) || h.end.Reason != pipeline.FinishError) {
			t.Errorf("%s: %+v", c.text, h)
		}
		if h.text != c.text {
			t.Errorf("%s: the text is %q", c.text, h.text)
		}
	}
	odd := []byte(`{"type":"integer","unknownKeyword":3}`)
	if h, _ := hear(t, OpenAI, Model{}, pipeline.ReplyOptions{JSONSchema: odd}, sends(word("1")+event(end)+event("[DONE]"))); h.err != nil || !strings.Contains(strings.Join(h.notices, " "), "was not checked") {
		t.Errorf("a schema that is not understood: %+v", h)
	}
}
