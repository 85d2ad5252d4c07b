package documents

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/documents/extract"
)

// MaxAttached bounds the text of a file that goes to a language model, in bytes: it is far
// more than one reads at once.
const MaxAttached = 4 << 20

// ErrMoreThanRead is why a file is not attached whose text no model reads at once. It can be searched.
var ErrMoreThanRead = base.ErrMoreThanRead

// attached are the extensions of files whose text has to be taken out of them.
var attached = []string{".pdf", ".docx", ".pptx", ".xlsx", ".odt", ".ods", ".odp", ".epub", ".html", ".htm", ".xhtml", ".shtml", ".rtf", ".eml"}

// Attaches reports whether the text of a file has to be taken out of it, as of a PDF file, by
// its name.
func Attaches(path string) bool {
	return slices.Contains(attached, strings.ToLower(filepath.Ext(path)))
}

// Text reads all text of a file, in a process apart where the program has such. Notes are
// sentences on what was left out.
func (s *Service) Text(ctx context.Context, path string) (text string, notes []string, err error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return "", nil, err
	}
	defer done()
	name := filepath.Base(path)
	doc, err := s.read(ctx, path, extract.Options{Password: s.password(path)})
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("%s cannot be read: %w", name, err)
	case strings.TrimSpace(doc.Text) == "":
		return "", nil, fmt.Errorf("%s holds no text; its pages may be pictures. Choose a file with text", name)
	case len(doc.Text) > MaxAttached:
		return "", nil, fmt.Errorf("%s holds %s of text, %w; take a part of it, or search it in Documents", name, humanize.Bytes(uint64(len(doc.Text))), ErrMoreThanRead)
	}
	return doc.Text, doc.Notes, nil
}

// Unlocks reports whether a password opens a locked file. It is not kept. What else keeps the file
// from being read is no matter of the password: indexing says it.
func (s *Service) Unlocks(ctx context.Context, path, password string) (bool, error) {
	ctx, done, err := s.life.Begin(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	_, err = s.read(ctx, path, extract.Options{Password: password})
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	var why *extract.Error
	return !errors.As(err, &why) || why.Reason != extract.NeedsPassword, nil
}
