package tokenizer

import (
	"os"
	"path/filepath"
	"testing"

	"inglenook/tokenizer/definition"
)

func BenchmarkOpen(b *testing.B) {
	for _, name := range []string{"models/all-MiniLM-L6-v2", "tokenizers/roberta-base", "tokenizers/t5-small", "tokenizers/qwen3"} {
		b.Run(filepath.Base(name), func(b *testing.B) {
			dir := os.DirFS(needShared(b, name))
			for b.Loop() {
				t, err := Open(dir)
				if err != nil {
					b.Fatal(err)
				}
				t.Close()
			}
		})
	}
}

func BenchmarkReadFile(b *testing.B) {
	data, err := os.ReadFile(needShared(b, "models/all-MiniLM-L6-v2/tokenizer.json"))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := definition.Read(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	t := openDir(b, needShared(b, "models/all-MiniLM-L6-v2"))
	for b.Loop() {
		if _, err := t.Encode("A man is playing a guitar on the stage of a small theatre.", Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTokenBytes makes the table of 151,669 tokens.
func BenchmarkTokenBytes(b *testing.B) {
	t := openDir(b, needShared(b, "tokenizers/qwen3"))
	for b.Loop() {
		t.makeByteTable()
	}
}

// BenchmarkFromVocabulary opens vocabularies of GGUF files.
func BenchmarkFromVocabulary(b *testing.B) {
	for _, folder := range vocabularyFolders(b) {
		files, _ := filepath.Glob(filepath.Join(folder, "*.gguf"))
		for _, path := range files {
			b.Run(filepath.Base(path), func(b *testing.B) {
				v := readVocabulary(b, path)
				start := cpu()
				for b.Loop() {
					t, err := FromVocabulary(v)
					if err != nil {
						b.Fatal(err)
					}
					t.Close()
				}
				b.ReportMetric((cpu()-start)/float64(b.N), "cpu-s/op")
			})
		}
	}
}
