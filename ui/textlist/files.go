package textlist

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"inglenook/app/texts"
)

// Reader reads files with texts.
type Reader interface {
	ReadTexts(ctx context.Context, path string) (texts.Texts, error)
}

// OpenFile asks for a text file and adds its texts.
func (l *List) OpenFile() { l.host.Files().OpenFile(nil, l.AddFile) }

// AddFile adds the texts of a file.
func (l *List) AddFile(path string) {
	l.host.Work(func(ctx context.Context) {
		t, err := l.reader.ReadTexts(ctx, path)
		l.host.Do(func() {
			if ctx.Err() != nil {
				return
			}
			if err != nil {
				l.Failed(err)
				return
			}
			l.Added()
			l.Add(t.Lines)
			l.host.Tell(strings.TrimSpace(fmt.Sprintf("Added %s from %s. %s", count(len(t.Lines)), filepath.Base(path), t.Note)))
		})
	})
}
