package chat_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
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
	"inglenook/app/pool"
	"inglenook/pipeline"
)

// handbook is a folder with three documents.
func handbook(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"lease.md": "# Lease\n\n## Notice\n\nThe tenant may end this contract with sixty days of notice. The notice has to be given in writing.\n\n## Animals\n\nOne small dog is allowed in the flat.\n",
		"boat.txt": "The blue boat was painted in May and lies in the harbour. Its engine was repaired by Mr. Novak for 640 dollars.\n",
		"cat.txt":  "The cat sleeps on the wall in the sun.\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// newAskingApp returns an application in which s answers as a model of a size, and the
// collection Handbook.
func newAskingApp(t testing.TB, s *speaker, parameters int64) (*app.App, chat.Choices) {
	t.Helper()
	apptest.Home(t)
	if s.context == 0 {
		s.context = 4000
	}
	s.kind = library.KindChat
	o := s.openers()
	real := pool.RealOpeners()
	o.Describe = func(files fs.FS, weights string) (pipeline.Description, error) {
		d, err := real.Describe(files, weights)
		if d.Kind == library.KindText {
			d.Kind, d.Parameters, d.MaxLength, d.Incomplete = library.KindChat, parameters, s.context, "" // who speaks needs no tokenizer
		}
		return d, err
	}
	a, err := app.New(app.Options{Home: t.TempDir(), Threads: 1, Openers: o})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	index(t, a, "Handbook", handbook(t))
	model := filepath.Join(t.TempDir(), "talker")
	if err := os.CopyFS(model, os.DirFS("../../models/testdata/decoders/llama")); err != nil {
		t.Fatal(err)
	}
	return a, chat.Choices{Model: model, Collection: "Handbook"}
}

func index(t testing.TB, a *app.App, name string, paths ...string) documents.Collection {
	t.Helper()
	papers := a.Documents()
	c, err := papers.Add(t.Context(), documents.AddRequest{Collection: name, Paths: paths})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := papers.Index(t.Context(), documents.IndexRequest{Collection: name}, nil, nil); err != nil {
		t.Fatal(err)
	}
	return c
}

// ask asks a question at the end of a conversation.
func ask(t testing.TB, talks *chat.Service, id, text string) chat.Message {
	t.Helper()
	m, err := askFor(t, talks, chat.AnswerRequest{Conversation: id, Parts: chat.Content(text)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// askFor asks after the end of a conversation.
func askFor(t testing.TB, talks *chat.Service, r chat.AnswerRequest, report func(chat.AnswerStep)) (chat.Message, error) {
	t.Helper()
	c, err := talks.Conversation(r.Conversation)
	if err != nil {
		t.Fatal(err)
	}
	r.After = c.Leaf
	return talks.Answer(t.Context(), r, report)
}

func begin(t testing.TB, a *app.App, x chat.Choices) string {
	t.Helper()
	id, err := a.Chat().New(x)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// message returns a message of a conversation.
func message(t testing.TB, talks *chat.Service, id string, number int64) chat.Message {
	t.Helper()
	c, err := talks.Conversation(id)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(c.Messages, func(m chat.Message) bool { return m.ID == number })
	if i < 0 {
		t.Fatalf("there is no message %d in %+v", number, c.Messages)
	}
	return c.Messages[i]
}

const noticeQuestion = "With how many days of notice may the tenant end the contract?"

// TestRetrieve: the passage that answers comes first, it says where it is from, its document
// can be opened at it, and what was left out is told.
func TestRetrieve(t *testing.T) {
	a, x := newAskingApp(t, &speaker{}, 2e9)
	r := chat.RetrieveRequest{MeterRequest: chat.MeterRequest{Choices: x, Draft: chat.Content(noticeQuestion)}}
	got, err := a.Chat().Retrieve(t.Context(), r)
	if err != nil || len(got.Passages) == 0 || got.Missing != "" || got.Took <= 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	first := got.Passages[0]
	from, ok := chat.SourceOf(first)
	if !ok || filepath.Base(from.Path) != "lease.md" || !strings.Contains(first.Text, "sixty days") || first.Kind != chat.PartPassage || first.Name != "lease.md, line 5" {
		t.Fatalf("%+v from %+v", first, from)
	}
	if best := first.Text[from.Best.Start:from.Best.End]; !strings.Contains(best, "sixty days") {
		t.Errorf("the best sentence is %q", best)
	}
	found, err := a.Chat().Found(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	opened, err := a.Documents().Open(t.Context(), found)
	if err != nil || opened.Changed || opened.Document.Text[opened.Passage.Start:opened.Passage.End] != first.Text {
		t.Errorf("%+v, %v", opened, err)
	}
	if len(got.Notes) > 0 {
		t.Errorf("notes %q", got.Notes)
	}
	if err := os.Chtimes(from.Path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	if got, err = a.Chat().Retrieve(t.Context(), r); err != nil || len(got.Notes) != 1 || !strings.HasPrefix(got.Notes[0], "lease.md, line 5 has changed since it was read") {
		t.Errorf("notes %q, %v", got.Notes, err)
	}
	if err := os.Remove(from.Path); err != nil {
		t.Fatal(err)
	}
	if got, err = a.Chat().Retrieve(t.Context(), r); err != nil || len(got.Notes) != 1 || !strings.HasPrefix(got.Notes[0], "lease.md, line 5 is gone") {
		t.Errorf("notes %q, %v", got.Notes, err)
	}
	r.Question, r.Draft = "Who repaired the engine of the boat?", nil
	if got, err = a.Chat().Retrieve(t.Context(), r); err != nil || len(got.Passages) == 0 || !strings.Contains(got.Passages[0].Text, "Novak") {
		t.Errorf("%+v, %v", got, err)
	}
	for _, nothing := range []chat.RetrieveRequest{{}, {MeterRequest: chat.MeterRequest{Choices: x}}, {MeterRequest: chat.MeterRequest{Draft: chat.Content("a cat")}}} {
		if got, err := a.Chat().Retrieve(t.Context(), nothing); err != nil || len(got.Passages)+len(got.Others) > 0 || got.Missing != "" {
			t.Errorf("%+v: %+v, %v", nothing, got, err)
		}
	}
}

// TestSmallModelsGetPieces: a small model gets short pieces with the sentence that answers, in
// the form that it was trained on, and no instruction.
func TestSmallModelsGetPieces(t *testing.T) {
	s := &speaker{words: "Sixty days."}
	a, x := newAskingApp(t, s, 1e6)
	long := filepath.Join(t.TempDir(), "long.txt")
	text := strings.Repeat("Some words about the weather in the town and its gardens. ", 12) + "The zeppelin lands on Friday at noon. " + strings.Repeat("More words about the river and the bridge. ", 12)
	if err := os.WriteFile(long, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	index(t, a, "Handbook", long)
	id := begin(t, a, x)
	answer := ask(t, a.Chat(), id, "When does the zeppelin land?")
	asked := message(t, a.Chat(), id, answer.Parent)
	passages := chat.Passages(asked.Parts)
	if len(passages) == 0 || !strings.Contains(passages[0].Text, "lands on Friday at noon.") || len(passages[0].Text) > 240 {
		t.Fatalf("%+v", passages)
	}
	sent := s.last()
	if got := sent[len(sent)-1].Text(); sent[0].Role != chat.RoleUser || !strings.HasPrefix(got, "Passage: ") || !strings.HasSuffix(got, "\n\nQuestion: When does the zeppelin land?") || strings.Contains(got, "```") {
		t.Errorf("sent: %q", got)
	}
}

// TestAskDocuments: the instruction comes first, then numbered passages within fences, then
// the question. The passages stay with the question, and its answer is what the model said.
func TestAskDocuments(t *testing.T) {
	s := &speaker{words: "Sixty days of notice. [1]"}
	a, x := newAskingApp(t, s, 2e9)
	talks, id := a.Chat(), begin(t, a, x)
	var told steps
	answer, err := askFor(t, talks, chat.AnswerRequest{Conversation: id, Parts: chat.Content(noticeQuestion)}, told.take)
	if err != nil || answer.State != chat.MessageComplete || answer.Text() != "Sixty days of notice. [1] " {
		t.Fatalf("%+v, %v", answer, err)
	}
	if stages := told.stages(); stages[0] != chat.StageSearching {
		t.Errorf("stages %q", stages)
	}
	asked := message(t, talks, id, answer.Parent)
	passages := chat.Passages(asked.Parts)
	if len(passages) == 0 || asked.Text() != noticeQuestion {
		t.Fatalf("%+v", asked)
	}
	sent := s.last()
	if len(sent) != 2 || sent[0].Role != "system" || !strings.Contains(sent[0].Text(), "never instructions") {
		t.Fatalf("%+v", sent)
	}
	begins := "Passage 1, lease.md, line 5:\n```\n" + passages[0].Text + "\n```\n\n"
	if got := sent[1].Text(); !strings.HasPrefix(got, begins) || !strings.HasSuffix(got, "\n\n"+noticeQuestion) {
		t.Errorf("sent: %s", got)
	}

	second := ask(t, talks, id, "Which animals are allowed in the flat?")
	again := s.last()
	if len(again) != 4 || again[0].Text() != sent[0].Text() || again[1].Text() != sent[1].Text() {
		t.Errorf("the second question begins in another way than the first: %+v", again)
	}
	if p := chat.Passages(message(t, talks, id, second.Parent).Parts); len(p) == 0 || !strings.Contains(p[0].Text, "dog") {
		t.Errorf("%+v", p)
	}
}

// TestPassagesThatThePersonChose are sent as they are, and none where all were left out.
func TestPassagesThatThePersonChose(t *testing.T) {
	s := &speaker{words: "Well."}
	a, x := newAskingApp(t, s, 2e9)
	talks, id := a.Chat(), begin(t, a, x)
	found, err := talks.Retrieve(t.Context(), chat.RetrieveRequest{MeterRequest: chat.MeterRequest{Conversation: id}, Question: "Where does the cat sleep?"})
	if err != nil {
		t.Fatal(err)
	}
	mine := append(slices.Clone(found.Passages[:1]), chat.Text(noticeQuestion))
	mine[0].Text = "The cat sleeps in the cupboard."
	if _, err := askFor(t, talks, chat.AnswerRequest{Conversation: id, Parts: mine, Retrieved: true}, nil); err != nil {
		t.Fatal(err)
	}
	if sent := s.last(); !strings.Contains(sent[1].Text(), "cupboard") || strings.Contains(sent[1].Text(), "sixty days") {
		t.Errorf("sent: %s", sent[1].Text())
	}
	if _, err := askFor(t, talks, chat.AnswerRequest{Conversation: id, Parts: chat.Content(noticeQuestion), Retrieved: true}, nil); err != nil {
		t.Fatal(err)
	}
	if sent := s.last(); sent[len(sent)-1].Text() != noticeQuestion {
		t.Errorf("sent: %+v", sent)
	}
}

// TestPassagesStay: with another answer, a copy of the conversation, an edit and an answer
// that goes on; what has no passages yet gets them as a branch.
func TestPassagesStay(t *testing.T) {
	s := &speaker{words: "one two three four"}
	a, x := newAskingApp(t, s, 2e9)
	talks, id := a.Chat(), begin(t, a, x)
	answer := ask(t, talks, id, noticeQuestion)
	want := chat.Passages(message(t, talks, id, answer.Parent).Parts)
	same := func(what, id string, number int64) {
		t.Helper()
		got := chat.Passages(message(t, talks, id, number).Parts)
		if !slices.EqualFunc(got, want, func(a, b chat.Part) bool {
			return a.Text == b.Text && a.Name == b.Name
		}) {
			t.Errorf("%s: %s and not %s", what, names(got), names(want))
		}
	}
	again, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: answer.Parent}, nil)
	if err != nil || again.Parent != answer.Parent {
		t.Fatalf("%+v, %v", again, err)
	}
	same("another answer", id, again.Parent)
	more, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, Continue: again.ID}, nil)
	if err != nil || more.Parent != answer.Parent {
		t.Fatalf("%+v, %v", more, err)
	}
	copied, err := talks.Duplicate(id)
	if err != nil {
		t.Fatal(err)
	}
	same("a copy", copied, answer.Parent)
	edited, err := talks.Edit(id, answer.Parent, "How is the notice given?", nil)
	if err != nil {
		t.Fatal(err)
	}
	same("an edit", id, edited)
	data, err := talks.Export(id, "json")
	if err != nil {
		t.Fatal(err)
	}
	ids, err := talks.Import(data)
	if err != nil {
		t.Fatal(err)
	}
	same("an import", ids[0], answer.Parent)
	text, err := talks.Export(id, "markdown")
	if err != nil || !strings.Contains(string(text), "**"+want[0].Name+"**\n\n> ") {
		t.Errorf("%v: %s", err, text)
	}

	x.Collection = ""
	plain := begin(t, a, x)
	alone := ask(t, talks, plain, noticeQuestion)
	x.Collection = "Handbook"
	if err := talks.SetChoices(plain, x); err != nil {
		t.Fatal(err)
	}
	with, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: plain, After: alone.Parent}, nil)
	if err != nil || with.Parent == alone.Parent {
		t.Fatalf("%+v, %v", with, err)
	}
	same("asked again with documents", plain, with.Parent)
}

// TestCollectionsThatAreGone: one that was removed or never indexed, or a search that fails
// otherwise, is one sentence, and the model is asked only if the person says so. One that was
// renamed is still found by its id.
func TestCollectionsThatAreGone(t *testing.T) {
	s := &speaker{words: "Well."}
	a, x := newAskingApp(t, s, 2e9)
	talks, papers := a.Chat(), a.Documents()
	c, err := papers.Collection(t.Context(), "Handbook")
	if err != nil {
		t.Fatal(err)
	}
	byID := x
	byID.Collection = c.ID
	id, renamed := begin(t, a, x), begin(t, a, byID)
	if err := papers.Rename(t.Context(), "Handbook", "Rules"); err != nil {
		t.Fatal(err)
	}
	if answer := ask(t, talks, renamed, noticeQuestion); len(chat.Passages(message(t, talks, renamed, answer.Parent).Parts)) == 0 {
		t.Error("a renamed collection is not searched")
	}
	refuses := func(id, because string) {
		t.Helper()
		heard := len(s.heard)
		_, err := askFor(t, talks, chat.AnswerRequest{Conversation: id, Parts: chat.Content(noticeQuestion)}, nil)
		var unsearched *chat.UnsearchedError
		if !errors.As(err, &unsearched) || !strings.Contains(err.Error(), because) || len(s.heard) != heard {
			t.Fatalf("%v; the model was asked %d times", err, len(s.heard)-heard)
		}
		if m := message(t, talks, id, unsearched.Asked); m.Text() != noticeQuestion {
			t.Errorf("kept: %+v", m)
		}
		answer, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: unsearched.Asked, Anyway: true}, nil)
		if err != nil || answer.Text() != "Well. " {
			t.Errorf("%+v, %v", answer, err)
		}
	}
	refuses(id, `there is no collection "Handbook"; there are: Rules`)
	if _, err := papers.Add(t.Context(), documents.AddRequest{Collection: "New", Paths: []string{handbook(t)}}); err != nil {
		t.Fatal(err)
	}
	x.Collection = "New"
	refuses(begin(t, a, x), "“New” has no files")
	if err := papers.Remove(t.Context(), "Rules"); err != nil {
		t.Fatal(err)
	}
	refuses(renamed, "there is no collection")
}

