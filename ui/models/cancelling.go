package models

import (
	"context"
	"slices"
	"time"

	"inglenook/app/downloads"
)

// undo takes back what a person did.
type undo struct {
	do func()
	of *downloads.Removed // the deleted model that it puts back; nil: it does something else
}

// undoTime is how long a cancelled download can be put back: its part takes room on the disk.
const undoTime = time.Minute

// cancelDownload takes a download off the list. What came of it is deleted once it cannot be put
// back any more.
func (p *Panel) cancelDownload(d downloads.Download) {
	p.downloads.do(d, func(id, revision string) error {
		err := p.app.SetAside(id, revision)
		if err == nil {
			p.Do(func() { p.offerBack(d) })
		}
		return err
	})
}

// offerBack offers to put a cancelled download back, for a while.
func (p *Panel) offerBack(d downloads.Download) {
	said := "Cancelled the download of " + p.nameOf(d.ID) + ". For a minute it can be put back, and goes on where it stopped."
	u := &undo{}
	timer := time.AfterFunc(undoTime, func() { p.Do(func() { p.drop(u, said, d) }) })
	u.do = func() {
		timer.Stop()
		p.notice.Hide()
		p.downloads.do(d, p.app.BringBack)
	}
	p.undos = append(p.undos, u)
	p.showNotice(said, "Undo", p.undo)
}

// drop deletes what came of a cancelled download, unless it was put back.
func (p *Panel) drop(u *undo, said string, d downloads.Download) {
	at := slices.Index(p.undos, u)
	if at < 0 {
		return
	}
	p.undos = slices.Delete(p.undos, at, at+1)
	if p.notice.Message() == said {
		p.notice.Hide()
	}
	p.Work(func(context.Context) {
		if slices.ContainsFunc(p.app.Downloads(), func(x downloads.Download) bool { return keyOf(x) == keyOf(d) }) {
			return // it was begun anew
		}
		if err := p.app.CancelDownload(d.ID, d.Revision); err != nil {
			p.Do(func() { p.ShowError(err) })
		}
	})
}
