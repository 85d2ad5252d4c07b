package text

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// JSON reads JSON, and JSON Lines. Each value is a line with the path to it, such
// as "orders[3].comment: the blue door"; the values of one record are a block.
func JSON(ctx context.Context, in format.Input, b *format.Builder) error {
	text, err := Decode(ctx, in.Data)
	if err != nil {
		return err
	}
	r := &records{ctx: ctx, b: b, depth: in.Limits.Depth}
	r.decoder = json.NewDecoder(format.ContextReader(ctx, strings.NewReader(text)))
	r.decoder.UseNumber()
	for {
		err := r.value(nil)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return format.DamagedBy(err)
		}
		r.flush()
		r.count++
	}
	return b.Err(ctx)
}

// longRecord is the length from which a block of values ends at the next one.
const longRecord = 1500

// records writes the values that a decoder reads.
type records struct {
	ctx     context.Context
	b       *format.Builder
	decoder *json.Decoder
	depth   int
	count   int             // values at the top, before this one
	lines   strings.Builder // of the open block
}

// value reads one value. It returns io.EOF, and nothing else, at the end of the
// file.
func (r *records) value(path []string) error {
	token, err := r.decoder.Token()
	if err != nil {
		if len(path) > 0 && errors.Is(err, io.EOF) {
			return io.ErrUnexpectedEOF
		}
		return err
	}
	if len(path) > r.depth {
		return format.Errorf(format.TooLarge, "its values are nested more than %d deep", r.depth)
	}
	switch token {
	case json.Delim('{'):
		for r.decoder.More() {
			key, err := r.decoder.Token()
			if err != nil {
				return unexpected(err)
			}
			if err := r.member(path, key.(string)); err != nil {
				return err
			}
		}
	case json.Delim('['):
		for i := 0; r.decoder.More(); i++ {
			if err := r.member(path, "["+strconv.Itoa(i)+"]"); err != nil {
				return err
			}
		}
	default:
		return r.leaf(path, token)
	}
	_, err = r.decoder.Token() // the bracket
	return unexpected(err)
}

// member reads a value in another. At the top, each is a block of its own.
func (r *records) member(path []string, name string) error {
	if err := r.value(append(path, name)); err != nil {
		return unexpected(err)
	}
	if len(path) == 0 {
		r.flush()
	}
	return r.b.Err(r.ctx)
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func (r *records) leaf(path []string, token json.Token) error {
	var text string
	switch v := token.(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	case bool:
		text = strconv.FormatBool(v)
	default:
		return nil // null says nothing
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if r.lines.Len() > longRecord {
		r.flush()
	}
	for i, name := range path {
		if i > 0 && !strings.HasPrefix(name, "[") {
			r.lines.WriteByte('.')
		}
		r.lines.WriteString(name)
	}
	if len(path) > 0 {
		r.lines.WriteString(": ")
	}
	r.lines.WriteString(text)
	r.lines.WriteByte('\n')
	return nil
}

func (r *records) flush() {
	r.b.Add(documents.Paragraph, 0, r.lines.String())
	r.lines.Reset()
}
