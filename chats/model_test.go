package chats

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// model is the plainest possible store: it computes everything again each time.
type model map[string]*modelChat

type modelChat struct {
	Conversation // Messages are all, including deleted ones
	next         int64
	deleted      map[int64]time.Time
	was          map[int64]int64
}

// op is one change. The walk invents it; a model and a store make it.
type op struct {
	kind     string
	at       time.Time
	chat     string
	id       int64 // of the message, or of its parent
	text     string
	flag     bool
	newChat  string
	messages []Message
}

// clone returns a copy that shares nothing that changes.
func (m model) clone() model {
	c := model{}
	for id, chat := range m {
		n := *chat
		n.Messages, n.deleted, n.was = slices.Clone(chat.Messages), maps.Clone(chat.deleted), maps.Clone(chat.was)
		c[id] = &n
	}
	return c
}

func (c *modelChat) find(id int64) *Message {
	for i := range c.Messages {
		if c.Messages[i].ID == id {
			return &c.Messages[i]
		}
	}
	return nil
}

// above reports whether a is b or before it on its branch.
func (c *modelChat) above(a, b int64) bool {
	return b != 0 && (a == b || c.above(a, c.find(b).Parent))
}

func (c *modelChat) shown(id int64) bool {
	if id == 0 {
		return true
	}
	_, deleted := c.deleted[id]
	return !deleted && c.find(id) != nil && c.shown(c.find(id).Parent)
}

// end returns the newest end of the branches after a message.
func (c *modelChat) end(id int64) int64 {
	newest := int64(0)
	for _, m := range c.Messages {
		if m.Parent == id && c.shown(m.ID) {
			newest = m.ID
		}
	}
	if newest == 0 {
		return id
	}
	return c.end(newest)
}

func (m model) apply(o op) {
	c := m[o.chat]
	switch o.kind {
	case "create", "import":
		c = &modelChat{next: 1, deleted: map[int64]time.Time{}, was: map[int64]int64{}}
		c.ID, c.System, c.Created, c.Updated = o.newChat, o.text, o.at, o.at
		c.Messages = slices.Clone(o.messages)
		if n := len(c.Messages); n > 0 {
			c.Leaf = c.Messages[n-1].ID
		}
		c.Conversation = renumbered(c.Conversation)
		c.next = int64(len(c.Messages) + 1)
		m[o.newChat] = c
	case "duplicate":
		d := *m.clone()[o.chat]
		d.ID, d.Created, d.Updated, d.Pinned, d.Deleted = o.newChat, o.at, o.at, false, time.Time{}
		if t := c.title(); t != "" {
			d.Title, d.Titled = t+" (copy)", true
		}
		d.Messages = slices.DeleteFunc(d.Messages, func(msg Message) bool { return !c.shown(msg.ID) })
		d.Conversation = renumbered(d.Conversation)
		d.next, d.deleted, d.was = int64(len(d.Messages)+1), map[int64]time.Time{}, map[int64]int64{}
		for i, msg := range d.Messages {
			if msg.State == StateWriting {
				d.Messages[i].State = StateInterrupted
			}
		}
		m[o.newChat] = &d
	case "title":
		c.Title, c.Titled = o.text, o.text != ""
	case "pin":
		c.Pinned = o.flag
	case "system":
		c.System = o.text
	case "settings":
		c.Settings = json.RawMessage(o.text)
	case "delete":
		if c.Deleted.IsZero() {
			c.Deleted = o.at
		}
	case "restore":
		c.Deleted = time.Time{}
	case "purge":
		delete(m, o.chat)
	case "add", "begin":
		msg := o.messages[0]
		msg.ID, msg.Parent, msg.Time = c.next, o.id, o.at
		c.Messages = append(c.Messages, msg)
		c.next++
		c.Leaf, c.Updated = msg.ID, o.at
	case "append":
		if o.flag {
			c.find(o.id).Thinking += o.text
		} else {
			m := c.find(o.id)
			m.Parts = slices.Clone(m.Parts) // which a clone of the model shares
			if n := len(m.Parts); n > 0 && m.Parts[n-1].Kind == PartText {
				m.Parts[n-1].Text += o.text
			} else {
				m.Parts = append(m.Parts, Part{Kind: PartText, Text: o.text})
			}
		}
	case "finish":
		c.find(o.id).State, c.find(o.id).Reply, c.Updated = o.text, o.messages[0].Reply, o.at
	case "leaf":
		if !c.above(o.id, c.Leaf) {
			c.Leaf = c.end(o.id)
		}
	case "deleteMessage":
		c.deleted[o.id], c.was[o.id] = o.at, c.Leaf
		if !c.shown(c.Leaf) {
			c.Leaf = c.end(c.find(o.id).Parent)
		}
	case "restoreMessage":
		delete(c.deleted, o.id)
		was := c.was[o.id]
		if c.find(was) == nil || !c.shown(was) || !c.above(o.id, was) {
			was = o.id
		}
		c.Leaf = c.end(was)
	}
}

