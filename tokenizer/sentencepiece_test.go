package tokenizer

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// sentencePieceFolder is a checkpoint's folder that has only a SentencePiece model.
func sentencePieceFolder(model []byte, family string) fstest.MapFS {
	return fstest.MapFS{"tokenizer.model": {Data: model}, "config.json": {Data: []byte(`{"model_type":"` + family + `"}`)}}
}

func sentencePieceModel(t testing.TB, family string) []byte {
	t.Helper()
	data, err := os.ReadFile("testdata/sentencepiece/" + family + ".model")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSentencePieceFiles: ids are those of SentencePiece with the family's numbers. Llama's
// reference starts again after a token in the text, so its ids are those of transformers
// 4.57. The files are small models trained for this test.
func TestSentencePieceFiles(t *testing.T) {
	for _, family := range []string{"llama", "gemma", "xlm-roberta", "deberta-v2"} {
		tok, err := Open(sentencePieceFolder(sentencePieceModel(t, family), family))
		if err != nil {
			t.Errorf("%s: %v", family, err)
			continue
		}
		defer tok.Close()
		data, err := os.ReadFile("testdata/sentencepiece/" + family + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var rows [][2]json.RawMessage
		if err := json.Unmarshal(data, &rows); err != nil || len(rows) < 50 {
			t.Fatalf("%s: %d rows, %v", family, len(rows), err)
		}
		for _, r := range rows {
			var text string
			var want []int32
			if json.Unmarshal(r[0], &text) != nil || json.Unmarshal(r[1], &want) != nil {
				t.Fatalf("%s: %s", family, r)
			}
			if e, err := tok.Encode(text, Options{ParseSpecial: true}); err != nil || !slices.Equal(e.IDs, want) {
				t.Errorf("%s: %q: %v, want %v; %v", family, text, e.IDs, want, err)
			}
		}
	}
}

// TestDeBERTaPieces: a text of DeBERTa v3 has [MASK] behind the model's own tokens, a pair
// has the types 0 and 1, and settings that change the ids are refused.
func TestDeBERTaPieces(t *testing.T) {
	files := fstest.MapFS{"spm.model": {Data: sentencePieceModel(t, "deberta-v2")}, "tokenizer_config.json": {Data: []byte(`{"tokenizer_class":"DebertaV2Tokenizer"}`)}}
	tok, err := Open(files)
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	e, err := tok.EncodePair("the [MASK]", "key", Options{ParseSpecial: true, Attributes: true})
	if err != nil || e.IDs[0] != 1 || !slices.Contains(e.IDs, 600) || e.IDs[len(e.IDs)-1] != 2 {
		t.Fatalf("%v %q, %v", e.IDs, e.Tokens, err)
	}
	middle := slices.Index(e.IDs, 2)
	for i, typ := range e.Types {
		if want := i > middle; (typ == 1) != want {
			t.Errorf("token %d, %q, has the type %d", i, e.Tokens[i], typ)
		}
	}
	files["tokenizer_config.json"] = &fstest.MapFile{Data: []byte(`{"tokenizer_class":"DebertaV2Tokenizer","split_by_punct":true}`)}
	if _, err := Open(files); err == nil || !strings.Contains(err.Error(), "split_by_punct") {
		t.Errorf("a setting that is not read: %v", err)
	}
}

// TestSentencePieceRoles: a text begins as the settings beside the model say, and tokens
// that other files list have ids after those of the model.
func TestSentencePieceRoles(t *testing.T) {
	files := sentencePieceFolder(sentencePieceModel(t, "llama"), "llama")
	files["tokenizer_config.json"] = &fstest.MapFile{Data: []byte(`{"add_bos_token":false}`)}
	files["added_tokens.json"] = &fstest.MapFile{Data: []byte(`{"<extra>":700}`)}
	tok, err := Open(files)
	if err != nil {
		t.Fatal(err)
	}
	defer tok.Close()
	e, err := tok.Encode("the<extra>", Options{ParseSpecial: true, Attributes: true})
	if err != nil || len(e.IDs) == 0 || e.Tokens[0] == "<s>" || e.IDs[len(e.IDs)-1] != 700 {
		t.Errorf("%v %q, %v", e.IDs, e.Tokens, err)
	}
}

// TestSentencePieceHostile: a file that is no model, or that is cut off at any byte, is
// refused with a sentence or read.
func TestSentencePieceHostile(t *testing.T) {
	whole := sentencePieceModel(t, "llama")
	for cut := range len(whole) {
		if tok, err := Open(sentencePieceFolder(whole[:cut], "llama")); err == nil {
			tok.Close()
		} else if !strings.Contains(err.Error(), "tokenizer.model") {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	for name, c := range map[string]struct{ model, family, want string }{
		"nothing":            {"", "llama", "no tokens"},
		"JSON":               {`{"a":1}`, "llama", ""},
		"a text":             {"version https://example.org", "llama", ""},
		"a length of 2^63":   {"\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "llama", "middle of a value"},
		"an endless number":  {"\x18" + strings.Repeat("\xff", 20), "llama", "middle of a value"},
		"field 0":            {"\x02\x00", "llama", "middle of a value"},
		"a group":            {"\x0b", "llama", "not a SentencePiece model"},
		"a kind of words":    {"\x0a\x03\x0a\x01a\x12\x02\x18\x03", "llama", "kind 3"},
		"unigram of another": {string(sentencePieceModel(t, "xlm-roberta")), "t5", "tokenizer.json"},
		"two tokens":         {"\x0a\x03\x0a\x01a\x0a\x03\x0a\x01b", "xlm-roberta", "three at the beginning"},
	} {
		_, err := Open(sentencePieceFolder([]byte(c.model), c.family))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "tokenizer.model") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	files := sentencePieceFolder(whole, "llama")
	files["added_tokens.json"] = &fstest.MapFile{Data: []byte(`{"<extra>":900}`)}
	if _, err := Open(files); err == nil || !strings.Contains(err.Error(), "ends at 699") {
		t.Errorf("a gap: %v", err)
	}
}

func FuzzSentencePiece(f *testing.F) {
	for _, family := range []string{"llama", "gemma", "xlm-roberta"} {
		f.Add(sentencePieceModel(f, family), family)
	}
	f.Fuzz(func(t *testing.T, model []byte, family string) {
		if strings.ContainsAny(family, "\"\\") || len(model) > 1<<16 {
			return
		}
		tok, err := Open(sentencePieceFolder(model, family))
		if err != nil {
			return
		}
		defer tok.Close()
		if e, err := tok.Encode("the lamp 漢 \x00", Options{}); err == nil {
			_, _ = tok.Decode(e.IDs, true)
		}
	})
}
