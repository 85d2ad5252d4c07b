package chats

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	titleBytes   = 80  // of an automatic title
	nameBytes    = 500 // of one that the user set
	snippetBytes = 160
)

// List returns the conversations, pinned ones first, then the newest.
func (s *Store) List() []Summary {
	return s.summaries(false, func(a, b *conversation) int {
		if a.head.Pinned != b.head.Pinned {
			if a.head.Pinned {
				return -1
			}
			return 1
		}
		return newer(a, b)
	})
}

// Trash returns the deleted conversations, the last deleted first.
func (s *Store) Trash() []Summary {
	return s.summaries(true, func(a, b *conversation) int {
		return cmp.Or(b.head.Deleted.Compare(a.head.Deleted), newer(a, b))
	})
}

// newer orders conversations from new to old.
func newer(a, b *conversation) int {
	return cmp.Or(b.head.Updated.Compare(a.head.Updated), b.head.Created.Compare(a.head.Created), cmp.Compare(a.head.ID, b.head.ID))
}

func (s *Store) summaries(deleted bool, order func(a, b *conversation) int) []Summary {
	s.mu.RLock()
	defer s.mu.RUnlock()
	var wanted []*conversation
	for _, c := range s.state.conversations {
		if c.head.Deleted.IsZero() != deleted {
			wanted = append(wanted, c)
		}
	}
	slices.SortFunc(wanted, order)
	list := make([]Summary, len(wanted))
	for i, c := range wanted {
		list[i] = c.head.Summary
	}
	return list
}

// Conversation returns a conversation, also one in the trash.
func (s *Store) Conversation(id string) (Conversation, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c := s.state.conversations[id]
	if c == nil {
		return Conversation{}, ErrNotFound
	}
	full := c.head
	full.Settings = slices.Clone(full.Settings)
	full.Messages = make([]Message, 0, len(c.messages))
	for _, m := range c.visible() {
		full.Messages = append(full.Messages, m.copy())
	}
	return full, nil
}

// copy returns a message that shares no parts with the store.
func (m *message) copy() Message {
	c := m.Message
	c.Parts = slices.Clone(c.Parts)
	if c.Reply != nil {
		c.Reply = c.Reply.clone()
	}
	return c
}

// Path returns the messages of the branch in view, from the first to the leaf.
func (s *Store) Path(conversation string) ([]Message, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c := s.state.conversations[conversation]
	if c == nil {
		return nil, ErrNotFound
	}
	var path []Message
	for m := c.find(c.head.Leaf); m != nil; m = c.find(m.Parent) {
		path = append(path, m.copy())
	}
	slices.Reverse(path)
	return path, nil
}

// Path returns the messages of the branch in view, from the first to the leaf.
func (c Conversation) Path() []Message {
	at := map[int64]int{}
	for i, m := range c.Messages {
		at[m.ID] = i
	}
	var path []Message
	for id := c.Leaf; id != 0; {
		i, ok := at[id]
		if !ok {
			break
		}
		path = append(path, c.Messages[i])
		if id = c.Messages[i].Parent; id >= c.Messages[i].ID {
			break // not a tree
		}
	}
	slices.Reverse(path)
	return path
}

// Siblings returns the ids of the messages with the same parent as the given one,
// including itself, oldest first.
func (s *Store) Siblings(conversation string, id int64) ([]int64, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	c := s.state.conversations[conversation]
	if c == nil {
		return nil, ErrNotFound
	}
	one := c.shown(id)
	if one == nil {
		return nil, ErrNotFound
	}
	var ids []int64
	for _, m := range c.visible() {
		if m.Parent == one.Parent {
			ids = append(ids, m.ID)
		}
	}
	return ids, nil
}

// summarize recomputes what the summary takes from the messages, by reading all of
// them.
func (c *conversation) summarize() {
	visible := c.visible()
	c.head.Summary.Messages = len(visible)
	if !c.head.Titled {
		c.head.Title = cmp.Or(rootTitle(visible), firstTitle(visible))
	}
	c.summarizeLeaf()
}

// summarizeAddition updates the summary for a message that was just added, in
// constant time.
func (c *conversation) summarizeAddition(m *message) {
	c.head.Summary.Messages++
	if begins := rootTitle([]*message{m}); !c.head.Titled && begins != "" {
		c.head.Title = begins
	} else if !c.head.Titled && isGreeting(c.head.Title) {
		c.head.Title = cmp.Or(contentTitle([]*message{m}), c.head.Title, firstTitle([]*message{m}))
	}
	c.summarizeLeaf()
}

func (c *conversation) summarizeLeaf() {
	c.head.Snippet, c.head.Model = "", ""
	if m := c.find(c.head.Leaf); m != nil {
		c.head.Snippet, c.head.Model = m.line, m.model
	}
}

// trace sets what a list shows of the branch that ends with m.
func (c *conversation) trace(m *message) {
	m.line, m.model = m.snippet(), ""
	if m.Reply != nil {
		m.model = m.Reply.Model
	}
	if before := c.find(m.Parent); before != nil {
		m.line, m.model = cmp.Or(m.line, before.line), cmp.Or(m.model, before.model)
	}
}

// traceAfter calls trace for the messages added after m, which has changed.
func (c *conversation) traceAfter(m *message) {
	i, _ := c.at(m.ID)
	for i++; i < len(c.messages); i++ {
		after := *c.messages[i] // readers may have seen it
		if c.trace(&after); after.line != c.messages[i].line || after.model != c.messages[i].model {
			c.messages[i] = &after
		}
	}
}

func (m *message) snippet() string { return oneLine(m.Text(), snippetBytes) }

// name returns a title that the user entered as one valid line.
func name(text string) string { return oneLine(valid(text), nameBytes) }

// oneLine returns the beginning of a text as one line, cut after a word if
// possible.
func oneLine(text string, limit int) string {
	line := strings.TrimRight(squeeze(strings.TrimLeftFunc(text, blank), limit), " ")
	if len(line) > limit {
		return cutWord(line, limit)
	}
	return line
}

func blank(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// squeeze replaces each run of white space and control characters with one space.
// It ends with the rune that makes the line longer than limit.
func squeeze(text string, limit int) string {
	line := make([]byte, 0, min(len(text), limit)+utf8.UTFMax)
	space := false
	for _, r := range text {
		if r == ' ' || blank(r) {
			space = true
			continue
		}
		if space {
			line = append(line, ' ')
			space = false
		}
		if line = utf8.AppendRune(line, r); len(line) > limit {
			return string(line)
		}
	}
	if space {
		line = append(line, ' ')
	}
	return string(line)
}

// cutWord shortens a line that is longer than limit bytes.
func cutWord(line string, limit int) string {
	cut := line[:limit]
	for !utf8.ValidString(cut) {
		cut = cut[:len(cut)-1]
	}
	if i := strings.LastIndexByte(cut, ' '); i > limit/2 {
		cut = cut[:i]
	}
	return strings.TrimRight(cut, " ") + "…"
}
