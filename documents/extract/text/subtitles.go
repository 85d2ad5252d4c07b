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

var cueMarks = regexp.MustCompile(`<[^>\n]{0,200}>|\{\\[^}\n]{0,200}\}`)

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
			if words := strings.TrimSpace(cueMarks.ReplaceAllString(l.text, "")); words != "" {
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
