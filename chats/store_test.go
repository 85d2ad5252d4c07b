package chats

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A reply can be begun, written and finished, deleted and restored.
func TestReply(t *testing.T) {
	s := open(t, t.TempDir())
	id := must(s.Create(Conversation{System: "Be brief."}))(t)
	ask := must(s.Add(id, Message{Role: RoleUser, Parts: Content("Why is\nthe sky blue?")}))(t)
	w := must(s.Begin(id, ask, Message{}))(t)
	try(t, w.Append("Hm.", true))
	try(t, w.Append("Because ", false))
	if c := must(s.Conversation(id))(t); c.Messages[1].State != StateWriting || c.Snippet != "Because" {
		t.Errorf("while it is written: %+v", c)
	}
	try(t, w.Append("it scatters.", false))
	try(t, w.Finish(StateComplete, &Reply{Model: "m", Tokens: 2}))
	if err := errors.Join(w.Append("more", false), w.Finish(StateStopped, nil)); !errors.Is(err, ErrFinished) {
		t.Error(err)
	}
	c := must(s.Conversation(id))(t)
	if m := c.Path()[1]; len(c.Path()) != 2 || m.Text() != "Because it scatters." || m.Thinking != "Hm." || c.Title != "Why is the sky blue?" || c.Model != "m" || c.Snippet != m.Text() {
		t.Errorf("%+v", c)
	}
	c.Messages[1].Reply.Tokens = 9
	c.Messages[1].Parts[0].Text = ""
	if path := must(s.Path(id))(t); path[1].Reply.Tokens != 2 || path[1].Text() == "" {
		t.Error("what a reader gets is no copy")
	}
	try(t, s.DeleteMessage(id, ask))
	if c := must(s.Conversation(id))(t); len(c.Messages) != 0 || c.Leaf != 0 || c.Summary.Messages != 0 {
		t.Errorf("%+v", c)
	}
	try(t, s.RestoreMessage(id, ask))
	if c := must(s.Conversation(id))(t); len(c.Messages) != 2 || c.Leaf != w.ID() {
		t.Errorf("%+v", c)
	}
}

// Edits and other answers are branches.
func TestBranches(t *testing.T) {
	s := open(t, t.TempDir())
	id := must(s.Create(Conversation{}))(t)
	add := func(parent int64, text string) int64 {
		return must(s.Add(id, Message{Parent: parent, Role: RoleUser, Parts: Content(text)}))(t)
	}
	a := add(0, "a")
	b := add(a, "b")
	c := add(b, "c")
	b2 := add(a, "b2")
	a2 := add(0, "a2")
	view := func(want string) {
		t.Helper()
		var texts []string
		for _, m := range must(s.Path(id))(t) {
			texts = append(texts, m.Text())
		}
		if got := strings.Join(texts, " "); got != want {
			t.Errorf("in view is %q, not %q", got, want)
		}
	}
	view("a2")
	try(t, s.SetLeaf(id, b))
	view("a b c")
	try(t, s.SetLeaf(id, a)) // is in view already
	view("a b c")
	if got := fmt.Sprint(must(s.Siblings(id, b2))(t)); got != fmt.Sprint([]int64{b, b2}) {
		t.Error(got)
	}
	try(t, s.DeleteMessage(id, c))
	view("a b")
	try(t, s.DeleteMessage(id, b))
	view("a b2")
	if err := s.RestoreMessage(id, c); !errors.Is(err, ErrNotFound) {
		t.Errorf("what follows a deleted message is restored: %v", err)
	}
	try(t, s.DeleteMessage(id, a))
	view("a2")
	try(t, s.RestoreMessage(id, a))
	view("a b2")
	try(t, s.RestoreMessage(id, b))
	view("a b")
	try(t, s.RestoreMessage(id, c))
	view("a b c")
	try(t, s.DeleteMessage(id, a2))
	view("a b c")
}

