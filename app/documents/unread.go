package documents

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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
	r.mu.Lock()
	r.run.progress = e.Progress
	switch e.Kind {
	case index.Planned:
		r.run.toRead = map[string]File{}
		for _, f := range e.ToRead {
			r.run.toRead[f.Path] = f
		}
	case index.File:
		delete(r.run.toRead, e.Path)
	}
	r.mu.Unlock()
	if e.Kind == index.Planned {
		r.keep(ctx, e.Progress.Files)
	}
}

// end notes what is unread after a run, which read all unless there is an error.
func (r *reading) end(ctx context.Context, err error) {
	if err == nil {
		r.keep(ctx, 0)
	} else if last := r.run.progress; last.Files > 0 {
		r.keep(ctx, last.Files-last.FilesDone)
	}
}

// keep keeps how many files are unread. It goes on when ctx has ended, but not for long: a database
// may have stopped answering.
func (r *reading) keep(ctx context.Context, files int) {
	if !r.counts || files == 0 && unreadOf(r.of).Files == 0 {
		return
	}
	if ctx.Err() != nil {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithoutCancel(ctx), 500*time.Millisecond)
		defer cancel()
	}
	sum, err := r.of.Summary(ctx)
	if err == nil {
		err = setJSON(r.of, unreadKey, unread{files, recordsOf(sum)})
	}
	if err != nil {
		r.log.Warn("how much is unread is not kept", "error", err)
	}
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
