package chat

import (
	"encoding/json"
	"testing"
)

// A passage that says what another one says is known, whatever the lines of either; neighbours that
// share a sentence are two.
func TestRepeatedPassages(t *testing.T) {
	passage := func(path, text string) Part {
		data, err := json.Marshal(Source{Collection: "c", Path: path, End: len(text)})
		if err != nil {
			t.Fatal(err)
		}
		return Part{Kind: PartPassage, Name: path, Text: text, Data: data}
	}
	lease := passage("/a/lease (1).txt", "The tenant may end it. The notice is in writing. One dog is allowed.")
	list := []Part{passage("/a/boat.txt", "Boats float."), lease}
	for text, want := range map[string]int{
		"The tenant may end it.\nThe notice\nis in writing. One dog is allowed.":         1,
		"The notice is in writing. One dog is allowed.":                                  1,
		"One dog is allowed. The rent is due on the first. The key is below the window.": -1,
		"": -1,
	} {
		if got := repeated(list, passage("/a/lease.txt", text)); got != want {
			t.Errorf("%q is repeated at %d, want %d", text, got, want)
		}
	}
	if original := passage("/a/lease.txt", lease.Text); !isCopyOf(lease, original) || isCopyOf(original, lease) || isCopyOf(original, original) {
		t.Error("a copy is not told from its original")
	}
}
