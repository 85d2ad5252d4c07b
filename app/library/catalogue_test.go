package library

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/catalogue"
	"inglenook/models"
	"inglenook/pipeline"
)

// Every model of the catalogue is of a supported family, also as a GGUF file.
func TestCatalogueRunsHere(t *testing.T) {
	unknown := func(architecture string) bool {
		config := fmt.Sprintf(`{"architectures":[%q]}`, architecture)
		_, err := pipeline.OpenOutline(fstest.MapFS{"config.json": {Data: []byte(config)}}, pipeline.OutlineOptions{})
		return err != nil && strings.Contains(err.Error(), "is not supported")
	}
	if !unknown("WhisperForConditionalGeneration") {
		t.Fatal("this test takes any architecture for a known one")
	}
	list, err := catalogue.Entries()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if unknown(e.Architecture) {
			t.Errorf("%s is a %s, which does not run here", e.ID, e.Architecture)
		}
		for _, d := range e.Downloads {
			if d.File != "" && !models.InGGUF(e.Architecture) {
				t.Errorf("%s: %s is not read from GGUF files", e.ID, e.Architecture)
			}
		}
	}
}
