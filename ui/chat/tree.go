package chat

import (
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

// leaf is the last message of the branch in view; 0: there is none.
func (t *tree) leaf() int64 {
	if len(t.path) == 0 {
		return 0
	}
	return t.path[len(t.path)-1]
}

// branches are the messages in the place of one: its siblings and itself, and
// which of them it is.
func (t *tree) branches(id int64) (ids []int64, at int) {
	m := t.message(id)
	if m == nil {
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

// last is the last message of a role on the branch in view; nil: none.
func (t *tree) last(role string) *chat.Message {
	for _, id := range slices.Backward(t.path) {
		if m := t.message(id); m.Role == role {
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
