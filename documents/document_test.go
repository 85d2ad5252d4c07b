package documents_test

import (
	"testing"

	"inglenook/documents"
)

// A passage that goes over page breaks is turned to one page and back.
func TestTurnTo(t *testing.T) {
	c := documents.Chunk{Page: 145, Breaks: []documents.Break{{At: 20, Page: 146}, {At: 30, Page: 148}}}
	for _, turn := range []struct{ at, page int }{{25, 146}, {0, 145}, {40, 148}, {29, 146}, {19, 145}} {
		if c.TurnTo(turn.at); c.Page != turn.page {
			t.Errorf("byte %d is on page %d, not %d", turn.at, c.Page, turn.page)
		}
	}
	whole := documents.Chunk{Page: 3}
	if whole.TurnTo(7); whole.Page != 3 || whole.Breaks != nil {
		t.Errorf("%+v", whole)
	}
}
