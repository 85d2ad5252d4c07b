package tokenizer

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"inglenook/tokenizer/rawjson"
)

// byteFiles returns the two files of a byte-level vocabulary with every byte and a few
// merges.
func byteFiles(special ...string) fstest.MapFS {
	var vocab []string
	for id, token := range append(special, append(alphabet(), "th", "the", "Ġthe", "er")...) {
		vocab = append(vocab, fmt.Sprintf("%s:%d", rawjson.Quote(nil, token), id))
	}
	return fstest.MapFS{
		"vocab.json": {Data: []byte("{" + strings.Join(vocab, ",") + "}")},
		"merges.txt": {Data: []byte("#version: 0.2\nt h\nth e\nĠ the\ne r\n")},
	}
}

// alphabet lists the characters that represent the 256 bytes.
func alphabet() (all []string) {
	next := rune(256)
	for b := range 256 {
		if b > 0x20 && b < 0x7F || b > 0xA0 && b != 0xAD {
			all = append(all, string(rune(b)))
		} else {
			all = append(all, string(next))
			next++
		}
	}
	return all
}

// TestByteLevelFiles: vocab.json and merges.txt become a tokenizer of the class that the
// configuration names.
func TestByteLevelFiles(t *testing.T) {
	gpt2 := byteFiles("<|endoftext|>")
	roberta := byteFiles("<s>", "<pad>", "</s>", "<unk>", "<mask>")
	roberta["tokenizer_config.json"] = &fstest.MapFile{Data: []byte(`{"tokenizer_class":"RobertaTokenizer"}`)}
	qwen := byteFiles()
	qwen["config.json"] = &fstest.MapFile{Data: []byte(`{"model_type":"qwen2"}`)}
	for _, c := range []struct {
		name  string
		files fs.FS
		want  []string
	}{
		{"GPT-2", gpt2, []string{"the", "r", "e", "Ġthe", "<|endoftext|>"}},
		{"RoBERTa", roberta, []string{"<s>", "the", "r", "e", "Ġthe", "</s>"}},
		{"Qwen", qwen, []string{"the", "r", "e", "Ġthe", "<|endoftext|>"}},
	} {
		tok, err := Open(c.files)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		defer tok.Close()
		text := "there the"
		if c.name != "RoBERTa" {
			text += "<|endoftext|>" // which RoBERTa does not have
		}
		e, err := tok.Encode(text, Options{ParseSpecial: true, Attributes: true})
		if err != nil || !slices.Equal(e.Tokens, c.want) {
			t.Errorf("%s: %q, %v", c.name, e.Tokens, err)
		}
		if got, err := tok.Decode(e.IDs, true); err != nil || got != "there the" {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

// TestByteLevelFilesHostile: broken files are refused with a sentence.
func TestByteLevelFilesHostile(t *testing.T) {
	for vocab, want := range map[string]string{
		``: "", `[]`: "not a table", `{"a":"b"}`: "not a table", `{"a":1.5}`: "not a table", `{"a":-1}`: "", `{"a":99999999}`: "",
	} {
		files := byteFiles()
		files["vocab.json"].Data = []byte(vocab)
		if _, err := Open(files); err == nil || !strings.Contains(err.Error(), "can't be used") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", vocab, err)
		}
	}
	for merges, want := range map[string]string{"a": "line 1", "a b c": "line 1", "t h\n x": "line 2", "t zz": "zz"} {
		files := byteFiles()
		files["merges.txt"].Data = []byte(merges)
		if _, err := Open(files); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", merges, err)
		}
	}
	whole := byteFiles("<|endoftext|>")
	for _, name := range []string{"vocab.json", "merges.txt"} {
		data := whole[name].Data
		for cut := 0; cut < len(data); cut += 7 {
			files := byteFiles("<|endoftext|>")
			files[name].Data = data[:cut]
			if tok, err := Open(files); err == nil {
				tok.Close()
			}
		}
	}
	other := byteFiles()
	other["tokenizer_config.json"] = &fstest.MapFile{Data: []byte(`{"tokenizer_class":"CLIPTokenizer"}`)}
	if _, err := Open(other); err == nil || !strings.Contains(err.Error(), "CLIPTokenizer") {
		t.Errorf("another class: %v", err)
	}
	delete(other, "merges.txt")
	if _, err := Open(other); err == nil || !strings.Contains(err.Error(), "merges.txt") {
		t.Errorf("without merges: %v", err)
	}
}

// TestByteLevelFilesLikeJSON: with published models, the two files lead to the same ids as
// the tokenizer.json beside them.
func TestByteLevelFilesLikeJSON(t *testing.T) {
	config := map[string]string{
		"gpt2": `{"tokenizer_class":"GPT2Tokenizer"}`, "roberta-base": `{"tokenizer_class":"RobertaTokenizer"}`, "qwen2.5": "",
	}
	for name, settings := range config {
		dir := filepath.Join("..", "..", "shared", "tokenizers", name)
		if _, err := os.Stat(filepath.Join(dir, "merges.txt")); err != nil {
			t.Logf("skipped: %s is not at hand in ../shared/tokenizers", name)
			continue
		}
		files := fstest.MapFS{}
		for _, file := range []string{"vocab.json", "merges.txt", "tokenizer_config.json"} {
			if data, err := os.ReadFile(filepath.Join(dir, file)); err == nil {
				files[file] = &fstest.MapFile{Data: data}
			}
		}
		if settings != "" {
			files["tokenizer_config.json"] = &fstest.MapFile{Data: []byte(settings)}
		}
		slow, err := Open(files)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		defer slow.Close()
		fast, err := Open(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		defer fast.Close()
		count := 0
		for _, text := range manyTexts() {
			o := Options{ParseSpecial: name != "gpt2"} // whose tokenizer.json here lists no control token
			a, errA := slow.Encode(text, o)
			b, errB := fast.Encode(text, o)
			if errA != nil || errB != nil || !slices.Equal(a.IDs, b.IDs) {
				t.Fatalf("%s: %q: %v and %v (%v, %v)", name, text, a.IDs, b.IDs, errA, errB)
			}
			count++
		}
		t.Logf("%s: %d texts have the same ids", name, count)
	}
}

// manyTexts joins parts that vocabularies treat differently.
func manyTexts() (all []string) {
	parts := []string{"The", " cat's", " don't", "  two", "\n\n", "\t", "123", " 4567", "é", "e\u0301", "日本語", "😀👍🏽", "ﬁ", "İ", "ß", "<s>", "</s>", "<|endoftext|>", "<|im_start|>", "<mask>", " <mask>", "\u00a0", "…", "snake_case", "x=1;", "кошка"}
	for _, a := range parts {
		for _, b := range parts {
			all = append(all, a+b, a+" "+b)
		}
	}
	return all
}

func FuzzByteLevelFiles(f *testing.F) {
	files := byteFiles("<|endoftext|>")
	f.Add(files["vocab.json"].Data, files["merges.txt"].Data, "the")
	f.Fuzz(func(t *testing.T, vocab, merges []byte, text string) {
		tok, err := Open(fstest.MapFS{"vocab.json": {Data: vocab}, "merges.txt": {Data: merges}})
		if err != nil {
			return
		}
		defer tok.Close()
		if _, err := tok.Encode(text, Options{}); err != nil {
			t.Fatal(err)
		}
	})
}
