package cli

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// halved copies a model of two layers without the second.
func halved(t *testing.T, dir string) string {
	t.Helper()
	small := t.TempDir()
	if err := os.CopyFS(small, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	change := func(name string, change func([]byte) []byte) {
		path := filepath.Join(small, name)
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, change(data), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	change("config.json", func(data []byte) []byte {
		return bytes.Replace(data, []byte(`"num_hidden_layers": 2`), []byte(`"num_hidden_layers": 1`), 1)
	})
	change("model.safetensors", func(data []byte) []byte {
		size := binary.LittleEndian.Uint64(data)
		var tensors map[string]struct {
			DType   string `json:"dtype"`
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}
		var all map[string]json.RawMessage
		if err := json.Unmarshal(data[8:8+size], &all); err != nil {
			t.Fatal(err)
		}
		delete(all, "__metadata__")
		plain, _ := json.Marshal(all)
		if err := json.Unmarshal(plain, &tensors); err != nil {
			t.Fatal(err)
		}
		var values []byte
		for name, x := range tensors {
			if strings.Contains(name, "layers.1.") {
				delete(tensors, name)
				continue
			}
			at := len(values)
			values = append(values, data[8+int(size):][x.Offsets[0]:x.Offsets[1]]...)
			x.Offsets = [2]int{at, len(values)}
			tensors[name] = x
		}
		header, _ := json.Marshal(tensors)
		for len(header)%8 != 0 {
			header = append(header, ' ')
		}
		return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header, values)
	})
	return small
}

// TestDraftModel: a smaller model guesses for chat and bench, and the answer is the same; where none
// can, a sentence says why, and the answer is the same too.
func TestDraftModel(t *testing.T) {
	dir := tinyChat(t, true)
	small := halved(t, dir)
	for _, how := range [][]string{{"--temperature", "0"}, {"--temperature", "1", "--seed", "4"}} {
		with := func(way string) chatAnswerJSON { return chatOnce(t, dir, append(how, "--draft", way)...) }
		want := with("off")
		got := with("model=" + small)
		if got.Text != want.Text || !slices.Equal(got.Tokens, want.Tokens) || got.Drafted == 0 || want.Drafted != 0 {
			t.Errorf("%q: with guesses %+v, without %+v", how, got, want)
		}
		for name, other := range map[string]string{"itself": dir, "nothing": filepath.Join(dir, "absent"), "an embedder": "starter-embed", "another vocabulary": "starter-chat"} {
			o := inglenook(t, "", append([]string{"chat", "--model", dir, "--prompt", "abc", "--max-tokens", "12", "--draft", "model=" + other}, how...)...)
			if o.code != 0 || !strings.Contains(o.stderr, "there are no guesses") || strings.TrimSpace(o.stdout) != strings.TrimSpace(want.Text) {
				t.Errorf("%s: %q, %q instead of %q", name, o.stderr, o.stdout, want.Text)
			}
		}
	}
	o := inglenook(t, "", "bench", "--json", "--model", dir, "--generate-tokens", "20", "--repeat", "1", "--draft", "model="+small)
	if got := decode[benchJSON](t, o.stdout); len(got.Results) != 1 || !strings.Contains(o.stderr, "guesses were right") {
		t.Errorf("%+v, %q", got, o.stderr)
	}
	for _, bad := range []string{"model=", "model", "guess"} {
		if o := inglenook(t, "", "chat", "--model", dir, "--prompt", "abc", "--draft", bad); o.code == 0 || !strings.Contains(o.stderr, "--draft") {
			t.Errorf("%s: code %d, %q", bad, o.code, o.stderr)
		}
	}
	if o := inglenook(t, "", "bench", "--model", dir, "--generate-tokens", "20", "--repeat", "1", "--draft", "model="+dir); o.code == 0 || !strings.Contains(o.stderr, "not smaller") {
		t.Errorf("a model for itself: code %d, %q", o.code, o.stderr)
	}
}
