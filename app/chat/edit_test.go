package chat_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/devices"
)

func TestTalksAreEdited(t *testing.T) {
	_, talks := newSpeakingApp(t, &speaker{words: "fine, and the weather is fair"})
	ctx := context.Background()
	first, second := newTalk(t, talks, chat.Choices{}), newTalk(t, talks, chat.Choices{})
	for id, text := range map[string]string{first: "How is the héron today?", second: "Where is the lighthouse?"} {
		if _, err := talks.Answer(ctx, chat.AnswerRequest{Conversation: id, Parts: chat.Content(text)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Error(err)
		}
	}
	check(talks.Pin(first, true))
	list, err := talks.List("")
	if err != nil || len(list) != 2 || list[0].ID != first || !list[0].Pinned {
		t.Errorf("%+v, %v", list, err)
	}
	if found, err := talks.List("HERON fair"); err != nil || len(found) != 1 || found[0].ID != first {
		t.Errorf("%+v, %v", found, err)
	}
	check(talks.Rename(second, "Light"))
	copied, err := talks.Duplicate(second)
	check(err)
	if c, err := talks.Conversation(copied); err != nil || c.Title != "Light (copy)" || len(c.Messages) != 2 {
		t.Errorf("%+v, %v", c, err)
	}
	check(talks.Delete(copied))
	if list, _ = talks.List(""); len(list) != 2 || len(talks.Trash()) != 1 {
		t.Errorf("%d conversations, %d deleted", len(list), len(talks.Trash()))
	}
	check(talks.Restore(copied))
	check(talks.Delete(copied))
	check(talks.Purge(copied))
	if len(talks.Trash()) != 0 {
		t.Error("it is still in the trash")
	}
	check(talks.DeleteMessage(first, 2))
	check(talks.RestoreMessage(first, 2))
	if _, err := talks.Edit(first, 1, "  ", nil); err == nil {
		t.Error("an empty message was taken")
	}
	if _, err := talks.Edit(first, 99, "x", nil); err == nil {
		t.Error("what is not there was edited")
	}
	added, err := talks.Edit(first, 2, "Fine, thanks.", nil)
	check(err)
	if c, _ := talks.Conversation(first); c.Leaf != added || c.Messages[2].Role != chat.RoleAssistant || c.Messages[2].Reply == nil || c.Messages[2].Reply.Reason != chat.FinishEdited || c.Messages[2].Reply.Tokens != 0 {
		t.Errorf("%+v", c)
	}
	text, err := talks.Export(second, "markdown")
	if err != nil || !strings.Contains(string(text), "lighthouse") || !strings.Contains(string(text), "weather is fair") {
		t.Errorf("%s, %v", text, err)
	}
	data, err := talks.Export(first, "json")
	check(err)
	ids, err := talks.Import(data)
	if err != nil || len(ids) != 1 {
		t.Fatalf("%q, %v", ids, err)
	}
	if c, err := talks.Conversation(ids[0]); err != nil || len(c.Messages) != 3 || c.Leaf != added {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := talks.Export(first, "pdf"); err == nil {
		t.Error("exported as pdf")
	}
	if _, err := talks.Import([]byte("{")); err == nil {
		t.Error("half a file was imported")
	}
	check(talks.Trouble())
	for _, bad := range []chat.Choices{{MaxTokens: -1}, {Target: devices.Target{Hold: devices.Hold{Context: -1}}}, {Stop: []string{""}}, {Sampling: &chat.Sampling{TopP: 7}}} {
		if _, err := talks.New(bad); err == nil {
			t.Errorf("%+v was taken", bad)
		}
		if talks.SetChoices(first, bad) == nil {
			t.Errorf("%+v was taken", bad)
		}
	}
	if got := chat.ChoicesOf(chat.Conversation{Settings: json.RawMessage(`{"max_tokens":"many"}`)}); got.MaxTokens != 0 {
		t.Errorf("%+v", got)
	}
	if len(talks.Notices()) > 0 {
		t.Errorf("notices %q", talks.Notices())
	}
}

func TestPresets(t *testing.T) {
	a, talks := newSpeakingApp(t, &speaker{})
	n := len(talks.Presets())
	for _, p := range []base.Preset{{Name: "zebra", System: "s"}, {Name: " Ant "}, {Name: "zebra", System: "t", Sampling: &chat.Sampling{Temperature: 0.5, TopP: 1, TypicalP: 1}}} {
		if err := talks.SavePreset(p); err != nil {
			t.Error(err)
		}
	}
	own := talks.Presets()[n:]
	if len(own) != 2 || own[0].Name != "Ant" || own[1].System != "t" || own[1].Sampling.Temperature != 0.5 || own[1].BuiltIn {
		t.Errorf("%+v", own)
	}
	for _, bad := range []base.Preset{{}, {Name: "a\nb"}, {Name: "plain"}, {Name: "x", System: strings.Repeat("x", base.MaxPresetBytes+1)}, {Name: "x", Sampling: &chat.Sampling{MinP: 2}}} {
		if talks.SavePreset(bad) == nil {
			t.Errorf("%.20q was taken", bad.Name)
		}
	}
	if talks.DeletePreset("Plain") == nil {
		t.Error("Plain was deleted")
	}
	if err := talks.DeletePreset("Ant"); err != nil || len(talks.Presets()) != n+1 {
		t.Errorf("%v", err)
	}
	if talks.Preset("none") != (base.Preset{}) || talks.Preset("zebra").System != "t" {
		t.Error("another preset was found")
	}
	for _, p := range talks.Presets() {
		if p.Sampling != nil && p.Sampling.Check() != nil {
			t.Errorf("%s: %v", p.Name, p.Sampling.Check())
		}
	}
	// They are there after a restart.
	b, err := app.New(app.Options{Home: filepath.Dir(a.Paths().Data)})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close(context.Background())
	if !slices.ContainsFunc(b.Chat().Presets(), func(p base.Preset) bool { return p.Name == "zebra" }) {
		t.Error("the preset is lost")
	}
}

// A second program sees the conversations and cannot change them. A folder that cannot be
// used is an error of one sentence.
func TestTalksThatCannotBeKept(t *testing.T) {
	a, talks := newSpeakingApp(t, &speaker{words: "yes"})
	id := newTalk(t, talks, chat.Choices{})
	b, err := app.New(app.Options{Home: filepath.Dir(a.Paths().Data)})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close(context.Background())
	list, err := b.Chat().List("")
	if err != nil || len(list) != 1 || list[0].ID != id || len(b.Chat().Notices()) != 1 {
		t.Errorf("%+v, %v, %q", list, err, b.Chat().Notices())
	}
	if _, err := b.Chat().New(chat.Choices{}); err == nil {
		t.Error("two programs write")
	}
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "data", "chats"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := app.New(app.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(context.Background())
	if got := c.Chat().Notices(); len(got) != 1 {
		t.Errorf("notices %q", got)
	}
	t.Log(c.Chat().Notices())
}
