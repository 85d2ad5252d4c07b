package chat

import (
	"slices"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/documents"
	"inglenook/ui/chat/sources"
)

// session is the conversation in view and what a person does in it: the branch that is
// shown, the choices, the message that is edited, what was being typed elsewhere. It has
// no widgets; who changes it shows the change.
type session struct {
	conversations Conversations
	settings      func() base.Settings
	keep          func(func(*base.Settings))

	conversation chat.Conversation  // in view; without an ID it is not kept yet
	choices      chat.Choices       // of the conversation
	tree         *tree              // of the conversation
	running      *answer            // nil: no answer is under way
	models       []chat.ModelChoice // nil: not known yet
	opened       bool               // it has come into view, and its model is still to be settled
	gone         string             // id of the model that was chosen and is no longer there; "": it is

	collections []documents.Collection // that can be asked; nil: not known yet
	passages    sources.Picked         // that go with what is being written

	editing int64              // the message that is edited; 0: a new one is written
	drafts  map[string]draft   // what is being written, by conversation; edited messages aside
	sending map[string]draft   // messages on their way into a conversation, by that: they stay drafts on the disk until they are there
	without map[place][]string // sentences about tool servers that answers of this run went without
	pairs   map[string]*pair   // two answers side by side, by conversation
	mayDrop map[string]bool    // conversations of which messages may be left out, their person said
	unsaved bool               // the instructions
}

// place is a message of a conversation.
type place struct {
	conversation string
	message      int64
}

func newSession(conversations Conversations, settings func() base.Settings, keep func(func(*base.Settings))) *session {
	s := &session{conversations: conversations, settings: settings, keep: keep, drafts: keptDrafts(settings()), sending: map[string]draft{}, without: map[place][]string{}, pairs: map[string]*pair{}, mayDrop: map[string]bool{}}
	s.show(chat.Conversation{})
	return s
}

// show turns to a conversation; without an ID, to a new one.
func (s *session) show(c chat.Conversation) {
	s.conversation, s.editing = c, 0
	s.choices = s.newChoices()
	if c.ID != "" {
		s.choices = chat.ChoicesOf(c)
	}
	s.tree, s.opened = newTree(c), true
	s.settleModel()
	s.followAnswer()
}

// read reads the conversation in view again, after a change. It returns the tree as it
// was before.
func (s *session) read() (before *tree, err error) {
	c, err := s.conversations.Conversation(s.conversation.ID)
	if err != nil {
		return s.tree, err
	}
	before = s.tree
	s.conversation, s.tree = c, newTree(c)
	s.followAnswer()
	return before, nil
}

// store makes sure that the conversation in view is kept, and returns its id.
func (s *session) store() (string, error) {
	if s.conversation.ID != "" {
		return s.conversation.ID, nil
	}
	id, err := s.conversations.New(s.choices)
	if err == nil && s.conversation.System != "" {
		err = s.conversations.SetSystem(id, s.conversation.System)
	}
	if err != nil {
		return "", err
	}
	s.conversation.ID = id
	d := s.drafts[""] // it is that of the new conversation now
	s.setDraft("", draft{})
	s.setDraft(id, d)
	s.remember()
	return id, nil
}

// remember keeps which conversation is in view, for the next start.
func (s *session) remember() {
	id := s.conversation.ID
	s.keep(func(settings *base.Settings) { settings.Chat.Talk = id })
}

// forget leaves the conversation in view, which was deleted, so that nothing more is kept in it.
func (s *session) forget() { s.conversation = chat.Conversation{} }

// empty reports whether nothing was written yet.
func (s *session) empty() bool { return s.conversation.ID == "" && len(s.tree.path) == 0 }

// summary finds a conversation that is kept.
func (s *session) summary(id string) (chat.Summary, bool) {
	switch id {
	case "":
		return chat.Summary{}, false
	case s.conversation.ID:
		return s.conversation.Summary, true
	}
	c, err := s.conversations.Conversation(id)
	return c.Summary, err == nil
}