// crash does to the model what the end of a process does to a store.
func (m model) crash() {
	for _, c := range m {
		for i := range c.Messages {
			if c.Messages[i].State == StateWriting {
				c.Messages[i].State = StateInterrupted
			}
		}
	}
}

// expire drops conversations and messages that were deleted 30 days ago.
func (m model) expire(now time.Time) {
	for id, c := range m {
		if !c.Deleted.IsZero() && now.Sub(c.Deleted) > deletedFor {
			delete(m, id)
			continue
		}
		for root, at := range c.deleted {
			if now.Sub(at) > deletedFor {
				for _, msg := range slices.Clone(c.Messages) {
					if c.above(root, msg.ID) {
						defer delete(c.deleted, msg.ID)
					}
				}
			}
		}
		c.Messages = slices.DeleteFunc(slices.Clone(c.Messages), func(msg Message) bool {
			for root, at := range c.deleted {
				if now.Sub(at) > deletedFor && c.above(root, msg.ID) {
					return true
				}
			}
			return false
		})
	}
}

func (c *modelChat) title() string {
	if c.Titled {
		return c.Title
	}
	newest := slices.Clone(c.Messages) // of the beginnings the newest one
	slices.Reverse(newest)
	newest = slices.DeleteFunc(newest, func(msg Message) bool { return msg.Parent != 0 })
	for _, msg := range slices.Concat(newest, c.Messages) {
		if !c.shown(msg.ID) || msg.Role != RoleUser {
			continue
		}
		var words, names []string
		for _, p := range msg.Parts {
			switch p.Kind {
			case PartText:
				words = append(words, p.Text)
			case PartFile:
				names = append(names, p.Name)
			}
		}
		if len(words) > 0 {
			return strings.Join(words, " ") // those of the walk are short lines
		}
		if len(names) > 0 {
			return names[0]
		}
	}
	return ""
}

// dump returns everything that can be read from a model.
func (m model) dump() string {
	var text strings.Builder
	for _, id := range slices.Sorted(maps.Keys(m)) {
		c := *m[id]
		c.Title = c.title()
		c.Messages = slices.DeleteFunc(slices.Clone(c.Messages), func(msg Message) bool { return !c.shown(msg.ID) })
		dumpChat(&text, c.Conversation)
	}
	return text.String()
}

// dump returns everything that can be read from a store.
func (s *Store) dump() string {
	list := append(s.List(), s.Trash()...)
	slices.SortFunc(list, func(a, b Summary) int { return strings.Compare(a.ID, b.ID) })
	var text strings.Builder
	for _, summary := range list {
		c, err := s.Conversation(summary.ID)
		if err != nil {
			return err.Error()
		}
		if summary != c.Summary || summary.Messages != len(c.Messages) {
			fmt.Fprintf(&text, "the summary is %+v\n", summary)
		}
		dumpChat(&text, c)
	}
	return text.String()
}

