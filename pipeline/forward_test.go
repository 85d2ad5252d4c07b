package pipeline

import (
	"context"
	"strings"
	"testing"
)

// TestForwardBeyondTheContext: for more ids than the model was made for, a note says that
// the numbers mean little.
func TestForwardBeyondTheContext(t *testing.T) {
	f, err := OpenForward(context.Background(), tinyChat(t), oneThread(t), ForwardOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	most := f.Config().MaxTokens
	for n, want := range map[int]string{most: "", most + 1: "more than this model's context of"} {
		r, err := f.Run(context.Background(), ForwardInput{IDs: make([]int32, n)}, "")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Notes, "|"); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%d ids of %d: the notes are %q", n, most, got)
		}
	}
}
