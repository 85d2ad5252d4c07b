package grammar

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// realTokens are the tokens of Qwen 3, 151,669 of them.
func realTokens(t testing.TB) [][]byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "tokenizers", "qwen3", "tokenizer.json"))
	if err != nil {
		t.Skip("skipped: the tokenizer of Qwen 3 is not at hand in ../shared/tokenizers")
	}
	var file struct {
		Model struct {
			Vocab map[string]int32 `json:"vocab"`
		} `json:"model"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	letters := map[rune]byte{} // GPT-2's letters for bytes
	next := rune(256)
	for b := range 256 {
		if b > 0x20 && b < 0x7F || b > 0xA0 && b != 0xAD {
			letters[rune(b)] = byte(b)
		} else {
			letters[next] = byte(b)
			next++
		}
	}
	tokens := make([][]byte, 151_936) // ids of the model
	for text, id := range file.Model.Vocab {
		for _, r := range text {
			tokens[id] = append(tokens[id], letters[r])
		}
	}
	return tokens
}

func realVocabulary(t testing.TB) *Vocabulary {
	tokens := realTokens(t)
	begin := time.Now()
	v := NewVocabulary(func(id int32) []byte { return tokens[id] }, len(tokens), []int32{151_645, 151_643})
	t.Logf("%d tokens, %d nodes, the longest of %d bytes, in %v", len(v.order), len(v.nodes), v.depth, time.Since(begin))
	return v
}

// TestTree: every token can be found in the tree, at the place of its bytes.
func TestTree(t *testing.T) {
	tokens := [][]byte{[]byte("ab"), nil, []byte("abc"), []byte("b"), []byte("ab"), {}, []byte("a\x00"), []byte("x"), []byte("abd")}
	v := NewVocabulary(func(id int32) []byte { return tokens[id] }, len(tokens), []int32{7, -1, 100, 7})
	var found []string
	var path []byte
	for i := range v.nodes[:len(v.nodes)-1] {
		n := v.nodes[i]
		path = append(path[:n.depth], n.byte)
		for _, id := range v.order[n.first:v.nodes[i+1].first] {
			if string(tokens[id]) != string(path) {
				t.Errorf("token %d is at %q", id, path)
			}
			found = append(found, string(path))
		}
		if n.skip <= int32(i) || int(n.skip) < len(v.nodes)-1 && v.nodes[n.skip].depth > n.depth {
			t.Errorf("node %d skips to %d", i, n.skip)
		}
	}
	if want := []string{"a\x00", "ab", "ab", "abc", "abd", "b"}; !slices.Equal(found, want) {
		t.Errorf("found %q, want %q", found, want)
	}
	if !slices.Equal(v.ends, []int32{7}) {
		t.Errorf("ends %v", v.ends)
	}
	empty := NewVocabulary(nil, 0, []int32{1})
	s := anyJSON().Start(empty)
	if len(s.Mask()) != 0 || s.Accept(0) == nil {
		t.Error("an empty vocabulary allows something")
	}
}

// places are texts after which a mask is measured.
var places = map[string]string{
	"beginning":    ``,
	"in a text":    `{"a": "some text`,
	"after a name": `{"a"`,
	"in a number":  `{"a": 12`,
	"after a text": `{"a": "x"`,
}

func BenchmarkMask(b *testing.B) {
	v := realVocabulary(b)
	grammars := map[string]*Grammar{
		"json":   anyJSON(),
		"schema": schema(b, `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}]},"b":{"type":"array"}},"required":["a"]}`),
		"sized":  schema(b, `{"type":"object","properties":{"a":{"anyOf":[{"type":"string","maxLength":500},{"type":"integer"}]}}}`),
	}
	for name, g := range grammars {
		for place, text := range places {
			s := g.Start(v)
			for i := range len(text) {
				id := slices.IndexFunc(v.tokens, func(t []byte) bool { return len(t) == 1 && t[0] == text[i] })
				if err := s.Accept(int32(id)); err != nil {
					b.Fatal(err)
				}
			}
			b.Run(name+"/"+place+"/first", func(b *testing.B) {
				for b.Loop() {
					b.StopTimer()
					s.at, s.masks = s.machine.renew(s.at), nil
					b.StartTimer()
					s.Mask()
				}
			})
			b.Run(name+"/"+place+"/later", func(b *testing.B) {
				begin := cpuTime(b)
				defer func() { b.ReportMetric(float64(cpuTime(b)-begin)/float64(b.N), "cpu-ns/op") }()
				for b.Loop() {
					s.masks = s.masks[:0]
					s.Mask()
				}
			})
		}
	}
}

func BenchmarkVocabulary(b *testing.B) {
	tokens := realTokens(b)
	for b.Loop() {
		NewVocabulary(func(id int32) []byte { return tokens[id] }, len(tokens), nil)
	}
}
