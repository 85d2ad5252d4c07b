package panel

import (
	"context"
	"os"
	"slices"
	"time"

	"inglenook/app/base"
	"inglenook/filenames"
	"inglenook/regular"
)

// glance is how long the window waits for a disk while it looks at what was dropped.
const glance = 200 * time.Millisecond

// Dropped are files and folders that were dropped on the window, by what they are. They
// are looked at once, however many panels are asked.
type Dropped struct {
	Models  []string // files of weights, and folders with such files or a config.json
	Folders []string // without a model; they are for Documents, whatever panel is in view
	Files   []string // that are no models
}

// Sorted looks at what was dropped.
func Sorted(paths []string) (d Dropped) {
	for _, path := range paths {
		switch folder := isFolder(path); {
		case folder && holdsModel(path), !folder && filenames.IsWeights(path):
			d.Models = append(d.Models, path)
		case folder:
			d.Folders = append(d.Folders, path)
		default:
			d.Files = append(d.Files, path)
		}
	}
	return d
}

// Of is what of it some paths are.
func (d Dropped) Of(paths []string) Dropped {
	among := func(all []string) (some []string) {
		for _, path := range all {
			if slices.Contains(paths, path) {
				some = append(some, path)
			}
		}
		return some
	}
	return Dropped{Models: among(d.Models), Folders: among(d.Folders), Files: among(d.Files)}
}

func isFolder(path string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), glance)
	defer cancel()
	info, err := regular.Stat(ctx, path)
	return err == nil && info.IsDir()
}

func holdsModel(folder string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), glance)
	defer cancel()
	entries, err := regular.ReadDir(ctx, folder)
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "config.json" || filenames.IsWeights(e.Name()) })
}

// InFolder are the names of the files in a folder; false: the path is no folder.
func InFolder(ctx context.Context, path string) (names []string, is bool, err error) {
	if info, err := regular.Stat(ctx, path); err != nil || !info.IsDir() {
		return nil, false, nil // whoever reads it says what is wrong
	}
	entries, err := regular.ReadDir(ctx, path)
	if err != nil {
		return nil, true, base.FileError(path, err)
	}
	for _, e := range entries {
		if !e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, true, nil
}
