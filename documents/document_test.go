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

// A passage that begins with a heading, and goes over another one, is below the one before the place it is turned to.
func TestTurnToHeading(t *testing.T) {
	path := func(names ...string) []string { return names }
	c := documents.Chunk{Page: 1, Headings: path("Lease"), Breaks: []documents.Break{
		{At: 10, Page: 1, Headings: path("Lease", "Rent")}, {At: 20, Page: 2}, {At: 30, Page: 2, Headings: path("Lease", "Notice")},
	}}
	for _, turn := range []struct {
		at, page int
		below    string
	}{{25, 2, "Rent"}, {0, 1, "Lease"}, {40, 2, "Notice"}, {10, 1, "Rent"}, {9, 1, "Lease"}} {
		c.TurnTo(turn.at)
		if below := c.Headings[len(c.Headings)-1]; c.Page != turn.page || below != turn.below {
			t.Errorf("byte %d is on page %d below %s, not %d and %s", turn.at, c.Page, below, turn.page, turn.below)
		}
	}
	c = documents.Chunk{Breaks: []documents.Break{{Headings: path("Notice")}}}
	if c.TurnTo(5); len(c.Headings) != 1 {
		t.Errorf("below the first heading it is %q", c.Headings)
	}
	c = documents.Chunk{Breaks: []documents.Break{{At: 8, Headings: path("Notice")}}}
	c.TurnTo(9)
	if c.TurnTo(2); len(c.Headings) != 0 {
		t.Errorf("before the first heading it is below %q", c.Headings)
	}
}
