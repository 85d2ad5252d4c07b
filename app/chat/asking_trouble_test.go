package chat_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/app"
	"inglenook/app/apptest"
	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/app/library"
	"inglenook/assets"
	folders "inglenook/documents/index"
)

// otherEmbedder returns the bundled embedder under another name.
func otherEmbedder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "other-embed")
	if err := os.CopyFS(dir, assets.StarterEmbed()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// retrieved checks that the passage about the notice is found, and returns what else is said.
func retrieved(t *testing.T, talks *chat.Service, x chat.Choices) chat.Retrieved {
	t.Helper()
	got, err := talks.Retrieve(t.Context(), chat.RetrieveRequest{MeterRequest: chat.MeterRequest{Choices: x}, Question: noticeQuestion})
	if err != nil || len(got.Passages) == 0 || !strings.Contains(got.Passages[0].Text, "sixty days") {
		t.Fatalf("%+v, %v", got, err)
	}
	return got
}

// TestRetrieveReranks: the chosen reranker reads the passages. One that is gone is told, and
// the passages come as they were found.
func TestRetrieveReranks(t *testing.T) {
	a, x := newAskingApp(t, &speaker{}, 2e9)
	for model, note := range map[string]string{
		filepath.Join(apptest.Root(t), "pipeline/testdata/rerank-bert"): "",
		"/no/such/model": "The passages were not sorted by reading: ",
	} {
		if err := a.SaveSettings(func(s *base.Settings) { s.Documents.Reranker = model }); err != nil {
			t.Fatal(err)
		}
		if got := retrieved(t, a.Chat(), x); (note != "") != (len(got.Notes) == 1) || note != "" && !strings.HasPrefix(got.Notes[0], note) {
			t.Errorf("%s: notes %q", model, got.Notes)
		}
	}
}

// TestEmbeddersThatChange: a collection that is to be embedded anew is searched by what it has,
// and one whose model is gone by words, which is said. Answers are judged then too.
func TestEmbeddersThatChange(t *testing.T) {
	s := &speaker{words: "The tenant may end this contract with twelve days of notice."}
	a, x := newAskingApp(t, s, 2e9)
	talks, papers := a.Chat(), a.Documents()
	other := otherEmbedder(t)
	if err := papers.SetModel(t.Context(), "Handbook", other); err != nil {
		t.Fatal(err)
	}
	retrieved(t, talks, x)
	if _, err := papers.Index(t.Context(), documents.IndexRequest{Collection: "Handbook"}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if got := retrieved(t, talks, x); len(got.Notes) > 0 {
		t.Errorf("embedded anew: %q", got.Notes)
	}
	if err := os.RemoveAll(other); err != nil {
		t.Fatal(err)
	}
	if got := retrieved(t, talks, x); len(got.Notes) == 0 {
		t.Error("a search without its model says nothing")
	}
	id := begin(t, a, x)
	answer := ask(t, talks, id, noticeQuestion)
	claims := chat.ClaimsOf(answer, chat.Passages(message(t, talks, id, answer.Parent).Parts))
	if len(claims) != 1 || claims[0].Passage >= 0 || claims[0].Why == "" {
		t.Errorf("%+v", claims)
	}
}

// TestAskReadOnly: while another process keeps the collections they are asked all the same.
func TestAskReadOnly(t *testing.T) {
	a, x := newAskingApp(t, &speaker{}, 2e9)
	b, err := app.New(app.Options{Home: filepath.Dir(a.Paths().Data), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := b.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}()
	retrieved(t, b.Chat(), x)
	if c, err := b.Documents().Collection(t.Context(), "Handbook"); err != nil || !c.ReadOnly {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestClaimsAreKept: what a passage says is supported, what none says is not, with the reason;
// after a start too. An answer whose check is ended is complete, without claims.
func TestClaimsAreKept(t *testing.T) {
	s := &speaker{words: "The tenant may end this contract with sixty days of notice. Three big elephants are allowed in the flat."}
	a, x := newAskingApp(t, s, 2e9)
	talks, id := a.Chat(), begin(t, a, x)
	var told steps
	answer, err := askFor(t, talks, chat.AnswerRequest{Conversation: id, Parts: chat.Content(noticeQuestion)}, told.take)
	if err != nil {
		t.Fatal(err)
	}
	if stages := told.stages(); stages[len(stages)-1] != chat.StageChecking {
		t.Errorf("stages %q", stages)
	}
	passages := chat.Passages(message(t, talks, id, answer.Parent).Parts)
	claims := chat.ClaimsOf(answer, passages)
	if len(claims) != 2 || claims[0].Passage < 0 || claims[1].Passage >= 0 || claims[1].Why == "" {
		t.Fatalf("%+v", claims)
	}
	if by := passages[claims[0].Passage].Text[claims[0].BestStart:claims[0].BestEnd]; !strings.Contains(by, "sixty days") {
		t.Errorf("supported by %q", by)
	}
	odd := answer
	odd.Reply = &chat.ReplyRecord{Claims: []chat.Claim{{Start: 5, End: 2}, {Start: 0, End: 9999}, {Start: -3, End: 2}, {End: 3, Passage: 7}, {Start: 1, End: 4, BestStart: 3, BestEnd: 9999}, {Start: 2, End: 5, Passage: -1}}}
	if got := chat.ClaimsOf(odd, passages); len(got) != 1 || got[0].BestEnd != 0 {
		t.Errorf("of a damaged record: %+v", got)
	}

	ctx, cancel := context.WithCancel(t.Context())
	ended, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, After: answer.Parent}, func(step chat.AnswerStep) {
		if step.Stage == chat.StageChecking {
			cancel()
		}
	})
	if err != nil || ended.State != chat.MessageComplete || ended.Text() != answer.Text() || len(ended.Reply.Claims) > 0 {
		t.Errorf("ended while it was checked: %+v, %v", ended, err)
	}
}

// TestSecondQuestionReadsLittle: with the real tiny model, a second question reads only what is
// new: the passages of the first one stay in the prompt as they were.
func TestSecondQuestionReadsLittle(t *testing.T) {
	apptest.Home(t)
	a, talks := newRealTalks(t)
	index(t, a, "Handbook", handbook(t))
	tiny := filepath.Join(apptest.Root(t), "assets/starter-chat/starter-chat.gguf") // as a model of the person's: the guide reads nothing
	id := begin(t, a, chat.Choices{Model: tiny, Collection: "Handbook", Sampling: &chat.Sampling{}, MaxTokens: 30})
	first := ask(t, talks, id, noticeQuestion)
	second := ask(t, talks, id, "Which small animals are allowed in the flat?")
	if r := second.Reply; r.Reused < first.Reply.PromptTokens || r.Reused >= r.PromptTokens {
		t.Errorf("%d of %d tokens are reused, after %d", r.Reused, r.PromptTokens, first.Reply.PromptTokens)
	}
	if !strings.Contains(first.Text(), "sixty days") {
		t.Errorf("%q", first.Text())
	}
}

// TestTheGuideQuotes: the tiny guide answers with passages as they are, their places, and where
// larger models are; what it quotes is cited, and it cannot be continued.
func TestTheGuideQuotes(t *testing.T) {
	apptest.Home(t)
	a, talks := newRealTalks(t)
	index(t, a, "Handbook", handbook(t))
	id := begin(t, a, chat.Choices{Model: library.StarterChat, Collection: "Handbook"})
	m := ask(t, talks, id, noticeQuestion)
	passages := chat.Passages(message(t, talks, id, m.Parent).Parts)
	if m.Reply.Reason != chat.FinishQuoted || m.Reply.Model != library.StarterChat || m.State != chat.MessageComplete || len(passages) == 0 {
		t.Fatalf("%+v of %d passages", m, len(passages))
	}
	text := m.Text()
	if !strings.Contains(text, "sixty days") || !strings.Contains(text, "— "+passages[0].Name) || !strings.Contains(text, "Discover") {
		t.Errorf("it says %q", text)
	}
	claims := chat.ClaimsOf(m, passages)
	if len(claims) != len(passages) {
		t.Fatalf("%d of %d passages are cited", len(claims), len(passages))
	}
	for i, c := range claims {
		if c.Passage != i || text[c.Start:c.End] != "— "+passages[i].Name || !strings.Contains(text[:c.Start], strings.ReplaceAll(strings.TrimSpace(passages[i].Text), "\n", "\n> ")) {
			t.Errorf("of passage %d %q is cited in %q", c.Passage, text[c.Start:c.End], text)
		}
	}
	if _, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, Continue: m.ID}, nil); err == nil {
		t.Error("it can be continued")
	}
	if again := ask(t, talks, id, "What is the population of Mars?"); again.Reply.Reason != chat.FinishNotFound {
		t.Errorf("what the documents do not answer is %+v", again.Reply)
	}
}

// TestRetrieveIsCancelled: whenever a search ends, while documents are searched, while the
// reranker is opened or while it reads, it gives all that it found or nothing but the end.
func TestRetrieveIsCancelled(t *testing.T) {
	a, x := newAskingApp(t, &speaker{}, 2e9)
	reranker := filepath.Join(apptest.Root(t), "pipeline/testdata/rerank-bert")
	if err := a.SaveSettings(func(s *base.Settings) { s.Documents.Reranker = reranker }); err != nil {
		t.Fatal(err)
	}
	whole := retrieved(t, a.Chat(), x)
	cancelled := 0
	for wait := time.Duration(0); wait < 2*whole.Took; wait += max(whole.Took/25, time.Millisecond/4) {
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(wait, cancel)
		got, err := a.Chat().Retrieve(ctx, chat.RetrieveRequest{MeterRequest: chat.MeterRequest{Choices: x}, Question: noticeQuestion})
		timer.Stop()
		cancel()
		switch {
		case err != nil:
			cancelled++
			if !errors.Is(err, context.Canceled) {
				t.Errorf("after %v: %v", wait, err)
			}
		case len(got.Notes) > 0 || !slices.Equal(names(got.Passages), names(whole.Passages)):
			t.Errorf("after %v: %q, %q", wait, names(got.Passages), got.Notes)
		}
	}
	if cancelled == 0 {
		t.Error("nothing was cancelled")
	}
	retrieved(t, a.Chat(), x)
}

// TestAskHalfIndexed: a collection whose run was ended by hand, at any file, is asked by what
// it has, and says how much is still to be read; the next run completes it.
func TestAskHalfIndexed(t *testing.T) {
	const files = 6
	dir := t.TempDir()
	for i := range files {
		text := fmt.Sprintf("# Contract %d\n\nThe tenant of house %d may end this contract with sixty days of notice.\n", i, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("contract-%d.md", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, x := newAskingApp(t, &speaker{}, 2e9)
	talks, papers := a.Chat(), a.Documents()
	for after := range files {
		x.Collection = fmt.Sprintf("Half %d", after)
		if _, err := papers.Add(t.Context(), documents.AddRequest{Collection: x.Collection, Paths: []string{dir}}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		read := 0
		_, err := papers.Index(ctx, documents.IndexRequest{Collection: x.Collection}, func(e documents.Event) {
			if e.Kind == folders.File {
				read++
			}
			if read >= after {
				cancel()
			}
		}, nil)
		if err == nil {
			t.Fatalf("a run that ends after %d files is complete", after)
		}
		c, err := papers.Collection(t.Context(), x.Collection)
		if err != nil {
			t.Fatal(err)
		}
		r := chat.RetrieveRequest{MeterRequest: chat.MeterRequest{Choices: x}, Question: noticeQuestion}
		got, err := talks.Retrieve(t.Context(), r)
		switch {
		case c.Files == 0:
			if err == nil || !strings.Contains(err.Error(), x.Collection) {
				t.Errorf("after %d files: %+v, %v", after, got, err)
			}
		case err != nil || len(got.Passages) == 0 || !strings.Contains(got.Passages[0].Text, "sixty days"):
			t.Errorf("after %d files: %+v, %v", after, got, err)
		case c.Files < files && !slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, "still to be read") }):
			t.Errorf("%d of %d files are read, and nothing says so: %q (waiting %d)", c.Files, files, got.Notes, c.Waiting)
		}
		cancel()
		if _, err := papers.Index(t.Context(), documents.IndexRequest{Collection: x.Collection}, nil, nil); err != nil {
			t.Fatal(err)
		}
		if got := retrieved(t, talks, x); len(got.Notes) > 0 {
			t.Errorf("complete after %d files: %q", after, got.Notes)
		}
	}
}
