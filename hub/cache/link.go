package cache

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"inglenook/hub/fault"
	"inglenook/hub/repo"
	"inglenook/regular"
)

// linkAll gives all files of a commit their names. A new snapshot appears as a whole, because
// its folder is built elsewhere first; an existing one gets its missing files.
func (s *Store) linkAll(commit string, files []repo.File) error {
	folder := path.Join(SnapshotsFolder, commit)
	if _, err := s.Root.Lstat(folder); err == nil {
		return s.linkInto(folder, files)
	}
	staged := path.Join(ownFolder, "link."+NewUnique())
	err := s.Root.MkdirAll(staged, 0o755)
	if err == nil {
		err = s.linkInto(staged, files)
	}
	if err == nil {
		err = s.Root.Rename(staged, folder)
	}
	if err != nil {
		_ = s.Root.RemoveAll(staged)
		if _, there := s.Root.Lstat(folder); there == nil { // another process was faster
			return s.linkInto(folder, files)
		}
	}
	return fault.Storage(err, "the files of %s cannot be given their names", s.id)
}

func (s *Store) linkInto(folder string, files []repo.File) error {
	for _, f := range files {
		if err := s.link(folder, f); err != nil {
			return err
		}
	}
	s.SyncFolder(folder)
	return nil
}

// link gives a file of a snapshot its name: a relative link to the blob, like the Python
// client's. If links are not allowed, it makes a hard link or a copy.
func (s *Store) link(folder string, f repo.File) error {
	name, target := path.Join(folder, f.Path), linkTarget(f.Path, f.Digest())
	if have, err := s.Root.Readlink(name); err == nil && have == target {
		return nil
	}
	err := s.Root.MkdirAll(path.Dir(name), 0o755)
	if err == nil {
		err = s.linkNew(name, target, BlobPath(f.Digest()))
	}
	return fault.Storage(err, "%s cannot be given its name", f.Path)
}

func (s *Store) linkNew(name, target, blob string) error {
	temp := path.Join(ownFolder, "link."+NewUnique())
	err := errors.ErrUnsupported
	if !s.noLinks {
		err = s.Root.Symlink(target, temp)
	}
	if err != nil {
		err = s.Root.Link(blob, temp)
	}
	if err != nil {
		err = s.copyFile(blob, temp)
	}
	if err == nil {
		err = s.Root.Rename(temp, name)
	}
	if err != nil {
		_ = s.Root.Remove(temp)
	}
	return err
}

// setRef makes a branch or tag point to a commit. A revision that is itself a commit needs no
// ref.
func (s *Store) setRef(revision, commit string) error {
	if revision == commit {
		return nil
	}
	if err := repo.CheckRevision(revision); err != nil {
		return err
	}
	if data, err := fs.ReadFile(regular.FS(context.Background(), s.Root), refPath(revision)); err == nil && strings.TrimSpace(string(data)) == commit {
		return nil
	}
	return fault.Storage(s.replace(refPath(revision), []byte(commit)), "the revision %s cannot be written", revision)
}

// copyFile copies within the repository's folder.
func (s *Store) copyFile(from, to string) error {
	in, err := regular.OpenIn(context.Background(), s.Root, from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := s.Root.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Close()); err != nil {
		_ = s.Root.Remove(to)
	}
	return err
}
