package nn

import (
	"bytes"
	"io"
	"slices"
	"testing"
)

// TestRepeated: blocks come several times, however the bytes are read.
func TestRepeated(t *testing.T) {
	src := []byte("aabbcc")
	want := []byte("aaaaaabbbbbbcccccc")
	r := repeated{bytes.NewReader(src), 2, 3}
	for n := 1; n <= len(want); n++ {
		var got []byte
		for off := 0; off < len(want); off += n {
			p := make([]byte, min(n, len(want)-off))
			if k, err := r.ReadAt(p, int64(off)); err != nil || k != len(p) {
				t.Fatalf("%d bytes from %d: %d, %v", len(p), off, k, err)
			}
			got = append(got, p...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("in parts of %d: %s", n, got)
		}
	}
	if k, err := r.ReadAt(make([]byte, 4), 16); k != 2 || err != io.EOF {
		t.Errorf("beyond the end: %d, %v", k, err)
	}
}
