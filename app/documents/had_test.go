package documents_test

import (
	"path/filepath"
	"testing"

	"inglenook/app/documents"
)

// A file that lies in a folder of a collection is there, and so is the folder; what was taken off is not.
func TestHad(t *testing.T) {
	s, dir := newService(t), papers(t)
	must[documents.Collection](t)(s.Add(t.Context(), documents.AddRequest{Collection: "Papers", Paths: []string{dir}}))
	if _, err := s.Index(t.Context(), documents.IndexRequest{Collection: "Papers"}, nil, nil); err != nil {
		t.Fatal(err)
	}
	files := must[[]documents.File](t)(s.Files(t.Context(), "Papers"))
	one := files[0].Path
	asked := []string{one, dir, filepath.Join(dir, "none.txt"), t.TempDir()}
	for _, collection := range []string{"", "Papers"} {
		had := must[[]documents.Had](t)(s.Had(t.Context(), collection, asked))
		if len(had) != 2 || had[0].File.Path != one || had[0].Collection.Name != "Papers" || had[1].Path != dir || had[1].File.Path != "" {
			t.Errorf("of %q there are %+v", collection, had)
		}
	}
	if had := must[[]documents.Had](t)(s.Had(t.Context(), "Others", asked)); len(had) != 0 {
		t.Errorf("a collection that is to be made has %+v", had)
	}
	if err := s.TakeOff(t.Context(), "Papers", one); err != nil {
		t.Fatal(err)
	}
	if had := must[[]documents.Had](t)(s.Had(t.Context(), "", asked[:1])); len(had) != 0 {
		t.Errorf("what was taken off is there: %+v", had)
	}
}
