package text

import (
	"context"
	"strings"

	"inglenook/documents"
	"inglenook/documents/extract/format"
	"inglenook/documents/shape"
)

// Table reads comma-separated values, or whatever separates them. The first row
// is the header; each row is a block. The document's text is the file itself.
func Table(ctx context.Context, in format.Input, b *format.Builder) error {
	text, err := Decode(ctx, in.Data)
	if err != nil {
		return err
	}
	b.Source(text)
	start := 0
	if first, _, _ := strings.Cut(text, "\n"); shape.IsSeparatorLine(first) {
		b.Mark(documents.Paragraph, 0, 0, len(first))
		start = min(len(first)+1, len(text))
	}
	delimiter := shape.Delimiter(text[start:])
	kind := documents.TableHeader
	for start < len(text) {
		end := shape.RecordEnd(text, start, delimiter)
		before := b.Len()
		b.Mark(kind, 0, start, end)
		if b.Len() > before {
			kind = documents.TableRow
		}
		if err := b.Err(ctx); err != nil {
			return err
		}
		start = end
	}
	return b.Err(ctx)
}
