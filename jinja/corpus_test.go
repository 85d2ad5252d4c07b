package jinja

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// corpusCase is a template as Python's Jinja2 renders it.
type corpusCase struct {
	Template     string          `json:"tmpl"`
	Conversation string          `json:"conv"`
	Source       string          `json:"src"`
	Vars         json.RawMessage `json:"ctx"`
	OK           bool            `json:"ok"`
	Want         string          `json:"out"`
	Why          string          `json:"err"`
}

// noon is the clock of the expected texts.
func noon() time.Time { return time.Date(2025, 3, 7, 14, 5, 9, 0, time.UTC) }

// vars reads a JSON object of variables.
func vars(t testing.TB, data string) map[string]any {
	t.Helper()
	v, err := FromJSON(strings.NewReader(data))
	if err != nil {
		t.Fatalf("%v in %.200s", err, data)
	}
	d, ok := v.(*Dict)
	if !ok {
		t.Fatalf("the variables are no object: %.200s", data)
	}
	out := map[string]any{}
	for _, name := range d.Keys() {
		out[name], _ = d.Get(name)
	}
	return out
}

// render parses and renders a template.
func render(t testing.TB, source string, vars map[string]any) (string, error) {
	tmpl, err := Parse("test", source)
	if err != nil {
		return "", err
	}
	tmpl.Clock = noon
	return tmpl.Render(t.Context(), vars, Limits{})
}

// runCases renders cases and fails if the text differs or only one of the two refuses.
func runCases(t *testing.T, cases []corpusCase) {
	same := 0
	for _, c := range cases {
		got, err := render(t, c.Source, vars(t, string(c.Vars)))
		switch {
		case err != nil && c.OK:
			t.Errorf("%s with %s: %v", c.Template, c.Conversation, err)
		case err == nil && !c.OK:
			t.Errorf("%s with %s: rendered, but Python says %s", c.Template, c.Conversation, c.Why)
		case c.OK && got != c.Want:
			at := 0
			for at < min(len(got), len(c.Want)) && got[at] == c.Want[at] {
				at++
			}
			from := max(0, at-60)
			t.Errorf("%s with %s: from byte %d\n got %.160q\nwant %.160q", c.Template, c.Conversation, at, got[from:], c.Want[from:])
		default:
			same++
		}
	}
	t.Logf("%d of %d as in Python", same, len(cases))
}

// TestCorpus renders the templates of many models. They are not ours, so they are not in
// the repository.
func TestCorpus(t *testing.T) {
	path := os.Getenv("INGLENOOK_JINJA_CASES")
	if path == "" {
		path = filepath.FromSlash("../../shared/jinja-cases.json")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Skipf("the templates of known models are not here (%s, or the file that INGLENOOK_JINJA_CASES names)", filepath.Base(path))
	}
	var cases []corpusCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	runCases(t, cases)
}
