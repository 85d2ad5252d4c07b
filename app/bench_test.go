package app

import (
	"context"
	"testing"

	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/app/texts"
)

// BenchmarkResolve is what each request pays for knowing its model.
func BenchmarkResolve(b *testing.B) {
	a, err := New(Options{Home: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close(context.Background())
	for b.Loop() {
		if _, err := a.Resolve(context.Background(), library.StarterEmbed); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCompare2000(b *testing.B) {
	vectors := make([][]float32, texts.MaxSimilarityTexts)
	for i, text := range measure.BenchTexts(len(vectors)) {
		vectors[i] = make([]float32, 384)
		for k := range vectors[i] {
			vectors[i][k] = float32(int(text[k%len(text)])*(k+1)%97) - 48
		}
	}
	goOn := func() error { return nil }
	for b.Loop() {
		v := texts.Normalized(vectors)
		if _, err := texts.Cosines(v, func(int) error { return nil }); err != nil {
			b.Fatal(err)
		}
		if _, _, err := texts.Project(v, goOn); err != nil {
			b.Fatal(err)
		}
	}
}
