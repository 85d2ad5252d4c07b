package tokenizer

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/tokenizer/convert"
	"inglenook/tokenizer/definition"
)

// toVocabulary turns a tokenizer.json into the vocabulary that a converter to GGUF writes.
func toVocabulary(t *testing.T, path, pre string) convert.Vocabulary {
	t.Helper()
	var file struct {
		Added      []definition.AddedToken `json:"added_tokens"`
		Normalizer json.RawMessage
		Model      struct {
			Unk      *string         `json:"unk_token"`
			UnkID    *int32          `json:"unk_id"`
			Fallback bool            `json:"byte_fallback"`
			Vocab    json.RawMessage // an object, or Unigram's list
			Merges   []json.RawMessage
		}
	}
	loadJSON(t, path, &file)
	m := file.Model
	yes := true
	v := convert.Vocabulary{Model: "gpt2", Pre: pre, BOS: -1, EOS: -1, EOT: -1, UNK: -1, PAD: -1, SEP: -1, CLS: -1, MASK: -1}
	var pieces [][2]any
	if json.Unmarshal(m.Vocab, &pieces) == nil {
		v.Model, v.UNK, v.RemoveExtraWhitespaces = "t5", *m.UnkID, &yes
		for _, p := range pieces {
			v.Tokens = append(v.Tokens, p[0].(string))
			v.Scores = append(v.Scores, float32(p[1].(float64)))
		}
		var n struct {
			Charsmap string `json:"precompiled_charsmap"`
		}
		if err := json.Unmarshal(file.Normalizer, &n); err != nil {
			t.Fatal(err)
		}
		v.Charsmap, _ = base64.StdEncoding.DecodeString(n.Charsmap)
	} else {
		ids := map[string]int32{}
		if err := json.Unmarshal(m.Vocab, &ids); err != nil {
			t.Fatal(err)
		}
		for _, a := range file.Added {
			ids[a.Content] = a.ID
		}
		v.Tokens = make([]string, slices.Max(slices.Collect(maps.Values(ids)))+1)
		for token, id := range ids {
			v.Tokens[id] = token
		}
		for id, token := range v.Tokens {
			if token == "" {
				v.Tokens[id] = fmt.Sprintf("[PAD%d]", id)
			}
		}
		if m.Unk != nil {
			v.UNK = ids[*m.Unk]
		}
		for _, raw := range m.Merges {
			v.Merges = append(v.Merges, mergeOf(t, raw))
		}
	}
	v.Types = make([]int32, len(v.Tokens))
	for id := range v.Types {
		v.Types[id] = convert.NormalType
	}
	for _, a := range file.Added {
		v.Types[a.ID] = convert.UserDefinedType
		if a.Special {
			v.Types[a.ID] = convert.ControlType
		}
		if a.Content == "<mask>" || a.Content == "[MASK]" {
			v.MASK = a.ID
		}
	}
	switch {
	case m.Fallback:
		v.Model, v.Scores, v.Merges = "llama", scoresOf(v.Tokens, v.Merges), nil
		for id, token := range v.Tokens {
			if _, ok := definition.FallbackByte(token); ok {
				v.Types[id] = convert.ByteType
			}
		}
	case v.Model == "gpt2" && v.Merges == nil:
		v.Model = "bert"
		for id, token := range v.Tokens {
			if rest, ok := strings.CutPrefix(token, "##"); ok {
				v.Tokens[id] = rest
			} else if v.Types[id] != convert.ControlType {
				v.Tokens[id] = definition.Blank + token
			}
		}
	}
	if v.UNK >= 0 && v.Model != "gpt2" {
		v.Types[v.UNK] = convert.UnknownType
	}
	return v
}

// scoresOf maps the pieces that merges make to the scores of their ranks.
func scoresOf(tokens, merges []string) []float32 {
	rank := map[string]int{}
	for i, m := range merges {
		joined := strings.Replace(m, " ", "", 1)
		if _, ok := rank[joined]; !ok {
			rank[joined] = i
		}
	}
	scores := make([]float32, len(tokens))
	for id, token := range tokens {
		if r, ok := rank[token]; ok {
			scores[id] = -float32(r)
		} else {
			scores[id] = -float32(len(merges) + id)
		}
	}
	return scores
}

// mergeOf reads "left right" or ["left", "right"].
func mergeOf(t *testing.T, raw json.RawMessage) string {
	var pair []string
	if json.Unmarshal(raw, &pair) == nil {
		return strings.Join(pair, " ")
	}
	var merge string
	if err := json.Unmarshal(raw, &merge); err != nil {
		t.Fatal(err)
	}
	return merge
}

// addRoles sets the tokens that tok puts around a text.
func addRoles(t *testing.T, v *convert.Vocabulary, tok *Tokenizer) {
	e := mustEncode(t, tok, "a", Options{})
	begins, ends := e.Special[0], e.Special[len(e.Special)-1]
	v.AddBOS, v.AddEOS = &begins, &ends
	if begins {
		v.BOS = e.IDs[0]
	}
	if ends {
		v.EOS = e.IDs[len(e.IDs)-1]
	}
}

// conversion says how a real tokenizer.json becomes a vocabulary: the name of its split,
// and the .out file with ids of the same vocabulary.
type conversion struct{ pre, out string }

