package cache

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"inglenook/hub/fault"
)

// Removed is an item in the trash, which can still be restored.
type Removed struct {
	ID       string
	Revision string // the commit; "": everything
	Bytes    int64  // that deleting it frees
	At       time.Time
	Key      string // folder in the trash
}

// trashKey matches the name of a folder in the trash: time, random part, commit,
// repository.
var trashKey = regexp.MustCompile(`^(\d{1,12})\.([0-9a-f]{8})\.([0-9a-f]{7,64}|all)\.(models--.+)$`)

// Remove moves a repository, or one installed revision of it, from the cache to its trash.
// Blobs that other revisions use stay.
func (c *Cache) Remove(id, revision string) (Removed, error) {
	s, err := OpenStore(c.dir, id, false)
	if err != nil {
		return Removed{}, err
	}
	defer s.Close()
	if err := s.mayRemove(); err != nil {
		return Removed{}, err
	}
	r := Removed{ID: id, At: time.Now().Truncate(time.Second)}
	what := "all"
	var have Revision
	if revision != "" {
		if have, err = s.Revision(revision); err != nil {
			return Removed{}, err
		}
		r.Revision, what = have.Commit, have.Commit
	}
	r.Key = strings.Join([]string{strconv.FormatInt(r.At.Unix(), 10), NewUnique(), what, s.Folder}, ".")
	to := path.Join(trashFolder, r.Key)
	if err := s.cache.MkdirAll(trashFolder, 0o755); err != nil {
		return Removed{}, fault.Storage(err, "%s cannot be removed", id)
	}
	if revision == "" {
		r.Bytes = s.bytes(".")
		s.Root.Close()
		err = s.cache.Rename(s.Folder, to)
		_ = s.cache.RemoveAll(path.Join(locksFolder, s.Folder))
	} else {
		r.Bytes, err = s.removeRevision(have, to)
	}
	if err != nil {
		return Removed{}, fault.Storage(err, "%s cannot be removed", id)
	}
	return r, nil
}

// MayRemove says why a repository cannot be removed now; nil: it can.
func (c *Cache) MayRemove(id string) error {
	s, err := OpenStore(c.dir, id, false)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.mayRemove()
}

func (s *Store) mayRemove() error {
	if slices.ContainsFunc(s.Journals(""), func(j Journal) bool { return j.Running(StaleAfter) }) {
		return fault.New(ErrElsewhere, nil, "%s is being downloaded; stop that first", s.id)
	}
	return nil
}

// removeRevision moves a snapshot, and the blobs that only it uses, to a folder of the
// cache.
func (s *Store) removeRevision(r Revision, to string) (freed int64, err error) {
	used := map[string]bool{}
	for _, other := range s.revisions() {
		for _, f := range other.Files {
			if other.Commit != r.Commit {
				used[f.Digest] = true
			}
		}
	}
	names := []string{snapshotPath(r.Commit, ""), treePath(r.Commit), jobPath(r.Commit)}
	for _, ref := range r.Refs {
		names = append(names, refPath(ref))
	}
	for _, f := range r.Files {
		if f.Digest != "" && !used[f.Digest] {
			names = append(names, BlobPath(f.Digest), SumsPath(f.Digest))
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		if err := s.move(path.Join(s.Folder, name), path.Join(to, name)); err != nil {
			return freed, err
		}
		if info, err := s.cache.Lstat(path.Join(to, name)); err == nil && info.Mode().IsRegular() {
			freed += info.Size()
		}
	}
	return freed, nil
}

// move renames within the cache; a missing source is not an error.
func (s *Store) move(from, to string) error {
	if _, err := s.cache.Lstat(from); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := s.cache.MkdirAll(path.Dir(to), 0o755); err != nil {
		return err
	}
	return s.cache.Rename(from, to)
}

// Trash lists the removed items, newest first.
func (c *Cache) Trash() []Removed {
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	entries, _ := fs.ReadDir(root.FS(), trashFolder)
	var list []Removed
	for _, e := range entries {
		if r, ok := removedOf(e.Name()); ok {
			s := Store{Root: root}
			r.Bytes = s.bytes(path.Join(trashFolder, r.Key))
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b Removed) int { return b.At.Compare(a.At) })
	return list
}

func removedOf(key string) (r Removed, ok bool) {
	parts := trashKey.FindStringSubmatch(key)
	if parts == nil {
		return Removed{}, false
	}
	seconds, _ := strconv.ParseInt(parts[1], 10, 64)
	id, ok := IDOfFolder(parts[4])
	r = Removed{ID: id, At: time.Unix(seconds, 0), Key: key}
	if parts[3] != "all" {
		r.Revision = parts[3]
	}
	return r, ok
}

// Restore puts back what Remove took. Files that exist again are not replaced.
func (c *Cache) Restore(r Removed) error {
	if !slices.ContainsFunc(c.Trash(), func(x Removed) bool { return x.Key == r.Key && x.ID == r.ID }) {
		return fault.New(fault.ErrNotInstalled, nil, "%s is not in the trash any more", r.ID)
	}
	s, err := OpenStore(c.dir, r.ID, true)
	if err != nil {
		return err
	}
	defer s.Close()
	from := path.Join(trashFolder, r.Key)
	var files []string
	err = fs.WalkDir(s.cache.FS(), from, func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			files = append(files, strings.TrimPrefix(name, from+"/"))
		}
		return err
	})
	if err != nil {
		return fault.New(fault.ErrNotInstalled, err, "%s is not in the trash any more", r.ID)
	}
	for _, name := range files {
		to := path.Join(s.Folder, name)
		if _, err := s.cache.Lstat(to); err == nil {
			continue
		}
		if err := s.move(path.Join(from, name), to); err != nil {
			return fault.Storage(err, "%s cannot be put back", r.ID)
		}
	}
	_ = s.cache.RemoveAll(from)
	_ = s.cache.Remove(trashFolder) // if it is empty now
	return nil
}

// EmptyTrash deletes items removed longer ago than age, and returns the number of bytes
// freed.
func (c *Cache) EmptyTrash(age time.Duration) (freed int64, err error) {
	for _, r := range c.Trash() {
		if time.Since(r.At) < age {
			continue
		}
		n, err := c.Delete(r)
		if freed += n; err != nil {
			return freed, err
		}
	}
	return freed, nil
}

// Delete removes one item from the trash for good, and returns the number of bytes freed.
func (c *Cache) Delete(r Removed) (freed int64, err error) {
	if _, ok := removedOf(r.Key); !ok {
		return 0, fault.New(fault.ErrNotInstalled, nil, "%s is not in the trash any more", r.ID)
	}
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return 0, fault.Storage(err, "%s cannot be deleted", r.ID)
	}
	defer root.Close()
	s := Store{Root: root}
	freed = s.bytes(path.Join(trashFolder, r.Key))
	if err := root.RemoveAll(path.Join(trashFolder, r.Key)); err != nil {
		return 0, fault.Storage(err, "%s cannot be deleted", r.ID)
	}
	_ = root.Remove(trashFolder) // if it is empty now
	return freed, nil
}
