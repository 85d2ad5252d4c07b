package cli

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app"
	"inglenook/plain"
)

// hostileNames are names that a stranger's file, or an argument, may contain.
var hostileNames = map[string]string{
	"long":   strings.Repeat("A", 200_000),
	"driver": "model\u202efdp.exe\x1b[2J\x07\u009b31m\x7f\nnote: forged\r\nb\u2028c" + strings.Repeat("e\u0301", 3000),
	"broken": "\x00\xff\xfe\x80" + strings.Repeat("\u2066\u202d\x00", 500) + "e" + strings.Repeat("\u0301", 1000),
}

// checkPrinted reports everything in the output that could control a terminal.
func checkPrinted(t *testing.T, what, printed string) {
	t.Helper()
	if len(printed) > 100_000 {
		t.Errorf("%s: %d bytes are printed", what, len(printed))
	}
	if i := strings.IndexFunc(printed, func(r rune) bool { return plain.Drives(r) && r != '\n' && r != '\t' }); i >= 0 {
		t.Errorf("%s prints %.60q", what, printed[i:])
	}
	for line := range strings.Lines(printed) {
		if strings.HasPrefix(line, "note: forged") {
			t.Errorf("%s: a name became a line of its own", what)
		}
	}
}

// TestHostileNames uses names of any length and content as arguments of every command that
// takes one, and in every key of a model's files that is shown.
func TestHostileNames(t *testing.T) {
	commands := [][]string{
		{"models", "verify", "NAME"},
		{"models", "import", "NAME"},
		{"models", "remove", "NAME"},
		{"models", "pull", "--offline", "NAME"},
		{"models", "search", "--offline", "NAME"},
		{"compat", "NAME"},
		{"compat", "--matrix", "NAME"},
		{"embed", "--model", "NAME", "x"},
		{"similarity", "--model", "NAME", "x", "y"},
		{"rerank", "--model", "NAME", "x", "y"},
		{"chat", "--model", "NAME", "--prompt", "x"},
		{"forward", "--model", "NAME", "x"},
		{"tokenize", "--model", "NAME", "x"},
		{"bench", "--model", "NAME"},
		{"demo", "NAME"},
		{"devices", "NAME"},
		{"version", "NAME"},
		{"embed", "--NAME", "x"},
		{"embed", "--device", "NAME", "x"},
		{"embed", "--input", "NAME"},
		{"NAME"},
		{"help", "NAME"},
		{"index", "NAME"},
		{"index", "--collection", "NAME"},
		{"index", "--include", "NAME", "."},
		{"index", "--password", "NAME"},
		{"search", "NAME"},
		{"search", "--collection", "NAME", "x"},
		{"search", "--in", "NAME", "x"},
		{"search", "--type", "NAME", "x"},
		{"search", "--since", "NAME", "x"},
		{"collections", "NAME"},
		{"collections", "remove", "NAME"},
		{"chat", "--json-schema", "NAME", "--prompt", "x"},
		{"chat", "--format", "NAME", "--prompt", "x"},
		{"tokenize", "--decode", "NAME"},
	}
	for kind, name := range hostileNames {
		for _, args := range commands {
			given := make([]string, len(args))
			for i, a := range args {
				given[i] = strings.ReplaceAll(a, "NAME", name)
			}
			o := inglenook(t, "", given...)
			checkPrinted(t, kind+" in "+strings.Join(args, " "), o.stdout+o.stderr)
			if o.code != 0 && strings.Count(o.stderr, "\n") > 2 {
				t.Errorf("%s in %q: not a sentence: %.300q", kind, args, o.stderr)
			}
		}
	}
}

// TestHostileFiles has such names in a model's files.
func TestHostileFiles(t *testing.T) {
	compat := inOneApp(t)
	for kind, name := range hostileNames {
		for file, keys := range map[string][]string{
			"config.json":                       {"architectures", "model_type", "hidden_act", "torch_dtype", "rope_scaling", "id2label"},
			"tokenizer_config.json":             {"tokenizer_class", "chat_template", "eos_token", "truncation_side"},
			"config_sentence_transformers.json": {"prompts", "default_prompt_name", "similarity_fn_name"},
		} {
			for _, key := range keys {
				dir := copyModel(t, map[string]string{"architectures": "list", "prompts": "map", "id2label": "map", "rope_scaling": "map"}[key], file, key, name)
				for _, args := range [][]string{{"models", "import", dir, "--verbose"}, {"compat", dir, "--json"}, {"embed", "--model", dir, "x"}} {
					var o outcome
					if args[0] == "compat" {
						o = compat(args...)
					} else {
						o = inglenook(t, "", args...)
					}
					what := kind + " as " + key + " for " + args[0]
					checkPrinted(t, what, o.stdout+o.stderr)
					if args[0] == "compat" && o.stdout != "" && !json.Valid([]byte(o.stdout)) {
						t.Errorf("%s: no JSON", what)
					}
				}
			}
		}
	}
}

