package nn

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
	"testing"

	"inglenook/engine"
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

// TestFading: every distance within a text has the bias of its own, in both directions.
func TestFading(t *testing.T) {
	slopes := []float32{0.5, 0.25, 1. / 3}
	for _, tokens := range []int{1, 2, 7, 300} {
		w, farthest := NewFading(slopes, tokens)
		for d := 1 - tokens; d < tokens; d++ {
			row := make([]float32, len(slopes))
			at := engine.RelativeBucket(d, w.Rows, farthest) * w.DType.RowBytes(w.Cols)
			if err := binary.Read(io.NewSectionReader(w.Source(), int64(at), int64(4*len(row))), binary.NativeEndian, row); err != nil {
				t.Fatal(err)
			}
			for head, slope := range slopes {
				if want := -slope * float32(max(d, -d)); row[head] != want {
					t.Errorf("%d tokens, distance %d: %v, want %v", tokens, d, row[head], want)
				}
			}
		}
	}
}

// TestNear: tokens up to the reach have a bias of 0, others one that hides them.
func TestNear(t *testing.T) {
	for _, reach := range []int{1, 2, 8, 256} {
		w, farthest := NewNear(2, reach)
		for d := -3 * reach; d <= 3*reach; d++ {
			row := make([]byte, w.DType.RowBytes(w.Cols))
			if _, err := w.Source().ReadAt(row, int64(engine.RelativeBucket(d, w.Rows, farthest)*len(row))); err != nil {
				t.Fatal(err)
			}
			seen := !slices.ContainsFunc(row, func(b byte) bool { return b != 0 })
			if want := d >= -reach && d <= reach; seen != want {
				t.Errorf("reach %d, distance %d: seen is %v", reach, d, seen)
			}
		}
	}
}
