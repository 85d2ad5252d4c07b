package tokenizer

import (
	"slices"
	"testing"
)

// TestWatched: a text without control tokens is encoded by the tokenizer that is loaded
// already, with the same ids as by the other form.
func TestWatched(t *testing.T) {
	texts := []string{"The cat sleeps.", " two  spaces ", "é½ \U0001f525 naïve", "[CL S] <s <mask", "a [UNK", "mask unk cls sep pad"}
	for _, file := range []string{"wordpiece", "bert-cased", "mpnet", "roberta", "roberta-prefix", "xlm-roberta"} {
		_, tok := loadFixture(t, file)
		for _, text := range texts {
			want, err := tok.control.encode(text, false)
			if err != nil {
				t.Fatal(err)
			}
			got, err := tok.Encode(text, Options{ParseSpecial: true, NoSpecial: true})
			if err != nil {
				t.Fatal(err)
			}
			ids := make([]int32, len(want.ids))
			for i, id := range want.ids {
				ids[i] = int32(id)
			}
			if !slices.Equal(got.IDs, ids) {
				t.Errorf("%s %q: %v, want %v", file, text, got.IDs, ids)
			}
		}
		if tok.watched == nil {
			continue
		}
		for token := range tok.file.Controls {
			if !tok.mayHoldControl("a " + token + "b") {
				t.Errorf("%s: %s is not seen in a text", file, token)
			}
		}
	}
}

// TestSecondFormIsNotLoaded: opening a tokenizer and embedding ordinary text needs only one
// native tokenizer.
func TestSecondFormIsNotLoaded(t *testing.T) {
	_, tok := loadFixture(t, "wordpiece")
	if _, err := tok.Encode("the cat", Options{ParseSpecial: true}); err != nil {
		t.Fatal(err)
	}
	if tok.control.native != nil {
		t.Error("the form with control tokens was loaded for a text without any")
	}
	if _, err := tok.Encode("the [MASK]", Options{ParseSpecial: true}); err != nil {
		t.Fatal(err)
	}
	if tok.control.native == nil {
		t.Error("the form with control tokens was not loaded for one")
	}
}
