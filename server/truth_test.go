package server

import (
	"slices"
	"testing"

	"inglenook/app/chat"
)

// TestNoGuessesIsNoFallback: why nothing was guessed is a note; what happened to a device is a fallback.
func TestNoGuessesIsNoFallback(t *testing.T) {
	var a chat.Answer
	a.Finished.Device, a.Finished.Notices, a.Finished.Unguessed = "cpu", []string{"busy", "smoke"}, []string{"busy"}
	got := truthOfAnswer(&chat.Writer{Notices: []string{"late"}, Notes: []string{"torn"}}, a)
	if want := []fallback{{"all", "late"}, {"all", "smoke"}}; !slices.Equal(got.Fallbacks, want) || !slices.Equal(got.Notes, []string{"torn", "busy"}) {
		t.Errorf("%+v", got)
	}
}
