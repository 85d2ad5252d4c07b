package chat

import (
	"strings"
	"testing"

	"inglenook/app/documents"
	text "inglenook/documents"
	"inglenook/documents/search"
)

// A passage that is quoted shows where it begins or ends within a sentence.
func TestCutOut(t *testing.T) {
	prose := "Either side may end the lease with sixty days of written notice, unless the tenant has agreed to"
	for passage, want := range map[string]string{
		"Boats float.":             "Boats float.",
		" and boats float.\n":      "… and boats float.",
		", which float.":           "… , which float.",
		prose:                      prose + " …",
		prose + " stay.":           prose + " stay.",
		prose + " | a | row":       prose + " | a | row",
		"Boats\n" + prose + ",":    "Boats\n" + prose + ", …",
		"The end of it\nCosts 1,2": "The end of it\nCosts 1,2",
		"äpfel sind rot.":          "… äpfel sind rot.",
		"":                         "",
	} {
		if got := cutOut(passage); got != want {
			t.Errorf("%q is quoted as %q", passage, got)
		}
	}
}

// What is cut from a passage has marks at its ends; rows of a table stand below the names of its columns.
func TestQuotation(t *testing.T) {
	for want, of := range map[string]struct {
		text string
		from Source
	}{
		"> … Boats float. …":                                {"Boats float.", Source{Path: "a.txt", Before: true, After: true}},
		"> Boats float.":                                    {"Boats float.", Source{Path: "a.txt"}},
		"> … and boats float.":                              {"and boats float.", Source{Path: "a.txt", Before: true}},
		"> | Boat | Color |\n> |---|---|\n> | Ida | red |":  {"Ida,red", Source{Path: "a.csv", Columns: "Boat,Color", Before: true, After: true}},
		"> | Boat | Color |\n> |---|---|\n> | Ann | blue |": {"| Ann | blue |", Source{Path: "a.md", Columns: "| Boat | Color |"}},
	} {
		if got := quotation(of.text, of.from); got != want {
			t.Errorf("%q is quoted as %q, want %q", of.text, got, want)
		}
	}
}

// A passage of a file without pages and lines is named with the section that its best sentence is in.
func TestSectionOf(t *testing.T) {
	var r documents.Result
	r.Files = []documents.File{{Path: "/x/lease.docx", Title: "Lease"}}
	r.Headings = []string{"Lease"}
	r.Breaks = []text.Break{{At: 10, Headings: []string{"Lease", "5. Ending it"}}}
	if got := sectionOf(r, "lease.docx"); got != "lease.docx" {
		t.Errorf("below the title alone it is %q", got)
	}
	r.Best = Span{Start: 12, End: 20}
	if got := sectionOf(r, "lease.docx"); got != "lease.docx · 5. Ending it" {
		t.Errorf("in a section it is %q", got)
	}
	r.Files[0].Path, r.Line = "/x/lease.md", 3
	if got := sectionOf(r, "lease.md, line 3"); got != "lease.md, line 3" {
		t.Errorf("with a line it is %q", got)
	}
}

// What is quoted begins with the sentence that answers.
func TestLeadingPiece(t *testing.T) {
	var r documents.Result
	r.Files = []documents.File{{Path: "/x/lease.txt"}}
	r.Text = "Pets are allowed. The deposit is 900 euros. It is paid back at the end."
	r.Best = Span{Start: 18, End: 43}
	if at, piece := leadingPiece(r, 320); at != 18 || piece != r.Text[18:] {
		t.Errorf("at %d %q", at, piece)
	}
	r.Best = Span{}
	if at, piece := leadingPiece(r, 320); at != 0 || piece != r.Text {
		t.Errorf("without a sentence at %d %q", at, piece)
	}
}

// Asked who it is, the sentence with a name answers, not the shortest one with the word.
func TestNamedIn(t *testing.T) {
	lease := "This lease is between Harbor Homes (the landlord) and Imani Okafor (the tenant). The tenant may keep a cat. The tenant pays a deposit."
	best, _ := search.Answering("Who is the tenant?", lease)
	if got := namedIn("Who is the tenant?", lease, best); lease[got.Start:got.End] != lease[:80] {
		t.Errorf("who: %q", lease[got.Start:got.End])
	}
	if got := namedIn("What may the tenant keep?", lease, best); got != best {
		t.Errorf("another question: %q", lease[got.Start:got.End])
	}
	if got := namedIn("Who?", "", Span{}); got != (Span{}) {
		t.Errorf("of nothing: %v", got)
	}
}

// A doubt about passages is in the answer that quotes them, not only before the question is sent.
func TestTheDoubtStays(t *testing.T) {
	passages := []Part{{Kind: PartPassage, Name: "a.txt", Text: "Boats float.", Data: []byte(`{"collection":"c","path":"/a.txt","end":12}`)}}
	w := &answering{}
	if text := w.quote(passages); !strings.HasPrefix(text, quotesBegin) {
		t.Errorf("sure: %q", text)
	}
	note(passages, func(s *Source) { s.Unsure = true })
	if text := w.quote(passages); !strings.HasPrefix(text, quotesDoubt) || strings.Contains(text, quotesBegin) {
		t.Errorf("unsure: %q", text)
	}
}

// A program is quoted as one, with its lines and how far they stand in; a block of code of which a piece is cut has both
// its marks.
func TestQuotedCode(t *testing.T) {
	if got, want := quotation("\n    def on(self):\n        return 1", Source{Path: "a.py", Before: true}), "> ```py\n>     def on(self):\n>         return 1\n> ```"; got != want {
		t.Errorf("%q", got)
	}
	for piece, want := range map[string]string{
		"let s = 1;\n```\n\nThe end.":      "> ```\n> let s = 1;\n> ```\n> \n> The end.",
		"It is so:\n\n```rust\nlet s = 1;": "> It is so:\n> \n> ```rust\n> let s = 1;\n> ```",
		"cited by _many\n> people_.":       "> … cited by _many\n> people_.",
		"It is so:\n\n```\nx\n```":         "> It is so:\n> \n> ```\n> x\n> ```",
	} {
		if got := quotation(piece, Source{Path: "a.md"}); got != want {
			t.Errorf("%q is quoted as %q", piece, got)
		}
	}
	var r documents.Result
	r.Text, r.Files = "def off(self):\n    return 0\n\ndef on(self):\n    heat(self.room)\n    return 1\n", []documents.File{{Path: "a.py"}}
	bestLine("What does it heat?", &r)
	if at, piece := leadingPiece(r, 40); piece != "    heat(self.room)\n    return 1" || r.Text[at:at+len(piece)] != piece {
		t.Errorf("%d %q", at, piece)
	}
}
