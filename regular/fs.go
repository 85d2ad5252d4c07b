package regular

import (
	"context"
	"io/fs"
	"os"
)

// FS returns the files below a root. Its folders can be opened and listed too. The
// context counts until the last file is closed.
func FS(ctx context.Context, root *os.Root) fs.FS { return rootFS{ctx, root, root.FS()} }

type rootFS struct {
	ctx  context.Context
	root *os.Root
	fs   fs.FS
}

func (f rootFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	file, err := OpenIn(f.ctx, f.root, name)
	if err != nil { // not a nil *File in an interface
		return nil, err
	}
	return file, nil
}

func (f rootFS) Stat(name string) (fs.FileInfo, error) {
	return ask(f, "stat", name, func() (fs.FileInfo, error) { return fs.Stat(f.fs, name) })
}

func (f rootFS) Lstat(name string) (fs.FileInfo, error) {
	return ask(f, "lstat", name, func() (fs.FileInfo, error) { return fs.Lstat(f.fs, name) })
}

func (f rootFS) ReadLink(name string) (string, error) {
	return ask(f, "readlink", name, func() (string, error) { return fs.ReadLink(f.fs, name) })
}

func (f rootFS) ReadDir(name string) ([]fs.DirEntry, error) {
	list, err := ask(f, "open", name, func() ([]fs.DirEntry, error) { return fs.ReadDir(f.fs, name) })
	return guarded(f.ctx, f.root.Name(), list), err
}

func ask[T any](f rootFS, op, name string, call func() (T, error)) (T, error) {
	return within(f.ctx, op, f.root.Name(), name, call, nil)
}

// paths are the files of this computer by their paths, in whatever encoding.
type paths struct{ ctx context.Context }

func (p paths) Open(path string) (fs.File, error)          { return Open(p.ctx, path) }
func (p paths) Stat(path string) (fs.FileInfo, error)      { return Stat(p.ctx, path) }
func (p paths) ReadDir(path string) ([]fs.DirEntry, error) { return ReadDir(p.ctx, path) }

// entry is a name in a folder; asking what it is ends in time as well.
type entry struct {
	fs.DirEntry
	ctx   context.Context
	place string
}

func (e entry) Info() (fs.FileInfo, error) {
	return within(e.ctx, "lstat", e.place, e.Name(), e.DirEntry.Info, nil)
}

func guarded(ctx context.Context, place string, list []fs.DirEntry) []fs.DirEntry {
	for i, e := range list {
		list[i] = entry{e, ctx, place}
	}
	return list
}
