package tokenizer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// shared is where real checkpoints and reference results lie, if they do.
const shared = "../../shared"

func needShared(t testing.TB, path string) string {
	t.Helper()
	path = filepath.Join(shared, path)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there, so this comparison with real files is left out", path)
	}
	return path
}

func loadJSON(t testing.TB, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(path, err)
	}
}

func openDir(t testing.TB, path string) *Tokenizer {
	t.Helper()
	tok, err := Open(os.DirFS(path))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tok.Close() })
	return tok
}

// TestGoldenIDs compares every real tokenizer.json with the reference's ids and
// decoded text. The reference takes control tokens in the text for control
// tokens, so that is asked for; where there are none it makes no difference.
func TestGoldenIDs(t *testing.T) {
	var golden struct {
		Texts []string
		IDs   map[string]struct {
			With    [][]int32 `json:"with_special"`
			Without [][]int32 `json:"without_special"`
			Decoded []string
		}
	}
	loadJSON(t, needShared(t, "golden/tokenizer-ids.json"), &golden)
	for path, want := range golden.IDs {
		t.Run(path, func(t *testing.T) {
			tok := openDir(t, filepath.Dir(needShared(t, path)))
			for i, text := range golden.Texts {
				with, err := tok.Encode(text, Options{KeepSpecialText: true})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(with.IDs, want.With[i]) {
					t.Errorf("%q: got %v, want %v", text, with.IDs, want.With[i])
				}
				without, err := tok.Encode(text, Options{KeepSpecialText: true, NoSpecial: true})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(without.IDs, want.Without[i]) {
					t.Errorf("%q without special: got %v, want %v", text, without.IDs, want.Without[i])
				}
				decoded, err := tok.Decode(want.Without[i], false)
				if err != nil {
					t.Fatal(err)
				}
				// Since 0.21 the reference decodes added tokens in their normalized
				// form, "▁<unk>" where a space is prepended; this release does not.
				newer := strings.ReplaceAll(want.Decoded[i], " <unk>", "<unk>") == decoded
				if decoded != want.Decoded[i] && !newer {
					t.Errorf("%q decoded: got %q, want %q", text, decoded, want.Decoded[i])
				}
				if holdsControl(tok, text) {
					continue
				}
				asText, err := tok.Encode(text, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(asText.IDs, want.With[i]) {
					t.Errorf("%q as text: got %v, want %v", text, asText.IDs, want.With[i])
				}
			}
		})
	}
}

func holdsControl(tok *Tokenizer, text string) bool {
	for token := range tok.file.controls {
		if strings.Contains(text, token) {
			return true
		}
	}
	return false
}

func TestGoldenMiniLM(t *testing.T) {
	var golden struct {
		Items []struct {
			Text string
			IDs  []int32
		}
	}
	loadJSON(t, needShared(t, "golden/minilm-embeddings.json"), &golden)
	tok := openDir(t, needShared(t, "models/all-MiniLM-L6-v2"))
	for _, item := range golden.Items {
		e, err := tok.Encode(item.Text, Options{MaxLength: 256, KeepSpecialText: true})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(e.IDs, item.IDs) {
			t.Errorf("%.60q: got %v, want %v", item.Text, e.IDs, item.IDs)
		}
	}
}
