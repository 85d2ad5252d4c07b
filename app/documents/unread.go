package documents

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"inglenook/documents/index"
	"inglenook/documents/store"
)

// unread is what a run had to read when it began, or still has when it has ended early. It
// is kept in the collection, so that it survives a kill.
type unread struct {
	Files int `json:"files"` // to be read
	Known int `json:"known"` // files with a record at that time
}

func unreadOf(c store.Collection) (u unread) {
	_ = json.Unmarshal(c.Setting(unreadKey), &u)
	return u
}

// left returns how many files are still to be read. Each file that was read since gave the
// collection a record, unless it had one.
func (u unread) left(sum store.Summary) int {
	return max(0, u.Files-max(0, recordsOf(sum)-u.Known))
}

func recordsOf(sum store.Summary) (n int) {
	for _, files := range sum.Files {
		n += files
	}
	return n
}

// A reading keeps track of what is unread during a run.
type reading struct {
	*Service
	of     store.Collection
	run    *running
	counts bool // a run over some folders does not count where others are unread
}

func (s *Service) reads(c store.Collection, all bool) *reading {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &reading{Service: s, of: c, run: s.runs[c.ID()], counts: all || unreadOf(c).Files == 0}
}

func (r *reading) take(ctx context.Context, e Event) {
	began := unread{}
	if e.Kind == index.Planned {
		began = r.note(ctx, e.Progress.Files)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.progress = e.Progress
	switch e.Kind {
	case index.Planned:
		r.run.began = began
		r.run.toRead = map[string]File{}
		for _, f := range e.ToRead {
			r.run.toRead[f.Path] = f
		}
	case index.File:
		delete(r.run.toRead, e.Path)
	case index.Removed: // its record went, which says nothing of the others
		r.run.began.Known--
	}
}

// untold is what a run told last of the files that it has still to read: how many there are, and how many files had
// a record when it began.
type untold struct {
	files int
	began unread
}

// untold is what the run over a collection told last; false: no run goes on that knows its files.
func (s *Service) untold(id string) (untold, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.runs[id]
	if r == nil || r.progress.Files == 0 {
		return untold{}, false
	}
	return untold{r.progress.Files - r.progress.FilesDone, r.began}, true
}

// left is how many files are still to be read, by a summary that is younger than what was told: a file may have its
// record and not be told yet.
func (u untold) left(sum store.Summary) int { return min(u.files, u.began.left(sum)) }

// end notes what is unread after a run, which read all unless there is an error.
func (r *reading) end(ctx context.Context, err error) {
	if err == nil {
		r.note(ctx, 0)
	} else if last := r.run.progress; last.Files > 0 {
		r.note(ctx, last.Files-last.FilesDone)
	}
}

// note keeps how many files are unread, and returns that beside how many have a record. It goes on when ctx has
// ended, but not for long: a database may have stopped answering. Where that cannot be counted, no record counts as
// one that came since.
func (r *reading) note(ctx context.Context, files int) unread {
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), 500*time.Millisecond)
		defer cancel()
	}
	now := unread{files, math.MaxInt}
	sum, err := r.of.Summary(ctx)
	if err == nil {
		now.Known = recordsOf(sum)
		if r.counts && (files > 0 || unreadOf(r.of).Files > 0) {
			err = setJSON(r.of, unreadKey, now)
		}
	}
	if err != nil {
		r.log.Warn("how much is unread is not kept", "error", err)
	}
	return now
}

// withUnread adds the files to a list that the run which goes on has still to read.
func (s *Service) withUnread(id string, files []File) []File {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.runs[id]
	if r == nil || len(r.toRead) == 0 {
		return files
	}
	known := map[string]bool{}
	for _, f := range files {
		known[f.Path] = true
	}
	for path, f := range r.toRead {
		if !known[path] {
			files = append(files, f)
		}
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files
}

// unreadNotes are sentences about collections that are not read whole.
func (s *Service) unreadNotes(ctx context.Context, of []store.Collection) (notes []string) {
	for _, c := range of {
		if unreadOf(c).Files == 0 {
			continue
		}
		if d, err := s.describe(ctx, c); err == nil && d.Unread > 0 {
			notes = append(notes, fmt.Sprintf("“%s”: %s.", d.Name, d.Counts()))
		}
	}
	return notes
}
