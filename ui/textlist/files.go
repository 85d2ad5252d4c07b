package textlist

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Reader reads files with texts.
type Reader interface {
	ReadTexts(ctx context.Context, path string) (texts.Texts, error)
}

// OpenFile asks for files, and folders of them, and adds their texts.
func (l *List) OpenFile() { l.host.Files().OpenSeveral(l.AddFiles) }

// inFolders puts in the place of each folder the files in it that a list takes; a folder in a folder is left out.
func (l *List) inFolders(ctx context.Context, paths []string) (files []string, refused []panel.Refused) {
	for _, path := range paths {
		names, is, err := panel.InFolder(ctx, path)
		if !is {
			files = append(files, path)
			continue
		}
		names = slices.DeleteFunc(names, func(name string) bool { return !l.takes(name) })
		if err == nil && len(names) == 0 {
			err = fmt.Errorf("the folder %s has no file with texts in it; choose one with .txt or .csv files", filepath.Base(path))
		}
		if err != nil {
			refused = append(refused, panel.Refused{Name: filepath.Base(path), Err: err})
		}
		for _, name := range names {
			files = append(files, filepath.Join(path, name))
		}
	}
	return files, refused
}

// inFolder are the endings of the files that are taken from a folder, which may have others.
var inFolder = []string{".txt", ".csv", ".tsv", ".md", ".eml", ".text"}

// takes reports whether a file of that name is taken from a folder.
func (l *List) takes(name string) bool {
	if strings.HasPrefix(name, ".") {
		return false
	}
	return l.pictures != nil && texts.IsPicture(name) || slices.Contains(inFolder, strings.ToLower(filepath.Ext(name)))
}

// AddFiles adds the texts of files, in their order, as one change. Files that cannot be read
// do not keep the others out, and are named.
func (l *List) AddFiles(paths []string) {
	if len(paths) == 0 {
		return
	}
	what := kit.Count(len(paths), "file")
	if len(paths) == 1 {
		what = filepath.Base(paths[0])
	}
	l.host.Tell("Reading " + what + "…")
	l.host.Work(func(ctx context.Context) {
		var lines, names, notes []string
		var from []texts.Origin
		var only texts.Texts // of the only file
		var pictures []Picture
		files, refused := l.inFolders(ctx, paths)
		all := len(files) + len(refused)
		for _, path := range files {
			p, is, err := l.readPicture(ctx, path)
			if err != nil {
				refused = append(refused, panel.Refused{Name: filepath.Base(path), Err: err})
				continue
			}
			if is {
				pictures, names = append(pictures, p), append(names, filepath.Base(path))
				continue
			}
			t, err := l.reader.ReadTexts(ctx, path)
			if err != nil {
				refused = append(refused, panel.Refused{Name: filepath.Base(path), Err: err})
				continue
			}
			lines, names = append(lines, t.Lines...), append(names, filepath.Base(path))
			for i := range t.Lines {
				from = append(from, t.OriginOf(path, i))
			}
			only = t
			if t.Note != "" {
				notes = append(notes, t.Note)
			}
		}
		l.host.Do(func() {
			if ctx.Err() != nil {
				return
			}
			if len(names) > 0 {
				l.Added()
				l.addRead(lines, from, pictures)
				if len(files) == 1 {
					l.offer(&cuts{whole: only.Whole, way: only.Way, n: len(lines)})
					l.offerColumns(files[0], only)
				}
				l.host.Tell(strings.Join(append([]string{addedText(len(lines), len(pictures), names)}, notes...), " "))
			}
			if len(names) == 0 {
				l.host.Tell("")
			}
			switch {
			case len(refused) == 1:
				l.Failed(refused[0].Err)
			case len(refused) > 1:
				l.Failed(errors.New(panel.Refusal(refused, all)))
			}
		})
	})
}

// addedText says how many texts and pictures came from which files.
func addedText(n, pictures int, names []string) string {
	from := names[0]
	if len(names) > 1 {
		from = kit.Count(len(names), "file")
	}
	what := count(n)
	switch {
	case pictures > 0 && n > 0:
		what += " and " + kit.Count(pictures, "picture")
	case pictures > 0:
		what = kit.Count(pictures, "picture")
	}
	return fmt.Sprintf("Added %s from %s.", what, from)
}
