package chat_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/app/measure"
	"inglenook/pipeline"
)

// remote is a Writer on another machine, and nothing but a Writer. It sends the messages there
// and reads one token in each line. It can neither count tokens nor keep what it has read.
type remote struct {
	address string
	planned []pipeline.Prompt
	sent    []pipeline.Prompt
}

func (r *remote) Info() pipeline.GeneratorInfo {
	return pipeline.GeneratorInfo{Context: 1000, ModelContext: 1000, Device: "elsewhere", Chat: true}
}

func (r *remote) Plan(_ context.Context, messages []pipeline.Message, _ pipeline.ReplyOptions) (pipeline.Prompt, error) {
	p := pipeline.Prompt{Plan: pipeline.Plan{Context: 1000, PromptTokens: 5 * len(messages), Room: 1000 - 5*len(messages), AllTokens: 5 * len(messages)}, Messages: messages}
	r.planned = append(r.planned, p)
	return p, nil
}

func (r *remote) Reply(ctx context.Context, p pipeline.Prompt, _ pipeline.ReplyOptions) iter.Seq2[pipeline.Token, error] {
	r.sent = append(r.sent, p)
	return func(yield func(pipeline.Token, error) bool) {
		tokens := 0
		err := r.post(ctx, p.Messages, func(word string) bool {
			t := pipeline.Token{ID: -1, Text: word}
			if tokens == 0 {
				t.Started = &pipeline.Started{Plan: p.Plan, Device: "elsewhere"}
			}
			tokens++
			return yield(t, nil)
		})
		f := &pipeline.Finished{Reason: pipeline.FinishStop, Tokens: tokens, Device: "elsewhere"}
		if err != nil {
			f.Reason = pipeline.FinishError
		}
		yield(pipeline.Token{ID: -1, Finished: f}, err)
	}
}

func (r *remote) post(ctx context.Context, messages []pipeline.Message, each func(word string) bool) error {
	body, err := json.Marshal(messages)
	if err != nil {
		return err
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, r.address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan() && each(lines.Text()); {
	}
	return nil
}

func (r *remote) Close() error { return nil }

// A conversation needs only a Writer. For each answer the conversation is rendered once, and
// exactly that is sent.
func TestTalkWithARemoteWriter(t *testing.T) {
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		var messages []pipeline.Message
		if err := json.NewDecoder(q.Body).Decode(&messages); err != nil {
			t.Error(err)
		}
		fmt.Fprintf(w, "%d\n messages\n", len(messages))
	}))
	defer there.Close()
	r := &remote{address: there.URL}
	a, talks := newSpeakingApp(t, &speaker{instead: r})
	id := newTalk(t, talks, chat.Choices{})
	first, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, Parts: chat.Content("Hello")}, nil)
	if err != nil || first.Text() != "1 messages" {
		t.Fatalf("%+v, %v", first, err)
	}
	second, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: first.ID, Parts: chat.Content("Go on")}, nil)
	if err != nil || second.Text() != "3 messages" || second.Reply.Device != "elsewhere" || second.Reply.PromptTokens != 15 {
		t.Fatalf("%+v, %+v, %v", second, second.Reply, err)
	}
	if len(r.planned) != 2 || len(r.sent) != 2 {
		t.Errorf("two answers were rendered %d times and sent %d times", len(r.planned), len(r.sent))
	}
	for i := range r.sent {
		if got, want := fmt.Sprint(r.sent[i]), fmt.Sprint(r.planned[i]); got != want {
			t.Errorf("sent %s and not %s", got, want)
		}
	}
	m, err := talks.Meter(t.Context(), chat.MeterRequest{Conversation: id, After: second.ID, Draft: chat.Content(strings.Repeat("word ", 8))})
	if err != nil || m.Exact || m.Draft != 10 || m.Prompt != 25 {
		t.Errorf("%+v, %v", m, err)
	}
	got, err := a.Measure(t.Context(), measure.Request{Targets: []devices.Target{{Device: "cpu"}}}, nil)
	if err != nil || !strings.Contains(fmt.Sprint(got.Err()), "cannot be measured") {
		t.Errorf("measuring it: %v, %v", err, got.Err())
	}
}