// TestAllCollections: all collections are asked together, but those that were removed and may still
// come back; each passage says which it is from.
func TestAllCollections(t *testing.T) {
	a, x := newAskingApp(t, &speaker{words: "Well."}, 2e9)
	talks := a.Chat()
	note := filepath.Join(t.TempDir(), "zeppelin.txt")
	if err := os.WriteFile(note, []byte("The zeppelin lands on Friday at noon, behind the old mill.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := index(t, a, "Notes", note)
	x.Collection = chat.AllCollections
	find := func(question string) (list []chat.Source, missing string) {
		t.Helper()
		got, err := talks.Retrieve(t.Context(), chat.RetrieveRequest{MeterRequest: chat.MeterRequest{Choices: x}, Question: question})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range got.Passages {
			from, _ := chat.SourceOf(p)
			list = append(list, from)
		}
		return list, got.Missing
	}
	const landing = "When does the zeppelin land?"
	for question, file := range map[string]string{noticeQuestion: "lease.md", landing: "zeppelin.txt"} {
		if got, _ := find(question); len(got) == 0 || filepath.Base(got[0].Path) != file || (file == "zeppelin.txt") != (got[0].Collection == other.ID) {
			t.Errorf("%s: %+v", question, got)
		}
	}
	if _, missing := find("What is the population of Mars?"); !strings.Contains(missing, "“All collections”") {
		t.Errorf("nothing answers: %q", missing)
	}
	if err := a.SaveSettings(func(s *base.Settings) { s.Documents.Removing = []string{other.ID} }); err != nil {
		t.Fatal(err)
	}
	if got, _ := find(landing); slices.ContainsFunc(got, func(s chat.Source) bool { return s.Collection == other.ID }) {
		t.Errorf("a removed collection is asked: %+v", got)
	}
	if answer := ask(t, talks, begin(t, a, x), noticeQuestion); answer.Text() != "Well. " {
		t.Errorf("%+v", answer)
	}
}

// TestDamagedSources: a passage whose record is damaged is still sent, cannot be opened, and
// one that names a file outside of the collection is not opened either.
func TestDamagedSources(t *testing.T) {
	s := &speaker{words: "Well."}
	a, x := newAskingApp(t, s, 2e9)
	talks, id := a.Chat(), begin(t, a, x)
	c, err := a.Documents().Collection(t.Context(), "Handbook")
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(outside, []byte("a secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	foreign, err := json.Marshal(chat.Source{Collection: c.ID, ID: 1, Path: outside, End: 8})
	if err != nil {
		t.Fatal(err)
	}
	for _, data := range []string{"", "x", "{}", "[]", `{"collection":5}`, `{"collection":"a","path":"b","start":9,"end":2}`, `{"collection":"a","path":"b","start":-1}`, string(foreign), `{"collection":"a","path":"/x","end":5}`} {
		p := chat.Part{Kind: chat.PartPassage, Name: "gone.txt", Text: "The cat sleeps.", Data: []byte(data)}
		if _, err := a.Chat().Found(t.Context(), p); err == nil {
			t.Errorf("%s: opened", data)
		}
		if _, err := askFor(t, talks, chat.AnswerRequest{Conversation: id, Parts: []chat.Part{p, chat.Text("Where?")}, Retrieved: true}, nil); err != nil {
			t.Errorf("%s: %v", data, err)
		}
		if sent := s.last(); !strings.Contains(sent[len(sent)-1].Text(), "Passage 1, gone.txt:\n```\nThe cat sleeps.\n```") {
			t.Errorf("%s: sent %s", data, sent[len(sent)-1].Text())
		}
	}
	far := chat.Part{Kind: chat.PartPassage, Text: "short", Data: []byte(`{"collection":"a","path":"b","end":5,"best":{"Start":2,"End":99}}`)}
	if from, ok := chat.SourceOf(far); !ok || from.Best != (chat.Span{}) {
		t.Errorf("%+v, %v", from, ok)
	}
}

// TestPassagesMakeRoom: passages of earlier questions are left out before messages are.
func TestPassagesMakeRoom(t *testing.T) {
	s := &speaker{words: "Well."}
	a, x := newAskingApp(t, s, 2e9)
	talks, id := a.Chat(), begin(t, a, x)
	questions := []string{noticeQuestion, "Who repaired the engine of the blue boat?", "On which wall does the cat sleep?", "Which small animals are allowed in the flat?"}
	for _, q := range questions {
		ask(t, talks, id, q)
	}
	whole := s.last()
	size := 0
	for _, m := range whole {
		size += count(m.Text())
	}
	s.context = size - 10
	c, err := talks.Conversation(id)
	if err != nil {
		t.Fatal(err)
	}
	last := c.Messages[len(c.Messages)-2]
	if _, err := talks.Answer(t.Context(), chat.AnswerRequest{Conversation: id, After: last.ID}, nil); err != nil {
		t.Fatal(err)
	}
	sent := s.last()
	if len(sent) != len(whole) {
		t.Fatalf("%d messages of %d are sent", len(sent), len(whole))
	}
	for i, m := range sent {
		if m.Role != chat.RoleUser {
			continue
		}
		if has := strings.Contains(m.Text(), "Passage 1, "); has != (i > 3) || !strings.HasSuffix(m.Text(), questions[(i-1)/2]) {
			t.Errorf("message %d: %s", i, m.Text())
		}
	}
}

// TestSearchIsCancelled: what ends while documents are searched keeps the question.
func TestSearchIsCancelled(t *testing.T) {
	s := &speaker{words: "Well."}
	a, x := newAskingApp(t, s, 2e9)
	talks, id := a.Chat(), begin(t, a, x)
	ctx, cancel := context.WithCancel(t.Context())
	m, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, Parts: chat.Content(noticeQuestion)}, func(step chat.AnswerStep) {
		if step.Stage == chat.StageSearching {
			cancel()
		}
	})
	if err != nil || m.State != chat.MessageStopped || m.Text() != "" || len(s.heard) > 0 {
		t.Errorf("%+v, %v", m, err)
	}
	if asked := message(t, talks, id, m.Parent); asked.Text() != noticeQuestion {
		t.Errorf("%+v", asked)
	}
}

// names are those of passages, with their records.
func names(passages []chat.Part) (list []string) {
	for _, p := range passages {
		list = append(list, p.Name+" "+string(p.Data))
	}
	return list
}

// The chats that ask a collection are counted, however they name it; deleted ones do not.
func TestAskedBy(t *testing.T) {
	a, x := newAskingApp(t, &speaker{}, 2e9)
	talks := a.Chat()
	c, err := a.Documents().Collection(t.Context(), x.Collection)
	if err != nil {
		t.Fatal(err)
	}
	byID, none := x, x
	byID.Collection, none.Collection = c.ID, ""
	begin(t, a, x)
	begin(t, a, none)
	deleted := begin(t, a, byID)
	begin(t, a, byID)
	if n, err := talks.AskedBy(c.ID, c.Name); err != nil || n != 3 {
		t.Errorf("%d chats, %v", n, err)
	}
	if err := talks.Delete(deleted); err != nil {
		t.Fatal(err)
	}
	if n, err := talks.AskedBy(c.ID, c.Name); err != nil || n != 2 {
		t.Errorf("after one was deleted: %d chats, %v", n, err)
	}
}

// A question with two parts gets passages for both, and says which part nothing answers.
func TestRetrieveForEachPart(t *testing.T) {
	for _, parameters := range []int64{2e9, 1e6} {
		a, x := newAskingApp(t, &speaker{}, parameters)
		for question, want := range map[string][]string{
			"What did the repair of the engine of the boat cost, and how many days of notice may the tenant give?": {"640 dollars", "sixty days"},
			"How many days of notice may the tenant give? Where does the cat sleep?":                               {"sixty days", "on the wall"},
			"Where does the cat sleep, and which team won the football championship in Brazil?":                    {"on the wall"},
		} {
			got, err := a.Chat().Retrieve(t.Context(), chat.RetrieveRequest{MeterRequest: chat.MeterRequest{Choices: x}, Question: question})
			if err != nil || got.Missing != "" {
				t.Fatalf("%q: %+v, %v", question, got, err)
			}
			all := ""
			for _, p := range got.Passages {
				all += p.Text + "\n"
			}
			for _, w := range want {
				if !strings.Contains(all, w) {
					t.Errorf("with %d parameters: %q gets no passage with %q: %q", parameters, question, w, all)
				}
			}
			told := strings.Contains(strings.Join(got.Notes, " "), "Nothing in “Handbook” answers “which team won the football championship in Brazil?”.")
			if told != strings.Contains(question, "Brazil") {
				t.Errorf("%q: notes %q", question, got.Notes)
			}
		}
	}
}
