package chat

import (
	"errors"
	"slices"
	"testing"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/fit"
	"inglenook/app/library"
	"inglenook/ui/scripted"
)

// newTestSession returns a session without a window, and the settings that it saves.
func newTestSession(t *testing.T) (*session, *scripted.Conversations, *base.Settings) {
	t.Helper()
	conversations, kept := scripted.New(), &base.Settings{}
	s := newSession(conversations, func() base.Settings { return *kept }, func(change func(*base.Settings)) { change(kept) })
	return s, conversations, kept
}

func TestAConversationIsStoredOnce(t *testing.T) {
	s, conversations, kept := newTestSession(t)
	s.setSystem("Be kind.")
	if !s.empty() {
		t.Error("a new session is not empty")
	}
	id, err := s.store()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := s.store(); again != id || kept.Chat.Talk != id {
		t.Errorf("stored as %q and %q, kept %q", id, again, kept.Chat.Talk)
	}
	c, err := conversations.Conversation(id)
	if err != nil || c.System != "Be kind." {
		t.Errorf("stored %q, %v", c.System, err)
	}
}

func TestDraftsWaitForTheirConversation(t *testing.T) {
	s, conversations, _ := newTestSession(t)
	conversations.Put(longChat(4))
	c, _ := conversations.Conversation("long")
	s.putAside(draft{text: "half a sentence"})
	s.show(c)
	s.edit(3, draft{text: "in the long one"})
	s.putAside(draft{text: "the edited message"}) // not a draft
	s.show(chat.Conversation{})
	if s.editing != 0 || s.drafts[""].text != "half a sentence" || s.drafts["long"].text != "in the long one" {
		t.Errorf("editing %d, drafts %+v", s.editing, s.drafts)
	}
	s.show(c)
	s.edit(1, draft{text: "again"})
	if d, ok := s.endEditing(); !ok || d.text != "again" {
		t.Errorf("after editing: %+v, %v", d, ok)
	}
	if _, ok := s.endEditing(); ok {
		t.Error("editing ends twice")
	}
}

func TestALikelyModelIsChosen(t *testing.T) {
	choice := func(id, fits string, plain, loaded bool) chat.ModelChoice {
		return chat.ModelChoice{Model: library.Model{ID: id, Usable: true}, Fits: fits, Plain: plain, Loaded: loaded}
	}
	for want, models := range map[string][]chat.ModelChoice{
		"loaded": {choice("well", fit.FitsWell, false, false), choice("loaded", fit.FitsTight, false, true)},
		"well":   {choice("plain", fit.FitsWell, true, false), choice("tight", fit.FitsTight, false, false), choice("well", fit.FitsWell, false, false)},
		"tight":  {choice("plain", fit.FitsWell, true, false), choice("tight", fit.FitsTight, false, false)},
		"plain":  {choice("giant", fit.FitsNot, false, false), choice("plain", fit.FitsTight, true, false)},
		"":       {choice("giant", fit.FitsNot, false, false)},
	} {
		s, _, _ := newTestSession(t)
		s.setModels(models)
		if s.choices.Model != want {
			t.Errorf("chosen is %q, want %q", s.choices.Model, want)
		}
	}
}

// A model that only continues texts, or turns one into another, is not chosen while one that
// converses is there, be it the bundled one; a person who chose it keeps it.
func TestTheGuideComesBeforeModelsThatContinueTexts(t *testing.T) {
	teller := chat.ModelChoice{Model: library.Model{ID: "teller", Usable: true}, Fits: fit.FitsWell, Plain: true}
	loaded := teller
	loaded.Loaded = true
	for name, models := range map[string][]chat.ModelChoice{
		"continues": {teller, tiny()}, "continues and is loaded": {loaded, tiny()}, "transforms": {transformer(), tiny()},
	} {
		s, _, kept := newTestSession(t)
		s.setModels(models)
		if s.choices.Model != library.StarterChat {
			t.Errorf("beside one that %s, %q is chosen", name, s.choices.Model)
		}
		by := models[0].Model.ID
		kept.Chat.Model = by
		if s.show(chat.Conversation{}); s.choices.Model != by {
			t.Errorf("a person chose one that %s, and %q answers", name, s.choices.Model)
		}
	}
}

func TestAChosenModelStays(t *testing.T) {
	s, conversations, kept := newTestSession(t)
	if err := s.setModel("/models/teller"); err != nil {
		t.Fatal(err)
	}
	id, err := s.store()
	if err != nil {
		t.Fatal(err)
	}
	s.show(chat.Conversation{})
	if s.choices.Model != "/models/teller" || kept.Chat.Model != "/models/teller" {
		t.Errorf("a new conversation uses %q", s.choices.Model)
	}
	c, _ := conversations.Conversation(id)
	if got := chat.ChoicesOf(c).Model; got != "/models/teller" {
		t.Errorf("the stored one uses %q", got)
	}
}

