package tokenizer

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var vocabularies = flag.String("vocabularies", "", "another folder with NAME.gguf, NAME.gguf.inp and NAME.gguf.out")

// vocabularyFolders lists where vocabulary files with expected ids lie.
func vocabularyFolders(t testing.TB) []string {
	folders := []string{needShared(t, "ggml-vocab")}
	if *vocabularies != "" {
		folders = append(folders, *vocabularies)
	}
	return folders
}

// expected is the texts of a .inp file and the ids of the .out file beside it.
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

func openVocabulary(t testing.TB, v Vocabulary) *Tokenizer {
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
