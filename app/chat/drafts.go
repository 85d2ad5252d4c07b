package chat

import (
	"fmt"
	"math"

	"inglenook/pipeline"
)

// DraftOff is the usual way to write an answer: without guesses.
const DraftOff = pipeline.DraftOff

// Drafts are the ways to guess how an answer goes on, for ReplyOptions.Draft.
func Drafts() []string { return []string{pipeline.DraftAuto, pipeline.DraftLookup, DraftOff} }

// DraftNote says in two words how much faster guesses made an answer, 0.62 for 62 %; "" for
// less than one in a hundred.
func DraftNote(gain float64) string {
	percent := math.Round(100 * gain)
	if percent == 0 {
		return ""
	}
	return fmt.Sprintf("drafts %+.0f %%", percent)
}
