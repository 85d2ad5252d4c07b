package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"inglenook/regular"
)

// A Root is a file or folder that a collection covers, by its absolute path.
type Root struct {
	Path string
	Patterns
}

// found is a file that takes part.
type found struct {
	path     string
	size     int64
	modified time.Time
	refused  string // why it is not read; empty: it is
}

// A Skip is something that was met and left out, with the reason in a sentence.
type Skip struct {
	Path   string
	Reason string
}

// walker lists the files below roots. Links to files are followed and links to
// folders are not: what lies inside of a root is found anyhow, and what lies outside
// may be the whole disk. So no loop of links can be entered.
type walker struct {
	roots   []Root
	maxFile int64 // bytes of the largest file that takes part
	skip    func(Skip)

	seen  map[string]bool // paths that were found, without links
	links []found         // to files, looked at when all files are known
	list  []found
	lost  []Skip
}

// walk returns the files below the roots. lost lists the files and folders that
// cannot be reached just now, as on a disk that is not connected: what was known
// below them is not gone.
func walk(ctx context.Context, roots []Root, maxFile int64, skip func(Skip)) (list []found, lost []Skip, err error) {
	w := &walker{roots: roots, maxFile: maxFile, skip: skip, seen: map[string]bool{}}
	for _, root := range roots {
		if err := w.root(ctx, root); err != nil {
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			w.lose(root.Path, err)
		}
	}
	for _, link := range w.links {
		if target, err := regular.EvalSymlinks(ctx, link.path); err == nil && !w.seen[target] {
			w.add(link, target)
		}
	}
	return w.list, w.lost, nil
}

// lose notes a place that cannot be reached.
func (w *walker) lose(path string, err error) {
	s := Skip{path, readable(err)}
	w.lost = append(w.lost, s)
	w.skip(s)
}

func (w *walker) root(ctx context.Context, root Root) error {
	start, err := regular.EvalSymlinks(ctx, root.Path)
	if err != nil {
		return err
	}
	info, err := regular.Stat(ctx, start)
	if err != nil {
		return err
	}
	if !info.IsDir() { // named by the person: no pattern and no rule about hidden files applies
		w.file(root.Path, start, info)
		return nil
	}
	return regular.WalkDir(ctx, start, func(path string, entry fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		rel, relErr := filepath.Rel(start, path)
		if relErr != nil {
			return relErr
		}
		shown := filepath.Join(root.Path, rel)
		if errors.Is(err, fs.ErrNotExist) && rel != "." {
			return nil // it vanished
		}
		if err != nil {
			w.lose(shown, err)
			return nil
		}
		if rel == "." {
			return nil
		}
		return w.entry(ctx, root, shown, path, filepath.ToSlash(rel), entry)
	})
}

// entry looks at one name in a folder. shown is its path by the root's name, path
// the one without links.
func (w *walker) entry(ctx context.Context, root Root, shown, path, rel string, entry fs.DirEntry) error {
	if entry.IsDir() {
		switch {
		case hidden(entry.Name()):
			w.skip(Skip{shown, "a hidden folder; add it by its own name if it should take part"})
			return fs.SkipDir
		case !root.folder(rel):
			return fs.SkipDir
		}
		return nil
	}
	if !root.file(rel) {
		return nil
	}
	if hidden(entry.Name()) {
		w.skip(Skip{shown, "a hidden file; add it by its own name if it should take part"})
		return nil
	}
	if entry.Type()&fs.ModeSymlink != 0 {
		w.link(ctx, root, shown, path)
		return nil
	}
	info, err := entry.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return nil // it vanished
	}
	if err != nil {
		w.lose(shown, err)
		return nil
	}
	w.file(shown, path, info)
	return nil
}

// link keeps a link to a file for later, and says of one to a folder that it is not
// followed, where that hides anything.
func (w *walker) link(ctx context.Context, root Root, shown, path string) {
	info, err := regular.Stat(ctx, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.skip(Skip{shown, "a link to something that does not exist"})
	case err != nil:
		w.skip(Skip{shown, readable(err)})
	case info.IsDir():
		if target, err := regular.EvalSymlinks(ctx, path); err == nil && !w.covers(ctx, target) {
			w.skip(Skip{shown, fmt.Sprintf("a link to the folder %s, which is not followed; add that folder if it should take part", target)})
		}
	case !info.Mode().IsRegular():
		w.skip(Skip{shown, special(info.Mode())})
	default:
		w.links = append(w.links, w.found(shown, info))
	}
}

// covers reports whether a path without links lies below a root.
func (w *walker) covers(ctx context.Context, path string) bool {
	for _, root := range w.roots {
		start, err := regular.EvalSymlinks(ctx, root.Path)
		if err == nil && within(start, path) {
			return true
		}
	}
	return false
}

// within reports whether path is folder or lies below it.
func within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

func (w *walker) file(shown, path string, info fs.FileInfo) {
	if !info.Mode().IsRegular() {
		w.skip(Skip{shown, special(info.Mode())})
		return
	}
	w.add(w.found(shown, info), path)
}

func (w *walker) found(shown string, info fs.FileInfo) found {
	f := found{path: shown, size: info.Size(), modified: info.ModTime()}
	if f.size > w.maxFile {
		f.refused = fmt.Sprintf("it has %s, and files of more than %s are not read; split it if it should take part", humanize.Bytes(uint64(f.size)), humanize.Bytes(uint64(w.maxFile)))
	}
	return f
}

func (w *walker) add(f found, path string) {
	if !w.seen[path] {
		w.seen[path] = true
		w.list = append(w.list, f)
	}
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// special returns what a file is that is not regular.
func special(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a pipe between programs, not a file"
	case mode&fs.ModeSocket != 0:
		return "a socket, not a file"
	case mode&fs.ModeDevice != 0:
		return "a device, not a file"
	}
	return "not an ordinary file"
}

// readable returns why something cannot be read, without its path.
func readable(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it is not there (any more); connect the disk it lies on, or take it off the collection"
	case errors.Is(err, fs.ErrPermission):
		return "it may not be read with your rights; change its permissions"
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Sprintf("it cannot be read (%v)", err)
}

// Covers reports whether a path is that of the root or lies below it, and its
// patterns choose it.
func (r Root) Covers(path string) bool {
	if !within(r.Path, path) {
		return false
	}
	rel, err := filepath.Rel(r.Path, path)
	return err == nil && (rel == "." || r.file(filepath.ToSlash(rel)))
}
