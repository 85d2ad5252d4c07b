package chats

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Create adds a conversation with the title, system prompt, settings and messages
// of c, under new ids: the messages are numbered from 1 in their order. Times are
// taken from c if they are set and not in the future, else they are now. It
// returns an error if c is not a valid conversation, for example with a message
// before its parent.
func (s *Store) Create(c Conversation) (id string, err error) {
	if err := check(c); err != nil {
		return "", fmt.Errorf("this is not a conversation: %w", err)
	}
	s.change.Lock()
	defer s.change.Unlock()
	now := s.now()
	head := Conversation{Summary: Summary{ID: s.newID(), Pinned: c.Pinned, Created: stamp(c.Created, now), Updated: stamp(c.Updated, now)}}
	if c.Titled {
		head.Title = name(c.Title)
		head.Titled = head.Title != ""
	}
	ids := map[int64]int64{0: 0} // of c -> of the store
	var records []record
	for i, m := range c.Messages {
		ids[m.ID] = int64(i + 1)
		m.ID, m.Parent = ids[m.ID], ids[m.Parent]
		m = kept(m, now)
		if m.State == StateWriting {
			m.State = StateInterrupted
		}
		records = append(records, messageRecord{head.ID, &message{Message: m}})
	}
	head.System, head.Settings, head.Leaf = valid(c.System), slices.Clone(c.Settings), ids[c.Leaf]
	records = append(records, headRecord{head, int64(len(c.Messages) + 1)})
	return head.ID, s.commit(records...)
}

// check returns an error if c is not a valid conversation.
func check(c Conversation) error {
	if len(c.Settings) > 0 && !json.Valid(c.Settings) {
		return errors.New("its settings are not JSON")
	}
	parents := map[int64]bool{0: true}
	followed := map[int64]bool{}
	last := int64(0)
	for _, m := range c.Messages {
		switch {
		case m.ID <= last:
			return fmt.Errorf("message %d comes after message %d", m.ID, last)
		case !parents[m.Parent]:
			return fmt.Errorf("message %d follows %d, which is not before it", m.ID, m.Parent)
		case m.Role == "":
			return fmt.Errorf("message %d has no role", m.ID)
		}
		parents[m.ID], followed[m.Parent], last = true, true, m.ID
	}
	if !parents[c.Leaf] || followed[c.Leaf] {
		return fmt.Errorf("message %d is not the end of a branch", c.Leaf)
	}
	return nil
}

// kept returns a message in the form that the store keeps: a copy, in valid UTF-8,
// with a time that the disk format can represent.
func kept(m Message, now time.Time) Message {
	m.Role, m.State, m.Thinking = valid(m.Role), valid(m.State), valid(m.Thinking)
	m.Time = stamp(m.Time, now)
	m.Parts = keptParts(m.Parts)
	m.Reply = keptReply(m.Reply)
	return m
}

func keptReply(r *Reply) *Reply {
	if r == nil {
		return nil
	}
	r = r.clone()
	r.Rate, r.DraftGain = max(0, finite(r.Rate)), finite(r.DraftGain)
	for _, n := range []*int{&r.PromptTokens, &r.Reused, &r.Dropped, &r.Tokens} {
		*n = bounded(*n)
	}
	for _, d := range []*time.Duration{&r.FirstToken, &r.Took, &r.Thought} {
		*d = min(max(*d, 0), maxSpan)
	}
	for _, text := range []*string{&r.Model, &r.ModelName, &r.Device, &r.Reason, &r.Stop, &r.Error} {
		*text = valid(*text)
	}
	for i, f := range r.Fallbacks {
		r.Fallbacks[i] = Fallback{valid(f.Op), valid(f.Reason)}
	}
	for i, n := range r.Notices {
		r.Notices[i] = valid(n)
	}
	for i := range r.Claims {
		c := &r.Claims[i]
		for _, n := range []*int{&c.Start, &c.End, &c.BestStart, &c.BestEnd} {
			*n = bounded(*n)
		}
		c.Passage, c.Score, c.Why = max(-1, min(c.Passage, maxAmount)), finite(c.Score), valid(c.Why)
	}
	return r
}

func (r *Reply) clone() *Reply {
	c := *r
	c.Fallbacks, c.Notices = append([]Fallback(nil), r.Fallbacks...), append([]string(nil), r.Notices...)
	c.Claims = append([]Claim(nil), r.Claims...)
	return &c
}

// Limits on what a message from another program can claim: more tokens than any
// model reads, and a longer time than any answer takes.
const (
	maxAmount = 1 << 40
	maxSpan   = 366 * 24 * time.Hour
)

// bounded limits a count of tokens or messages to the valid range.
func bounded(n int) int { return min(max(n, 0), maxAmount) }

// valid replaces invalid UTF-8 with U+FFFD.
func valid(text string) string { return strings.ToValidUTF8(text, string(utf8.RuneError)) }

// maxTime is the latest time that RFC 3339 can represent.
var maxTime = time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)

// stamp cuts a time to microseconds; a time before 1970, such as the zero time, or
// after now becomes now.
func stamp(t, now time.Time) time.Time {
	if t.UnixMicro() <= 0 || t.After(now) {
		t = now
	}
	return time.UnixMicro(t.UnixMicro())
}

// Duplicate copies a conversation with all its branches.
func (s *Store) Duplicate(id string) (copied string, err error) {
	c, err := s.Conversation(id)
	if err != nil {
		return "", err
	}
	if c.Title != "" {
		c.Title, c.Titled = c.Title+" (copy)", true
	}
	c.Pinned, c.Created, c.Updated = false, time.Time{}, time.Time{}
	return s.Create(c)
}