func TestPresetsOfASession(t *testing.T) {
	s, conversations, _ := newTestSession(t)
	s.setSystem("My own words.")
	if !s.ownSystem() {
		t.Error("own instructions count as a preset's")
	}
	if err := s.savePreset("Mine"); err != nil || s.choices.Preset != "Mine" || s.ownSystem() {
		t.Errorf("saved as %q, %v", s.choices.Preset, err)
	}
	if err := s.deletePreset(); err != nil || s.choices.Preset != "Plain" {
		t.Errorf("after deleting: %q, %v", s.choices.Preset, err)
	}
	if len(conversations.Presets()) != 2 {
		t.Errorf("%d presets are left", len(conversations.Presets()))
	}
	if _, ok := s.preset("Mine"); ok {
		t.Error("a deleted preset is found")
	}
}

func TestAFailingStoreChangesNothing(t *testing.T) {
	s, conversations, kept := newTestSession(t)
	conversations.Failing = errors.New("the disk is full")
	if _, err := s.store(); err == nil || s.conversation.ID != "" || kept.Chat.Talk != "" {
		t.Errorf("stored as %q, %v", s.conversation.ID, err)
	}
}

// The text of an answer that is being written is in the tree of its conversation whenever that
// comes into view.
func TestTheAnswerUnderWayIsFollowed(t *testing.T) {
	s, conversations, _ := newTestSession(t)
	conversations.Put(longChat(4))
	c, _ := conversations.Conversation("long")
	a := &answer{conversation: "long"}
	a.take(chat.AnswerStep{Answer: 4, Text: "so far"})
	s.begin(a)
	if s.writesHere() || !s.answers("long") {
		t.Error("the answer belongs to the conversation in view")
	}
	s.show(c)
	if m := s.tree.message(4); !s.writesHere() || m.Text() != "so far" {
		t.Errorf("in view is %q", m.Text())
	}
	before, err := s.read()
	if err != nil || !slices.Equal(before.path, s.tree.path) || s.tree.message(4).Text() != "so far" {
		t.Errorf("read again: %v, %q", err, s.tree.message(4).Text())
	}
	s.end()
	if s.writesHere() {
		t.Error("it goes on after its end")
	}
}

func TestTheMeterSeesAnEditedMessage(t *testing.T) {
	s, conversations, _ := newTestSession(t)
	conversations.Put(longChat(4))
	c, _ := conversations.Conversation("long")
	s.show(c)
	if r := s.meter(draft{text: "more"}); r.After != 4 || len(r.Draft) != 1 || r.Draft[0].Text != "more" {
		t.Errorf("a new message: %+v", r)
	}
	s.edit(3, draft{})
	if r := s.meter(draft{text: "other"}); r.After != 2 {
		t.Errorf("an edited one: %+v", r)
	}
}

// A chat that is opened goes on with the model that answered in it last, if that is here, whatever was
// chosen since; another one is chosen only where it is gone.
func TestAChatOpensWithItsModel(t *testing.T) {
	s, conversations, _ := newTestSession(t)
	id, err := conversations.New(chat.Choices{Model: "/models/teller"})
	if err != nil {
		t.Fatal(err)
	}
	c, _ := conversations.Conversation(id)
	c.Messages = []chat.Message{
		{ID: 1, Role: chat.RoleUser, Parts: chat.Content("one")},
		{ID: 2, Parent: 1, Role: chat.RoleAssistant, Reply: &chat.ReplyRecord{Model: "org/talker"}},
	}
	c.Leaf = 2
	models, _ := conversations.Models(t.Context())
	s.show(c)
	s.setModels(models) // they are known a moment later
	if s.choices.Model != "org/talker" || s.told() != "" {
		t.Errorf("%s answers", s.choices.Model)
	}
	s.choices.Model = "/models/teller" // a person's choice, while it is in view
	s.setModels(models)
	if s.choices.Model != "/models/teller" {
		t.Errorf("then %s answers", s.choices.Model)
	}
	s.show(c)
	if s.choices.Model != "org/talker" {
		t.Errorf("opened again, %s answers", s.choices.Model)
	}
	c.Messages[1].Reply.Model = "org/gone"
	s.show(c)
	if s.choices.Model != "/models/teller" {
		t.Errorf("without it %s answers", s.choices.Model)
	}
}
