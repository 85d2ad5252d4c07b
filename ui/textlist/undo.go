package textlist

import (
	"time"

	"inglenook/app/texts"
)

// offerUndo offers to take the last change back, for a while or until something else is done.
func (l *List) offerUndo() {
	l.stopTimer()
	l.undoText.Set(l.texts.lastChange() + ".")
	l.undoBar.Show()
	if l.cuts != nil {
		return // a person who chooses how to cut a text needs more time
	}
	if l.tookSamples() {
		return // more went than a person asked for, so that this stays until the next change
	}
	var mine *time.Timer
	mine = time.AfterFunc(l.undoTime, func() {
		l.host.Do(func() {
			if l.undoEnds == mine {
				l.hideUndo()
				l.View.Refresh()
			}
		})
	})
	l.undoEnds = mine
}

// tookSamples reports whether the last change removed samples.
func (l *List) tookSamples() bool {
	n := len(l.texts.past)
	return n > 0 && l.texts.past[n-1].samples
}

// hideUndo ends the offer. The change can still be taken back with the keyboard.
func (l *List) hideUndo() {
	l.stopTimer()
	l.cuts = nil
	l.ways.Hide()
	l.undoBar.Hide()
}

func (l *List) stopTimer() {
	if l.undoEnds != nil {
		l.undoEnds.Stop()
		l.undoEnds = nil
	}
}

// ReplaceWith puts other texts in the place of all; from is where each came from, nil: it is not known. Undo brings
// those that were there back, with what went with them. The list itself offers no Undo: whoever replaces the texts
// offers what is returned, which takes the change back with all that came after it.
func (l *List) ReplaceWith(lines []string, from []texts.Origin, back With) (undo func()) {
	l.StopEditing()
	l.texts.replace(lines)
	l.texts.CameFrom(from)
	n := len(l.texts.past)
	l.texts.past[n-1].with = back
	l.edited(false)
	l.Chosen(0)
	return func() {
		for len(l.texts.past) >= n {
			l.Undo()
		}
	}
}
