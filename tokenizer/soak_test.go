//go:build soak

package tokenizer

import (
	"os"
	"path/filepath"
	"testing"
)

// The long forms of what make test tries a few times.

func TestSoakStreamEveryCut(t *testing.T) { everyCut(t, 10_000) }

func TestSoakStreamEveryCutOfVocabularies(t *testing.T) { everyCutOfVocabularies(t, 20_000) }

// TestSoakStreamEveryCutOfTokenizers runs the sweep over published tokenizers.
func TestSoakStreamEveryCutOfTokenizers(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(needShared(t, "tokenizers"), "*", "tokenizer.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no tokenizers", err)
	}
	for _, file := range files {
		dir := filepath.Dir(file)
		t.Run(filepath.Base(dir), func(t *testing.T) {
			tok, err := Open(os.DirFS(dir))
			if err != nil {
				t.Fatal(err)
			}
			defer tok.Close()
			checkEveryCut(t, tok, 10_000)
		})
	}
}

func TestSoakMutatedFiles(t *testing.T) {
	*mutations = 50_000
	TestMutatedFiles(t)
	TestMutatedVocabularies(t)
}
