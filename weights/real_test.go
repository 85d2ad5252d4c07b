package weights

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"os"
	"testing"
)

// openReal opens the MiniLM checkpoint beside the repository.
func openReal(t testing.TB, o Options) *Set {
	t.Helper()
	const dir = "../../shared/models/all-MiniLM-L6-v2"
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("all-MiniLM-L6-v2 is not beside the repository")
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	s, err := Open(root.FS(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestRealCheckpoint(t *testing.T) {
	for _, noMap := range []bool{false, true} {
		s := openReal(t, Options{NoMap: noMap})
		if mapped := s.files[0].mapped != nil; mapped == noMap {
			t.Errorf("NoMap %v: mapped %v", noMap, mapped)
		}
		if n := len(s.Names()); n != 104 {
			t.Errorf("%d tensors, want 104", n)
		}
		c := s.Scope()
		words := c.Matrix("embeddings.word_embeddings.weight", 0, 384)
		c.In("encoder").In("layer.5").Vector("output.LayerNorm.weight", 384)
		if err := c.Err(); err != nil {
			t.Fatal(err)
		}
		if words.Rows != 30522 {
			t.Errorf("%d words", words.Rows)
		}
		row := make([]byte, 4*384)
		if _, err := words.Source().ReadAt(row, 101*4*384); err != nil {
			t.Fatal(err)
		}
		norm := 0.0
		for i := 0; i < len(row); i += 4 {
			v := float64(math.Float32frombits(binary.LittleEndian.Uint32(row[i:])))
			norm += v * v
		}
		if norm = math.Sqrt(norm); !(norm > 0.1 && norm < 10) {
			t.Errorf("the row of [CLS] has the length %g", norm)
		}
		if _, err := s.Tensor("embeddings.position_ids"); err == nil {
			t.Error("I64 numbers were offered as a weight")
		} else {
			t.Log(err)
		}
	}
}

func BenchmarkRead(b *testing.B) {
	for _, noMap := range []bool{false, true} {
		name := map[bool]string{false: "mapped", true: "read"}[noMap]
		b.Run(name, func(b *testing.B) {
			s := openReal(b, Options{NoMap: noMap})
			f := s.files[0]
			p := make([]byte, f.size)
			b.SetBytes(f.size)
			for b.Loop() {
				if _, err := f.ReadAt(p, 0); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		openReal(b, Options{}).Close()
	}
}