func dumpChat(text *strings.Builder, c Conversation) {
	head := conversationToJSON(c)
	head.Messages = nil
	data, err := json.Marshal(head)
	fmt.Fprintf(text, "%s deleted %v %v\n", data, c.Deleted.UTC(), err)
	for _, m := range c.Messages {
		data, err := json.Marshal(messageToJSON(m))
		fmt.Fprintf(text, "\t%s %v\n", data, err)
	}
}

// walk invents random changes, each of which its model allows at that moment.
type walk struct {
	r     *rand.Rand
	model model
	step  int
	clock atomic.Int64  // in microseconds, since the store reads it too
	pace  time.Duration // between steps
}

func newWalk(seed uint64, pace time.Duration) *walk {
	w := &walk{r: rand.New(rand.NewPCG(seed, 17)), model: model{}, pace: pace}
	w.clock.Store(1_700_000_000_000_000)
	return w
}

func (w *walk) now() time.Time { return time.UnixMicro(w.clock.Load()) }

// name returns the name of a conversation that this step makes.
func (w *walk) name() string { return fmt.Sprintf("c%d", w.step) }

// next invents the next change and makes it in the model.
func (w *walk) next() op {
	w.step++
	w.clock.Add(w.pace.Microseconds())
	o, ok := w.pick()
	for !ok {
		o, ok = w.pick()
	}
	w.model.apply(o)
	return o
}

func (w *walk) pick() (op, bool) {
	o := op{at: w.now(), newChat: w.name(), text: w.words()}
	ids := slices.Sorted(maps.Keys(w.model))
	if len(ids) == 0 {
		o.kind = "create"
		return o, true
	}
	o.chat = ids[w.r.IntN(len(ids))]
	c := w.model[o.chat]
	var shown, deleted, writing []int64
	for _, m := range c.Messages {
		if c.shown(m.ID) {
			shown = append(shown, m.ID)
		} else if c.shown(m.Parent) {
			deleted = append(deleted, m.ID)
		}
		if m.State == StateWriting {
			writing = append(writing, m.ID)
		}
	}
	any := func(ids []int64) bool {
		if len(ids) > 0 {
			o.id = ids[w.r.IntN(len(ids))]
		}
		return len(ids) > 0
	}
	fresh := Message{Role: []string{RoleUser, RoleAssistant}[w.r.IntN(2)], Parts: Content(w.words())}
	o.flag = w.r.IntN(3) == 0
	few := len(ids) < 8
	switch n := w.r.IntN(100); {
	case n < 4:
		o.kind = "create"
		return o, few
	case n < 5:
		o.kind = "import"
		for i := range w.r.IntN(5) {
			o.messages = append(o.messages, Message{ID: int64(2*i + 1), Parent: int64(max(0, 2*i-1)), Role: RoleUser, Parts: Content(w.words()), Time: o.at, Reply: w.reply()})
		}
		return o, few
	case n < 7:
		o.kind = "duplicate"
		return o, few
	case n < 9:
		o.kind = "title"
	case n < 11:
		o.kind = "pin"
	case n < 13:
		o.kind = "system"
	case n < 15:
		o.kind, o.text = "settings", fmt.Sprintf(`{"seed":%d}`, w.r.IntN(100))
	case n < 18:
		o.kind = "delete"
	case n < 20:
		o.kind = "restore"
	case n < 22:
		o.kind = "purge"
		return o, !c.Deleted.IsZero()
	case n < 32:
		o.kind, o.messages = "add", []Message{fresh}
		if w.r.IntN(3) > 0 {
			o.messages[0].Parts = w.parts()
		}
		if !any(shown) || w.r.IntN(9) == 0 {
			o.id = 0
		}
		return o, len(c.Messages) < 40
	case n < 40:
		fresh.Role, fresh.State, fresh.Parts = RoleAssistant, StateWriting, w.parts()
		o.kind, o.messages = "begin", []Message{fresh}
		if !any(shown) || w.r.IntN(9) == 0 {
			o.id = 0
		}
		return o, len(c.Messages) < 40
	case n < 75:
		o.kind = "append"
		return o, any(writing)
	case n < 80:
		o.kind, o.text = "finish", []string{StateComplete, StateStopped, StateFailed}[w.r.IntN(3)]
		o.messages = []Message{{Reply: w.reply()}}
		return o, any(writing)
	case n < 86:
		o.kind = "leaf"
		return o, any(shown)
	case n < 93:
		o.kind = "deleteMessage"
		return o, any(shown)
	default:
		o.kind = "restoreMessage"
		return o, any(deleted)
	}
	return o, true
}

