package text

import (
	"context"
	"strings"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// Plain reads plain text. Blank lines end its paragraphs.
func Plain(ctx context.Context, in format.Input, b *format.Builder) error {
	text, err := Decode(ctx, in.Data)
	if err != nil {
		return err
	}
	b.Source(text)
	return paragraphs(ctx, b, text, documents.Paragraph)
}

// paragraphs marks the parts of a source between its blank lines.
func paragraphs(ctx context.Context, b *format.Builder, text string, kind documents.Kind) error {
	start := -1 // of the paragraph that has begun
	for line := range lines(text) {
		switch {
		case !line.blank() && start < 0:
			start = line.start
		case line.blank() && start >= 0:
			b.Mark(kind, 0, start, line.start)
			start = -1
			if err := b.Err(ctx); err != nil {
				return err
			}
		}
	}
	if start >= 0 {
		b.Mark(kind, 0, start, len(text))
	}
	return b.Err(ctx)
}

// A line is a part of a text, without its line end.
type line struct {
	text       string
	start, end int // end is after the line end
}

func (l line) blank() bool { return strings.TrimSpace(l.text) == "" }

// indent is how far the text is from the margin; a tab goes to the next column
// of four.
func (l line) indent() int {
	columns := 0
	for _, c := range l.text {
		switch c {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns
		}
	}
	return columns
}

// lines ranges over the lines of a text.
func lines(text string) func(yield func(line) bool) {
	return func(yield func(line) bool) {
		for start := 0; start < len(text); {
			end := len(text)
			next := end
			if i := strings.IndexByte(text[start:], '\n'); i >= 0 {
				end, next = start+i, start+i+1
			}
			if !yield(line{text[start:end], start, next}) {
				return
			}
			start = next
		}
	}
}
