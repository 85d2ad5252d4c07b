package tokenizer

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"inglenook/tokenizer/convert"
)

var vocabularies = flag.String("vocabularies", "", "another folder with NAME.gguf, NAME.gguf.inp and NAME.gguf.out")

func ids(t *testing.T, tok *Tokenizer, text string, o Options) (tokens []string) {
	t.Helper()
	for _, id := range mustEncode(t, tok, text, o).IDs {
		token, _ := tok.Token(id)
		tokens = append(tokens, token)
	}
	return tokens
}

// TestVocabulary checks the ids of a text with each kind of vocabulary, and the effect of
// the file's flags.
func TestVocabulary(t *testing.T) {
	yes, no := true, false
	with := func(v convert.Vocabulary, change func(*convert.Vocabulary)) convert.Vocabulary {
		change(&v)
		return v
	}
	parse, bare := Options{ParseSpecial: true}, Options{NoSpecial: true}
	for _, c := range []struct {
		name, text, want string
		o                Options
		v                convert.Vocabulary
	}{
		{"pieces", "ab a", "<s> ▁ab ▁a", Options{}, smallPieces()},
		{"pieces without ends", "ab  b", "▁ab ▁ ▁ b", bare, smallPieces()},
		{"pieces with both ends", "b", "<s> ▁ b </s>", Options{}, with(smallPieces(), func(v *convert.Vocabulary) { v.AddEOS = &yes })},
		{"pieces without a beginning", "b", "▁ b", Options{}, with(smallPieces(), func(v *convert.Vocabulary) { v.AddBOS = &no })},
		{"pieces without a space in front", "ab a", "ab ▁a", bare, with(smallPieces(), func(v *convert.Vocabulary) { v.AddSpacePrefix = &no })},
		{"bytes of what is no piece", "zé√", "▁ <0x7A> é <0xE2> <0x88> <0x9A>", bare, smallPieces()},
		{"the unknown token without bytes", "a√√a", "▁a <unk> a", bare, with(smallPieces(), func(v *convert.Vocabulary) {
			v.Tokens = append([]string{"<unk>", "<s>", "</s>"}, v.Tokens[259:]...)
			v.Types, v.Scores = append([]int32{2, 3, 3}, v.Types[259:]...), make([]float32, len(v.Tokens))
		})},
		{"better scores go first", "ab", "▁ ab", bare, with(smallPieces(), func(v *convert.Vocabulary) { v.Tokens[261], v.Scores[259] = "x", -300 })},
		{"of equal scores the lower id", "ab", "▁a b", bare, with(smallPieces(), func(v *convert.Vocabulary) { v.Tokens[261] = "x"; clear(v.Scores) })},
		{"a space after a control token too", "ab<s>ab", "▁ab <s> ▁ab", Options{NoSpecial: true, ParseSpecial: true}, smallPieces()},
		{"control tokens typed", "<s>", "▁ <0x3C> <0x73> <0x3E>", bare, smallPieces()},
		{"Phi-3's take the space behind them", "</s> \n ab", "<s> </s> ▁ab", parse, with(smallPieces(), func(v *convert.Vocabulary) { v.Architecture = "phi3" })},
		{"pieces with merges", "ab a", "ab ▁a", Options{}, smallMerged()},
		{"placeholders stay text", "[PAD263]", "▁ <0x5B> <0x50> <0x41> <0x44> <0x32> <0x36> <0x33> <0x5D>", bare, with(smallPieces(), func(v *convert.Vocabulary) { v.Tokens[263], v.Types[263] = "[PAD263]", 4 })},

		{"byte level", "ab ab", "ab Ġ ab", Options{}, smallBytes()},
		{"byte level with ends", "ab", "<|end|> ab <|end|>", Options{}, with(smallBytes(), func(v *convert.Vocabulary) { v.BOS, v.EOS, v.AddBOS, v.AddEOS = 259, 259, &yes, &yes })},
		{"Llama 3 begins its texts", "ab", "<|end|> ab", Options{}, with(smallBytes(), func(v *convert.Vocabulary) { v.BOS, v.Pre = 259, "llama-bpe" })},
		{"user-defined tokens are found always", "a<tool>b<|end|>", "a <tool> b < | e n d | >", bare, smallBytes()},
		{"control tokens if asked", "a<tool>b<|end|>", "a <tool> b <|end|>", parse, smallBytes()},
		{"an end of turn is a control token", "<|end|>", "< | e n d | >", bare, with(smallBytes(), func(v *convert.Vocabulary) { v.Types = nil })},

		{"words", "The Thes x", "[CLS] the the ##s [UNK] [SEP]", Options{}, with(smallWords(), func(v *convert.Vocabulary) {
			v.Tokens, v.Types = append(v.Tokens, "▁√a"), append(v.Types, 1)
		})},
		{"words with capitals", "The the", "[CLS] [UNK] the [SEP]", Options{}, with(smallWords(), func(v *convert.Vocabulary) {
			v.Tokens, v.Types = append(v.Tokens, "▁A"), append(v.Types, 1)
		})},
		{"words said to be in lower case", "THE É é", "[CLS] the [UNK] [UNK] [SEP]", Options{}, with(smallWords(), func(v *convert.Vocabulary) { v.Lowercase = &yes })},
		{"words with accents", "THE É é", "[CLS] the é é [SEP]", Options{}, with(smallWords(), func(v *convert.Vocabulary) { v.StripAccents = &no })},
		{"words as in vocab.txt", "as", "[CLS] a ##s [SEP]", Options{}, with(smallWords(), func(v *convert.Vocabulary) {
			v.Tokens = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "a", "##b", "##s", "é"}
		})},

		{"unigram", "ab a", "▁ ab ▁a </s>", Options{}, with(smallUnigram(), func(v *convert.Vocabulary) { v.Scores[6] = -4.5 })},
		{"unigram, many spaces", "a   a", "▁a ▁ ▁ ▁a", bare, smallUnigram()},
		{"unigram, spaces joined", " a   a ", "▁a ▁a", bare, with(smallUnigram(), func(v *convert.Vocabulary) { v.RemoveExtraWhitespaces = &yes })},
		{"unigram without a space in front", "ab a", "ab ▁a", bare, with(smallUnigram(), func(v *convert.Vocabulary) { v.AddSpacePrefix = &no })},
	} {
		t.Run(c.name, func(t *testing.T) {
			tok := openVocabulary(t, c.v)
			equal(t, "tokens", c.text, ids(t, tok, c.text, c.o), strings.Fields(c.want))
		})
	}
}

