package cache

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"inglenook/hub/fault"
	"inglenook/regular"
)

// Store is the open folder of one repository in a cache. It opens files only below that
// folder and rejects links that lead out of it.
type Store struct {
	Folder string   // its name in the cache
	Root   *os.Root // the folder

	id      string
	dir     string // of the cache
	cache   *os.Root
	noLinks bool // tests: imitates a file system without links
}

// OpenStore opens a repository's folder, and creates it if create is set.
func OpenStore(dir, id string, create bool) (*Store, error) {
	folder, err := FolderName(id)
	if err != nil {
		return nil, err
	}
	if create {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, fault.Storage(err, "the folder for models cannot be made")
		}
	}
	cache, err := regular.OpenRoot(context.Background(), dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, notInstalled(id)
		}
		return nil, fault.Storage(err, "the folder for models cannot be opened")
	}
	s := &Store{id: id, Folder: folder, dir: dir, cache: cache}
	if create {
		err = cache.MkdirAll(folder, 0o755)
	}
	if err == nil {
		s.Root, err = cache.OpenRoot(folder)
	}
	if err == nil && create {
		for _, sub := range []string{BlobsFolder, SnapshotsFolder, ownFolder} {
			err = errors.Join(err, s.Root.MkdirAll(sub, 0o755))
		}
	}
	if err != nil {
		s.Close()
		if errors.Is(err, fs.ErrNotExist) && !create {
			return nil, notInstalled(id)
		}
		return nil, fault.Storage(err, "the folder of %s cannot be opened", id)
	}
	return s, nil
}

// Close closes the folder.
func (s *Store) Close() {
	if s.Root != nil {
		s.Root.Close()
	}
	s.cache.Close()
}

func notInstalled(id string) error {
	return fault.New(fault.ErrNotInstalled, fs.ErrNotExist, "%s is not in the Hub cache of this computer", id)
}

// ErrElsewhere says that another process is already downloading this file.
var ErrElsewhere = errors.New("another process is already downloading it")

// replace writes a small file so that a crash leaves the old one or the new one. It syncs
// nothing, unlike package durable: a journal is written several times per second, and whoever
// reads one of these files checks it.
func (s *Store) replace(name string, data []byte) error {
	if dir := path.Dir(name); dir != "." {
		if err := s.Root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	temp := path.Join(ownFolder, "new."+NewUnique())
	if err := s.Root.MkdirAll(ownFolder, 0o755); err != nil {
		return err
	}
	return replaceIn(s.Root, temp, name, data, false)
}

// replaceIn replaces a file at once by way of another one: a killed process leaves the old one or the
// new one, and so does a power cut where the data is synced.
func replaceIn(root *os.Root, temp, name string, data []byte, sync bool) error {
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if sync {
		err = errors.Join(err, f.Sync())
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return err
}

// Sweep removes temporary files that killed processes left while they wrote small files.
func (s *Store) Sweep(age time.Duration) {
	for _, e := range s.list(ownFolder) {
		info, err := e.Info()
		name, _, _ := strings.Cut(e.Name(), ".")
		if err == nil && (name == "new" || name == "link") && time.Since(info.ModTime()) > age {
			_ = s.Root.RemoveAll(path.Join(ownFolder, e.Name()))
		}
	}
}

// ReplaceJSON replaces a small file, so that a crash leaves the old one or the new one.
func (s *Store) ReplaceJSON(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return s.replace(name, append(data, '\n'))
}

// maxOwnFile limits the size of our own small files when they are read, because others may
// have written them.
const maxOwnFile = 64 << 20

func (s *Store) readJSON(name string, into any) error {
	f, err := regular.OpenIn(context.Background(), s.Root, name)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxOwnFile))
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// SyncFolder makes a rename in a folder survive a power cut, if the file system can.
func (s *Store) SyncFolder(name string) {
	if d, err := s.Root.Open(name); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// list returns the entries of a folder, or none if it does not exist.
func (s *Store) list(name string) []fs.DirEntry {
	entries, err := fs.ReadDir(s.Root.FS(), name)
	if err != nil {
		return nil
	}
	return entries
}

// Size returns the size of a regular file, or -1.
func (s *Store) Size(name string) int64 {
	info, err := s.Root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return -1
	}
	return info.Size()
}

// TryLock takes the lock of a blob, the same one that the Python client takes. It returns nil
// if another process holds it. On a file system without locks it always succeeds; there,
// unique names keep two writers apart.
func (s *Store) TryLock(digest string) (*lock, error) {
	name := lockPath(s.Folder, digest)
	if err := s.cache.MkdirAll(path.Dir(name), 0o755); err != nil {
		return nil, fault.Storage(err, "the folder for locks cannot be made")
	}
	// Open it through the root first, which rejects links that lead elsewhere.
	f, err := s.cache.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return nil, fault.Storage(err, "a lock cannot be made")
	}
	f.Close()
	l := regular.NewLock(filepath.Join(s.dir, filepath.FromSlash(name)), 0o644)
	got, err := l.TryLock()
	if err != nil {
		_ = l.Close()
		return &lock{}, nil
	}
	if !got {
		_ = l.Close()
		return nil, nil
	}
	return &lock{l, s, name}, nil
}

type lock struct {
	flock *flock.Flock // nil where there are no locks
	s     *Store
	name  string
}

// Free releases the lock. If the blob is complete the file is removed: whoever waits for the
// lock looks for the blob next.
func (l *lock) Free(done bool) {
	if l.flock == nil {
		return
	}
	if done {
		_ = l.s.cache.Remove(l.name)
	}
	_ = l.flock.Unlock()
}

// NewUnique returns a random part for the name of a temporary file.
func NewUnique() string {
	var b [4]byte
	_, _ = rand.Read(b[:])
	return hex.EncodeToString(b[:])
}

// ReadThrough calls use with the bytes [from, to) of a file, in order.
func ReadThrough(ctx context.Context, f io.ReaderAt, from, to int64, use func([]byte)) error {
	buf := make([]byte, min(1<<20, max(1, to-from)))
	for from < to {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		n, err := f.ReadAt(buf[:min(int64(len(buf)), to-from)], from)
		use(buf[:n])
		from += int64(n)
		if err != nil && from < to {
			return err
		}
	}
	return nil
}
