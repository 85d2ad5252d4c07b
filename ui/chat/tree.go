package chat

import (
	"math"
	"slices"

	"inglenook/app/chat"
)

// tree finds its way among the messages of a conversation.
type tree struct {
	messages []chat.Message
	at       map[int64]int     // index of each id
	next     map[int64][]int64 // what follows each id, the oldest first
	path     []int64           // from the first message to the leaf
}

func newTree(c chat.Conversation) *tree {
	t := &tree{messages: c.Messages, at: make(map[int64]int, len(c.Messages)), next: map[int64][]int64{}}
	for i, m := range c.Messages {
		t.at[m.ID] = i
		t.next[m.Parent] = append(t.next[m.Parent], m.ID)
	}
	for id := c.Leaf; ; {
		m := t.message(id)
		if m == nil {
			break
		}
		t.path = append(t.path, id)
		if m.Parent >= id {
			break
		}
		id = m.Parent
	}
	slices.Reverse(t.path)
	return t
}

// message returns a message, which the caller may change; nil: there is none.
func (t *tree) message(id int64) *chat.Message {
	if i, ok := t.at[id]; ok {
		return &t.messages[i]
	}
	return nil
}

// leaf is the last message of the branch in view that is in the conversation; 0: there is none.
func (t *tree) leaf() int64 {
	for _, id := range slices.Backward(t.path) {
		if !isSent(id) {
			return id
		}
	}
	return 0
}

// upTo are the messages in view up to one of them.
func (t *tree) upTo(id int64) (list []chat.Message) {
	for _, one := range t.path {
		if m := t.message(one); m != nil {
			list = append(list, *m)
		}
		if one == id {
			break
		}
	}
	return list
}

// branches are the messages in the place of one: its siblings and itself, and
// which of them it is.
func (t *tree) branches(id int64) (ids []int64, at int) {
	m := t.message(id)
	if m == nil || isSent(id) {
		return nil, 0
	}
	ids = t.next[m.Parent]
	return ids, slices.Index(ids, id)
}

// tip is the end of the newest branch after a message.
func (t *tree) tip(id int64) int64 {
	for len(t.next[id]) > 0 {
		id = t.next[id][len(t.next[id])-1]
	}
	return id
}

// last is the last message of a role on the branch in view that is in the conversation; nil: none.
func (t *tree) last(role string) *chat.Message {
	for _, id := range slices.Backward(t.path) {
		if m := t.message(id); m.Role == role && !isSent(id) {
			return m
		}
	}
	return nil
}

// sameBranches reports whether a message has the siblings, and is the last, as in
// another tree.
func (t *tree) sameBranches(other *tree, id int64) bool {
	now, _ := t.branches(id)
	then, _ := other.branches(id)
	return slices.Equal(now, then) && (t.leaf() == id) == (other.leaf() == id)
}

// A message that was sent stands in the chat at once. Until it is in its conversation, which may be
// after its documents were searched, it and the place of its answer have ids that no message gets.
const (
	sentID  int64 = math.MaxInt64 - 1
	placeID int64 = math.MaxInt64
)

// isSent reports whether an id is that of a message which is not in its conversation yet.
func isSent(id int64) bool { return id == sentID || id == placeID }

// sent shows what was sent at the end of the branch that it follows, and where its answer will be.
func (t *tree) sent(after int64, parts []chat.Part) {
	at := 0
	for i, id := range t.path {
		if id == after {
			at = i + 1
		}
	}
	t.path = t.path[:at:at]
	t.put(chat.Message{ID: sentID, Parent: after, Role: chat.RoleUser, Parts: parts, State: chat.MessageComplete})
	t.place(sentID)
}

// place is where the answer to the last message will be.
func (t *tree) place(after int64) {
	t.put(chat.Message{ID: placeID, Parent: after, Role: chat.RoleAssistant, State: chat.MessageWriting})
}

// put adds a message to the branch in view alone: no other message knows of it.
func (t *tree) put(m chat.Message) {
	t.at[m.ID] = len(t.messages)
	t.messages = append(t.messages[:len(t.messages):len(t.messages)], m)
	t.path = append(t.path, m.ID)
}

// showSent shows what was sent and is not in its conversation yet, or the place of an answer of
// which nothing is there.
func (s *session) showSent() {
	asked, answer := s.running.ids()
	switch parts := s.running.parts; {
	case asked == 0 && len(parts) > 0:
		s.tree.sent(s.running.after, parts)
	case asked != 0 && answer == 0 && s.tree.leaf() == asked:
		s.tree.place(asked)
	}
}

// ids are those of the two messages; 0: not known yet.
func (a *answer) ids() (asked, answer int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.step.Asked, a.step.Answer
}

// place is the message in which an answer is shown, as the window knows it.
func (a *answer) place() int64 {
	if a.shown.Answer == 0 {
		return placeID
	}
	return a.shown.Answer
}
