// Package extract reads the text of files of any format into documents. What a
// file is shows in its content first and in its name second. Nothing but the file
// itself is opened, nothing is written, and no connection is made.
//
// File reads in this process. A Child does the same in a process of its own, so
// that a hostile file costs no more than that process: the program uses it for
// every file that it did not write itself.
package extract

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"syscall"

	"inglenook/documents"
	"inglenook/documents/extract/format"
	"inglenook/documents/extract/office"
	"inglenook/documents/extract/pdf"
	"inglenook/documents/extract/text"
	"inglenook/documents/extract/web"
	"inglenook/regular"
)

// Error says why a file gave no text, in a user's words.
type Error = format.Error

// Reason is the kind of an Error.
type Reason = format.Reason

// The reasons.
const (
	Damaged       = format.Damaged
	Unsupported   = format.Unsupported
	NeedsPassword = format.NeedsPassword
	NoText        = format.NoText
	TooLarge      = format.TooLarge
	TimedOut      = format.TimedOut
	Empty         = format.Empty
	NotRegular    = format.NotRegular
	Sealed        = format.Sealed
)

// ReasonOf returns why a file gave no text, if the error says so.
func ReasonOf(err error) (Reason, bool) { return format.ReasonOf(err) }

// Limits bound what a file may cost. A zero value means the default.
type Limits = format.Limits

// Options change how a file is read.
type Options struct {
	Password string // for locked files
	Limits   Limits
}

// File reads one file. The error is an *Error where the file is the cause, the
// context's where that ended, and that of the file system where the file could not
// be opened.
func File(ctx context.Context, path string, o Options) (documents.Document, error) {
	limits := o.Limits.WithDefaults()
	data, err := read(ctx, path, limits.Input)
	if err != nil {
		return documents.Document{}, err
	}
	in := format.Input{Name: filepath.Base(path), Data: data, Password: o.Password, Limits: limits}
	doc, err := Bytes(ctx, in)
	if err != nil {
		return documents.Document{}, err
	}
	return doc, nil
}

// Bytes reads a file that is in memory.
func Bytes(ctx context.Context, in format.Input) (doc documents.Document, err error) {
	defer format.Recover(&err)
	if len(in.Data) == 0 {
		return doc, format.Errorf(Empty, "it is empty")
	}
	in.Limits = in.Limits.WithDefaults()
	kind, err := detect(ctx, in)
	if err != nil {
		return doc, err
	}
	b := format.NewBuilder(kind, in.Limits)
	if err := readers[kind](ctx, in, b); err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return doc, err
	}
	doc, err = b.Document()
	if err == nil && len(doc.Blocks) == 0 {
		err = format.Errorf(NoText, "it has no text")
	}
	if doc.Title == "" {
		doc.Title = strings.TrimSuffix(in.Name, filepath.Ext(in.Name))
	}
	return doc, err
}

// readers are the formats by the names that documents give them.
var readers = map[string]func(context.Context, format.Input, *format.Builder) error{
	"text":      text.Plain,
	"markdown":  text.Markdown,
	"csv":       text.Table,
	"source":    text.Source,
	"html":      html,
	"pdf":       pdf.Read,
	"rtf":       text.RTF,
	"json":      text.JSON,
	"subtitles": text.Subtitles,
	"mail":      web.Mail,
	"docx":      archive(office.DOCX),
	"pptx":      archive(office.PPTX),
	"xlsx":      archive(office.XLSX),
	"odt":       archive(office.ODF),
	"ods":       archive(office.ODF),
	"odp":       archive(office.ODF),
	"epub":      archive(office.EPUB),
}

func html(ctx context.Context, in format.Input, b *format.Builder) error {
	return web.HTML(ctx, in.Data, "", b)
}

func archive(read func(context.Context, *office.Archive, *format.Builder) error) func(context.Context, format.Input, *format.Builder) error {
	return func(ctx context.Context, in format.Input, b *format.Builder) error {
		a, err := office.OpenArchive(in)
		if err != nil {
			return err
		}
		return read(ctx, a, b)
	}
}

// read returns the content of a regular file.
func read(ctx context.Context, path string, most int64) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	file, err := regular.Open(ctx, path)
	switch {
	case errors.Is(err, regular.ErrNotRegular):
		return nil, &Error{Reason: NotRegular, Text: "it is not a regular file", Err: err}
	case err != nil:
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, format.Errorf(NotRegular, "it is a folder")
	}
	if info.Size() > most {
		return nil, format.Errorf(TooLarge, "it has %d MB, and %d MB is the most that is read", info.Size()>>20, most>>20)
	}
	data := make([]byte, 0, info.Size()+1)
	r := format.ContextReader(ctx, io.LimitReader(file, most+1))
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case errors.Is(err, io.EOF):
			return data, nil
		case errors.Is(err, syscall.EISDIR):
			return nil, format.Errorf(NotRegular, "it is a folder")
		case err != nil:
			return nil, err
		case int64(len(data)) > most:
			return nil, format.Errorf(TooLarge, "it has more than %d MB, which is the most that is read", most>>20)
		}
		if len(data) == cap(data) { // it grew since
			data = append(data, 0)[:len(data)]
		}
	}
}
