// Package office reads the formats of office programs and e-books. All of them
// are ZIP archives of XML, and are read in memory: no part of one becomes a file.
package office

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"inglenook/documents/extract/format"
)

// An Archive is a ZIP file within limits.
type Archive struct {
	files  map[string]*zip.File // by name; of two with one name the first
	budget *format.Budget
	limits format.Limits
}

// OpenArchive reads the directory of a ZIP file.
func OpenArchive(in format.Input) (*Archive, error) {
	limits := in.Limits.WithDefaults()
	r, err := zip.NewReader(bytes.NewReader(in.Data), int64(len(in.Data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) { // no name in it is ever opened
		return nil, format.DamagedBy(err)
	}
	if len(r.File) > limits.Entries {
		return nil, format.Errorf(format.TooLarge, "it is an archive of more than %d files", limits.Entries)
	}
	a := &Archive{files: map[string]*zip.File{}, budget: limits.NewBudget(int64(len(in.Data))), limits: limits}
	for _, f := range r.File {
		if _, known := a.files[f.Name]; !known && f.Name != "" {
			a.files[f.Name] = f
		}
	}
	return a, nil
}

// Has reports whether the archive has a file.
func (a *Archive) Has(name string) bool { return a.files[name] != nil }

// Open opens a file of the archive. The error is Damaged and wraps fs.ErrNotExist
// where there is none.
func (a *Archive) Open(ctx context.Context, name string) (io.ReadCloser, error) {
	f := a.files[name]
	if f == nil {
		return nil, &format.Error{
			Reason: format.Damaged, Text: "a part of it is missing",
			Err: &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist},
		}
	}
	const encrypted = 1
	if f.Flags&encrypted != 0 {
		return nil, format.Errorf(format.Sealed, "it has a password, and only PDF files are opened with one")
	}
	r, err := f.Open()
	if err != nil {
		return nil, format.DamagedBy(err)
	}
	return struct {
		io.Reader
		io.Closer
	}{a.budget.Reader(ctx, r), r}, nil
}

// Read returns a file of the archive.
func (a *Archive) Read(ctx context.Context, name string) ([]byte, error) {
	r, err := a.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, format.DamagedBy(err)
	}
	return data, nil
}

// Kind returns the format that an archive's content shows, or "".
func (a *Archive) Kind(ctx context.Context) (string, error) {
	if f := a.files["mimetype"]; f != nil && f.UncompressedSize64 < 200 {
		data, err := a.Read(ctx, "mimetype")
		if err != nil {
			return "", err
		}
		if kind := mimeKinds[strings.TrimSpace(string(data))]; kind != "" {
			return kind, nil
		}
	}
	for _, known := range []struct{ part, kind string }{
		{"word/document.xml", "docx"}, {"xl/workbook.xml", "xlsx"}, {"ppt/presentation.xml", "pptx"}, {"META-INF/container.xml", "epub"},
	} {
		if a.Has(known.part) {
			return known.kind, nil
		}
	}
	folder, _, _ := strings.Cut(a.mainPart(ctx), "/")
	return map[string]string{"word": "docx", "xl": "xlsx", "ppt": "pptx"}[folder], nil
}

var mimeKinds = map[string]string{
	"application/epub+zip":                                     "epub",
	"application/vnd.oasis.opendocument.text":                  "odt",
	"application/vnd.oasis.opendocument.text-template":         "odt",
	"application/vnd.oasis.opendocument.spreadsheet":           "ods",
	"application/vnd.oasis.opendocument.spreadsheet-template":  "ods",
	"application/vnd.oasis.opendocument.presentation":          "odp",
	"application/vnd.oasis.opendocument.presentation-template": "odp",
}

// mainPart returns the part that the package's relations name as its document.
func (a *Archive) mainPart(ctx context.Context) string {
	rels, err := a.relations(ctx, "")
	if err != nil {
		return ""
	}
	for _, r := range rels {
		if strings.HasSuffix(r.Type, "/officeDocument") {
			return r.Target
		}
	}
	return ""
}

// A relation leads from one part of an Office Open XML package to another.
type relation struct {
	ID, Type string
	Target   string // a name in the archive
}

// relations returns those of a part; "" is the package itself. A part without any
// has none.
func (a *Archive) relations(ctx context.Context, part string) ([]relation, error) {
	folder, base := path.Split(part)
	name := folder + "_rels/" + base + ".rels"
	if !a.Has(name) {
		return nil, nil
	}
	var all []relation
	err := a.walkXML(ctx, name, func(e *element) error {
		if e.start("Relationship") && e.attr("TargetMode") != "External" {
			target := e.attr("Target")
			if !strings.HasPrefix(target, "/") {
				target = folder + target
			}
			all = append(all, relation{e.attr("Id"), e.attr("Type"), strings.TrimPrefix(path.Clean("/"+target), "/")})
		}
		return nil
	})
	return all, err
}
