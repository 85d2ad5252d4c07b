package textlist

import (
	"testing"
	"time"
)

// Undo is on offer for a while, or until the texts are worked on. The keyboard undoes after that too.
func TestUndoGoes(t *testing.T) {
	b, l := few(t)
	l.undoTime = 20 * time.Millisecond
	l.Add([]string{"delta", "epsilon"})
	if !l.undoBar.Visible() {
		t.Fatal("nothing is on offer")
	}
	b.Loop.Until(t, "the end of the offer", func() bool { return !l.undoBar.Visible() })
	l.Undo()
	wantTexts(t, l, "alpha", "beta", "gamma")
	l.undoTime = time.Hour
	l.Add([]string{"delta", "epsilon"})
	l.Take()
	if l.undoBar.Visible() {
		t.Error("Undo is on offer while the texts are worked on")
	}
}

// Where samples went, which nobody asked for, Undo stays on offer until the next change.
func TestUndoOfSamplesStays(t *testing.T) {
	b, l := few(t)
	*l.texts = *New([]string{"alpha", "beta"}, []string{"alpha", "beta"})
	l.undoTime = time.Millisecond
	l.Add([]string{"delta"})
	l.Take()
	time.Sleep(30 * time.Millisecond)
	b.Idle()
	if !l.undoBar.Visible() {
		t.Error("the samples went, and the offer to bring them back too")
	}
	l.Add([]string{"epsilon"})
	if l.undoBar.Visible() {
		t.Error("the offer stays after the next change")
	}
}

// An offer ends at its own time, not at that of the one before.
func TestUndoStays(t *testing.T) {
	b, l := few(t)
	l.undoTime = 20 * time.Millisecond
	l.Add([]string{"delta", "epsilon"})
	l.undoTime = time.Hour
	l.Add([]string{"zeta", "eta"})
	time.Sleep(60 * time.Millisecond)
	b.Idle()
	if !l.undoBar.Visible() {
		t.Error("Undo went before its time")
	}
}

// What went with texts comes back with them, and goes again when that is done again.
func TestReplacingWith(t *testing.T) {
	_, l := few(t)
	question := "old"
	var swap func(other string) With
	swap = func(other string) With {
		return func() With {
			was := question
			question = other
			return swap(was)
		}
	}
	replace := func() (undo func()) {
		back := swap(question)
		question = "new"
		return l.ReplaceWith([]string{"one", "two"}, nil, back)
	}
	undo := replace()
	if wantTexts(t, l, "one", "two"); l.undoBar.Visible() || question != "new" {
		t.Errorf("the list offers Undo, or the question is %q", question)
	}
	l.Add([]string{"three"})
	undo()
	if wantTexts(t, l, "alpha", "beta", "gamma"); question != "old" {
		t.Errorf("with the texts comes back %q", question)
	}
	undo()
	wantTexts(t, l, "alpha", "beta", "gamma")
	l.Redo()
	if wantTexts(t, l, "one", "two"); question != "new" {
		t.Errorf("done again, the question is %q", question)
	}
	l.Undo()
	if wantTexts(t, l, "alpha", "beta", "gamma"); question != "old" {
		t.Errorf("with the texts comes back %q", question)
	}
}

// What is offered after a text was deleted comes above the buttons, which stay where they are: a second click deletes
// the next text.
func TestDeleteStaysInItsPlace(t *testing.T) {
	b, l := few(t)
	l.Rows.Pick(0)
	place := b.FyneApp.Driver().AbsolutePositionForObject
	before := place(l.actions)
	l.remove(l.Selected)
	b.Idle()
	if now := place(l.actions); !l.undoBar.Visible() || now != before {
		t.Errorf("the buttons were at %v and are at %v", before, now)
	}
}
