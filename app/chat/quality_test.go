//go:build quality

package chat_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/app"
	"inglenook/app/chat"
	"inglenook/app/documents"
)

const sharedDocuments = "../../../shared/documents"

// TestQualityAsk asks starter-chat the questions of documents/support/testdata/questions.tsv
// about the documents beside the repository. docs/QUALITY.md has the figures.
func TestQualityAsk(t *testing.T) {
	if _, err := os.Stat(sharedDocuments); err != nil {
		t.Skip("the documents are not beside the repository")
	}
	t.Setenv("HF_HUB_CACHE", t.TempDir())
	a, err := app.New(app.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close(context.Background())
	papers := a.Documents()
	if _, err := papers.Add(t.Context(), documents.AddRequest{Collection: "All", Paths: []string{sharedDocuments}, Exclude: []string{"QUERIES.tsv", "*5MB*"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := papers.Index(t.Context(), documents.IndexRequest{Collection: "All"}, nil, nil); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile("../../documents/support/testdata/questions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	tiny, err := filepath.Abs("../../assets/starter-chat/starter-chat.gguf") // as a model of the person's: the guide quotes
	if err != nil {
		t.Fatal(err)
	}
	var asked, found, first, cited, said, absent, told int
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 || len(f) < 3 || strings.Contains(f[1], "5MB") {
			continue
		}
		question, file, phrase := f[0], f[1], f[2]
		id, err := a.Chat().New(chat.Choices{Model: tiny, Collection: "All", Sampling: &chat.Sampling{}, MaxTokens: 100})
		if err != nil {
			t.Fatal(err)
		}
		m, err := a.Chat().Answer(t.Context(), chat.AnswerRequest{Conversation: id, Parts: chat.Content(question)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if file == "" {
			absent++
			if m.Reply.Reason == chat.FinishNotFound {
				told++
			}
			t.Logf("%d absent: %s: %s", i, question, m.Text())
			continue
		}
		asked++
		passages := chat.Passages(message(t, a.Chat(), id, m.Parent).Parts)
		in := func(text string) bool { return strings.Contains(flat(text), flat(phrase)) }
		where := 0
		for n, p := range passages {
			if in(p.Text) && where == 0 {
				where = n + 1
			}
		}
		right := in(m.Text())
		cites := false
		for _, c := range chat.ClaimsOf(m, passages) {
			cites = cites || c.Passage >= 0 && c.Passage == where-1
		}
		for n, ok := range map[*int]bool{&found: where > 0, &first: where == 1, &said: right, &cited: cites} {
			if ok {
				*n++
			}
		}
		if where != 1 || !right || !cites {
			t.Logf("%d %s\n   said %q (%s), found at %d, cited %v; wanted %q in %s", i, question, m.Text(), m.Reply.Reason, where, cites, phrase, file)
			for _, p := range passages {
				t.Logf("      %s: %q", p.Name, p.Text)
			}
		}
	}
	t.Logf("of %d questions the answer is among what is sent for %d, in the first piece for %d; cited %d, said %d; of %d without an answer %d are told so", asked, found, first, cited, said, absent, told)
}

func flat(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
