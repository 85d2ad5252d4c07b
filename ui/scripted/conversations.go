// Package scripted has conversations in memory and a language model that follows a
// script: what tests of the window and its measurements converse with. It knows
// nothing of files, and it keeps nothing.
package scripted

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"inglenook/app/base"
	"inglenook/app/chat"
	"inglenook/app/fit"
	"inglenook/app/library"
)

// Conversations stand in for app.ChatService.
type Conversations struct {
	Model  Model  // how it answers; set it before the first answer
	Asking Asking // how it answers from documents; the same

	mu            sync.Mutex
	conversations map[string]*record
	made          int
	presets       []base.Preset
	choices       []chat.ModelChoice
	loaded        *chat.Loaded
	Warnings      []string // what Notices gives
	Failing       error    // what every change answers; nil: it works
}

// record is a conversation; deleted messages stay in it.
type record struct {
	chat.Conversation
	deleted map[int64]bool
}

// New has no conversations and two models: one that converses, one that continues
// texts.
func New() *Conversations {
	return &Conversations{
		conversations: map[string]*record{},
		presets:       []base.Preset{{Name: "Plain", BuiltIn: true}, {Name: "Precise", BuiltIn: true, System: "Be brief."}},
		choices: []chat.ModelChoice{
			{Model: library.Model{ID: "org/talker", Name: "org/talker", Kind: library.KindChat, Source: library.SourceHubCache, Usable: true, Parameters: 1_200_000_000}, Fits: fit.FitsWell, NeedsBytes: 1 << 30, FreeBytes: 8 << 30},
			{Model: library.Model{ID: "/models/teller", Name: "teller", Kind: library.KindText, Source: library.SourceFolder, Usable: true}, Plain: true, Fits: fit.FitsTight, NeedsBytes: 6 << 30, FreeBytes: 8 << 30},
			{Model: library.Model{ID: "org/giant", Name: "org/giant", Kind: library.KindChat, Source: library.SourceHubCache, Usable: true}, Fits: fit.FitsNot, NeedsBytes: 80 << 30, FreeBytes: 8 << 30, Why: "it needs 86 GB and 8.6 GB are free"},
		},
	}
}

// SetModels offers other models.
func (t *Conversations) SetModels(list []chat.ModelChoice) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.choices = list
}

// Put keeps a conversation as it is.
func (t *Conversations) Put(c chat.Conversation) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.conversations[c.ID] = &record{Conversation: c, deleted: map[int64]bool{}}
}

// AskedBy counts the conversations that ask a collection.
func (t *Conversations) AskedBy(id, name string) (n int, err error) {
	list, err := t.List("")
	for _, s := range list {
		if c, err := t.Conversation(s.ID); err == nil {
			if asked := chat.ChoicesOf(c).Collection; asked == id || asked == name {
				n++
			}
		}
	}
	return n, err
}

// Notices returns the warnings.
func (t *Conversations) Notices() []string { return t.Warnings }

// List returns the conversations that hold the query, pinned ones first, then the
// newest first.
func (t *Conversations) List(query string) ([]chat.Summary, error) {
	return t.list(func(c *record, s *chat.Summary) bool {
		if !c.Deleted.IsZero() {
			return false
		}
		if query == "" {
			return true
		}
		for _, m := range c.visible() {
			if at := strings.Index(strings.ToLower(m.Text()), strings.ToLower(query)); at >= 0 {
				s.Snippet, s.Match, s.Found = m.Text(), [2]int{at, at + len(query)}, m.ID
				return true
			}
		}
		return strings.Contains(strings.ToLower(c.Title), strings.ToLower(query))
	}), nil
}

// Trash returns the deleted conversations.
func (t *Conversations) Trash() []chat.Summary {
	return t.list(func(c *record, _ *chat.Summary) bool { return !c.Deleted.IsZero() })
}

func (t *Conversations) list(want func(*record, *chat.Summary) bool) []chat.Summary {
	t.mu.Lock()
	defer t.mu.Unlock()
	var list []chat.Summary
	for _, c := range t.conversations {
		if s := c.Summary; want(c, &s) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, func(a, b chat.Summary) int {
		if a.Pinned != b.Pinned {
			if a.Pinned {
				return -1
			}
			return 1
		}
		return cmp.Or(b.Updated.Compare(a.Updated), strings.Compare(a.ID, b.ID))
	})
	return list
}

// Conversation returns a copy of a conversation.
func (t *Conversations) Conversation(id string) (chat.Conversation, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.conversations[id]
	if c == nil {
		return chat.Conversation{}, errors.New("there is no conversation " + id)
	}
	out := c.Conversation
	out.Messages = c.visible()
	return out, nil
}

// visible are the messages that neither are deleted nor follow one that is.
func (c *record) visible() []chat.Message {
	gone := map[int64]bool{}
	var list []chat.Message
	for _, m := range c.Messages {
		if c.deleted[m.ID] || gone[m.Parent] {
			gone[m.ID] = true
			continue
		}
		list = append(list, m)
	}
	return list
}

// tip is the newest end after a message.
func (c *record) tip(id int64) int64 {
	for _, m := range c.visible() {
		if m.Parent == id {
			id = m.ID
		}
	}
	return id
}

func (c *record) message(id int64) *chat.Message {
	for i := range c.Messages {
		if c.Messages[i].ID == id {
			return &c.Messages[i]
		}
	}
	return nil
}

