package documents

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"inglenook/app/base"
	"inglenook/documents/index"
	"inglenook/documents/store"
)

// leavingKey are the folders and files, []string, that were taken off a collection and of which what was
// kept is not deleted yet. A file of a folder that stays is one too.
const leavingKey = "leaving"

func leavingOf(c store.Collection) []string { return settingOf[[]string](c, leavingKey) }

// TakeOff makes a collection no longer cover a folder or file, which may lie in a folder that stays: nothing of it is
// found any more. The files stay. A run that goes on ends, and Watch begins another one without them. What was kept
// of them is deleted by Forget, and by the next Watch of a program. Until then Add brings it back as it was.
func (s *Service) TakeOff(ctx context.Context, collection, path string) error {
	_, c, done, err := s.enter(ctx, collection)
	if err != nil {
		return err
	}
	defer done()
	if _, ok := without(foldersOf(c), path); !ok {
		return fmt.Errorf("the collection %s does not cover %s", c.Name(), base.ShortPath(path))
	}
	// Noted first: a program that ends in between has deleted nothing that is covered.
	if err := changeJSON(c, leavingKey, func(paths []string) []string { return append(paths, path) }); err != nil {
		return s.sentence(err)
	}
	err = changeJSON(c, foldersKey, func(folders []Folder) []Folder {
		folders, _ = without(folders, path)
		return folders
	})
	if err != nil {
		return s.sentence(err)
	}
	defer s.announce()
	s.stop(c.ID(), false) // it would keep more files of that folder
	if len(foldersOf(c)) == 0 {
		return s.sentence(forgetRuns(c))
	}
	return nil
}

// without leaves a path out of folders: one of them, or a file of one, by a pattern that only this file matches;
// false: none covers it.
func without(folders []Folder, path string) (left []Folder, ok bool) {
	left = slices.DeleteFunc(slices.Clone(folders), func(f Folder) bool { return f.Path == path })
	if len(left) < len(folders) {
		return left, true
	}
	for i, f := range left {
		below, err := filepath.Rel(f.Path, path)
		if err == nil && f.root().Covers(path) {
			left[i].Exclude = append(slices.Clone(f.Exclude), "/"+literal.Replace(filepath.ToSlash(below)))
			ok = true
		}
	}
	return left, ok
}

// literal is a pattern that a path below a folder alone matches.
var literal = strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`)

// Forget deletes what was kept of folders and files that were taken off a collection, unless it covers
// them again. A collection that was removed has nothing to forget.
func (s *Service) Forget(ctx context.Context, collection string) error {
	ctx, c, done, err := s.enter(ctx, collection)
	if none := noCollectionError(""); errors.As(err, &none) {
		return nil
	}
	if err != nil {
		return err
	}
	defer done()
	return s.sentence(s.forget(ctx, c))
}

func (s *Service) forget(ctx context.Context, c store.Collection) error {
	s.covering.Lock()
	defer s.covering.Unlock()
	leaving := leavingOf(c)
	if kept, err := s.kept(ctx); err != nil || len(leaving) == 0 || kept.ReadOnly() {
		return err
	}
	files, err := left(ctx, c)
	if err != nil {
		return err
	}
	var gone []string
	for _, f := range files {
		gone = append(gone, f.Path)
	}
	for _, path := range leaving { // also a record of a folder that could not be reached
		if !covered(foldersOf(c), path) {
			gone = append(gone, path)
		}
	}
	if err := c.Delete(ctx, gone...); err != nil {
		return err
	}
	return changeJSON(c, leavingKey, func(now []string) []string {
		return slices.DeleteFunc(now, func(path string) bool { return slices.Contains(leaving, path) })
	})
}

// covered reports whether a path is one of folders or lies in one.
func covered(folders []Folder, path string) bool {
	return slices.ContainsFunc(folders, func(f Folder) bool { return f.root().Covers(path) })
}

// left are the files of which something is kept and which were taken off a collection.
func left(ctx context.Context, c store.Collection) (list []File, _ error) {
	folders := foldersOf(c)
	for _, path := range leavingOf(c) {
		files, err := c.Files(ctx, store.FileFilter{Folder: path})
		if err != nil {
			return nil, err
		}
		one, ok, err := c.File(ctx, path) // it may be a file
		if err != nil {
			return nil, err
		}
		if ok {
			files = append(files, one)
		}
		for _, f := range files {
			if !covered(folders, f.Path) && !slices.ContainsFunc(list, func(l File) bool { return l.Path == f.Path }) {
				list = append(list, f)
			}
		}
	}
	return list, nil
}

// takenOff reports of a path whether its folder was taken off one of some collections, and none covers it.
func takenOff(of []store.Collection) func(path string) bool {
	var leaving []string
	var folders []Folder
	for _, c := range of {
		leaving, folders = append(leaving, leavingOf(c)...), append(folders, foldersOf(c)...)
	}
	return func(path string) bool {
		off := slices.ContainsFunc(leaving, func(l string) bool { return index.Root{Path: l}.Covers(path) })
		return off && !covered(folders, path)
	}
}

// withoutTakenOff leaves out what was found in files that were taken off their collection.
func withoutTakenOff(files []FileResult, off func(string) bool) []FileResult {
	return slices.DeleteFunc(files, func(f FileResult) bool { return off(f.File.Path) })
}
