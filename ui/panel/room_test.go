package panel

import (
	"testing"

	"inglenook/app/library"
)

// A model is led to the room that its own words name: a classifier to the page Classify, which is in Similarity.
func TestRoomOf(t *testing.T) {
	for kind, want := range map[string][2]string{
		library.KindChat: {Chat, "Chat"}, library.KindReranker: {Rerank, "Rerank"}, library.KindEmbedding: {Similarity, "Similarity"}, "": {Performance, "Performance"},
	} {
		if id, name := RoomOf(library.Model{Kind: kind, Usable: true}); id != want[0] || name != want[1] {
			t.Errorf("%q belongs into %q, %q", kind, id, name)
		}
	}
	if id, name := RoomOf(library.Model{Kind: library.KindEncoder, Classifies: "labels", Usable: true}); id != Similarity || name != "Classify" {
		t.Errorf("a classifier belongs into %q, %q", id, name)
	}
	if id, _ := RoomOf(library.Model{Kind: library.KindChat}); id != "" {
		t.Errorf("a model that cannot be used belongs into %q", id)
	}
	for _, m := range []library.Model{{Kind: library.KindEmbedding}, {Kind: library.KindPictures}, {Kind: library.KindEncoder}, {}} {
		names, _ := m.Rooms()
		for _, name := range names {
			if roomIDs[name] == "" {
				t.Errorf("%s is no room", name)
			}
		}
	}
}
