package app

import (
	"context"
	"testing"
)

// BenchmarkResolve is what each request pays for knowing its model.
func BenchmarkResolve(b *testing.B) {
	a, err := New(Options{Home: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close(context.Background())
	for b.Loop() {
		if _, err := a.Resolve(context.Background(), StarterEmbed); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompare2000(b *testing.B) {
	vectors := make([][]float32, maxSimilarityTexts)
	for i, text := range benchTexts(len(vectors)) {
		vectors[i] = make([]float32, 384)
		for k := range vectors[i] {
			vectors[i][k] = float32(int(text[k%len(text)])*(k+1)%97) - 48
		}
	}
	goOn := func() error { return nil }
	for b.Loop() {
		v := normalized(vectors)
		if _, err := cosines(v, func(int) error { return nil }); err != nil {
			b.Fatal(err)
		}
		if _, _, err := project(v, goOn); err != nil {
			b.Fatal(err)
		}
	}
}
