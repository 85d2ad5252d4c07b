package documents

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/documents"
	"inglenook/ui/kit"
)

// removal is a collection that a person has removed. It is out of view, and deleted when there
// was time to take that back: now, or at the next start.
type removal struct {
	documents.Collection
	timer *time.Timer
}

// remove takes a collection out of view, and offers to bring it back.
func (p *Panel) remove(c documents.Collection) {
	p.endRemoval()
	p.pick(-1) // it may be of this collection
	r := &removal{Collection: c}
	p.removing = r
	p.hide(c.ID, true)
	p.library.Pause(c.ID)
	p.offerUndo("Removed “"+c.Name+"”.", p.undoRemoval)
	r.timer = time.AfterFunc(kit.ToastTime, func() {
		p.Do(func() {
			if p.removing == r {
				p.endRemoval()
			}
		})
	})
	p.list()
}

// offerUndo says what was taken away, and brings it back with the button, or with the keys for that.
func (p *Panel) offerUndo(said string, back func()) {
	p.back = back
	p.toast.Offer(said, "Undo", theme.ContentUndoIcon(), func() { p.undo() })
}

// undo brings back what was taken away last, for as long as that is offered; false: it is not.
func (p *Panel) undo() bool {
	back := p.back
	if back == nil || !p.toast.View.Visible() {
		return false
	}
	p.back = nil
	p.toast.Hide()
	back()
	return true
}

// undoRemoval brings the collection back that was removed last, if there is still time.
func (p *Panel) undoRemoval() {
	r := p.removing
	if r == nil {
		return
	}
	r.timer.Stop()
	p.removing = nil
	p.hide(r.ID, false)
	if !r.Paused {
		p.library.Resume(r.ID)
	}
	p.Tell("“" + r.Name + "” is back.")
	p.list()
}

// endRemoval deletes the collection that was removed last.
func (p *Panel) endRemoval() {
	if p.removing != nil {
		p.change(p.deletion())
	}
}

// deletion is what deletes the collection that was removed last: nothing, where there is none. From
// now on that cannot be taken back.
func (s *session) deletion() func(context.Context) error {
	r := s.removing
	if r == nil {
		return func(context.Context) error { return nil }
	}
	r.timer.Stop()
	s.removing = nil
	s.removed()
	return s.deletes(r.ID)
}

// deletes is what deletes a collection. If that fails it is in view again.
func (s *session) deletes(id string) func(context.Context) error {
	return func(ctx context.Context) error {
		err := s.library.Remove(ctx, id)
		s.Do(func() { s.hide(id, false) })
		return err
	}
}

// hide takes a collection out of view, also for the next start, which deletes it; or brings it
// back.
func (s *session) hide(id string, on bool) {
	if delete(s.hidden, id); on {
		s.hidden[id] = true
	}
	s.Keep(func(settings *base.Settings) {
		kept := slices.DeleteFunc(slices.Clone(settings.Documents.Removing), func(one string) bool { return one == id })
		if on {
			kept = append(kept, id)
		}
		settings.Documents.Removing = kept
	})
}

// deleteHidden deletes what was removed before the program ended.
func (s *session) deleteHidden() {
	for id := range s.hidden {
		remove := s.deletes(id)
		s.change(func(ctx context.Context) error {
			if err := remove(ctx); err != nil { // it may be gone
				s.App.Log().Info("a collection that was removed is not deleted", slog.Any("error", err))
			}
			return nil
		})
	}
}

// inView leaves out what was removed.
func (s *session) inView(all []documents.Collection) []documents.Collection {
	return slices.DeleteFunc(all, func(c documents.Collection) bool { return s.hidden[c.ID] })
}

// leaveOut makes a collection no longer cover a path, which is that of a folder of it or of a file in one, and offers
// to take that back. What was read of it is deleted when there was time for that.
func (p *Panel) leaveOut(c documents.Collection, path string, of documents.Folder) {
	p.change(func(ctx context.Context) error {
		err := p.library.TakeOff(ctx, c.ID, path)
		if err == nil {
			p.Do(func() { p.findWithout(path) })
		}
		return err
	})
	p.forgetLater(c.ID)
	p.offerUndo(base.ShortPath(path)+" is no longer searched. It stays where it is.", func() {
		p.cover(documents.AddRequest{Collection: c.ID, Paths: []string{of.Path}, Include: of.Include, Exclude: of.Exclude, Again: true})
	})
}

// cover brings folders and files back into a collection, and what was asked for finds them again.
func (s *session) cover(r documents.AddRequest) {
	s.change(func(ctx context.Context) error {
		_, err := s.library.Add(ctx, r)
		if err == nil {
			s.Do(func() {
				if s.query != "" && !s.led {
					s.again()
				}
			})
		}
		return err
	})
}

// forgetLater deletes what was taken off a collection, once that can no longer be taken back.
func (s *session) forgetLater(id string) {
	if before := s.forgets[id]; before != nil {
		before.Stop() // what was taken off before goes with it
	}
	s.forgets[id] = time.AfterFunc(kit.ToastTime, func() {
		s.Work(func(ctx context.Context) {
			err := s.library.Forget(ctx, id)
			s.Do(func() { s.fail(err) })
		})
	})
}

// findWithout searches again after a folder or file was left out. A document of it that was opened by
// itself is closed.
func (s *session) findWithout(path string) {
	h, ok := s.hit()
	if s.busy || s.of.query != "" || ok && s.led && (documents.Folder{Path: path}).Holds(h.file.File.Path) {
		s.search()
	}
}
