// Package cache is the folder of models that the tools of the Hugging Face Hub share: what is
// installed, what is half downloaded, what is in the trash, and whether it is undamaged. A
// [Cache] is the folder; a [Store] is the open folder of one repository in it, for downloads.
package cache

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"inglenook/hub/fault"
	"inglenook/hub/repo"
	"inglenook/regular"
)

// Cache is a folder in the layout that Hugging Face's tools share (their documentation:
// "Understand caching"): models--ORG--NAME holds refs/main, a text file with a commit;
// snapshots/COMMIT, a folder of links; and blobs, the files themselves, named by their hash.
// Our own journals lie in a separate folder next to these.
type Cache struct{ dir string }

// Open returns the cache in a folder, which need not exist yet.
func Open(dir string) *Cache { return &Cache{dir} }

// Dir returns the cache's folder.
func (c *Cache) Dir() string { return c.dir }

// Repo describes what the cache holds of one repository.
type Repo struct {
	ID         string
	Folder     string
	Revisions  []Revision // newest first
	Unfinished []Unfinished
	Bytes      int64 // on disk, in total
}

// Revision is one installed commit.
type Revision struct {
	Commit   string
	Path     string   // the snapshot's folder
	Refs     []string // "main"
	Files    []InstalledFile
	Bytes    int64
	Modified time.Time
	Whole    bool // no wanted file is missing
}

// InstalledFile is one file of a snapshot.
type InstalledFile struct {
	Path    string
	Size    int64
	Digest  string // the blob's name; "" if neither a link nor a listing tells it
	Missing bool   // the link is dangling

	FromHub repo.File // as the Hub listed it; zero if the listing was not kept
}

// Listed returns the expected properties of the file, as far as they are known here.
func (f InstalledFile) Listed() repo.File {
	if f.FromHub.Path != "" && f.FromHub.Digest() == f.Digest {
		return f.FromHub
	}
	if len(f.Digest) == 64 {
		return repo.File{Path: f.Path, Size: f.Size, SHA256: f.Digest}
	}
	return repo.File{Path: f.Path, Size: f.Size, Git: f.Digest}
}

// Unfinished is a download that was started and has not finished.
type Unfinished struct {
	ID, Revision, Commit string
	Done, Total          int64
	Paused               bool
	Why                  string // why the program paused it, if it did
	Added                time.Time
}

// Snapshot is the location of an installed revision: folder Sub below Root. Links must not
// lead out of Root.
type Snapshot struct {
	ID     string
	Commit string
	Root   string // the repository's folder
	Sub    string // with slashes
}

// Path returns the snapshot's folder.
func (s Snapshot) Path() string { return filepath.Join(s.Root, filepath.FromSlash(s.Sub)) }

// Find returns the snapshot of a repository that refs/main names, or else the newest one. Our
// own downloads create a snapshot only when all of its files are present.
func (c *Cache) Find(ctx context.Context, id string) (Snapshot, error) {
	folder, err := FolderName(id)
	if err != nil {
		return Snapshot{}, err
	}
	dir := filepath.Join(c.dir, folder)
	root, err := regular.OpenRoot(ctx, dir)
	if errors.Is(err, regular.ErrNoAnswer) {
		return Snapshot{}, fault.Storage(err, "the folder of %s cannot be opened", id)
	}
	if err != nil {
		return Snapshot{}, notInstalled(id)
	}
	defer root.Close()
	commit := newestSnapshot(regular.FS(ctx, root))
	if commit == "" {
		return Snapshot{}, fault.New(fault.ErrNotInstalled, nil, "the Hub cache has no complete copy of %s", id)
	}
	return Snapshot{ID: id, Commit: commit, Root: dir, Sub: path.Join(SnapshotsFolder, commit)}, nil
}

// newestSnapshot returns the snapshot that refs/main names, or else the newest one.
func newestSnapshot(folder fs.FS) string {
	usable := func(commit string) bool {
		info, err := fs.Stat(folder, path.Join(SnapshotsFolder, commit))
		return err == nil && info.IsDir()
	}
	if data, err := fs.ReadFile(folder, refPath("main")); err == nil && len(data) < 200 {
		if commit := strings.TrimSpace(string(data)); repo.CheckCommit(commit) == nil && usable(commit) {
			return commit
		}
	}
	entries, err := fs.ReadDir(folder, SnapshotsFolder)
	if err != nil {
		return ""
	}
	newest, when := "", time.Time{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !e.IsDir() || repo.CheckCommit(e.Name()) != nil || !usable(e.Name()) {
			continue
		}
		if newest == "" || info.ModTime().After(when) {
			newest, when = e.Name(), info.ModTime()
		}
	}
	return newest
}