var realVocabularies = map[string]conversion{
	"tokenizers/all-minilm-l6-v2":  {"", ""},
	"tokenizers/bert-base-uncased": {"", "bert-bge"},
	"tokenizers/falcon":            {"falcon", "falcon"},
	"tokenizers/gpt2":              {"gpt-2", "gpt-2"},
	"tokenizers/phi-2":             {"phi-2", ""},
	"tokenizers/phi-3-mini":        {"", "llama-spm"},
	"tokenizers/pythia-neox":       {"gpt-neox", ""},
	"tokenizers/qwen3":             {"qwen2", "qwen2"},
	"tokenizers/roberta-base":      {"roberta-bpe", "roberta-bpe"},
	"tokenizers/t5-small":          {"", ""},
	"models/stories260K":           {"", ""},
	"models/TinyStories-656K":      {"", ""},
}

// checkConverted turns a real tokenizer.json into a vocabulary, and that into a tokenizer
// again. Its ids must be those of the original and of the .out file of the same
// vocabulary.
func checkConverted(t *testing.T, dir string, c conversion, original *Tokenizer) {
	v := toVocabulary(t, filepath.Join(needShared(t, dir), "tokenizer.json"), c.pre)
	if strings.Contains(dir, "phi-3") {
		v.Architecture = "phi3"
	}
	addRoles(t, &v, original)
	tok := openVocabulary(t, v)
	if w := tok.Warnings(); len(w) > 0 {
		t.Errorf("warnings: %q", w)
	}
	checkSame(t, tok, original, mixedTexts(t, 150))
	if c.out != "" {
		in, want := expected(t, filepath.Join(needShared(t, "ggml-vocab"), "ggml-vocab-"+c.out+".gguf"))
		for i, text := range in {
			equal(t, "ids", text, mustEncode(t, tok, text, Options{NoSpecial: true}).IDs, want[i])
		}
		t.Logf("%d lines compared", len(in))
	}
}

// checkSame compares two tokenizers on texts, and on their own control tokens.
func checkSame(t *testing.T, got, want *Tokenizer, texts []string) {
	t.Helper()
	var own []string
	for _, a := range want.file.Added {
		if a.Normalized && want.file.Normalizer != nil {
			continue // these are found inside words, which GGUF cannot express
		}
		own = append(own, a.Content, "x "+a.Content+" y", a.Content+"\nabc"+a.Content)
	}
	wrong := 0
	for i, text := range append(slices.Clone(texts), own[:min(len(own), 150)]...) {
		for _, o := range []Options{{}, {NoSpecial: true, ParseSpecial: true}} {
			if i >= len(texts) && !o.ParseSpecial {
				continue // typed control tokens are protected in different ways
			}
			g, w := mustEncode(t, got, text, o), mustEncode(t, want, text, o)
			if !slices.Equal(g.IDs, w.IDs) || !slices.Equal(g.Types, w.Types) {
				if wrong++; wrong < 4 {
					t.Errorf("%.100q with %+v:\n got %v\nwant %v", text, o, g.IDs, w.IDs)
				}
			}
			gotText, err := got.Decode(w.IDs, false)
			wantText, err2 := want.Decode(w.IDs, false)
			if gotText != wantText || err != nil || err2 != nil {
				t.Fatalf("%v decoded: got %q, %v, want %q, %v", w.IDs, gotText, err, wantText, err2)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d texts have other ids", wrong)
	}
}

// mixedTexts returns parts of a book and random sequences of words and signs.
func mixedTexts(t testing.TB, n int) []string {
	book, err := os.ReadFile(needShared(t, "documents/text-alice.txt"))
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(string(book))
	signs := strings.Split("  |   |\n|\n\n|\t|\r\n|'s|'RE|don't|naïve|é|e\u0301|日本語|中文|한국어|Привет|مرحبا|ไทย|हिन्दी|१२३|½|3|42|1234567|3.14|foo_bar|camelCase|==|->|()|{}|//|#|$|…|—|“q”|。|😀|👩\u200d👩\u200d👧|\u200b|\u00a0|\u3000|ﬁ|AAAA|<|</|def f(x):|\treturn", "|")
	r := rand.New(rand.NewPCG(7, 7))
	texts := []string{string(book[:20_000])}
	for range n {
		var b strings.Builder
		for range 1 + r.IntN(20) {
			if r.IntN(2) == 0 {
				b.WriteString(words[r.IntN(len(words))])
			} else {
				b.WriteString(signs[r.IntN(len(signs))])
			}
			if r.IntN(2) == 0 {
				b.WriteByte(' ')
			}
		}
		texts = append(texts, b.String())
	}
	return texts
}

// TestStories compares a GGUF file's vocabulary with the tokenizer.json of the
// same model.
func TestStories(t *testing.T) {
	dir := needShared(t, "models/stories260K")
	want := openDir(t, dir)
	for _, name := range []string{"stories260K-F32.gguf", "stories260K-Q8_0.gguf"} {
		got := openVocabulary(t, readVocabulary(t, filepath.Join(dir, name)))
		checkSame(t, got, want, mixedTexts(t, 600))
		if got.StartID() != 1 || got.EndID() != 2 || got.UnknownID() != 0 {
			t.Errorf("start, end and unknown are %d, %d, %d", got.StartID(), got.EndID(), got.UnknownID())
		}
	}
}
