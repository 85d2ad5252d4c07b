package downloads

import (
	"errors"
	"strings"

	"inglenook/hub"
)

// asideKey names a download that was set aside.
type asideKey struct{ id, revision string }

// SetAside takes a download off the list as if it were cancelled, and keeps what came of it:
// until BringBack, or until CancelDownload or the program's end deletes that.
func (d *Service) SetAside(id, revision string) error {
	return d.withQueue(func(q *hub.Queue) error {
		state := stateOf(q, id, revision)
		if err := q.Pause(id, revision); err != nil {
			return err
		}
		if stateOf(q, id, revision) == DownloadDone {
			return errors.New("the download was complete before it could be cancelled; delete the model under Installed if you do not want it")
		}
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.aside == nil {
			d.aside = map[asideKey]bool{}
		}
		d.aside[asideKey{id, revision}] = state != DownloadPaused && state != DownloadFailed
		return nil
	})
}

// stateOf is the state of a download; "": there is none.
func stateOf(q *hub.Queue, id, revision string) string {
	for _, x := range q.List() {
		if x.ID == id && x.Revision == revision {
			return x.State
		}
	}
	return ""
}

// BringBack puts a download that was set aside back on the list, where it goes on unless it was
// paused before. One that is gone for good by now is an error.
func (d *Service) BringBack(id, revision string) error {
	switch ran, here := d.takeAside(id, revision); {
	case !here:
		return errors.New("this download is gone for good; begin it again under Discover")
	case !ran || d.hub.Offline():
		return nil
	}
	return d.ResumeDownload(id, revision)
}

// takeAside notes that a download is no longer set aside, and reports whether it was, and whether it
// ran before that.
func (d *Service) takeAside(id, revision string) (ran, here bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	key := asideKey{id, revision}
	ran, here = d.aside[key]
	delete(d.aside, key)
	return ran, here
}

// isAside reports whether a download is off the list.
func (d *Service) isAside(x Download) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, aside := d.aside[asideKey{x.ID, x.Revision}]
	return aside
}

// dropAside deletes what came of the downloads of a repository that were set aside; "": of all.
func (d *Service) dropAside(q *hub.Queue, repository string) (err error) {
	d.mu.Lock()
	var keys []asideKey
	for k := range d.aside {
		if repository == "" || strings.EqualFold(k.id, repository) {
			keys = append(keys, k)
			delete(d.aside, k)
		}
	}
	d.mu.Unlock()
	for _, k := range keys {
		_, e := q.Cancel(k.id, k.revision, false)
		err = errors.Join(err, e)
	}
	return err
}
