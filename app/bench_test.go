package app

import (
	"context"
	"testing"

	"inglenook/app/library"
)

// BenchmarkResolve measures how long each request takes to find its model.
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