// pin pins a conversation to the top of the list, or takes the pin off.
func (s *session) pin(id string, pinned bool) error {
	err := s.conversations.Pin(id, pinned)
	if err == nil && id == s.conversation.ID {
		s.conversation.Pinned = pinned
	}
	return err
}

// edit begins to edit a message; d is what was being typed.
func (s *session) edit(id int64, d draft) {
	s.putAside(d)
	s.editing = id
}

// editsAnswer reports whether an answer of the model is edited, which asks nothing.
func (s *session) editsAnswer() bool {
	return slices.ContainsFunc(s.conversation.Messages, func(m chat.Message) bool { return m.ID == s.editing && m.Role == chat.RoleAssistant })
}

// endEditing goes back to the new message, which it returns; false: none was edited.
func (s *session) endEditing() (draft, bool) {
	if s.editing == 0 {
		return draft{}, false
	}
	s.editing = 0
	return s.drafts[s.conversation.ID], true
}

// begin takes note that an answer is under way, or two side by side.
func (s *session) begin(a *answer) { s.running = a }

// runs reports whether an answer is under way.
func (s *session) runs(a *answer) bool {
	return s.running != nil && (s.running == a || s.running.beside == a)
}

// answerTo is the answer under way that writes a message; nil: none does.
func (s *session) answerTo(id int64) *answer {
	if !s.writesHere() || s.running.beside == nil {
		return s.running
	}
	for a := s.running; a != nil; a = a.beside {
		if at, _, _ := a.sofar(); at == id {
			return a
		}
	}
	return s.running
}

// end takes note that it ended.
func (s *session) end() { s.running = nil }

// answers reports whether an answer is under way in a conversation.
func (s *session) answers(id string) bool { return s.running != nil && s.running.conversation == id }

// writesHere reports whether the answer under way belongs to the conversation in view.
func (s *session) writesHere() bool { return s.answers(s.conversation.ID) }

// followAnswer puts the answer under way into the tree, as far as it is known.
func (s *session) followAnswer() {
	if !s.writesHere() {
		return
	}
	s.showSent()
	for a := s.running; a != nil; a = a.beside {
		id, text, thought := a.sofar()
		s.grow(id, text, thought)
	}
}

// note keeps what an answer goes without, once its message is known.
func (s *session) note(a *answer, message int64) {
	if list := a.goesWithout(); len(list) > 0 && message != 0 {
		s.without[place{a.conversation, message}] = list
	}
}

// hush forgets that a message goes without something: a person closed what says so.
func (s *session) hush(message int64, why string) {
	at := place{s.conversation.ID, message}
	s.without[at] = slices.DeleteFunc(slices.Clone(s.without[at]), func(other string) bool { return other == why })
}

// grow puts a longer text into a message that is being written.
func (s *session) grow(id int64, text, thought string) {
	if m := s.tree.message(id); m != nil {
		m.Parts, m.Thinking = m.WithText(text), thought
	}
}

// meter is the question how full the context would be with a draft.
func (s *session) meter(d draft) chat.MeterRequest {
	r := chat.MeterRequest{Conversation: s.conversation.ID, After: s.tree.leaf(), Draft: d.parts(), Choices: s.choices}
	if m := s.tree.message(s.editing); m != nil {
		r.After, r.Draft = m.Parent, rewritten(*m, d)
	}
	return r
}

// rewritten returns the parts of a message with another text, other files and the passages that
// were found for that.
func rewritten(m chat.Message, d draft) []chat.Part {
	own := slices.DeleteFunc(m.With(d.text, d.files), func(p chat.Part) bool { return p.Kind == chat.PartPassage })
	return append(d.passages.Parts(), own...)
}

// asked is the collection that the conversation in view asks, as far as it is known.
func (s *session) asked() (c documents.Collection, gone bool) {
	c, known := sources.Called(s.collections, s.choices.Collection)
	return c, !known && s.collections != nil
}

// sees reports whether the passages of a draft are those that the person saw for it. Where
// they are not, what answers looks for them.
func (s *session) sees(d draft) bool { return s.choices.Collection != "" && d.passages.Sees(d.text) }
