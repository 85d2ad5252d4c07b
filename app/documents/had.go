package documents

import (
	"context"
	"errors"
	"path/filepath"

	"inglenook/app/base"
	"inglenook/documents/store"
	"inglenook/regular"
)

// Had is a file or folder that a collection has already.
type Had struct {
	Path       string
	Collection Collection
	File       File // zero for a folder
}

// Had finds those of some paths that a collection has already: files of which something is kept, also as they
// lie in a folder that it covers, and folders that lie in one. "": that any collection has.
func (s *Service) Had(ctx context.Context, collection string, paths []string) (had []Had, _ error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	var names []string
	if collection != "" {
		names = []string{collection}
	}
	all, err := s.chosen(ctx, names)
	if none := noCollectionError(""); errors.As(err, &none) {
		return nil, nil // it is to be made
	}
	if err != nil {
		return nil, err
	}
	told := map[string]Collection{} // by its id
	for _, path := range paths {
		path, err := filepath.Abs(base.ExpandHome(path))
		if err != nil {
			return nil, err
		}
		for _, c := range all {
			file, has, err := s.hadIn(ctx, c, path)
			if err != nil {
				return nil, err
			}
			if !has {
				continue
			}
			if _, known := told[c.ID()]; !known {
				if told[c.ID()], err = s.describe(ctx, c); err != nil {
					return nil, err
				}
			}
			had = append(had, Had{Path: path, Collection: told[c.ID()], File: file})
			break
		}
	}
	return had, nil
}

// hadIn reports whether a collection has a file or folder; of a file, what it knows.
func (s *Service) hadIn(ctx context.Context, c store.Collection, path string) (file File, has bool, _ error) {
	if !covered(foldersOf(c), path) {
		return File{}, false, nil
	}
	file, isFile, err := c.File(ctx, path)
	if err != nil {
		return File{}, false, s.sentence(err)
	}
	if isFile {
		return file, true, nil
	}
	info, err := regular.Stat(ctx, path) // a file that was not looked at yet is added again: that does no harm
	return file, err == nil && info.IsDir(), nil
}
