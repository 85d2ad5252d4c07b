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

// A place in a passage is below the last heading before it, also one with which the passage begins.
func TestHeadingsAt(t *testing.T) {
	path := func(names ...string) []string { return names }
	c := documents.Chunk{Page: 1, Headings: path("Lease"), Breaks: []documents.Break{
		{At: 10, Page: 1, Headings: path("Lease", "Rent")}, {At: 20, Page: 2}, {At: 30, Page: 2, Headings: path("Lease", "Notice")},
	}}
	for _, place := range []struct {
		at, page int
		below    string
	}{{25, 2, "Rent"}, {0, 1, "Lease"}, {40, 2, "Notice"}, {10, 1, "Rent"}, {9, 1, "Lease"}} {
		c.TurnTo(place.at)
		below := c.HeadingsAt(place.at)
		if last := below[len(below)-1]; c.Page != place.page || last != place.below {
			t.Errorf("byte %d is on page %d below %s, not %d and %s", place.at, c.Page, last, place.page, place.below)
		}
	}
	c = documents.Chunk{Breaks: []documents.Break{{Headings: path("Notice")}}}
	if got := c.HeadingsAt(5); len(got) != 1 {
		t.Errorf("below the first heading it is %q", got)
	}
	if len(c.Headings) > 0 {
		t.Errorf("above it are %q", c.Headings)
	}
}