// The branch that was in view before a message was deleted is still known after a compaction
// and a restart.
func TestRestoreAfterRestart(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, quick)
	id := must(s.Create(Conversation{}))(t)
	var last int64
	for i, parent := range []int64{0, 1, 2, 2} { // 3 and 4 are branches
		last = must(s.Add(id, Message{Parent: parent, Role: RoleUser, Parts: Content(fmt.Sprint(i))}))(t)
	}
	try(t, s.SetLeaf(id, 3))
	try(t, s.DeleteMessage(id, 2))
	compactNow(s)
	try(t, s.Close())
	s = open(t, dir)
	try(t, s.RestoreMessage(id, 2))
	if c := must(s.Conversation(id))(t); c.Leaf != 3 || last != 4 {
		t.Errorf("message %d is in view, not 3", c.Leaf)
	}
}

func TestRefusals(t *testing.T) {
	s := open(t, t.TempDir())
	id := must(s.Create(Conversation{}))(t)
	m := must(s.Add(id, Message{Role: RoleUser, Parts: Content("x")}))(t)
	gone := must(s.Begin(id, m, Message{}))(t)
	message := func(id, parent int64) Message { return Message{ID: id, Parent: parent, Role: RoleUser} }
	create := func(leaf int64, messages ...Message) error {
		_, err := s.Create(Conversation{Messages: messages, Leaf: leaf})
		return err
	}
	add := func(m Message) error { _, err := s.Add(id, m); return err }
	for name, err := range map[string]error{
		"unknown conversation": s.SetTitle("x", "y"),
		"unknown message":      s.SetLeaf(id, 77),
		"unknown parent":       add(message(0, 77)),
		"no role":              add(Message{Role: ""}),
		"a state":              add(Message{Role: RoleUser, State: StateWriting}),
		"unknown sibling":      func() error { _, err := s.Siblings(id, 0); return err }(),
		"delete nothing":       s.DeleteMessage(id, 77),
		"restore what is":      s.RestoreMessage(id, m),
		"settings":             s.SetSettings(id, []byte("{")),
		"purge what is":        s.Purge(id),
		"finish as writing":    gone.Finish(StateWriting, nil),
		"writing too much":     gone.Append(strings.Repeat("x", maxRecord+1), false),
		"id zero":              create(0, message(0, 0)),
		"ids backwards":        create(1, message(2, 0), message(1, 0)),
		"no parent":            create(1, message(1, 5)),
		"own parent":           create(1, message(1, 1)),
		"leaf in the middle":   create(1, message(1, 0), message(2, 1)),
		"no leaf":              create(0, message(1, 0)),
		"too long":             s.SetSystem(id, strings.Repeat("x", maxRecord)),
	} {
		if err == nil || errors.Is(err, ErrUnsaved) {
			t.Errorf("%s: %v", name, err)
		}
	}
	try(t, s.Delete(id))
	try(t, s.Purge(id))
	if err := gone.Append("x", false); !errors.Is(err, ErrNotFound) {
		t.Errorf("writing goes on after the end: %v", err)
	}
	try(t, s.Close())
	if _, err := s.Create(Conversation{}); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed store takes changes: %v", err)
	}
}

// Text that is not UTF-8, and values that are not JSON, become what reading them from the
// disk returns.
func TestValid(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	id := must(s.Create(Conversation{System: "a\xffb"}))(t)
	must(s.Add(id, Message{Role: RoleUser, Parts: Content(marker, File("\xff", marker)), Time: time.Unix(-1<<60, 0)}))(t)
	w := must(s.Begin(id, 1, Message{}))(t)
	try(t, w.Append("c\xff", false))
	inf := 1e308
	try(t, w.Finish(StateComplete, &Reply{Rate: inf * 10, Error: "\xff"}))
	before := s.dump()
	if strings.Contains(before, "unsupported") || strings.Contains(before, marker) {
		t.Error(before)
	}
	try(t, s.Close())
	if diff := firstDifference(open(t, dir).dump(), before); diff != "" {
		t.Error(diff)
	}
}

