package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"inglenook/plain"
)

// hostileNames are names that a stranger's file, or an argument, may contain.
var hostileNames = map[string]string{
	"long":   strings.Repeat("A", 200_000),
	"driver": "model\u202efdp.exe\x1b[2J\x07\u009b31m\x7f\nnote: forged\r\nb\u2028c" + strings.Repeat("e\u0301", 3000),
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
	for kind, name := range hostileNames {
		for file, keys := range map[string][]string{
			"config.json":                       {"architectures", "model_type", "hidden_act", "torch_dtype", "rope_scaling", "id2label"},
			"tokenizer_config.json":             {"tokenizer_class", "chat_template", "eos_token", "truncation_side"},
			"config_sentence_transformers.json": {"prompts", "default_prompt_name", "similarity_fn_name"},
		} {
			for _, key := range keys {
				dir := copyModel(t, map[string]string{"architectures": "list", "prompts": "map", "id2label": "map", "rope_scaling": "map"}[key], file, key, name)
				for _, args := range [][]string{{"models", "import", dir, "--verbose"}, {"compat", dir, "--json"}, {"embed", "--model", dir, "x"}} {
					o := inglenook(t, "", args...)
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