// SetTitle sets the title of a conversation; an empty title restores the automatic
// one.
func (s *Store) SetTitle(id, text string) error {
	return s.setHead(id, func(c *Conversation) error {
		c.Title = name(text)
		c.Titled = c.Title != ""
		return nil
	})
}

// SetPinned pins a conversation to the top of the list, or unpins it.
func (s *Store) SetPinned(id string, pinned bool) error {
	return s.setHead(id, func(c *Conversation) error { c.Pinned = pinned; return nil })
}

// SetSystem sets the system prompt.
func (s *Store) SetSystem(id, system string) error {
	return s.setHead(id, func(c *Conversation) error { c.System = valid(system); return nil })
}

// SetSettings stores JSON of the caller's with the conversation.
func (s *Store) SetSettings(id string, settings json.RawMessage) error {
	return s.setHead(id, func(c *Conversation) error {
		if len(settings) > 0 && !json.Valid(settings) {
			return errors.New("the settings of a conversation must be JSON")
		}
		c.Settings = slices.Clone(settings)
		return nil
	})
}

// SetLeaf brings the branch through a message into view, down to its newest end.
// If the message is in view already, nothing changes.
func (s *Store) SetLeaf(id string, message int64) error {
	s.change.Lock()
	defer s.change.Unlock()
	c, err := s.lookup(id)
	if err != nil {
		return err
	}
	switch {
	case c.shown(message) == nil:
		return ErrNotFound
	case c.follows(c.head.Leaf, message):
		return nil
	}
	head := c.head
	head.Leaf = c.tip(message, 0)
	return s.commit(headRecord{head, c.next})
}

// Delete moves a conversation to the trash. Restore can bring it back for 30 days.
func (s *Store) Delete(id string) error {
	return s.setHead(id, func(c *Conversation) error {
		if c.Deleted.IsZero() {
			now := s.now()
			c.Deleted = stamp(now, now)
		}
		return nil
	})
}

// Restore brings a conversation back from the trash.
func (s *Store) Restore(id string) error {
	return s.setHead(id, func(c *Conversation) error { c.Deleted = time.Time{}; return nil })
}

// Purge removes conversations in the trash for good, also from the disk.
func (s *Store) Purge(ids ...string) error {
	s.change.Lock()
	defer s.change.Unlock()
	var records []record
	for _, id := range ids {
		c, err := s.lookup(id)
		if err != nil {
			return err
		}
		if c.head.Deleted.IsZero() {
			return errors.New("only conversations in the trash can be deleted for good; delete it first")
		}
		records = append(records, purgeRecord{id})
	}
	s.compactNow = true
	return s.commit(records...)
}

func (s *Store) setHead(id string, set func(*Conversation) error) error {
	s.change.Lock()
	defer s.change.Unlock()
	c, err := s.lookup(id)
	if err != nil {
		return err
	}
	head := c.head
	if err := set(&head); err != nil {
		return err
	}
	return s.commit(headRecord{head, c.next})
}

// Add adds a message after m.Parent (0: as a first message) and brings it into
// view. It returns the new id, also with ErrUnsaved; the time is now unless it is
// set.
func (s *Store) Add(conversation string, m Message) (id int64, err error) {
	if m.State == StateWriting {
		return 0, errors.New("a message that is being written needs a Writer")
	}
	s.change.Lock()
	defer s.change.Unlock()
	m, err = s.addition(conversation, m)
	if err != nil {
		return 0, err
	}
	return m.ID, s.commit(messageRecord{conversation, &message{Message: m}})
}

// addition returns m in the form in which it can be added to a conversation.
func (s *Store) addition(conversation string, m Message) (Message, error) {
	c, err := s.lookup(conversation)
	if err != nil {
		return m, err
	}
	if m.Parent != 0 && c.shown(m.Parent) == nil {
		return m, ErrNotFound
	}
	if m.Role == "" {
		return m, errors.New("a message needs a role")
	}
	m.ID = c.next
	return kept(m, s.now()), nil
}

// DeleteMessage hides a message and what follows it. RestoreMessage can bring them
// back for 30 days. If they were in view, the newest branch next to them comes
// into view.
func (s *Store) DeleteMessage(conversation string, id int64) error {
	s.change.Lock()
	defer s.change.Unlock()
	c, err := s.lookup(conversation)
	if err != nil {
		return err
	}
	m := c.shown(id)
	if m == nil {
		return ErrNotFound
	}
	leaf := c.head.Leaf
	if c.follows(leaf, id) {
		leaf = c.tip(m.Parent, id)
	}
	now := s.now()
	return s.commit(markRecord{conversation, id, stamp(now, now), c.head.Leaf, leaf})
}

// RestoreMessage brings back what DeleteMessage with the same id hid, and brings
// it into view. It returns an error while an earlier message on the branch is
// deleted.
func (s *Store) RestoreMessage(conversation string, id int64) error {
	s.change.Lock()
	defer s.change.Unlock()
	c, err := s.lookup(conversation)
	if err != nil {
		return err
	}
	m := c.find(id)
	if m == nil || m.deleted.IsZero() || c.hidden[m.Parent] {
		return ErrNotFound
	}
	return s.commit(markRecord{conversation: conversation, id: id, leaf: c.leafWith(m)})
}
