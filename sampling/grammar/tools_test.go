package grammar

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// toolSchema is a schema as a tool emits them, made for these tests.
type toolSchema struct {
	Tool    string          `json:"tool"`
	Dialect string          `json:"dialect"`
	Schema  json.RawMessage `json:"schema"`
}

func toolSchemas(t testing.TB) (all []toolSchema) {
	t.Helper()
	data, err := os.ReadFile("testdata/tools.json")
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestToolSchemas: schemas that tools emit are accepted, and replies follow them. Check
// finds the replies that do not; they must be rare.
func TestToolSchemas(t *testing.T) {
	v, r := toy(), rand.New(rand.NewPCG(11, 12))
	const replies = 12
	for _, tool := range toolSchemas(t) {
		g, err := CompileSchema(tool.Schema)
		if err != nil {
			t.Errorf("%s: %v", tool.Tool, err)
			continue
		}
		judge, bad := judgeOf(t, tool.Schema), 0
		for range replies {
			text := write(t, g, v, r)
			record(t, string(tool.Schema), text)
			err := judge.judge(text)
			if err != nil {
				bad++
			}
			if (err == nil) != (g.Check(text) == nil) {
				t.Errorf("%s: %q: %v, and Check says %v", tool.Tool, text, err, g.Check(text))
			}
		}
		t.Logf("%s: %d of %d replies do not follow it; checked: %q", tool.Tool, bad, replies, g.Checked())
		loosen(t, tool.Schema, v, r)
	}
}

// judgeOf returns a checker of a whole schema.
func judgeOf(t testing.TB, doc []byte) *checker {
	t.Helper()
	root, err := readSchema(doc)
	if err != nil {
		t.Fatal(err)
	}
	k := newChecker(root)
	if err := k.vet(root); err != nil {
		t.Fatal(err)
	}
	return k
}

// loosen records replies by a schema without one of its keywords, so that other programs
// validate wrong replies as well.
func loosen(t *testing.T, doc []byte, v *Vocabulary, r *rand.Rand) {
	if os.Getenv("SAMPLING_REPLIES") == "" {
		return
	}
	for range 12 {
		var looser any
		if err := json.Unmarshal(doc, &looser); err != nil {
			t.Fatal(err)
		}
		var places []map[string]any
		var find func(any)
		find = func(at any) {
			switch at := at.(type) {
			case map[string]any:
				for name, item := range at {
					if k := keywords[name]; k.treatment >= written && name != "type" && name != "$ref" {
						places = append(places, at)
					}
					find(item)
				}
			case []any:
				for _, item := range at {
					find(item)
				}
			}
		}
		find(looser)
		if len(places) == 0 {
			return
		}
		place := places[r.IntN(len(places))]
		var names []string
		for name := range place {
			if keywords[name].treatment >= written && name != "type" {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		if len(names) == 0 {
			continue
		}
		delete(place, names[r.IntN(len(names))])
		without, err := json.Marshal(looser)
		if err != nil {
			t.Fatal(err)
		}
		if g, err := CompileSchema(without); err == nil {
			if text, done := draft(t, g, v, r, 2000); done && json.Valid([]byte(text)) {
				record(t, string(doc), text)
			}
		}
	}
}

// judged is a text and what another validator says about it.
type judged struct {
	Tool  string `json:"tool"`
	Text  string `json:"text"`
	Valid bool   `json:"valid"`
}

// TestJudged: no text that another validator refuses passes grammar and Check. The checker
// agrees with that validator about all texts, except for discriminators, which only the
// grammar enforces. scripts/judge-schemas.py makes the file with the library jsonschema.
func TestJudged(t *testing.T) {
	data, err := os.ReadFile("testdata/judged.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	grammars, judges, marked := map[string]*Grammar{}, map[string]*checker{}, map[string]bool{}
	for _, tool := range toolSchemas(t) {
		grammars[tool.Tool], judges[tool.Tool] = schema(t, string(tool.Schema)), judgeOf(t, tool.Schema)
		marked[tool.Tool] = bytes.Contains(tool.Schema, []byte(`"discriminator"`))
	}
	v, count := toy(), [2]int{}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		var j judged
		if err := json.Unmarshal(lines.Bytes(), &j); err != nil {
			t.Fatal(err)
		}
		g := grammars[j.Tool]
		if g == nil {
			t.Fatalf("%q is no schema of testdata/tools.json; run scripts/judge-schemas.py", j.Tool)
		}
		err := judges[j.Tool].judge(j.Text)
		if (err == nil) != j.Valid && !marked[j.Tool] {
			t.Errorf("%s: %q: valid: %v, but the checker says %v", j.Tool, j.Text, j.Valid, err)
		}
		if complete, _ := accepts(g, v, j.Text); complete && g.Check(j.Text) == nil && !j.Valid {
			t.Errorf("%s: %q passes", j.Tool, j.Text)
		}
		if j.Valid {
			count[1]++
		} else {
			count[0]++
		}
	}
	if count[0] < 50 || count[1] < 200 {
		t.Errorf("%d texts are wrong and %d right; that is too few to show anything", count[0], count[1])
	}
}
