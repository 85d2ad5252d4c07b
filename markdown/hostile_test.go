package markdown_test

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"inglenook/markdown"
	"inglenook/markdown/markdowntest"
)

// visit calls f with every text of a tree, and link with every link.
func visit(blocks []markdown.Block, depth int, text func(s string, depth int), link func(markdown.Link)) {
	var inlines func([]markdown.Inline)
	inlines = func(list []markdown.Inline) {
		for _, n := range list {
			switch n := n.(type) {
			case markdown.Text:
				text(n.Text, depth)
			case markdown.Link:
				link(n)
				text(n.Address, depth)
				inlines(n.Text)
			case markdown.Math:
				text(n.Source+n.TeX, depth)
			case markdown.Image:
				text(n.Description+n.Host, depth)
			}
		}
	}
	for _, b := range blocks {
		switch b := b.(type) {
		case *markdown.Heading:
			inlines(b.Text)
		case *markdown.Paragraph:
			inlines(b.Text)
		case *markdown.Code:
			text(b.Language+b.Text, depth)
		case *markdown.HTML:
			text(b.Text, depth)
		case *markdown.Quote:
			visit(b.Blocks, depth+1, text, link)
		case *markdown.List:
			for _, item := range b.Items {
				visit(item.Blocks, depth+1, text, link)
			}
		case *markdown.Table:
			for _, row := range append([][]markdown.Cell{b.Header}, b.Rows...) {
				for _, cell := range row {
					inlines(cell)
				}
			}
		}
	}
}

// check checks what must be true of every tree.
func check(t *testing.T, source string, blocks []markdown.Block) {
	t.Helper()
	visit(blocks, 0, func(s string, depth int) {
		if depth > 16 {
			t.Fatalf("a block lies %d deep", depth)
		}
		for _, r := range s {
			if r == '\u202e' || r == '\u2066' || r == '\u200b' || r == '\ufeff' || r == 0xe0041 || unicode.IsControl(r) && r != '\n' && r != '\t' {
				t.Fatalf("%U is not written out in %.80q", r, s)
			}
		}
	}, func(l markdown.Link) {
		if l.Web != (strings.HasPrefix(l.Address, "http://") || strings.HasPrefix(l.Address, "https://")) && l.Web {
			t.Fatalf("%q counts as an address of the web", l.Address)
		}
		place, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(l.Address, "http://"), "https://"), "#")
		if l.Web && (strings.Contains(place, "@") && !strings.Contains(source, "@b.") || strings.ContainsAny(l.Address, "\\ \n\u0430")) {
			t.Fatalf("%q may be opened", l.Address)
		}
	})
}

// No text of a model has an effect or takes long.
func TestHostileReplies(t *testing.T) {
	guard := markdowntest.NewGuard(t)
	replies := guard.Replies()
	if len(replies) < 60 {
		t.Fatalf("there are only %d replies", len(replies))
	}
	for name, reply := range replies {
		began := time.Now()
		check(t, reply, markdown.Parse(reply))
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("%s takes %v", name, took)
		}
		if len(reply) > 1000 {
			continue
		}
		var s markdown.Stream
		for i := range len(reply) {
			s.Write(reply[i : i+1])
			blocks, _ := s.Blocks()
			check(t, reply, blocks)
		}
	}
}

// Eight times the text takes about eight times as long.
func TestTimeGrowsWithTheText(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds")
	}
	times := func(text string) time.Duration {
		best := time.Duration(1 << 62)
		for range 2 {
			began := time.Now()
			markdown.Parse(text)
			best = min(best, time.Since(began))
		}
		return best
	}
	small := markdowntest.Large(10_000)
	for name, reply := range markdowntest.Large(80_000) {
		if before, after := times(small[name]), times(reply); after > 50*max(before, 10*time.Millisecond) {
			t.Errorf("%s: %v for 10 kB, %v for 80 kB", name, before, after)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, reply := range (markdowntest.Guard{Host: "host.example", File: "/file"}).Replies() {
		if len(reply) < 1000 {
			f.Add(reply, 3)
		}
	}
	f.Fuzz(func(t *testing.T, text string, at int) {
		check(t, text, markdown.Parse(text))
		var s markdown.Stream
		at = max(0, min(at, len(text)))
		s.Write(text[:at])
		_, before := s.Blocks()
		s.Write(text[at:])
		blocks, after := s.Blocks()
		if want := markdown.Parse(text); markdown.Dump(blocks) != markdown.Dump(want) || after < before {
			t.Fatalf("split at %d: %s, want %s", at, markdown.Dump(blocks), markdown.Dump(want))
		}
	})
}