// copyModel copies a small model, with another value of one key in one file.
func copyModel(t *testing.T, form, file, key, value string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS("../pipeline/testdata/cls")); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(to, file)
	fields := map[string]any{}
	if data, err := os.ReadFile(path); err == nil {
		if err := json.Unmarshal(data, &fields); err != nil {
			t.Fatal(err)
		}
	}
	fields[key] = any(value)
	switch form {
	case "list":
		fields[key] = []string{value}
	case "map":
		fields[key] = map[string]string{value: value, "0": value}
	}
	data, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	_ = os.Remove(path) // it may be read-only
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

// TestHostileGGUF has such names in the metadata of a GGUF file: as values, as a key, as
// a token and as the name of a tensor.
func TestHostileGGUF(t *testing.T) {
	whole, err := os.ReadFile("../models/testdata/gguf/llama/model.gguf")
	if err != nil {
		t.Fatal(err)
	}
	compat := inOneApp(t)
	for kind, name := range hostileNames {
		for _, place := range []string{"general.architecture", "general.name", "general.size_label", "tokenizer.ggml.model", "tokenizer.ggml.tokens", "general.type\x00", "output_norm.weight\x00"} {
			path := filepath.Join(t.TempDir(), "model.gguf")
			if err := os.WriteFile(path, withName(t, whole, place, name), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"models", "import", path, "--verbose"}, {"compat", path, "--json"}, {"chat", "--model", path, "--raw", "--max-tokens", "2", "--prompt", "a"}} {
				var o outcome
				if args[0] == "compat" {
					o = compat(args...)
				} else {
					o = inglenook(t, "", args...)
				}
				what := kind + " as " + place + " for " + args[0]
				checkPrinted(t, what, o.stdout+o.stderr)
				if o.code != 0 && strings.Count(o.stderr, "\n") > 3 && args[1] != "import" {
					t.Errorf("%s: not a sentence: %.300q", what, o.stderr)
				}
			}
		}
	}
}

// withName puts a name into a GGUF file: as the value of a key, as the first of its
// list, or in the place of a name that is given with a NUL behind it. Tensors stay where
// they are in their part of the file, as it begins at a multiple of 32 bytes.
func withName(t *testing.T, file []byte, place, name string) []byte {
	t.Helper()
	text := func(s string) []byte { return append(binary.LittleEndian.AppendUint64(nil, uint64(len(s))), s...) }
	old, replaced := strings.CutSuffix(place, "\x00")
	at := bytes.Index(file, text(old))
	if at < 0 {
		t.Fatalf("the file has no %q", old)
	}
	if !replaced {
		at += 8 + len(old) + 4 // behind the key and its type
		if place == "tokenizer.ggml.tokens" {
			at += 4 + 8 // the type and the number of its elements
		}
	}
	before := 8 + int(binary.LittleEndian.Uint64(file[at:]))
	for (8+len(name)-before)%32 != 0 {
		name += "x"
	}
	return bytes.Join([][]byte{file[:at], text(name), file[at+before:]}, nil)
}

// TestHostileHub has such names in what a Hub answers: lists, descriptions and errors.
func TestHostileHub(t *testing.T) {
	for kind, name := range hostileNames {
		for _, status := range []int{http.StatusOK, http.StatusForbidden, http.StatusNotFound} {
			model := map[string]any{
				"id": "org/" + name, "modelId": name, "sha": name, "pipeline_tag": name, "library_name": name, "tags": []string{name, "license:" + name, "safetensors"},
				"gated": name, "error": name, "siblings": []any{map[string]any{"rfilename": name}, map[string]any{"rfilename": "config.json"}},
				"cardData": map[string]any{"license": name}, "config": map[string]any{"architectures": []string{name}},
			}
			hub := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("X-Error-Message", name)
				w.Header().Set("X-Error-Code", name)
				w.WriteHeader(status)
				var answer any = model
				if strings.HasSuffix(r.URL.Path, "/api/models") || strings.Contains(r.URL.Path, "/tree/") {
					answer = []any{model, map[string]any{"id": "org/tiny", "pipeline_tag": name, "tags": []string{"safetensors", "license:" + name}, "path": name, "type": name}}
				}
				_ = json.NewEncoder(w).Encode(answer)
			}))
			t.Setenv("HF_ENDPOINT", hub.URL)
			for _, args := range [][]string{{"models", "search", "x"}, {"models", "search", "x", "--json"}, {"models", "pull", "org/tiny", "--wait", "1s"}, {"compat", "org/tiny"}} {
				o := inglenook(t, "", args...)
				what := kind + " as an answer for " + strings.Join(args[:2], " ")
				checkPrinted(t, what, o.stdout+o.stderr)
				if o.code != 0 && strings.Count(o.stderr, "\n") > 3 {
					t.Errorf("%s: not a sentence: %.300q", what, o.stderr)
				}
			}
			hub.Close()
		}
	}
}

