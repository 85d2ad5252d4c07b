package chat

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"inglenook/app/library"
	"inglenook/chats"
)

// New begins a conversation without messages.
func (t *Conversations) New(x Choices) (id string, err error) {
	settings, err := x.settings()
	if err != nil {
		return "", err
	}
	err = t.edit(func(s *chats.Store) error {
		id, err = s.Create(Conversation{Settings: settings})
		return err
	})
	return id, err
}

// Rename gives a conversation a title; the empty one gives it the beginning of
// its first message again.
func (t *Conversations) Rename(id, title string) error {
	return t.edit(func(s *chats.Store) error { return s.SetTitle(id, title) })
}

// Pin keeps a conversation at the top of the list, or lets it go.
func (t *Conversations) Pin(id string, pinned bool) error {
	return t.edit(func(s *chats.Store) error { return s.SetPinned(id, pinned) })
}

// Duplicate copies a conversation with all its branches.
func (t *Conversations) Duplicate(id string) (copied string, err error) {
	err = t.edit(func(s *chats.Store) error {
		copied, err = s.Duplicate(id)
		return err
	})
	return copied, err
}

// Delete moves a conversation to the trash, from which Restore brings it back
// for 30 days.
func (t *Conversations) Delete(id string) error {
	return t.edit(func(s *chats.Store) error { return s.Delete(id) })
}

// Restore brings a conversation back from the trash.
func (t *Conversations) Restore(id string) error {
	return t.edit(func(s *chats.Store) error { return s.Restore(id) })
}

// Purge drops conversations that are in the trash for good.
func (t *Conversations) Purge(ids ...string) error {
	return t.edit(func(s *chats.Store) error { return s.Purge(ids...) })
}

// DeleteMessage hides a message and what follows it; RestoreMessage of the same
// id brings that back for 30 days.
func (t *Conversations) DeleteMessage(id string, message int64) error {
	return t.edit(func(s *chats.Store) error { return s.DeleteMessage(id, message) })
}

// RestoreMessage brings back what DeleteMessage hid.
func (t *Conversations) RestoreMessage(id string, message int64) error {
	return t.edit(func(s *chats.Store) error { return s.RestoreMessage(id, message) })
}

// SetLeaf brings the branch through a message into view, down to its newest end.
func (t *Conversations) SetLeaf(id string, message int64) error {
	return t.edit(func(s *chats.Store) error { return s.SetLeaf(id, message) })
}

// SetSystem sets the system prompt, which holds from the next answer on.
func (t *Conversations) SetSystem(id, text string) error {
	return t.edit(func(s *chats.Store) error { return s.SetSystem(id, text) })
}

// SetChoices keeps what the person chose; it holds from the next answer on.
func (t *Conversations) SetChoices(id string, x Choices) error {
	settings, err := x.settings()
	if err != nil {
		return err
	}
	return t.edit(func(s *chats.Store) error { return s.SetSettings(id, settings) })
}

// Edit puts a message with another text and other files beside the one that is there, which
// stays as a branch, and brings it into view. Its other parts are kept. Of an answer it is said
// which model wrote it, and that it was edited, not how the first one was made.
func (t *Conversations) Edit(id string, edited int64, text string, files []Part) (added int64, err error) {
	err = t.edit(func(s *chats.Store) error {
		c, err := s.Conversation(id)
		if err != nil {
			return err
		}
		m, err := messageOf(c, edited)
		if err != nil {
			return err
		}
		parts := m.With(text, files)
		if blank(parts) {
			return errors.New("an empty message cannot be sent; write something, or delete the message")
		}
		edit := Message{Parent: m.Parent, Role: m.Role, Parts: parts}
		if r := m.Reply; r != nil {
			edit.Reply = &ReplyRecord{Model: r.Model, ModelName: r.ModelName, Reason: FinishEdited}
		}
		added, err = s.Add(id, edit)
		return err
	})
	return added, err
}

// Export returns a conversation as "markdown", the branch in view for reading, or
// as "json", all of it, as Import takes it.
func (t *Conversations) Export(id, format string) ([]byte, error) {
	c, err := t.Conversation(id)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	switch format {
	case "markdown":
		err = chats.WriteMarkdown(&b, asShown(c))
	case "json":
		err = chats.WriteJSON(&b, c)
	default:
		err = fmt.Errorf("a conversation cannot be exported as %q; choose markdown or json", format)
	}
	return b.Bytes(), err
}

// asShown is a conversation in which the guide has the name that it has in the window.
func asShown(c Conversation) Conversation {
	c.Messages = slices.Clone(c.Messages)
	for i, m := range c.Messages {
		if m.Reply != nil {
			r := *m.Reply
			r.ModelName = WriterName(&r)
			c.Messages[i].Reply = &r
		}
	}
	return c
}

// WriterName is what a person calls the model that wrote an answer; "": it has no name. The guide had another name in
// earlier versions, which old answers keep.
func WriterName(r *ReplyRecord) string {
	if r.Model == library.StarterChat {
		return library.GuideName
	}
	return r.ModelName
}

// Import adds the conversations of an export as JSON and returns their new ids.
func (t *Conversations) Import(data []byte) (ids []string, err error) {
	list, err := chats.ReadJSON(data)
	if err != nil {
		return nil, err
	}
	for _, c := range list {
		err := t.edit(func(s *chats.Store) error {
			id, err := s.Create(c)
			if id != "" {
				ids = append(ids, id)
			}
			return err
		})
		if err != nil {
			return ids, err
		}
	}
	return ids, nil
}

// Trouble says in a sentence why something is not safe on the disk, nil while all
// is. It is kept in memory and written as soon as that is possible.
func (t *Conversations) Trouble() error {
	s, err := t.Open()
	if err != nil {
		return err
	}
	return s.Trouble()
}

// edit changes the store. A change that could not be written to the disk yet is
// made all the same; Trouble tells of it.
func (t *Conversations) edit(change func(*chats.Store) error) error {
	s, err := t.Open()
	if err != nil {
		return err
	}
	if err = change(s); errors.Is(err, chats.ErrUnsaved) {
		t.log.Warn("conversations", "error", err)
		return nil
	}
	return err
}
