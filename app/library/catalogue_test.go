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

// A repository of the catalogue has its name there, and each of several forms its type.
func TestTitle(t *testing.T) {
	list, err := catalogue.Entries()
	if err != nil {
		t.Fatal(err)
	}
	e := list[0]
	d := e.Downloads[0]
	for want, m := range map[string]Model{
		e.Name:                 {Name: d.Repo, Source: SourceHubCache},
		e.Name + ", " + d.Type: {Name: d.Repo + "/" + d.File, Source: SourceHubCache},
		e.Name + ", other":     {Name: d.Repo + "/other.gguf", Source: SourceHubCache},
		"org/unknown/x.gguf":   {Name: "org/unknown/x.gguf", Source: SourceHubCache},
		"gpt-nobody":           {Name: "gpt-nobody", Source: SourceHubCache},
		"my/" + d.Repo:         {Name: "my/" + d.Repo, Source: SourceFolder},
		GuideName:              {ID: StarterChat, Name: StarterChat, Source: SourceBundled},
	} {
		if got := m.Title(); got != want {
			t.Errorf("%s is called %q, want %q", m.Name, got, want)
		}
	}
	if got := TitleOf(StarterChat); got != GuideName {
		t.Errorf("the guide is called %q by its id", got)
	}
}