func (w *walk) words() string {
	return []string{"two words", "für", "日本", "x", "naïve", "five"}[w.r.IntN(6)]
}

// parts are up to three of any kind, in any order.
func (w *walk) parts() []Part {
	var list []Part
	for range w.r.IntN(4) {
		list = append(list, []Part{
			Text(w.words()),
			File(w.words(), w.words()),
			{Kind: PartFile, Name: w.words(), Tokens: 1 + w.r.IntN(9)},
			{Kind: "image", Name: "a.png", Data: []byte{0x89, 'P', 0}},
			{Kind: "call", Data: []byte(`{"name":"weather"}`)},
		}[w.r.IntN(5)])
	}
	return list
}

func (w *walk) reply() *Reply {
	if w.r.IntN(4) == 0 {
		return nil
	}
	r := &Reply{
		Model: w.words(), ModelName: w.words(), Device: "cpu", PromptTokens: w.r.IntN(1000), Reused: w.r.IntN(10), Tokens: w.r.IntN(1 << 30),
		FirstToken: time.Duration(w.r.Int64N(int64(time.Hour))), Took: time.Duration(w.r.IntN(1000)), Rate: w.r.Float64(), DraftGain: w.r.Float64() - 0.5, Reason: "stop", Error: w.words(), Seed: w.r.Uint64(),
	}
	for range w.r.IntN(3) {
		r.Fallbacks = append(r.Fallbacks, Fallback{w.words(), w.words()})
		r.Notices = append(r.Notices, w.words())
	}
	return r
}

// apply makes a change in a store. Writers are kept by conversation and message.
func (o op) apply(s *Store, writers map[string]*Writer) (err error) {
	key := fmt.Sprint(o.chat, " ", o.id)
	switch o.kind {
	case "create":
		_, err = s.Create(Conversation{System: o.text})
	case "import":
		c := Conversation{System: o.text, Messages: o.messages}
		if len(o.messages) > 0 {
			c.Leaf = o.messages[len(o.messages)-1].ID
		}
		_, err = s.Create(c)
	case "duplicate":
		_, err = s.Duplicate(o.chat)
	case "title":
		err = s.SetTitle(o.chat, o.text)
	case "pin":
		err = s.SetPinned(o.chat, o.flag)
	case "system":
		err = s.SetSystem(o.chat, o.text)
	case "settings":
		err = s.SetSettings(o.chat, json.RawMessage(o.text))
	case "delete":
		err = s.Delete(o.chat)
	case "restore":
		err = s.Restore(o.chat)
	case "purge":
		err = s.Purge(o.chat)
	case "add":
		m := o.messages[0]
		m.Parent = o.id
		_, err = s.Add(o.chat, m)
	case "begin":
		var w *Writer
		if w, err = s.Begin(o.chat, o.id, o.messages[0]); err == nil {
			writers[fmt.Sprint(o.chat, " ", w.ID())] = w
		}
	case "append":
		err = writers[key].Append(o.text, o.flag)
	case "finish":
		err = writers[key].Finish(o.text, o.messages[0].Reply)
	case "leaf":
		err = s.SetLeaf(o.chat, o.id)
	case "deleteMessage":
		err = s.DeleteMessage(o.chat, o.id)
	case "restoreMessage":
		err = s.RestoreMessage(o.chat, o.id)
	default:
		err = fmt.Errorf("%q is no change", o.kind)
	}
	return err
}
