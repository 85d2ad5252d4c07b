package chat

import (
	"fmt"
	"math"

	"inglenook/pipeline"
)

// DraftOff is the way to write an answer without guesses.
const DraftOff = pipeline.DraftOff

// Drafts are the ways to guess how an answer goes on, for ReplyOptions.Draft.
func Drafts() []string { return []string{pipeline.DraftAuto, pipeline.DraftLookup, pipeline.DraftOff} }

// DraftNote says in a few words what guesses did for the speed of an answer; "" where
// nothing was guessed.
func DraftNote(f pipeline.Finished) string {
	if f.Drafted == 0 {
		return ""
	}
	return fmt.Sprintf("drafts %+.0f %%", math.Round(100*f.Gain))
}