// IDs lists the repositories that have a folder in the cache.
func (c *Cache) IDs(ctx context.Context) []string {
	entries, err := regular.ReadDir(ctx, c.dir)
	if err != nil {
		return nil
	}
	var list []string
	for _, e := range entries {
		if id, ok := IDOfFolder(e.Name()); ok {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// Repos describes everything in the cache. Folders that cannot be read are left out.
func (c *Cache) Repos(ctx context.Context) ([]Repo, error) {
	var list []Repo
	for _, id := range c.IDs(ctx) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if r, err := c.Repo(id); err == nil {
			list = append(list, r)
		}
	}
	return list, nil
}

// Repo describes one repository of the cache.
func (c *Cache) Repo(id string) (Repo, error) {
	s, err := OpenStore(c.dir, id, false)
	if err != nil {
		return Repo{}, err
	}
	defer s.Close()
	r := Repo{ID: id, Folder: filepath.Join(c.dir, s.Folder), Revisions: s.revisions(), Bytes: s.bytes(".")}
	for _, j := range s.Jobs() {
		r.Unfinished = append(r.Unfinished, s.Unfinished(j))
	}
	return r, nil
}

// refs returns the names that point to each commit.
func (s *Store) refs() map[string][]string {
	refs := map[string][]string{}
	_ = fs.WalkDir(s.Root.FS(), refsFolder, func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		data, err := fs.ReadFile(regular.FS(context.Background(), s.Root), name)
		revision := strings.TrimPrefix(name, refsFolder+"/")
		if commit := strings.TrimSpace(string(data)); err == nil && repo.CheckCommit(commit) == nil && repo.CheckRevision(revision) == nil {
			refs[commit] = append(refs[commit], revision)
		}
		return nil
	})
	return refs
}

// revisions lists the snapshots, newest first.
func (s *Store) revisions() []Revision {
	refs := s.refs()
	var list []Revision
	for _, e := range s.list(SnapshotsFolder) {
		commit := e.Name()
		info, err := e.Info()
		if err != nil || !e.IsDir() || repo.CheckCommit(commit) != nil {
			continue
		}
		r := Revision{
			Commit: commit, Path: filepath.Join(s.dir, s.Folder, SnapshotsFolder, commit), Refs: refs[commit],
			Files: s.installed(commit), Modified: info.ModTime(),
		}
		_, err = s.Root.Stat(jobPath(commit))
		r.Whole = errors.Is(err, fs.ErrNotExist) && len(r.Files) > 0
		for _, f := range r.Files {
			r.Bytes += f.Size
			r.Whole = r.Whole && !f.Missing
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b Revision) int { return b.Modified.Compare(a.Modified) })
	return list
}

// Revision finds an installed revision by branch, tag or commit; "" is main, or the newest.
func (s *Store) Revision(name string) (Revision, error) {
	list := s.revisions()
	for _, r := range list {
		if r.Commit == name || slices.Contains(r.Refs, name) || name == "" && slices.Contains(r.Refs, "main") {
			return r, nil
		}
	}
	if name == "" && len(list) > 0 {
		return list[0], nil
	}
	if name == "" {
		return Revision{}, fault.New(fault.ErrNotInstalled, nil, "the Hub cache has no complete copy of %s", s.id)
	}
	return Revision{}, fault.New(fault.ErrNotInstalled, nil, "revision %.100q of %s is not in the Hub cache of this computer", name, s.id)
}

// Name returns the name to show for a revision.
func (r Revision) Name() string {
	if slices.Contains(r.Refs, "main") || len(r.Refs) == 0 {
		return "main"
	}
	return r.Refs[0]
}

// installed lists the files of a snapshot.
func (s *Store) installed(commit string) (list []InstalledFile) {
	listing := s.readTree(commit)
	top := path.Join(SnapshotsFolder, commit)
	_ = fs.WalkDir(s.Root.FS(), top, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || len(list) >= repo.MaxFiles {
			return nil
		}
		f := InstalledFile{Path: strings.TrimPrefix(name, top+"/"), Missing: true}
		f.FromHub = listing[f.Path]
		if target, err := s.Root.Readlink(name); err == nil && repo.CheckDigest(path.Base(filepath.ToSlash(target))) == nil {
			f.Digest = path.Base(filepath.ToSlash(target))
		} else {
			f.Digest = f.FromHub.Digest()
		}
		if info, err := s.Root.Stat(name); err == nil && info.Mode().IsRegular() {
			f.Size, f.Missing = info.Size(), false
		}
		list = append(list, f)
		return nil
	})
	return list
}

// bytes returns the total size of the regular files below a folder; a file with several names
// counts once.
func (s *Store) bytes(name string) (sum int64) {
	var seen []fs.FileInfo
	_ = fs.WalkDir(s.Root.FS(), name, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil
		}
		info, err := e.Info()
		if err != nil {
			return nil
		}
		if info.Size() > 1<<16 && slices.ContainsFunc(seen, func(x fs.FileInfo) bool { return os.SameFile(x, info) }) {
			return nil
		}
		seen = append(seen, info)
		sum += info.Size()
		return nil
	})
	return sum
}
