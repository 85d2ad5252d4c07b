package tokenizer

import (
	"encoding/json"
	"os"
	"slices"
	"sort"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/tokenizer/definition"
)

// vocabTxt writes the vocabulary of a fixture as BERT's vocab.txt.
func vocabTxt(t *testing.T, tok *Tokenizer, newline string) []byte {
	t.Helper()
	var lines []string
	for id := range tok.MaxID() + 1 {
		token, ok := tok.Token(id)
		if !ok {
			t.Fatalf("id %d has no token", id)
		}
		lines = append(lines, token)
	}
	return []byte(strings.Join(lines, newline) + newline)
}

// TestVocabTxt opens a folder with vocab.txt alone.
func TestVocabTxt(t *testing.T) {
	for name, config := range map[string]string{
		"wordpiece":  `{}`,
		"bert-cased": `{"do_lower_case":false,"strip_accents":false,"model_max_length":77,"pad_token":{"content":"[PAD]"}}`,
	} {
		for _, newline := range []string{"\n", "\r\n"} {
			f, want := loadFixture(t, name)
			tok, err := Open(fstest.MapFS{
				"vocab.txt":             {Data: vocabTxt(t, want, newline)},
				"tokenizer_config.json": {Data: []byte(config)},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer tok.Close()
			for _, c := range f.Pairs {
				got, err := tok.EncodePair(c.A, c.B, Options{ParseSpecial: true, Attributes: true})
				if err != nil {
					t.Fatal(err)
				}
				equal(t, "ids", c.A+" | "+c.B, got.IDs, c.IDs)
				equal(t, "types", c.A+" | "+c.B, got.Types, c.Types)
				equal(t, "offsets", c.A+" | "+c.B, got.Offsets, c.Offsets)
			}
			if got := tok.PadID(); got != 0 {
				t.Errorf("%s: the padding id is %d", name, got)
			}
		}
	}
}

// TestRealVocabTxt compares a real vocab.txt with the tokenizer.json beside it.
func TestRealVocabTxt(t *testing.T) {
	dir := needShared(t, "models/all-MiniLM-L6-v2")
	vocab, err := os.ReadFile(dir + "/vocab.txt")
	if err != nil {
		t.Skip("there is no vocab.txt to compare with")
	}
	want := openDir(t, dir)
	tok, err := Open(fstest.MapFS{"vocab.txt": {Data: vocab}})
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	for _, text := range fragments(t) {
		equal(t, "ids", text, mustEncode(t, tok, text, Options{}).IDs, mustEncode(t, want, text, Options{}).IDs)
	}
}

// TestRealBERT compares some ten thousand questions with the reference's ids.
func TestRealBERT(t *testing.T) {
	var words [][]string
	var ids [][]int32
	loadJSON(t, needShared(t, "golden/swift-transformers/basic_tokenized_questions.json"), &words)
	loadJSON(t, needShared(t, "golden/swift-transformers/tokenized_questions.json"), &ids)
	tok := openDir(t, needShared(t, "tokenizers/bert-base-uncased"))
	for i := 0; i < len(words); i += 10 {
		text := strings.Join(words[i], " ")
		equal(t, "ids", text, mustEncode(t, tok, text, Options{NoSpecial: true}).IDs, ids[i])
	}
	var cases map[string][]struct {
		Input   string
		Encoded struct {
			IDs []int32 `json:"input_ids"`
		}
		Decoded string `json:"decoded_with_special"`
	}
	loadJSON(t, needShared(t, "golden/swift-transformers/tokenizer_tests.json"), &cases)
	for _, c := range cases["bert-base-uncased"] {
		e := mustEncode(t, tok, c.Input, Options{})
		equal(t, "ids", c.Input, e.IDs, c.Encoded.IDs)
	}
}

func TestConfig(t *testing.T) {
	f, bare := loadFixture(t, "mpnet")
	if bare.PadID() != 1 || bare.EndID() != -1 {
		t.Errorf("without companions the padding id is %d and the end id %d", bare.PadID(), bare.EndID())
	}
	files := fstest.MapFS{
		"tokenizer.json": {Data: f.Tokenizer},
		"tokenizer_config.json": {Data: []byte(`{"model_max_length":1000000000000000019884624838656,"truncation_side":"left",
			"pad_token":"<pad>","eos_token":{"content":"</s>","lstrip":false},"additional_special_tokens":["lake"]}`)},
		"special_tokens_map.json": {Data: []byte(`{"bos_token":"<s>","pad_token":"</s>"}`)},
		"config.json":             {Data: []byte(`{"pad_token_id":2}`)},
	}
	tok, err := Open(files)
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	for what, c := range map[string][2]int32{
		"pad": {tok.PadID(), 1}, "end": {tok.EndID(), 2}, "start": {tok.StartID(), 0}, "unknown": {tok.UnknownID(), 3},
		"max length": {int32(tok.ModelMaxLength()), 0}, "size": {int32(tok.VocabSize()), tok.MaxID() + 1},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %d, want %d", what, c[0], c[1])
		}
	}
	lake, ok := tok.TokenID("lake")
	if !ok || !slices.Contains(tok.SpecialIDs(), lake) {
		t.Errorf("the named special token is not among %v", tok.SpecialIDs())
	}
	if e := mustEncode(t, tok, "the lake", Options{}); slices.Contains(e.IDs, lake) {
		t.Error("a named special token is found in text")
	}
	if !sort.SliceIsSorted(tok.SpecialIDs(), func(i, j int) bool { return tok.SpecialIDs()[i] < tok.SpecialIDs()[j] }) {
		t.Error("the special ids are not in order")
	}
	if e := mustEncode(t, tok, "one two three", Options{MaxLength: 3}); len(e.IDs) != 3 || !e.Truncated {
		t.Errorf("three tokens are %v", e.IDs)
	}

	// With broken companions the tokenizer works as without.
	for _, broken := range []string{"", "{", "[]", `{"model_max_length":"long","pad_token":7,"additional_special_tokens":{"a":1}}`, `{"model_max_length":-1}`} {
		tok, err := Open(fstest.MapFS{
			"tokenizer.json": {Data: f.Tokenizer}, "tokenizer_config.json": {Data: []byte(broken)},
			"special_tokens_map.json": {Data: []byte(broken)}, "config.json": {Data: []byte(broken)},
		})
		if err != nil {
			t.Errorf("%q: %v", broken, err)
			continue
		}
		if got := tok.ModelMaxLength(); got != 0 {
			t.Errorf("%q: the greatest length is %d", broken, got)
		}
		tok.Close()
	}
}

// TestAddedTokenIDs: an added token has the id that the library gives it, which is the next
// free one, whatever the file says.
func TestAddedTokenIDs(t *testing.T) {
	tok := fromBytes(t, section("added_tokens", `[{"id":900,"content":"<x>"},{"id":1,"content":"the"},{"id":7,"content":"<y>","special":true},{"id":7,"content":"<x>"}]`), definition.Config{})
	e := mustEncode(t, tok, "<x> the <y>", Options{ParseSpecial: true, Attributes: true})
	if want := []string{"<x>", "the", "<y>"}; !slices.Equal(e.Tokens, want) {
		t.Errorf("the tokens are %q (ids %v), want %q", e.Tokens, e.IDs, want)
	}
	if want := []int32{5, 1, 6}; !slices.Equal(e.IDs, want) {
		t.Errorf("the ids are %v, want %v", e.IDs, want)
	}
}

// TestLimitErrors sets lengths that leave no room for text.
func TestLimitErrors(t *testing.T) {
	_, tok := loadFixture(t, "roberta")
	for length, want := range map[int]string{-1: "negative", 1: "no room", 2: "no room"} {
		if _, err := tok.Encode("a", Options{MaxLength: length}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("at most %d tokens: %v", length, err)
		}
	}
	if _, err := tok.EncodePair("a", "b", Options{MaxLength: 4}); err == nil || !strings.Contains(err.Error(), "raise it to 5") {
		t.Errorf("at most 4 tokens of a pair: %v", err)
	}
	if e, err := tok.Encode("a", Options{MaxLength: 1, NoSpecial: true}); err != nil || len(e.IDs) != 1 {
		t.Errorf("one token: %v, %v", e.IDs, err)
	}
	post := `{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}}],"special_tokens":{}}`
	single := fromBytes(t, section("post_processor", post), definition.Config{})
	if _, err := single.EncodePair("a", "b", Options{}); err == nil || !strings.Contains(err.Error(), "no template for two texts") {
		t.Errorf("a pair without a template: %v", err)
	}
}

// TestStopsEarly makes sure that only a part of a long text is encoded if only its
// beginning, or its end, is wanted. Encoding a tenth of it must take longer.
func TestStopsEarly(t *testing.T) {
	f, right := loadFixture(t, "roberta")
	left := fromBytes(t, f.Tokenizer, definition.Config{TruncationSide: "left"})
	text := strings.Repeat("the kettle sings before the water boils ", 100_000)
	for _, tok := range []*Tokenizer{right, left} {
		start := cpu()
		e := mustEncode(t, tok, text, Options{MaxLength: 256})
		early := cpu()
		mustEncode(t, tok, text[:len(text)/10], Options{})
		if took, whole := early-start, cpu()-early; took > whole {
			t.Errorf("256 tokens of %d bytes took %.2f s of processor time, all of a tenth %.2f s", len(text), took, whole)
		}
		if len(e.IDs) != 256 || !e.Truncated || e.Dropped == 0 || e.Dropped > 10_000 {
			t.Errorf("%d tokens, %d dropped, truncated %v", len(e.IDs), e.Dropped, e.Truncated)
		}
	}
}

// TestNativeJSON makes sure that the library gets valid JSON, without the parts that we
// handle ourselves.
func TestNativeJSON(t *testing.T) {
	for _, name := range fixtureNames {
		_, tok := loadFixture(t, name)
		for _, protect := range []bool{false, true} {
			var v map[string]any
			if err := json.Unmarshal(tok.file.Native(protect), &v); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, key := range []string{"truncation", "padding", "post_processor"} {
				if value, ok := v[key]; !ok || value != nil {
					t.Errorf("%s: %s is %v", name, key, value)
				}
			}
		}
	}
}
