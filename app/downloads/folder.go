package downloads

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"inglenook/app/base"
	"inglenook/hub/cache"
)

// cacheOf is the folder that has a repository, or to which it would be downloaded.
func (d *Service) cacheOf(ctx context.Context, repository string) *cache.Cache {
	return cache.Open(d.library.FolderOf(ctx, repository))
}

// trashOf is the folder with a removed model in its trash.
func (d *Service) trashOf(r Removed) *cache.Cache {
	for _, folder := range d.library.Folders() {
		c := cache.Open(folder)
		if slices.ContainsFunc(c.Trash(), func(x Removed) bool { return x.Key == r.Key }) {
			return c
		}
	}
	return cache.Open(d.library.ModelFolder())
}

// UseModelFolder has later downloads go to a folder; "": to that of Hugging Face's own tools.
// What was downloaded before stays where it is, and those tools' folder is read as ever.
func (d *Service) UseModelFolder(folder string) error {
	if folder == base.HubCache() {
		folder = ""
	}
	if folder != "" {
		if err := takesFiles(folder); err != nil {
			return err
		}
	}
	if slices.ContainsFunc(d.Downloads(), func(x Download) bool { return x.State != DownloadDone }) {
		return errors.New("some downloads are not finished, and they would be lost from the list; finish or cancel them first")
	}
	d.closeQueue() // the next download opens one in the other folder
	return d.library.KeepModelFolder(folder)
}

// takesFiles says why a folder cannot keep downloads; nil: it can.
func takesFiles(folder string) error {
	if !filepath.IsAbs(folder) {
		return fmt.Errorf("%s is not a whole path; choose a folder", folder)
	}
	f, err := os.CreateTemp(folder, ".inglenook-*")
	if err != nil {
		return fmt.Errorf("nothing can be written into %s (%w); choose another folder, or change its rights", base.ShortPath(folder), base.PlainError(err))
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
