package text

import (
	"context"
	"regexp"
	"strings"

	"inglenook/documents"
	"inglenook/documents/extract/format"
)

// cueTime is the line of a cue that says when it is shown.
var cueTime = regexp.MustCompile(`^\s*((?:\d+:)?\d{1,2}:\d{2})[.,]\d{1,3}\s*-->\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}`)

// sceneLength is how much text of the cues is one block.
const sceneLength = 600

// Subtitles reads the subtitles of a film, SRT or WebVTT. Cues are joined to
// blocks as long as a paragraph, which begin with the time of the first one.
func Subtitles(ctx context.Context, in format.Input, b *format.Builder) error {
	text, err := Decode(ctx, in.Data)
	if err != nil {
		return err
	}
	var scene strings.Builder
	inCue := false
	flush := func() {
		b.Add(documents.Paragraph, 0, scene.String())
		scene.Reset()
	}
	for l := range lines(text) {
		if err := b.Err(ctx); err != nil {
			return err
		}
		if time := cueTime.FindStringSubmatch(l.text); time != nil {
			inCue = true
			if said := strings.TrimSpace(scene.String()); len(said) > sceneLength {
				flush()
			}
			if scene.Len() == 0 {
				scene.WriteString("[" + time[1] + "]")
			}
			continue
		}
		if l.blank() {
			inCue = false // what stands before the next time is a number, a name or a note
			continue
		}
		if inCue {
			if words := strings.TrimSpace(withoutMarks(l.text)); words != "" {
				scene.WriteString(" " + words)
			}
		}
	}
	if b.Len() == 0 && scene.Len() == 0 {
		return Plain(ctx, in, b) // no cues, so it is some other text
	}
	flush()
	return b.Err(ctx)
}

// withoutMarks drops what is in angle brackets, and the styles in braces.
func withoutMarks(text string) string {
	var b strings.Builder
	for text != "" {
		open := strings.IndexAny(text, "<{")
		if open < 0 {
			break
		}
		closing := map[byte]byte{'<': '>', '{': '}'}[text[open]]
		end := strings.IndexAny(text[open+1:], "<>{}")
		b.WriteString(text[:open])
		if end < 0 {
			text = text[open:]
			break
		}
		end += open + 1
		isStyle := text[open] == '<' || strings.HasPrefix(text[open:], `{\`)
		if text[end] == closing && isStyle {
			end++
		} else {
			b.WriteString(text[open:end])
		}
		text = text[end:]
	}
	b.WriteString(text)
	return b.String()
}
