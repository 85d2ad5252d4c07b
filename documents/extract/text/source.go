package text

import (
	"context"
	"strings"
	"unicode"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// Source reads source code. A block ends at a blank line after which a line
// begins at the margin: that is where declarations end in most languages.
func Source(ctx context.Context, in format.Input, b *format.Builder) error {
	text, err := Decode(ctx, in.Data)
	if err != nil {
		return err
	}
	b.Source(text)
	start, blankAt := -1, -1 // of the block that has begun; of the blank lines after it
	for line := range lines(text) {
		switch {
		case line.blank():
			if blankAt < 0 {
				blankAt = line.start
			}
			continue
		case start < 0:
			start = line.start
		case blankAt >= 0 && beginsDeclaration(line.text):
			b.Mark(documents.Code, 0, start, blankAt)
			start = line.start
			if err := b.Err(ctx); err != nil {
				return err
			}
		}
		blankAt = -1
	}
	if start >= 0 {
		b.Mark(documents.Code, 0, start, len(text))
	}
	return b.Err(ctx)
}

// beginsDeclaration reports whether a line at the margin begins something, rather
// than closing it.
func beginsDeclaration(line string) bool {
	first := rune(line[0])
	return !unicode.IsSpace(first) && !strings.ContainsRune("})]", first)
}
