package office

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"golang.org/x/net/html/charset"

	"inglenook/documents/extract/format"
	"inglenook/documents/extract/web"
)

// EPUB reads an e-book in the order of its spine. Its table of contents is left
// out, because the chapters have their headings.
func EPUB(ctx context.Context, a *Archive, b *format.Builder) error {
	if err := a.checkRights(ctx); err != nil {
		return err
	}
	book := ""
	err := a.walkXML(ctx, "META-INF/container.xml", func(e *element) error {
		if e.start("rootfile") && book == "" {
			book = e.attr("full-path")
		}
		return nil
	})
	if err != nil {
		return format.DamagedBy(err)
	}
	chapters, err := a.spine(ctx, book, b)
	if err != nil {
		return format.DamagedBy(err)
	}
	missing := 0
	for _, chapter := range chapters {
		err := a.chapter(ctx, chapter, b)
		if errors.Is(err, fs.ErrNotExist) {
			missing++
			continue
		}
		if err != nil {
			return err
		}
	}
	if missing > 0 {
		b.Note("The book names %d chapters that are not in it.", missing)
	}
	return b.Err(ctx)
}

// checkRights refuses books whose chapters are encrypted. Fonts often are, which
// does not matter here.
func (a *Archive) checkRights(ctx context.Context) error {
	if !a.Has("META-INF/encryption.xml") {
		return nil
	}
	return a.walkXML(ctx, "META-INF/encryption.xml", func(e *element) error {
		if uri := strings.ToLower(e.attr("URI")); e.start("CipherReference") && strings.Contains(path.Ext(uri), "htm") {
			return format.Errorf(format.Unsupported, "it is protected against copying")
		}
		return nil
	})
}

// spine returns the names of the chapters in order.
func (a *Archive) spine(ctx context.Context, book string, b *format.Builder) ([]string, error) {
	type item struct{ file, kind, properties string }
	items := map[string]item{}
	var chapters []string
	seen := map[string]bool{}
	err := a.walkXML(ctx, book, func(e *element) error {
		switch {
		case e.kind == textEvent && e.name == "title" && e.parent() == "metadata":
			b.SetTitle(e.text)
		case e.start("item"):
			href, err := url.PathUnescape(e.attr("href"))
			if err != nil {
				href = e.attr("href")
			}
			items[e.attr("id")] = item{path.Join(path.Dir(book), href), e.attr("media-type"), e.attr("properties")}
		case e.start("itemref"):
			i, ok := items[e.attr("idref")]
			isText := strings.Contains(i.kind, "html") || strings.HasSuffix(i.kind, "/xml")
			if ok && isText && !seen[i.file] && !strings.Contains(i.properties, "nav") {
				seen[i.file] = true
				chapters = append(chapters, i.file)
			}
		}
		return nil
	})
	return chapters, err
}

func (a *Archive) chapter(ctx context.Context, name string, b *format.Builder) error {
	r, err := a.Open(ctx, name)
	if err != nil {
		return err
	}
	defer r.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return format.DamagedBy(err)
	}
	text := io.MultiReader(bytes.NewReader(head[:n]), r)
	label := "utf-8" // what XML is unless it says otherwise
	if _, declared, ok := strings.Cut(string(head[:n]), `encoding="`); ok {
		label, _, _ = strings.Cut(declared, `"`)
	} else if bytes.HasPrefix(head[:n], []byte("\xff\xfe")) || bytes.HasPrefix(head[:n], []byte("\xfe\xff")) {
		label = "utf-16"
	}
	decoded, err := charset.NewReaderLabel(label, text)
	if err != nil {
		decoded = text
	}
	return web.Markup(ctx, decoded, b)
}
