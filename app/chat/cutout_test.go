package chat

import (
	"testing"

	"inglenook/app/documents"
	text "inglenook/documents"
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
