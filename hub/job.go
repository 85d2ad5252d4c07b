package hub

import (
	"errors"
	"inglenook/hub/fault"
	"io/fs"
	"slices"
	"strings"
	"time"
)

// job is a download as it is stored on disk: the wanted files of one commit. It exists from
// the start of the download until every file has its final name.
type job struct {
	Schema   int       `json:"schema"` // 1
	ID       string    `json:"id"`
	Revision string    `json:"revision"`
	Commit   string    `json:"commit"`
	Files    []File    `json:"files"`
	Order    int64     `json:"order"` // in the queue
	Added    time.Time `json:"added"`
	Paused   bool      `json:"paused"`
	Why      string    `json:"why"` // why the program paused it, if it did
}

const jobSchema = 1

// valid reports whether a job read from disk, which anyone may have written, is one for this
// repository and commit.
func (j job) valid(id, commit string) bool {
	if j.Schema != jobSchema || j.ID != id || j.Commit != commit || CheckRevision(j.Revision) != nil || len(j.Files) > maxFiles {
		return false
	}
	return !slices.ContainsFunc(j.Files, func(f File) bool {
		return checkDigest(f.Digest()) != nil || f.Size < 0
	}) && checkFiles(j.Files) == nil
}

// unique returns the files with distinct bytes: two names of the same bytes need only one
// transfer. Small files come first, because they describe the model.
func (j job) unique() (list []File) {
	seen := map[string]bool{}
	for _, f := range j.Files {
		if !seen[f.Digest()] {
			seen[f.Digest()] = true
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b File) int {
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

func (j job) bytes() (sum int64) {
	for _, f := range j.unique() {
		sum += f.Size
	}
	return sum
}

func (s *store) writeJob(j job) error {
	return fault.Storage(s.replaceJSON(jobPath(j.Commit), j), "the download of %s cannot be noted", j.ID)
}

func (s *store) readJob(commit string) (j job, ok bool) {
	if checkCommit(commit) != nil || s.readJSON(jobPath(commit), &j) != nil {
		return job{}, false
	}
	return j, j.valid(s.id, commit)
}

// jobs returns the unfinished downloads of this repository.
func (s *store) jobs() (list []job) {
	for _, e := range s.list(ownFolder) {
		if commit, ok := strings.CutSuffix(e.Name(), ".job"); ok {
			if j, ok := s.readJob(commit); ok {
				list = append(list, j)
			}
		}
	}
	return list
}

// have returns how many bytes of a file are present, complete or not.
func (s *store) have(f File, journals []journal) (n int64) {
	if s.size(blobPath(f.Digest())) == f.Size {
		return f.Size
	}
	for _, j := range journals {
		if j.Digest == f.Digest() && j.fits(f) {
			n = max(n, j.bytes())
		}
	}
	return n
}

func (s *store) unfinished(j job) Unfinished {
	u := Unfinished{ID: j.ID, Revision: j.Revision, Commit: j.Commit, Total: j.bytes(), Paused: j.Paused, Why: j.Why, Added: j.Added}
	journals := s.journals("")
	for _, f := range j.unique() {
		u.Done += s.have(f, journals)
	}
	return u
}

// tidy removes what a killed process left between giving a file its name and cleaning up.
func (s *store) tidy(j job, stale time.Duration) {
	journals := s.journals("")
	for _, f := range j.unique() {
		if s.size(blobPath(f.Digest())) != f.Size {
			continue
		}
		for _, left := range journals {
			if left.Digest == f.Digest() && !left.running(stale) {
				s.dropJournal(left)
			}
		}
		if _, err := s.cache.Lstat(lockPath(s.folder, f.Digest())); err == nil {
			if l, _ := s.tryLock(f.Digest()); l != nil {
				l.free(true)
			}
		}
	}
}

// finish gives all files their names and ends the job.
func (s *store) finish(j job) error {
	if err := s.linkAll(j.Commit, j.Files); err != nil {
		return err
	}
	if err := s.setRef(j.Revision, j.Commit); err != nil {
		return err
	}
	return s.dropJob(j.Commit)
}

func (s *store) dropJob(commit string) error {
	err := s.root.Remove(jobPath(commit))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return fault.Storage(err, "the end of a download cannot be noted")
}
