package texts

import (
	"fmt"
	"testing"
)

func BenchmarkCompare2000(b *testing.B) {
	vectors := make([][]float32, MostCompared)
	for i := range vectors {
		text := fmt.Sprintf("the text %d of many", i*i)
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
