package search

import (
	"context"
	"slices"
	"testing"

	"inglenook/documents"
	"inglenook/documents/store"
)

// A copy of a file that was written again is one result with the original, which is the one that is shown. What
// differs between two versions of a text is not lost.
func TestCopiesAreOneResult(t *testing.T) {
	const lease = "The tenant pays on the first day. One small dog may be kept. The notice is sixty days long."
	for name, c := range map[string]struct {
		files map[string]string
		first string // that the copy is found as; "": both are found
		twin  string
	}{
		"the same text":      {map[string]string{"/a/lease copy.txt": lease, "/a/lease.txt": lease}, "/a/lease.txt", "/a/lease copy.txt"},
		"other line ends":    {map[string]string{"/a/lease (1).txt": "The tenant pays on\nthe first day. One small dog may be kept.\nThe notice is sixty days long!", "/a/lease.txt": lease}, "/a/lease.txt", "/a/lease (1).txt"},
		"a line more":        {map[string]string{"/a/Copy of lease.txt": lease + " Printed twice.", "/a/lease.txt": lease}, "", "/a/lease.txt"},
		"a folder of copies": {map[string]string{"/a/lease.txt": lease, "/b/lease.txt": lease + "\n"}, "", ""},
		"another number":     {map[string]string{"/a/lease copy.txt": "The tenant pays on the first day. Two small dogs may be kept. The notice is sixty days long.", "/a/lease.txt": lease}, "both", ""},
		"another end":        {map[string]string{"/a/lease copy.txt": "The tenant pays on the first day. One small dog may be kept. The notice is six days.", "/a/lease.txt": lease}, "both", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, col := searcher(t)
			e, err := s.Embedder(context.Background(), "")
			must(t, err)
			for path, text := range c.files {
				put(t, col, e.(embedder), path, text)
			}
			found, err := s.Search(context.Background(), Query{Text: "may a small dog be kept by the tenant"})
			must(t, err)
			of := 0
			for _, f := range found.Files {
				if _, is := c.files[f.File.Path]; is {
					of += len(f.Passages)
				}
			}
			if c.first == "both" {
				if of != 2 {
					t.Errorf("%d passages are found", of)
				}
				return
			}
			r := found.Files[0].Passages[0]
			if of != 1 || r.Copies != 1 || len(r.Twins) != 1 {
				t.Fatalf("%d passages are found; %d copies, %+v", of, r.Copies, r.Twins)
			}
			if c.first != "" && (found.Files[0].File.Path != c.first || r.Twins[0].Path != c.twin) {
				t.Errorf("%s is shown, and also in %s", found.Files[0].File.Path, r.Twins[0].Path)
			}
		})
	}
}

// Headings alone and references answer nothing; prose that cites, and what a person wrote in a line, does.
func TestWeakPassages(t *testing.T) {
	references := "Hart, R., and Lund, P. 2014. Leaks in old boilers. Journal of Heating 12, 40-51.\nMoss, K. (2019). Radiators and their valves. In Proc. of the Heating Society, pp. 3-9.\nVega, A. et al. 2021. Quiet pumps. arXiv:2101.00001."
	prose := "Boilers leak where the seal of the pump is worn (Hart and Lund 2014). The valve should be closed first, as Moss (2019) shows, and the water let out. Then the four screws of the pump are opened, the old seal is taken out, and the new one is set in with a little grease. The pump is closed, and the water is let in again. Leaks after that come from the valve itself."
	for name, c := range map[string]struct {
		chunk documents.Chunk
		weak  bool
	}{
		"a heading":                 {documents.Chunk{Text: "How to mend a boiler\n", Breaks: []documents.Break{{Headings: []string{"How to mend a boiler"}}}}, true},
		"two headings":              {documents.Chunk{Text: "# Boilers\n\n## Leaks\n", Breaks: []documents.Break{{Headings: []string{"Boilers"}}, {At: 11, Headings: []string{"Boilers", "Leaks"}}}}, true},
		"a heading with text":       {documents.Chunk{Text: "Leaks\n\nClose the valve.", Breaks: []documents.Break{{Headings: []string{"Leaks"}}}}, false},
		"text, then a heading":      {documents.Chunk{Text: "Close the valve.\n\nLeaks", Breaks: []documents.Break{{At: 18, Headings: []string{"Leaks"}}}}, false},
		"a heading, underlined":     {documents.Chunk{Text: "Leaks\n=====\n", Breaks: []documents.Break{{Headings: []string{"Leaks"}}}}, true},
		"a line of text":            {documents.Chunk{Text: "Buy milk"}, false},
		"a page break":              {documents.Chunk{Text: "Buy milk", Breaks: []documents.Break{{Page: 2}}}, false},
		"references":                {documents.Chunk{Text: references}, true},
		"prose that cites":          {documents.Chunk{Text: prose}, false},
		"prose under their heading": {documents.Chunk{Text: prose, Headings: []string{"References"}}, false},
		"short references":          {documents.Chunk{Text: "Leaks in old boilers and what is done about them, by the Heating Society of Leeds, 2014.\nRadiators, their valves, and how they are kept quiet in old houses, Moss, 2019.", Headings: []string{"Book", "Further reading"}}, true},
		"dates":                     {documents.Chunk{Text: "The house was built in 1890. It was sold in 1921, and again in 1956. The roof was mended in 2003."}, false},
	} {
		if got := isWeak(c.chunk); got != c.weak {
			t.Errorf("%s is weak: %v", name, got)
		}
	}
}

// What answers a question comes before a heading and a reference with the same words.
func TestAnswersBeforeHeadings(t *testing.T) {
	s, c := searcher(t)
	e := embedder{}
	s.Embedder = func(context.Context, string) (documents.Embedder, error) { return e, nil }
	texts := []string{"Leaking boilers", "Leaking boilers are mended with a new seal."}
	passages := []documents.Chunk{{End: 1, Text: texts[0], Breaks: []documents.Break{{Headings: texts[:1]}}}, {Start: 1, End: 2, Text: texts[1], Headings: texts[:1], Context: texts[0]}}
	v, err := e.EmbedPassages(context.Background(), []string{passages[0].Input(), passages[1].Input()})
	must(t, err)
	must(t, c.Put(context.Background(), store.File{Path: "/c/b.md", Hash: "b", Format: "markdown"}, passages, map[string][][]float32{e.ID(): v}))
	found, err := s.Search(context.Background(), Query{Text: "leaking boilers"})
	must(t, err)
	var got []string
	for _, p := range found.Files[0].Passages {
		got = append(got, p.Text)
	}
	if !slices.Equal(got, []string{texts[1], texts[0]}) {
		t.Errorf("found %q", got)
	}
}
