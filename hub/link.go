package hub

import (
	"errors"
	"io/fs"
	"path"
	"strings"
)

// link gives a file of a snapshot its name: a relative link to the blob, as the Python client
// makes it; where links are not allowed a second name of the same bytes, or a copy.
func (s *store) link(commit string, f File) error {
	name, target := snapshotPath(commit, f.Path), linkTarget(f.Path, f.Digest())
	if have, err := s.root.Readlink(name); err == nil && have == target {
		return nil
	}
	err := s.root.MkdirAll(path.Dir(name), 0o755)
	if err == nil {
		err = s.linkNew(name, target, blobPath(f.Digest()))
	}
	return storageError(err, "%s cannot be given its name", f.Path)
}

func (s *store) linkNew(name, target, blob string) error {
	temp := path.Join(ownFolder, "link."+newUnique())
	err := errors.ErrUnsupported
	if !s.noLinks {
		err = s.root.Symlink(target, temp)
	}
	if err != nil {
		err = s.root.Link(blob, temp)
	}
	if err != nil {
		err = s.copyFile(blob, temp)
	}
	if err == nil {
		err = s.root.Rename(temp, name)
	}
	if err != nil {
		_ = s.root.Remove(temp)
	}
	return err
}

// setRef makes a branch or tag point at a commit. A commit has no name but itself.
func (s *store) setRef(revision, commit string) error {
	if revision == commit {
		return nil
	}
	if err := CheckRevision(revision); err != nil {
		return err
	}
	if data, err := fs.ReadFile(s.root.FS(), refPath(revision)); err == nil && strings.TrimSpace(string(data)) == commit {
		return nil
	}
	return storageError(s.replace(refPath(revision), []byte(commit)), "the revision %s cannot be written", revision)
}
