package textlist

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"inglenook/app/texts"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Reader reads files with texts.
type Reader interface {
	ReadTexts(ctx context.Context, path string) (texts.Texts, error)
}

// OpenFile asks for a text file and adds its texts.
func (l *List) OpenFile() {
	l.host.Files().OpenFile(nil, func(path string) { l.AddFiles([]string{path}) })
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
		var only texts.Texts // of the only file
		var pictures []Picture
		var refused []panel.Refused
		for _, path := range paths {
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
				l.addRead(lines, pictures)
				if len(paths) == 1 {
					l.offer(&cuts{whole: only.Whole, way: only.Way, n: len(lines)})
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
				l.Failed(errors.New(panel.Refusal(refused, len(paths))))
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
