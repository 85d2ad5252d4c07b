package jinja

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// expected is testdata/expected.json, made by testdata/make.py.
type expected struct {
	Conversations map[string]json.RawMessage
	ProbeVars     json.RawMessage `json:"probe_vars"`
	Renders       []struct {
		Template, Conversation string
		OK                     bool
		Out                    string
	}
	Probes []struct {
		Source string
		OK     bool
		Out    string
	}
}

func readExpected(t testing.TB) expected {
	t.Helper()
	data, err := os.ReadFile("testdata/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	var e expected
	if err := json.Unmarshal(data, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// templateSource reads one of the templates here.
func templateSource(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "templates", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestTemplates renders templates in the style of each family of models.
func TestTemplates(t *testing.T) {
	e := readExpected(t)
	var cases []corpusCase
	for _, r := range e.Renders {
		cases = append(cases, corpusCase{r.Template, r.Conversation, templateSource(t, r.Template), e.Conversations[r.Conversation], r.OK, r.Out, "no"})
	}
	if len(cases) < 90 {
		t.Fatalf("only %d renders", len(cases))
	}
	runCases(t, cases)
}

// TestProbes renders small templates, one for each feature.
func TestProbes(t *testing.T) {
	e := readExpected(t)
	var cases []corpusCase
	for _, p := range e.Probes {
		cases = append(cases, corpusCase{p.Source, "probe_vars", p.Source, e.ProbeVars, p.OK, p.Out, "no"})
	}
	if len(cases) < 300 {
		t.Fatalf("only %d probes", len(cases))
	}
	runCases(t, cases)
}
