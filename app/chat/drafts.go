package chat

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"inglenook/pipeline"
)

// DraftOff writes an answer without guesses, which is usual for commands and servers. Chats of the window
// guess where it pays ([pipeline.DraftAuto]), without a smaller model, which would take memory unasked.
const DraftOff = pipeline.DraftOff

// byModel begins a way to guess that names the model that guesses.
const byModel = pipeline.DraftModel + "="

// Drafts are the ways to guess how an answer goes on, for [pool.WriterOptions].
func Drafts() []string {
	return []string{pipeline.DraftAuto, pipeline.DraftLookup, pipeline.DraftMTP, byModel + "NAME", DraftOff}
}

// ParseDraft splits a way to guess into that of a [ReplyOptions] and the name of the model that
// guesses, which is empty where none is named.
func ParseDraft(way string) (draft, model string, err error) {
	if name, named := strings.CutPrefix(way, byModel); named {
		if strings.TrimSpace(name) == "" {
			return "", "", errors.New("no model is named that is to guess; give one, as in model=path/to/small.gguf")
		}
		return pipeline.DraftModel, name, nil
	}
	switch way {
	case "", pipeline.DraftOff, pipeline.DraftLookup, pipeline.DraftMTP, pipeline.DraftAuto:
		return way, "", nil
	}
	return "", "", fmt.Errorf("there is no way %q to guess what comes next; give one of %s", way, strings.Join(Drafts(), ", "))
}

// DraftNote says in two words how much faster guesses made an answer, 0.62 for 62 %; "" for
// less than one in a hundred.
func DraftNote(gain float64) string {
	percent := math.Round(100 * gain)
	if percent == 0 {
		return ""
	}
	return fmt.Sprintf("drafts %+.0f %%", percent)
}
