package chat_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"inglenook/app"
	"inglenook/cpubackend"
	"inglenook/engine"

	"inglenook/app/apptest"
	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/devices"
	"inglenook/engine/enginetest"
)

const realStories = "../../../shared/models/stories260K"

// storyChat returns a folder with the real stories260K, which writes little stories, and a
// chat template of ours. The test is skipped if the model is not beside the repository.
func storyChat(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"config.json", "model.safetensors", "tokenizer.json"} {
		data, err := os.ReadFile(filepath.Join(realStories, name))
		if err != nil {
			t.Skipf("%s is not there: a real model is needed", realStories)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	template := `{"bos_token":"<s>","eos_token":"</s>","chat_template":"{% for m in messages %}{{ m.content }}\n{% endfor %}"}`
	if err := os.WriteFile(filepath.Join(dir, "tokenizer_config.json"), []byte(template), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func newRealTalks(t testing.TB) (*app.App, *chat.Service) {
	t.Helper()
	a, err := app.New(app.Options{Home: t.TempDir(), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return a, a.Chat()
}

func TestRealConversation(t *testing.T) {
	model := storyChat(t)
	_, talks := newRealTalks(t)
	ctx := context.Background()
	id, err := talks.New(chat.Choices{Model: model, MaxTokens: 20, Sampling: &chat.Sampling{}})
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	m, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, Parts: chat.Content("Once upon a time there was a little cat.")}, func(s chat.AnswerStep) {
		text.WriteString(s.Text)
	})
	if err != nil || m.State != chat.MessageComplete || m.Text() == "" || m.Text() != text.String() {
		t.Fatalf("%+v, %v", m, err)
	}
	next, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, After: m.ID, Parts: chat.Content("The cat had a red ball.")}, nil)
	if err != nil || next.Reply.Reused < m.Reply.PromptTokens || next.Reply.Tokens != 20 || next.Reply.Reason != chat.FinishLength {
		t.Errorf("%+v %+v, %v", next, next.Reply, err)
	}
}

// reopen closes an application and starts it again.
func reopen(t testing.TB, a *app.App) (*app.App, *chat.Service) {
	t.Helper()
	if err := a.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
	b, err := app.New(app.Options{Home: filepath.Dir(a.Paths().Data), Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return b, b.Chat()
}

// greedyTalk begins a conversation that uses the likeliest tokens.
func greedyTalk(t testing.TB, talks *chat.Service, model string) string {
	t.Helper()
	id, err := talks.New(chat.Choices{Model: model, MaxTokens: 30, Sampling: &chat.Sampling{}})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// say adds a message at the end of a conversation and returns the answer.
func say(t testing.TB, talks *chat.Service, id, text string) chat.Message {
	t.Helper()
	c, err := talks.Conversation(id)
	if err != nil {
		t.Fatal(err)
	}
	m, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, After: c.Leaf, Parts: chat.Content(text)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	talks.SettlePrefixes(time.Minute)
	return m
}

const openingLine = "Once upon a time there was a little cat who had a big red ball and liked to play in the park with a friend."

// An old conversation continues from the prefix cache after a restart and after another
// conversation, with the same words as without the cache.
func TestPrefixesAreKept(t *testing.T) {
	model := storyChat(t)
	a, talks := newRealTalks(t)
	first, second := greedyTalk(t, talks, model), greedyTalk(t, talks, model)
	say(t, talks, first, openingLine)
	other := say(t, talks, second, "The sun was hot.")
	if other.Reply.Reused > 2 {
		t.Errorf("another conversation reuses %d tokens", other.Reply.Reused)
	}
	back := say(t, talks, first, "The cat ran.") // the cache holds the second one
	if back.Reply.Reused < 30 {
		t.Errorf("back in the first: %+v", back.Reply)
	}
	if n := talks.PrefixBytes(); n < 1000 {
		t.Errorf("%d bytes are kept", n)
	}

	a, talks = reopen(t, a)
	third := say(t, talks, first, "The end came.")
	if r := third.Reply; r.Reused < back.Reply.PromptTokens {
		t.Errorf("after a start %d of %d tokens are reused", r.Reused, r.PromptTokens)
	}

	// The same without the cache.
	if err := os.RemoveAll(filepath.Join(a.Paths().Cache, "prefix")); err != nil {
		t.Fatal(err)
	}
	a, talks = reopen(t, a)
	anew, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: first, After: third.Parent}, nil)
	if err != nil || anew.Reply.Reused != 0 || anew.Text() != third.Text() {
		t.Errorf("without what was kept: %q, with it %q; %d tokens reused, %v", anew.Text(), third.Text(), anew.Reply.Reused, err)
	}
	talks.SettlePrefixes(time.Minute)

	// A damaged or truncated file is removed, and its tokens are read again.
	files := keptFiles(t, a)
	if len(files) != 1 {
		t.Fatalf("kept: %q", files)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"empty": {}, "cut": data[:len(data)/2], "foreign": []byte(strings.Repeat("x", len(data))), "flipped": flipped(data, len(data)/3),
	} {
		if err := os.WriteFile(files[0], bad, 0o600); err != nil {
			t.Fatal(err)
		}
		a, talks = reopen(t, a)
		again, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: first, After: third.Parent}, nil)
		if err != nil || again.Text() != third.Text() || again.Reply.Reused > third.Reply.PromptTokens*2/3 {
			t.Errorf("%s: %q, %d reused, %v", name, again.Text(), again.Reply.Reused, err)
		}
		talks.SettlePrefixes(time.Minute)
	}
	if got, err := os.ReadFile(files[0]); err != nil || len(got) != len(data) {
		t.Errorf("it was not kept again: %d bytes of %d, %v", len(got), len(data), err)
	}

	// A conversation that is deleted leaves nothing; nor does one with the limit 0.
	if err := talks.Delete(first); err != nil || len(keptFiles(t, a)) != 0 {
		t.Errorf("after deleting there are %q, %v", keptFiles(t, a), err)
	}
	none := int64(0)
	if err := a.SaveSettings(func(s *base.Settings) { s.PrefixBytes = &none }); err != nil {
		t.Fatal(err)
	}
	say(t, talks, second, "It was fun.")
	if files := keptFiles(t, a); len(files) != 0 {
		t.Errorf("kept without being wanted: %q", files)
	}
}