// TestVocabularyPieces: cutting long texts does not change ids.
func TestVocabularyPieces(t *testing.T) {
	llama3 := smallBytes()
	llama3.Pre = "llama-bpe"
	for _, v := range append(smallVocabularies(), llama3) {
		tok := openVocabulary(t, v)
		if !tok.cutter.Space {
			t.Errorf("texts for a vocabulary of the kind %s are cut anywhere", v.Model)
		}
		checkPieces(t, tok, 20)
		checkTypedControl(t, tok)
		checkChat(t, tok)
		checkTokenBytes(t, tok)
	}
}

// TestVocabularySays checks the other properties of a vocabulary.
func TestVocabularySays(t *testing.T) {
	v := smallBytes()
	v.Pre, v.Architecture, v.ChatTemplate = "", "falcon", "{{ messages }}"
	v.BOS, v.EOS, v.PAD, v.UNK = 259, 70_000, 260, -5
	tok := openVocabulary(t, v)
	if tok.ChatTemplate() != v.ChatTemplate || tok.StartID() != 259 || tok.EndID() != -1 || tok.PadID() != 260 {
		t.Errorf("template %q, start %d, end %d, padding %d", tok.ChatTemplate(), tok.StartID(), tok.EndID(), tok.PadID())
	}
	if w := strings.Join(tok.Warnings(), "\n"); len(tok.Warnings()) != 3 || !strings.Contains(w, "the way of falcon") || !strings.Contains(w, "70000") || !strings.Contains(w, "-5") {
		t.Errorf("warnings: %s", w)
	}
	if id, ok := tok.TokenID("<|end|>"); !ok || id != 259 || !slices.Contains(tok.SpecialIDs(), 259) || slices.Contains(tok.SpecialIDs(), 260) {
		t.Errorf("<|end|> is %d, %v; special are %v", id, ok, tok.SpecialIDs())
	}
	pair, err := openVocabulary(t, smallWords()).EncodePair("the", "as", Options{})
	equal(t, "pair", "", pair.IDs, []int32{2, 4, 3, 5, 7, 3})
	equal(t, "types", "", pair.Types, []int32{0, 0, 0, 1, 1, 1})
	if err != nil {
		t.Error(err)
	}
}

