package library

import "testing"

// Where a model belongs is told in one way, by the window and by the commands.
func TestWhereAModelBelongs(t *testing.T) {
	for want, m := range map[string]Model{
		"Similarity, Documents or Classify (inglenook embed, search, classify)": {Kind: KindEmbedding},
		"Rerank (inglenook rerank)":              {Kind: KindReranker, Classifies: "labels"},
		"Classify (inglenook classify)":          {Kind: KindEncoder, Classifies: "labels"},
		"Similarity (inglenook embed, forward)":  {Kind: KindEncoder},
		"Similarity (inglenook embed --image)":   {Kind: KindPictures},
		"Chat (inglenook chat)":                  {Kind: KindText},
		"Performance (inglenook bench, forward)": {},
	} {
		if got := m.BelongsTo(); got != want {
			t.Errorf("it belongs to %q, want %q", got, want)
		}
	}
}
