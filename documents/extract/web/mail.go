package web

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"

	"golang.org/x/net/html/charset"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// Mail reads one mail, or a folder of them in the mbox format. The subject is a
// heading; the text part counts, or the HTML part where there is none. Attachments
// are named in the document's notes, and not read.
func Mail(ctx context.Context, in format.Input, b *format.Builder) error {
	data := in.Data
	if !bytes.HasPrefix(data, []byte("From ")) {
		return message(ctx, data, b, 0)
	}
	for len(data) > 0 {
		_, data, _ = bytes.Cut(data, []byte("\n")) // the line From
		one := data
		if i := bytes.Index(data, []byte("\nFrom ")); i >= 0 {
			one, data = data[:i+1], data[i+1:]
		} else {
			data = nil
		}
		if err := message(ctx, one, b, 0); err != nil {
			if reason, ok := format.ReasonOf(err); !ok || reason != format.Damaged {
				return err
			}
			b.Note("A message that is damaged was left out.")
		}
		if err := b.Err(ctx); err != nil {
			return err
		}
	}
	return b.Err(ctx)
}

// Bounds of the parts of one mail.
const (
	maxMailDepth = 16
	maxMailParts = 1000
)

var headerWords = mime.WordDecoder{CharsetReader: charset.NewReaderLabel}

// header returns a line of a header in plain words.
func header(h mail.Header, key string) string {
	value := h.Get(key)
	if decoded, err := headerWords.DecodeHeader(value); err == nil {
		return decoded
	}
	return value
}

func message(ctx context.Context, data []byte, b *format.Builder, depth int) error {
	m, err := mail.ReadMessage(format.ContextReader(ctx, bytes.NewReader(data)))
	if err != nil {
		return format.DamagedBy(err)
	}
	subject := header(m.Header, "Subject")
	b.SetTitle(subject)
	b.Add(documents.Heading, min(1+depth, 6), strings.Join(strings.Fields(subject), " "))
	var lines []string
	for _, key := range []string{"From", "To", "Cc", "Date"} {
		if value := strings.Join(strings.Fields(header(m.Header, key)), " "); value != "" {
			lines = append(lines, key+": "+value)
		}
	}
	b.Add(documents.Paragraph, 0, strings.Join(lines, "\n"))
	r := &mailReader{ctx: ctx, b: b}
	_, err = r.part(part{
		contentType: m.Header.Get("Content-Type"), transfer: m.Header.Get("Content-Transfer-Encoding"),
		disposition: m.Header.Get("Content-Disposition"), body: m.Body,
	}, depth)
	return err
}

// mailReader reads the parts of one mail.
type mailReader struct {
	ctx   context.Context
	b     *format.Builder
	parts int
}

// A part is a mail's body, or one of several in it.
type part struct {
	contentType, transfer, disposition string
	body                               io.Reader
}

// part reads a part and reports whether it had text.
func (r *mailReader) part(p part, depth int) (bool, error) {
	if r.parts++; r.parts > maxMailParts || depth > maxMailDepth {
		return false, format.Errorf(format.TooLarge, "it has too many parts in parts")
	}
	kind, parameters, err := mime.ParseMediaType(p.contentType)
	if err != nil {
		kind, parameters = "text/plain", nil
	}
	disposition, named, _ := mime.ParseMediaType(p.disposition)
	name := named["filename"]
	if name == "" {
		name = parameters["name"]
	}
	body := format.ContextReader(r.ctx, p.body)
	switch {
	case strings.HasPrefix(kind, "multipart/") && parameters["boundary"] != "":
		return r.several(kind, parameters["boundary"], body, depth)
	case disposition == "attachment" || name != "" || !strings.HasPrefix(kind, "text/") && kind != "message/rfc822":
		if name == "" {
			name = kind
		}
		if decoded, err := headerWords.DecodeHeader(name); err == nil {
			name = decoded
		}
		r.b.Note("The attachment %q was left out.", strings.ToValidUTF8(name, "\ufffd"))
		return false, nil
	}
	data, err := io.ReadAll(transferred(p.transfer, body))
	if err != nil && r.ctx.Err() != nil {
		return false, r.ctx.Err()
	}
	if kind == "message/rfc822" {
		return true, message(r.ctx, data, r.b, depth+1)
	}
	before := r.b.Len()
	if kind == "text/html" {
		err = HTML(r.ctx, data, p.contentType, r.b)
	} else {
		r.plain(data, parameters["charset"])
		err = r.b.Err(r.ctx)
	}
	return r.b.Len() > before, err
}

// several reads the parts of a part. Of alternatives the first with text counts:
// that is plain text where there is any.
func (r *mailReader) several(kind, boundary string, body io.Reader, depth int) (bool, error) {
	found := false
	for parts := multipart.NewReader(body, boundary); ; {
		p, err := parts.NextRawPart()
		if err != nil {
			if !errors.Is(err, io.EOF) && r.ctx.Err() == nil {
				r.b.Note("The mail ends early, so its last part may be missing.")
			}
			return found, r.ctx.Err()
		}
		if found && kind == "multipart/alternative" {
			continue
		}
		had, err := r.part(part{
			contentType: p.Header.Get("Content-Type"), transfer: p.Header.Get("Content-Transfer-Encoding"),
			disposition: p.Header.Get("Content-Disposition"), body: p,
		}, depth+1)
		if err != nil {
			return found, err
		}
		found = found || had
	}
}

// transferred undoes the encoding for the way.
func transferred(encoding string, body io.Reader) io.Reader {
	switch strings.ToLower(strings.TrimSpace(encoding)) {
	case "base64":
		return base64.NewDecoder(base64.StdEncoding, body)
	case "quoted-printable":
		return quotedprintable.NewReader(body)
	}
	return body
}

// plain adds the paragraphs of plain text.
func (r *mailReader) plain(data []byte, label string) {
	text := string(data)
	if decoded, err := charset.NewReaderLabel(label, bytes.NewReader(data)); label != "" && err == nil {
		if all, err := io.ReadAll(decoded); err == nil {
			text = string(all)
		}
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		r.b.Add(documents.Paragraph, 0, paragraph)
	}
}
