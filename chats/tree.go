package chats

import (
	"slices"
	"strings"
	"time"
)

// message is the stored form of a Message. Once readers may have seen it, it is
// immutable: a change replaces it, so that a snapshot of all conversations
// copies pointers and no texts.
type message struct {
	Message
	deleted time.Time // if not zero, the message and all that follow it are hidden
	was     int64     // the leaf at the time of deletion

	// What a list shows of the branch that ends here: the values of the nearest
	// message that has one, from this one up to the beginning of its branch.
	line, model string
}

// draft collects what a Writer writes: the text that ends the message, and the thinking.
type draft struct{ text, thinking strings.Builder }

// conversation is the stored form of a Conversation.
type conversation struct {
	head     Conversation   // without Messages and the fields that summarize computes
	next     int64          // the id of the next message
	messages []*message     // ascending ID
	marks    int            // how many of them have deleted set
	hidden   map[int64]bool // ids of messages that are deleted or follow a deleted one; computed by hide
	drafts   map[int64]*draft
}

// snapshot returns a copy that later changes do not affect.
func (c *conversation) snapshot() *conversation {
	s := *c
	s.messages = slices.Clone(c.messages)
	s.drafts = nil
	return &s
}

// at returns the index of a message, or where it would be.
func (c *conversation) at(id int64) (int, bool) {
	return slices.BinarySearchFunc(c.messages, id, func(m *message, id int64) int {
		switch {
		case m.ID < id:
			return -1
		case m.ID > id:
			return 1
		}
		return 0
	})
}

// find returns a message, hidden or not, or nil.
func (c *conversation) find(id int64) *message {
	if i, ok := c.at(id); ok {
		return c.messages[i]
	}
	return nil
}

// shown returns a message that is not hidden, or nil.
func (c *conversation) shown(id int64) *message {
	if c.hidden[id] {
		return nil
	}
	return c.find(id)
}

// hide determines which messages are hidden. It creates a new map, because
// readers may hold the previous one.
func (c *conversation) hide() {
	c.hidden = nil
	if c.marks == 0 {
		return
	}
	c.hidden = map[int64]bool{}
	for _, m := range c.messages { // parents come before their children
		if !m.deleted.IsZero() || c.hidden[m.Parent] {
			c.hidden[m.ID] = true
		}
	}
}

// visible returns the messages that are not hidden.
func (c *conversation) visible() []*message {
	if len(c.hidden) == 0 {
		return c.messages
	}
	var list []*message
	for _, m := range c.messages {
		if !c.hidden[m.ID] {
			list = append(list, m)
		}
	}
	return list
}

// tip follows the newest visible messages from the given one to the end of its
// branch; from 0 it starts with the newest first message. It skips the message
// without and what follows it.
func (c *conversation) tip(from, without int64) int64 {
	if n := len(c.messages); n > 0 && c.messages[n-1].ID == from {
		return from // nothing can follow it
	}
	newest := map[int64]int64{}
	for _, m := range c.visible() {
		if m.ID != without {
			newest[m.Parent] = m.ID
		}
	}
	for newest[from] != 0 {
		from = newest[from]
	}
	return from
}

// follows reports whether id is on the branch that ends with leaf.
func (c *conversation) follows(leaf, id int64) bool {
	for m := c.find(leaf); m != nil; m = c.find(m.Parent) {
		if m.ID == id {
			return true
		}
	}
	return false
}

// leafWith returns the leaf after the mark of m is removed: the one before the
// deletion if it still exists, else the newest end after m.
func (c *conversation) leafWith(m *message) int64 {
	shown := c.snapshot()
	unmarked := *m
	unmarked.deleted = time.Time{}
	shown.put(&unmarked)
	shown.hide()
	if shown.shown(m.was) != nil && shown.follows(m.was, m.ID) {
		return shown.tip(m.was, 0)
	}
	return shown.tip(m.ID, 0)
}

// put appends a message, or replaces the one with the same id. It reports
// whether that was possible: a new message cannot come before others.
func (c *conversation) put(m *message) bool {
	i, there := c.at(m.ID)
	switch {
	case there:
		c.marks -= marks(c.messages[i])
		c.messages[i] = m
	case i == len(c.messages):
		c.messages = append(c.messages, m)
	default:
		return false
	}
	c.marks += marks(m)
	c.next = max(c.next, m.ID+1)
	return true
}

func marks(m *message) int {
	if m.deleted.IsZero() {
		return 0
	}
	return 1
}

// write adds text to a message that is being written.
func (c *conversation) write(m *message, text string, thinking bool) {
	before, last := lastText(m.Parts)
	d := c.drafts[m.ID]
	if d == nil {
		d = &draft{}
		d.text.WriteString(last)
		d.thinking.WriteString(m.Thinking)
		if c.drafts == nil {
			c.drafts = map[int64]*draft{}
		}
		c.drafts[m.ID] = d
	}
	if thinking {
		d.thinking.WriteString(text)
		m.Thinking = d.thinking.String()
	} else {
		d.text.WriteString(text)
		m.Parts = endWith(before, d.text.String())
	}
}

// settle makes a conversation consistent after it was read: a message whose
// parent was lost follows the one before, messages in the state "writing"
// become interrupted, and the leaf is the end of a branch.
func (c *conversation) settle(interrupted bool) {
	c.drafts = nil
	for i, m := range c.messages {
		if _, ok := c.at(m.Parent); m.Parent != 0 && (!ok || m.Parent >= m.ID) {
			m.Parent = 0
			if i > 0 {
				m.Parent = c.messages[i-1].ID
			}
		}
		if m.State == StateWriting && interrupted {
			m.State = StateInterrupted
		}
		c.trace(m)
	}
	c.hide()
	if c.shown(c.head.Leaf) == nil {
		c.head.Leaf = 0
	}
	c.head.Leaf = c.tip(c.head.Leaf, 0)
	c.summarize()
}