func (c *record) add(m chat.Message) int64 {
	m.ID = 1
	if n := len(c.Messages); n > 0 {
		m.ID = c.Messages[n-1].ID + 1
	}
	m.Time = time.Now()
	c.Messages = append(slices.Clone(c.Messages), m)
	c.Leaf, c.Updated = m.ID, m.Time
	if c.Title == "" || len(c.Messages) == 1 {
		c.Title = m.Text()
		if words := strings.Fields(m.Text()); len(words) > 6 {
			c.Title = strings.Join(words[:6], " ") + "…"
		}
	}
	return m.ID
}

// change runs a change of a conversation.
func (t *Conversations) change(id string, run func(c *record) error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Failing != nil {
		return t.Failing
	}
	c := t.conversations[id]
	if c == nil {
		return errors.New("there is no conversation " + id)
	}
	return run(c)
}

// New begins a conversation.
func (t *Conversations) New(x chat.Choices) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Failing != nil {
		return "", t.Failing
	}
	t.made++
	id := fmt.Sprintf("chat-%d", t.made)
	settings, _ := json.Marshal(x)
	now := time.Now()
	t.conversations[id] = &record{chat.Conversation{Summary: chat.Summary{ID: id, Title: "New conversation", Created: now, Updated: now}, Settings: settings}, map[int64]bool{}}
	return id, nil
}

// Rename gives a conversation a title.
func (t *Conversations) Rename(id, title string) error {
	return t.change(id, func(c *record) error { c.Title, c.Titled = title, true; return nil })
}

// Pin keeps a conversation on top.
func (t *Conversations) Pin(id string, pinned bool) error {
	return t.change(id, func(c *record) error { c.Pinned = pinned; return nil })
}

// SetLeaf chooses a branch.
func (t *Conversations) SetLeaf(id string, message int64) error {
	return t.change(id, func(c *record) error { c.Leaf = c.tip(message); return nil })
}

// SetSystem sets the system prompt.
func (t *Conversations) SetSystem(id, text string) error {
	return t.change(id, func(c *record) error { c.System = text; return nil })
}

// SetChoices keeps choices.
func (t *Conversations) SetChoices(id string, x chat.Choices) error {
	return t.change(id, func(c *record) error {
		var err error
		c.Settings, err = json.Marshal(x)
		return err
	})
}

// Duplicate copies a conversation.
func (t *Conversations) Duplicate(id string) (string, error) {
	copied := ""
	err := t.change(id, func(c *record) error {
		t.made++
		copied = fmt.Sprintf("chat-%d", t.made)
		twin := c.Conversation
		twin.ID, twin.Title, twin.Updated = copied, c.Title+" (copy)", time.Now()
		t.conversations[copied] = &record{twin, map[int64]bool{}}
		return nil
	})
	return copied, err
}

// Delete moves a conversation to the trash.
func (t *Conversations) Delete(id string) error {
	return t.change(id, func(c *record) error { c.Deleted = time.Now(); return nil })
}

// Restore brings it back.
func (t *Conversations) Restore(id string) error {
	return t.change(id, func(c *record) error { c.Deleted = time.Time{}; return nil })
}

// Purge drops conversations that are in the trash.
func (t *Conversations) Purge(ids ...string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.Failing != nil {
		return t.Failing
	}
	for _, id := range ids {
		delete(t.conversations, id)
	}
	return nil
}

// DeleteMessage hides a message and what follows it.
func (t *Conversations) DeleteMessage(id string, message int64) error {
	return t.change(id, func(c *record) error {
		m := c.message(message)
		c.deleted[message] = true
		c.Leaf = c.tip(m.Parent)
		return nil
	})
}

// RestoreMessage brings it back.
func (t *Conversations) RestoreMessage(id string, message int64) error {
	return t.change(id, func(c *record) error {
		delete(c.deleted, message)
		c.Leaf = c.tip(message)
		return nil
	})
}

// Edit puts another text and other files beside a message.
func (t *Conversations) Edit(id string, message int64, text string, files []chat.Part) (added int64, err error) {
	err = t.change(id, func(c *record) error {
		m := c.message(message)
		added = c.add(chat.Message{Parent: m.Parent, Role: m.Role, Parts: m.With(text, files)})
		return nil
	})
	return added, err
}

// Export returns the texts of the branch in view, or everything.
func (t *Conversations) Export(id, format string) ([]byte, error) {
	c, err := t.Conversation(id)
	if err != nil || format == "json" {
		data, _ := json.Marshal(c)
		return data, err
	}
	var b strings.Builder
	for _, m := range c.Messages {
		fmt.Fprintf(&b, "**%s**: %s\n\n", m.Role, m.Text())
	}
	return []byte(b.String()), nil
}

// Import adds a conversation that Export gave.
func (t *Conversations) Import(data []byte) ([]string, error) {
	var c chat.Conversation
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, errors.New("this is no export of chats")
	}
	c.ID += "-again"
	t.Put(c)
	return []string{c.ID}, nil
}

// Presets lists the presets.
func (t *Conversations) Presets() []base.Preset {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.presets)
}

// SavePreset keeps a preset.
func (t *Conversations) SavePreset(p base.Preset) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p.Name == "" {
		return errors.New("a preset needs a name")
	}
	t.presets = append(slices.DeleteFunc(t.presets, func(o base.Preset) bool { return o.Name == p.Name }), p)
	return nil
}

// DeletePreset forgets a preset.
func (t *Conversations) DeletePreset(name string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.presets = slices.DeleteFunc(t.presets, func(o base.Preset) bool { return o.Name == name })
	return nil
}
