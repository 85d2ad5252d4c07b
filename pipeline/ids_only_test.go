package pipeline

import (
	"context"
	"errors"
	"slices"
	"testing"
)

// TestIDsOnly: without a tokenizer a model writes the same ids as with one, and a request
// for text is an error that says why there is none.
func TestIDsOnly(t *testing.T) {
	ctx, o := context.Background(), ReplyOptions{MaxTokens: 9, IgnoreEnd: true, Sampling: &Sampling{}}
	want := hear(t, openTiny(t, GeneratorOptions{}).CompleteIDs(ctx, []int32{5, 6, 7}, o))

	files := tinyChat(t)
	delete(files, "vocab.txt")
	g, err := openGenerator(ctx, files, oneThread(t), GeneratorOptions{IDsOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	got := hear(t, g.CompleteIDs(ctx, []int32{5, 6, 7}, o))
	if got.err != nil || !slices.Equal(got.ids, want.ids) || len(got.ids) != 9 || got.text != "" || got.finished.Reason != FinishLength {
		t.Errorf("ids %v, want %v; text %q, %+v, %v", got.ids, want.ids, got.text, got.finished, got.err)
	}
	for name, h := range map[string]heard{
		"Reply":    hear(t, Answer(ctx, g, []Message{user("?")}, o)),
		"Complete": hear(t, complete(ctx, g, "?", o)),
		"JSON":     hear(t, g.CompleteIDs(ctx, []int32{5}, ReplyOptions{JSON: true})),
		"Stop":     hear(t, g.CompleteIDs(ctx, []int32{5}, ReplyOptions{Stop: []string{"x"}})),
	} {
		if !errors.Is(h.err, errIDsOnly) {
			t.Errorf("%s: %v", name, h.err)
		}
	}
	if _, err := g.Plan(ctx, []Message{user("?")}, o); !errors.Is(err, errIDsOnly) {
		t.Errorf("Plan: %v", err)
	}
}
