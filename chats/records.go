package chats

import (
	"strings"
	"time"
)

// state holds all conversations, built by applying the records of the log in order.
// A change is applied in the same way when it is made and when its record is read
// back.
type state struct {
	conversations map[string]*conversation
	shared        bool // readers may hold messages, so messages are replaced instead of changed
}

func newState() state { return state{conversations: map[string]*conversation{}} }

// maxID is the highest id of a message. The store numbers from 1, so a higher id
// means damage.
const maxID = 1 << 53

// record is one change. Its creator has checked that it is valid.
type record interface {
	// apply makes the change and reports whether that was possible. If damage
	// removed earlier records it does as much as it can.
	apply(*state) bool
	encode(*encoder)
}

type (
	// headRecord holds everything about a conversation except its messages. When a
	// whole conversation is written, this record comes last, because messages move
	// the leaf.
	headRecord struct {
		head Conversation
		next int64
	}
	// messageRecord is a whole message.
	messageRecord struct {
		conversation string
		message      *message
	}
	// appendRecord is text that a Writer appended to a message.
	appendRecord struct {
		conversation string
		id           int64
		thinking     bool
		text         string
	}
	// finishRecord ends the writing of a message.
	finishRecord struct {
		conversation string
		id           int64
		state        string
		reply        *Reply
		at           time.Time
	}
	// markRecord deletes a message, or restores it if deleted is zero.
	markRecord struct {
		conversation string
		id           int64
		deleted      time.Time
		was, leaf    int64
	}
	// purgeRecord removes a conversation for good.
	purgeRecord struct{ conversation string }
)

// grow returns a conversation, creating it if its head was lost.
func (s *state) grow(id string) *conversation {
	c := s.conversations[id]
	if c == nil {
		c = &conversation{next: 1}
		c.head.ID = id
		s.conversations[id] = c
	}
	return c
}

// changed marks a conversation as changed.
func (s *state) changed(c *conversation) {
	if s.shared { // otherwise it is settled later
		c.hide()
		c.summarize()
	}
}

// edit returns a message that may be modified, or nil.
func (s *state) edit(conversation string, id int64) (*conversation, *message) {
	c := s.conversations[conversation]
	if c == nil {
		return nil, nil
	}
	i, ok := c.at(id)
	if !ok {
		return c, nil
	}
	m := c.messages[i]
	if s.shared {
		m = new(*m)
		c.messages[i] = m
	}
	return c, m
}

func (r headRecord) apply(s *state) bool {
	c := s.grow(r.head.ID)
	c.head = r.head
	c.next = max(c.next, min(r.next, maxID))
	s.changed(c)
	return true
}

func (r messageRecord) apply(s *state) bool {
	if r.message.ID <= 0 || r.message.ID > maxID { // 0 is the parent of first messages
		return false
	}
	c := s.grow(r.conversation)
	if i, there := c.at(r.message.ID); there && c.messages[i].State == StateWriting { // a part was added to it
		delete(c.drafts, r.message.ID)
		c.put(r.message)
		if s.shared {
			c.trace(r.message)
			c.summarizeLeaf()
		}
		return true
	}
	if !c.put(r.message) {
		return false
	}
	c.head.Leaf = r.message.ID
	c.touch(r.message.Time)
	if s.shared {
		c.trace(r.message)
		c.summarizeAddition(r.message)
	}
	return true
}

// touch advances the time of the last change.
func (c *conversation) touch(t time.Time) {
	if c.head.Created.IsZero() {
		c.head.Created = t
	}
	if t.After(c.head.Updated) {
		c.head.Updated = t
	}
}

func (r appendRecord) apply(s *state) bool {
	c, m := s.edit(r.conversation, r.id)
	if m == nil { // its beginning was lost
		begun := messageRecord{r.conversation, &message{Message: Message{ID: r.id, Role: RoleAssistant, State: StateWriting}}}
		if !begun.apply(s) {
			return false
		}
		c, m = s.edit(r.conversation, r.id)
	}
	if m.State != StateWriting {
		return false
	}
	c.write(m, r.text, r.thinking)
	if _, text := lastText(m.Parts); s.shared && len(text) < 4*snippetBytes { // the line may still be growing
		c.trace(m)
		c.summarizeLeaf()
	}
	return true
}

func (r finishRecord) apply(s *state) bool {
	c, m := s.edit(r.conversation, r.id)
	if m == nil || m.State != StateWriting {
		return false
	}
	m.State, m.Reply = r.state, r.reply
	if c.drafts[r.id] != nil { // whose builders have spare capacity
		if before, text := lastText(m.Parts); text != "" {
			m.Parts = endWith(before, strings.Clone(text))
		}
		m.Thinking = strings.Clone(m.Thinking)
		delete(c.drafts, r.id)
	}
	c.touch(r.at)
	if s.shared {
		c.trace(m)
		c.traceAfter(m)
		c.summarizeLeaf()
	}
	return true
}

func (r markRecord) apply(s *state) bool {
	c, m := s.edit(r.conversation, r.id)
	if m == nil {
		return false
	}
	c.marks -= marks(m)
	m.deleted, m.was = r.deleted, r.was
	c.marks += marks(m)
	c.head.Leaf = r.leaf
	s.changed(c)
	return true
}

func (r purgeRecord) apply(s *state) bool {
	delete(s.conversations, r.conversation)
	return true
}