// TestHostileEnvironment has such names in the environment.
func TestHostileEnvironment(t *testing.T) {
	for kind, name := range hostileNames {
		name = strings.ReplaceAll(name, "\x00", "") // the system takes none
		for _, variable := range []string{"HF_HOME", "HF_HUB_CACHE", "HF_ENDPOINT", "HF_TOKEN", "HF_HUB_OFFLINE", "HTTPS_PROXY", "HTTP_PROXY", "LANGUAGE", "HOME", "INGLENOOK_HOME"} {
			t.Run(variable, func(t *testing.T) {
				t.Setenv("HF_ENDPOINT", "http://127.0.0.1:1")
				t.Setenv(variable, name)
				for _, args := range [][]string{{"models", "list"}, {"models", "search", "--offline", "x"}} {
					o := runWith(t, t.Context(), strings.NewReader(""), func(o app.Options) (App, error) {
						if variable != "HOME" && variable != "INGLENOOK_HOME" {
							o.Home = t.TempDir()
						}
						return app.New(o)
					}, args...)
					checkPrinted(t, kind+" as "+variable+" for "+args[1], o.stdout+o.stderr)
				}
			})
		}
	}
}

// TestHostileSchema has such names in a JSON schema.
func TestHostileSchema(t *testing.T) {
	dir := tinyChat(t, true)
	for kind, name := range hostileNames {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, schema := range []string{
			`{NAME: 1}`, `{"type": NAME}`, `{"$ref": NAME}`, `{"properties": {NAME: {"type": "nothing"}}}`, `{"pattern": NAME}`, `{"type": "string", "format": NAME, "pattern": "("}`,
			`{"properties": {"a": {NAME: {}}}, "unevaluatedProperties": NAME}`, `{"enum": [NAME], "type": "integer"}`, `{"required": [NAME], "additionalProperties": false}`, `{"not": {NAME: 1}}`, `NAME`,
		} {
			path := filepath.Join(t.TempDir(), "schema.json")
			if err := os.WriteFile(path, []byte(strings.ReplaceAll(schema, "NAME", string(quoted))), 0o600); err != nil {
				t.Fatal(err)
			}
			o := inglenook(t, "", "chat", "--model", dir, "--json-schema", path, "--max-tokens", "3", "--prompt", "a")
			what := kind + " in the schema " + schema
			checkPrinted(t, what, o.stderr)
			if o.code != 0 && strings.Count(o.stderr, "\n") > 3 {
				t.Errorf("%s: not a sentence: %.300q", what, o.stderr)
			}
		}
	}
}

// TestHostileDocuments has such texts in documents: names, titles, headings and passages.
func TestHostileDocuments(t *testing.T) {
	for kind, name := range hostileNames {
		run, dir := inOneHome(t), t.TempDir()
		short := strings.Map(func(r rune) rune {
			if r == 0 || r == '/' {
				return -1
			}
			return r
		}, name)
		short = short[:min(len(short), 200)]
		for file, text := range map[string]string{
			short + ".md":  "# " + name + "\n\nThe boat of " + name + "\n\n## " + name + "\n\nThe other boat.\n",
			"page.html":    "<html><head><title>" + name + "</title></head><body><h1>" + name + "</h1><p>A boat " + name + "</p></body></html>",
			"table.csv":    name + ",boat\n1,2\n",
			short + ".pdf": "%PDF-1.7 " + name,
		} {
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, args := range [][]string{
			{"index", dir, "--collection", "Boats"},
			{"index", dir, "--collection", "Boats", "--json", "--retry"},
			{"search", "boat"},
			{"search", "--explain", "--json", "boat"},
			{"search", "--in", filepath.Join(dir, short), "boat"},
			{"collections", "list"},
			{"collections", "list", "--json"},
		} {
			o := run(args...)
			printed := o.stdout + o.stderr
			if slices.Contains(args, "--json") {
				printed = o.stderr // passages are whole there
				for line := range strings.Lines(o.stdout) {
					if !json.Valid([]byte(line)) {
						t.Errorf("%s: no JSON: %.100q", args, line)
					}
				}
			}
			checkPrinted(t, kind+" in documents for "+strings.Join(args[:2], " "), printed)
		}
	}
}