// Beyond the limit, the conversations that were not used for the longest time are removed
// first.
func TestPrefixesAreBounded(t *testing.T) {
	model := storyChat(t)
	a, talks := newRealTalks(t)
	var ids []string
	each := int64(0)
	for i := range 4 {
		id := greedyTalk(t, talks, model)
		ids = append(ids, id)
		say(t, talks, id, openingLine)
		if i == 0 {
			each = talks.PrefixBytes()
			limit := 2*each + each/2
			if err := a.SaveSettings(func(s *base.Settings) { s.PrefixBytes = &limit }); err != nil {
				t.Fatal(err)
			}
		}
		old := time.Now().Add(time.Duration(i-10) * time.Hour)
		for _, f := range keptFiles(t, a) {
			if filepath.Base(f) == id {
				if err := os.Chtimes(f, old, old); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	var left []string
	for _, f := range keptFiles(t, a) {
		left = append(left, filepath.Base(f))
	}
	want := slices.Sorted(slices.Values(ids[2:]))
	if !slices.Equal(left, want) || talks.PrefixBytes() != 2*each {
		t.Errorf("%q are left, want %q", left, want)
	}
	little := int64(1)
	if err := a.SaveSettings(func(s *base.Settings) { s.PrefixBytes = &little }); err != nil {
		t.Fatal(err)
	}
	if n := talks.PrefixBytes(); n != 0 {
		t.Errorf("%d bytes are left", n)
	}
}

func keptFiles(t testing.TB, a *app.App) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(a.Paths().Cache, "prefix", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func flipped(data []byte, at int) []byte {
	out := slices.Clone(data)
	out[at] ^= 4
	return out
}

// However a device fails during an answer, the answer is the CPU's, and a sentence reports it.
func TestTalkOnADeviceThatFails(t *testing.T) {
	model := storyChat(t)
	_, talks := newRealTalks(t)
	want := say(t, talks, greedyTalk(t, talks, model), openingLine).Text()
	apptest.Home(t)
	dir := t.TempDir() // which remembers that the device was tested
	for _, fault := range enginetest.Faults() {
		if fault == enginetest.FlippedValue { // which nobody can see in an answer
			continue
		}
		a, f := newFaultyApp(t, dir)
		talks := a.Chat()
		id := greedyTalk(t, talks, model)
		if err := talks.Load(context.Background(), chat.ChoicesOf(conversationOf(t, talks, id)), nil); err != nil {
			t.Fatal(err)
		}
		words := 0
		at := enginetest.AtSubmit
		if fault == enginetest.AllocationRefused {
			at = enginetest.AtRead
		}
		m, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, Parts: chat.Content(openingLine)}, func(s chat.AnswerStep) {
			if s.Text != "" {
				if words++; words == 8 {
					f.Arm(fault, at, 0)
				}
			}
		})
		talks.SettlePrefixes(time.Minute)
		if err != nil || m.Text() != want || m.State != chat.MessageComplete {
			t.Errorf("%s: %q, want %q, %v", fault, m.Text(), want, err)
		}
		if r := m.Reply; !f.Struck() || len(r.Notices) == 0 || !strings.Contains(r.Device, "cpu") {
			t.Errorf("%s: struck %v, on %s, notices %q", fault, f.Struck(), r.Device, r.Notices)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}

// newFaultyApp returns an application with a device that computes with the CPU's kernels and
// fails in a given way.
func newFaultyApp(t *testing.T, home string) (*app.App, *enginetest.Faulty) {
	t.Helper()
	a, err := app.New(app.Options{Home: home, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(context.Background()) })
	inner, err := cpubackend.New(cpubackend.Options{Threads: 1, ID: "gpu"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { inner.Close() })
	f := &enginetest.Faulty{Backend: inner}
	a.Others = []*devices.Accelerator{{ID: "gpu", Kind: "gpu", Name: "GPU", Open: func() (engine.Backend, error) { return f, nil }}}
	return a, f
}

func conversationOf(t testing.TB, talks *chat.Service, id string) chat.Conversation {
	t.Helper()
	c, err := talks.Conversation(id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A base model continues the text, and its cache is kept as well.
func TestRealBaseModel(t *testing.T) {
	path, err := filepath.Abs(realStories)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there: a real model is needed", realStories)
	}
	a, talks := newRealTalks(t)
	id := greedyTalk(t, talks, path)
	first := say(t, talks, id, openingLine)
	more, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, Continue: first.ID}, nil)
	if err != nil || !strings.HasPrefix(more.Text(), first.Text()) || len(more.Text()) <= len(first.Text()) || more.Reply.Reused < first.Reply.PromptTokens {
		t.Errorf("%q, then %q, %+v, %v", first.Text(), more.Text(), more.Reply, err)
	}
	talks.SettlePrefixes(time.Minute)
	_, talks = reopen(t, a)
	if next := say(t, talks, id, "The end"); next.Reply.Reused < more.Reply.PromptTokens {
		t.Errorf("after a start %+v", next.Reply)
	}
	meter, err := talks.Meter(context.Background(), chat.MeterRequest{Conversation: id, After: more.ID, Draft: chat.Content("And so")})
	if err != nil || !meter.Exact || meter.Prompt < first.Reply.PromptTokens || meter.Draft < 2 || meter.Prompt+meter.Room != meter.Context {
		t.Errorf("%+v, %v", meter, err)
	}
}

// spoil writes NaN over the first numbers of a tensor of a safetensors file.
func spoil(t testing.TB, path, tensor string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head := int(binary.LittleEndian.Uint64(data))
	var tensors map[string]struct {
		Offsets [2]int `json:"data_offsets"`
	}
	if err := json.Unmarshal(data[8:8+head], &tensors); err != nil {
		t.Fatal(err)
	}
	at, ok := tensors[tensor]
	if !ok {
		t.Fatalf("there is no %s", tensor)
	}
	copy(data[8+head+at.Offsets[0]:], "\x00\x00\xc0\x7f\x00\x00\xc0\x7f")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A model that computes NaN ends with a sentence, and nothing of that is kept.
func TestTalkWithADamagedModel(t *testing.T) {
	model := storyChat(t)
	spoil(t, filepath.Join(model, "model.safetensors"), "model.norm.weight")
	_, talks := newRealTalks(t)
	id := greedyTalk(t, talks, model)
	m, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, Parts: chat.Content(openingLine)}, nil)
	talks.SettlePrefixes(time.Minute)
	if err == nil || m.State != chat.MessageFailed || m.Text() != "" || !strings.Contains(m.Reply.Error, "weights may be damaged") {
		t.Errorf("%+v, %v", m, err)
	}
	if n := talks.PrefixBytes(); n != 0 {
		t.Errorf("%d bytes of it are kept", n)
	}
	other := greedyTalk(t, talks, storyChat(t))
	if m := say(t, talks, other, openingLine); m.State != chat.MessageComplete {
		t.Errorf("another model: %+v", m)
	}
}

// The end of the program waits a moment for files that are being written.
func TestPrefixesAreKeptAtTheEnd(t *testing.T) {
	model := storyChat(t)
	a, talks := newRealTalks(t)
	id := greedyTalk(t, talks, model)
	m, err := talks.Answer(context.Background(), chat.AnswerRequest{Conversation: id, Parts: chat.Content(strings.Repeat(openingLine+" ", 8))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, talks = reopen(t, a)
	if next := say(t, talks, id, "The end."); next.Reply.Reused < m.Reply.PromptTokens {
		t.Errorf("after a start %d tokens are reused of %d", next.Reply.Reused, m.Reply.PromptTokens)
	}
}