// A second process can read, and write once the first has ended.
func TestSecondProcess(t *testing.T) {
	dir := t.TempDir()
	first := open(t, dir)
	id := must(first.Create(Conversation{System: "x"}))(t)
	w := must(first.Begin(id, 0, Message{}))(t)
	second, notices, err := Open(dir)
	try(t, err)
	if len(notices) != 1 || !strings.Contains(notices[0], "open in another Inglenook") {
		t.Errorf("notices %q", notices)
	}
	c := must(second.Conversation(id))(t)
	if c.System != "x" || c.Messages[0].State != StateWriting {
		t.Errorf("%+v", c)
	}
	if err := second.SetTitle(id, "y"); !errors.Is(err, ErrReadOnly) {
		t.Errorf("two processes write: %v", err)
	}
	try(t, second.Close())
	try(t, w.Append("goes on", false))
	try(t, first.Close())
	if c := must(open(t, dir).Conversation(id))(t); c.Messages[0].Text() != "goes on" || c.Messages[0].State != StateInterrupted {
		t.Errorf("%+v", c)
	}
}

// The files are rewritten from memory after another program has changed them.
func TestFilesTakenAway(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, func(o *options) { o.syncEvery, o.retry = time.Second, time.Millisecond }) // the first sync comes after Finish
	id := must(s.Create(Conversation{System: "x"}))(t)
	try(t, os.Remove(filepath.Join(dir, "00000002.log")))
	w := must(s.Begin(id, 0, Message{}))(t)
	try(t, w.Append("words", false))
	if err := w.Finish(StateComplete, nil); !errors.Is(err, ErrUnsaved) {
		t.Errorf("a file that is gone has kept the words: %v", err)
	}
	for s.Trouble() != nil {
		time.Sleep(time.Millisecond)
	}
	before := s.dump()
	try(t, s.Close())
	if diff := firstDifference(open(t, dir).dump(), before); diff != "" {
		t.Error(diff)
	}
}

// Purged texts are removed from the disk.
func TestPurge(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, quick)
	id := must(s.Create(Conversation{System: "a secret"}))(t)
	other := must(s.Create(Conversation{System: "the other"}))(t)
	try(t, s.Delete(id))
	try(t, s.Purge(id))
	for s.wantsCompaction() {
		time.Sleep(time.Millisecond)
	}
	all := ""
	for _, name := range files(t, dir, "*") {
		all += string(must(os.ReadFile(name))(t))
	}
	if strings.Contains(all, "a secret") || !strings.Contains(all, "the other") || len(s.List()) != 1 || s.List()[0].ID != other {
		t.Errorf("%q", all)
	}
}

// Everything happens at the same time.
func TestTogether(t *testing.T) {
	s := open(t, t.TempDir(), quick, func(o *options) { o.least = 4 << 10 })
	done := make(chan struct{})
	var readers, writers sync.WaitGroup
	for range 2 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				for _, c := range append(s.Search("word", 3), s.List()...) {
					if full, err := s.Conversation(c.ID); err == nil && len(full.Path()) > len(full.Messages) {
						t.Error("a path longer than the conversation")
					}
				}
			}
		})
	}
	const each, words = 5, 60
	for i := range 3 {
		writers.Go(func() {
			id := must(s.Create(Conversation{System: fmt.Sprint(i)}))(t)
			for range each {
				w := must(s.Begin(id, 0, Message{}))(t)
				for range words {
					try(t, w.Append("word ", false))
				}
				try(t, w.Finish(StateComplete, nil))
				try(t, s.SetTitle(id, fmt.Sprint(i)))
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	before := s.dump()
	if n := strings.Count(before, "word "); n != 3*each*words {
		t.Errorf("%d words", n)
	}
	try(t, s.Close())
	if diff := firstDifference(open(t, s.journal.dir).dump(), before); diff != "" {
		t.Error(diff)
	}
}
