package kit

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"inglenook/regular"
)

// button does what the sheet's button says. A path that was typed and not gone to yet is what is
// meant: it counts before what is in view.
func (s *fileSheet) button() {
	typed := strings.TrimSpace(s.path.Text)
	gaveUp := typed == s.refused && len(s.marked) > 0 // it was told, and other things are marked
	if typed != "" && typed != s.folder && !gaveUp {
		s.takeTyped(typed)
		s.refused = typed
		return
	}
	s.take()
}

// takeTyped takes what a typed path leads to, or goes there, or says that there is nothing.
func (s *fileSheet) takeTyped(typed string) {
	path := s.pathOf(typed)
	info := statOf(path)
	switch {
	case info == nil || !info.IsDir():
		if s.goTo(typed) && s.kind != oneFile { // which goTo takes itself
			s.take()
		}
	case s.kind == oneFolder:
		if s.enter(path) {
			s.take()
		}
	case s.kind == severalFiles:
		if !slices.Contains(s.marked, path) {
			s.marked = append(s.marked, path)
		}
		s.take()
	case s.kind == newFile:
		if s.enter(path) {
			s.take()
		}
	default:
		s.enter(path)
	}
}

// take ends the sheet with what is chosen. Where nothing is, it says so and stays.
func (s *fileSheet) take() {
	paths := s.marked
	switch {
	case s.kind == oneFolder && len(paths) == 0:
		paths = []string{s.folder}
	case s.kind == newFile:
		path := s.named()
		if path == "" {
			return
		}
		paths = []string{path}
	case len(paths) == 0:
		s.say("Nothing is marked yet.")
		return
	}
	s.sheet.Close()
	s.chosen(paths)
}

// named is the file that the name says, which may say its folder too; "": it says none, which the
// person was told.
func (s *fileSheet) named() string {
	name := strings.TrimSpace(s.name.Text)
	if name == "" {
		s.say("Give the file a name.")
		return ""
	}
	path := s.pathOf(name)
	if info := statOf(path); info != nil && info.IsDir() {
		if s.enter(path) {
			s.say("That is a folder. Give the file a name too.")
		}
		return ""
	}
	if strings.HasSuffix(name, "/") || strings.HasSuffix(name, string(filepath.Separator)) {
		s.say(noFolder)
		return ""
	}
	if folder := filepath.Dir(path); folder != s.folder {
		if !s.enter(folder) {
			return ""
		}
		s.name.SetText(filepath.Base(path))
	}
	return path
}

// newName reports whether a path that leads nowhere says a new file and no folder: its folder is
// there, and it ends like the name that was proposed.
func (s *fileSheet) newName(typed, path string) bool {
	if s.kind != newFile || strings.HasSuffix(strings.TrimSpace(typed), "/") || !isFolderPath(filepath.Dir(path)) {
		return false
	}
	have := filepath.Ext(strings.TrimSpace(s.name.Text))
	return have == "" || strings.EqualFold(filepath.Ext(path), have)
}

// statOf is what lies at a path; nil: nothing that can be seen.
func statOf(path string) os.FileInfo {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	info, err := regular.Stat(ctx, path)
	if err != nil {
		return nil
	}
	return info
}

// noFolder is said of a path that leads nowhere.
const noFolder = "There is nothing at that place. Check how it is written."
