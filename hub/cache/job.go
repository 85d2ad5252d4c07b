package cache

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"inglenook/hub/fault"
	"inglenook/hub/repo"
)

// Job is a download as it is stored on disk: the wanted files of one commit. It exists from
// the start of the download until every file has its final name.
type Job struct {
	Schema   int         `json:"schema"` // 1
	ID       string      `json:"id"`
	Revision string      `json:"revision"`
	Commit   string      `json:"commit"`
	Files    []repo.File `json:"files"`
	Order    int64       `json:"order"` // in the queue
	Added    time.Time   `json:"added"`
	Paused   bool        `json:"paused"`
	Why      string      `json:"why"` // why the program paused it, if it did
}

const JobSchema = 1

// valid reports whether a job read from disk, which anyone may have written, is one for this
// repository and commit.
func (j Job) valid(id, commit string) bool {
	if j.Schema != JobSchema || j.ID != id || j.Commit != commit || repo.CheckRevision(j.Revision) != nil || len(j.Files) > repo.MaxFiles {
		return false
	}
	return !slices.ContainsFunc(j.Files, func(f repo.File) bool {
		return repo.CheckDigest(f.Digest()) != nil || f.Size < 0
	}) && repo.CheckFiles(j.Files) == nil
}

// Unique returns the files with distinct bytes: two names of the same bytes need only one
// transfer. Small files come first, because they describe the model.
func (j Job) Unique() (list []repo.File) {
	seen := map[string]bool{}
	for _, f := range j.Files {
		if !seen[f.Digest()] {
			seen[f.Digest()] = true
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b repo.File) int {
		switch {
		case a.Size < b.Size:
			return -1
		case a.Size > b.Size:
			return 1
		}
		return 0
	})
	return list
}

// Bytes returns the total size of the distinct files.
func (j Job) Bytes() (sum int64) {
	for _, f := range j.Unique() {
		sum += f.Size
	}
	return sum
}

// WriteJob stores a job, or its new state.
func (s *Store) WriteJob(j Job) error {
	return fault.Storage(s.ReplaceJSON(jobPath(j.Commit), j), "the download of %s cannot be noted", j.ID)
}

// ReadJob returns the unfinished download of a commit, if there is a valid one.
func (s *Store) ReadJob(commit string) (j Job, ok bool) {
	if repo.CheckCommit(commit) != nil || s.readJSON(jobPath(commit), &j) != nil {
		return Job{}, false
	}
	return j, j.valid(s.id, commit)
}

// Jobs returns the unfinished downloads of this repository.
func (s *Store) Jobs() (list []Job) {
	for _, e := range s.list(ownFolder) {
		if commit, ok := strings.CutSuffix(e.Name(), ".job"); ok {
			if j, ok := s.ReadJob(commit); ok {
				list = append(list, j)
			}
		}
	}
	return list
}

// Have returns how many bytes of a file are present, complete or not.
func (s *Store) Have(f repo.File, journals []Journal) (n int64) {
	if s.Size(BlobPath(f.Digest())) == f.Size {
		return f.Size
	}
	for _, j := range journals {
		if j.Digest == f.Digest() && j.Fits(f) {
			n = max(n, j.Bytes())
		}
	}
	return n
}

// Unfinished describes a job and how far it is.
func (s *Store) Unfinished(j Job) Unfinished {
	u := Unfinished{ID: j.ID, Revision: j.Revision, Commit: j.Commit, Total: j.Bytes(), Paused: j.Paused, Why: j.Why, Added: j.Added}
	journals := s.Journals("")
	for _, f := range j.Unique() {
		u.Done += s.Have(f, journals)
	}
	return u
}

// Tidy removes what a killed process left between giving a file its name and cleaning up.
func (s *Store) Tidy(j Job, stale time.Duration) {
	journals := s.Journals("")
	for _, f := range j.Unique() {
		if s.Size(BlobPath(f.Digest())) != f.Size {
			continue
		}
		for _, left := range journals {
			if left.Digest == f.Digest() && !left.Running(stale) {
				s.DropJournal(left)
			}
		}
		if _, err := s.cache.Lstat(lockPath(s.Folder, f.Digest())); err == nil {
			if l, _ := s.TryLock(f.Digest()); l != nil {
				l.Free(true)
			}
		}
	}
}

// Finish gives all files their names and ends the job.
func (s *Store) Finish(j Job) error {
	if err := s.linkAll(j.Commit, j.Files); err != nil {
		return err
	}
	if err := s.setRef(j.Revision, j.Commit); err != nil {
		return err
	}
	return s.DropJob(j.Commit)
}

// DropJob ends a job; a missing one is not an error.
func (s *Store) DropJob(commit string) error {
	err := s.Root.Remove(jobPath(commit))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return fault.Storage(err, "the end of a download cannot be noted")
}
