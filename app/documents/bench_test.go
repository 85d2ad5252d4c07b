package documents_test

import (
	"fmt"
	"testing"

	"inglenook/app/documents"
)

// BenchmarkSearch asks the three samples questions that were not asked before. It measures the
// cost of a search apart from comparing the passages.
func BenchmarkSearch(b *testing.B) {
	s := newService(b)
	c, err := s.AddSamples(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	if _, err := s.Index(b.Context(), documents.IndexRequest{Collection: c.ID}, nil, nil); err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if _, err := s.Search(b.Context(), documents.SearchRequest{Text: fmt.Sprintf("where is letter %d", i)}); err != nil {
			b.Fatal(err)
		}
	}
}