// vocabularyFolders lists where vocabulary files with expected ids lie.
func vocabularyFolders(t testing.TB) []string {
	folders := []string{needShared(t, "ggml-vocab")}
	if *vocabularies != "" {
		folders = append(folders, *vocabularies)
	}
	return folders
}

// expected returns the texts of a .inp file and the ids of the .out file beside it.
func expected(t testing.TB, path string) (texts []string, ids [][]int32) {
	t.Helper()
	in, err := os.ReadFile(path + ".inp")
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.ReadFile(path + ".out")
	if err != nil {
		t.Fatal(err)
	}
	texts = strings.Split(string(in), "\n__ggml_vocab_test__\n")
	if n := len(texts) - 1; texts[n] == "" || texts[n] == "\n" { // the last one is ended by the separator too
		texts = texts[:n]
	}
	for line := range strings.Lines(string(out)) {
		var list []int32
		for field := range strings.FieldsSeq(line) {
			n, err := strconv.ParseInt(field, 10, 32)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, int32(n))
		}
		ids = append(ids, list)
	}
	if len(texts) != len(ids) {
		t.Fatalf("%s has %d texts and %d lines of ids", path, len(texts), len(ids))
	}
	return texts, ids
}

func openVocabulary(t testing.TB, v convert.Vocabulary) *Tokenizer {
	t.Helper()
	tok, err := FromVocabulary(v)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tok.Close() })
	return tok
}

// TestVocabularyFiles compares the ids of real vocabulary files.
func TestVocabularyFiles(t *testing.T) {
	for _, folder := range vocabularyFolders(t) {
		files, _ := filepath.Glob(filepath.Join(folder, "*.gguf"))
		for _, path := range files {
			t.Run(strings.TrimSuffix(filepath.Base(path), ".gguf"), func(t *testing.T) {
				v := readVocabulary(t, path)
				start := cpu()
				tok := openVocabulary(t, v)
				opened := cpu() - start
				t.Run("bytes", func(t *testing.T) { checkTokenBytes(t, tok) })
				t.Run("control tokens", func(t *testing.T) { checkTypedControl(t, tok); checkChat(t, tok) })
				t.Run("pieces", func(t *testing.T) { checkPieces(t, tok, 15) })
				t.Run("book", func(t *testing.T) { checkBook(t, tok) })
				if _, err := os.Stat(path + ".out"); err != nil {
					t.Logf("%d tokens opened in %.2f s of CPU; nothing to compare with", tok.VocabSize(), opened)
					return
				}
				texts, want := expected(t, path)
				same := 0
				for i, text := range texts {
					got := mustEncode(t, tok, text, Options{NoSpecial: true}).IDs
					if slices.Equal(got, want[i]) {
						same++
						continue
					}
					t.Errorf("%.80q:\n got %v\nwant %v", text, got, want[i])
				}
				t.Logf("%d tokens opened in %.2f s of CPU; %d of %d lines equal; %q", tok.VocabSize(), opened, same, len(texts), tok.Warnings())
			})
		}
	}
}
