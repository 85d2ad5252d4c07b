package chats

import "errors"

// ErrFinished is the error for a message that is finished already.
var ErrFinished = errors.New("this message is finished already")

// Writer writes one message while it is generated. Its methods may be called
// from any goroutine, but not concurrently.
type Writer struct {
	store        *Store
	conversation string
	id           int64
}

// Begin adds an assistant message in the state "writing" after parent (0: as a
// first message) and brings it into view. The parts and the thinking of m are its
// beginning. After
// ErrUnsaved the Writer can be used all the same.
func (s *Store) Begin(conversation string, parent int64, m Message) (*Writer, error) {
	s.change.Lock()
	defer s.change.Unlock()
	m.Parent, m.Role, m.State, m.Reply = parent, RoleAssistant, StateWriting, nil
	m, err := s.addition(conversation, m)
	if err != nil {
		return nil, err
	}
	w := &Writer{store: s, conversation: conversation, id: m.ID}
	return w, s.commit(messageRecord{conversation, &message{Message: m}})
}

// ID returns the id of the message.
func (w *Writer) ID() int64 { return w.id }

// Append appends text, consisting of whole characters, to the message or to its
// thinking.
func (w *Writer) Append(text string, thinking bool) error {
	if text == "" {
		return nil
	}
	return w.commit(appendRecord{w.conversation, w.id, thinking, valid(text)}, len(text))
}

// Add puts a part behind what the message says so far. Text that is appended later
// follows it.
func (w *Writer) Add(p Part) error {
	s := w.store
	s.change.Lock()
	defer s.change.Unlock()
	c, err := s.lookup(w.conversation)
	if err != nil {
		return err
	}
	m := c.find(w.id)
	switch {
	case m == nil:
		return ErrNotFound
	case m.State != StateWriting:
		return ErrFinished
	case m.bytes()+len(p.Text)+len(p.Data) > maxRecord:
		return tooLong(m.bytes() + len(p.Text) + len(p.Data))
	}
	longer := new(*m)
	longer.Parts = append(keptParts(m.Parts), keptParts([]Part{p})...)
	return s.commit(messageRecord{w.conversation, longer})
}

// Finish ends the message in a state other than "writing", and returns when all
// of it is safely on disk. The reply may be nil.
func (w *Writer) Finish(state string, reply *Reply) error {
	if state == StateWriting {
		return errors.New("a message cannot be finished as being written")
	}
	now := w.store.now()
	now = stamp(now, now)
	if err := w.commit(finishRecord{w.conversation, w.id, valid(state), keptReply(reply), now}, 0); err != nil {
		return err
	}
	return w.store.sync()
}

// commit makes a change that adds the given number of bytes to the message's
// texts.
func (w *Writer) commit(r record, bytes int) error {
	s := w.store
	s.change.Lock()
	defer s.change.Unlock()
	c, err := s.lookup(w.conversation)
	if err != nil {
		return err
	}
	m := c.find(w.id)
	switch {
	case m == nil:
		return ErrNotFound
	case m.State != StateWriting:
		return ErrFinished
	case m.bytes()+bytes > maxRecord:
		return tooLong(m.bytes() + bytes)
	}
	return s.commit(r)
}
