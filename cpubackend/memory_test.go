package cpubackend

import (
	"bytes"
	"io"
	"math"
	"strings"
	"testing"

	"inglenook/engine"
)

func TestMemory(t *testing.T) {
	b := open(t, Options{Threads: 1})
	for _, size := range []int{0, 1, 63, 4096, 1<<21 - 1, 1 << 21, 1<<22 + 5} {
		m, err := b.Alloc(size)
		if err != nil {
			t.Fatal(err)
		}
		size = max(size, 1)
		if len(m.Bytes()) != size || bytes.ContainsFunc(m.Bytes(), func(r rune) bool { return r != 0 }) {
			t.Errorf("%d bytes: got %d, or they are not zero", size, len(m.Bytes()))
		}
		m.Bytes()[size-1] = 7
		p := make([]byte, 1)
		if _, err := m.ReadAt(p, int64(size-1)); err != nil || p[0] != 7 {
			t.Errorf("%d bytes: the last reads as %d, %v", size, p[0], err)
		}
		if _, err := m.WriteAt([]byte{9}, int64(size-1)); err != nil || m.Bytes()[size-1] != 9 {
			t.Errorf("%d bytes: the last is not written, %v", size, err)
		}
		if n, err := m.ReadAt(make([]byte, 2), int64(size-1)); n != 1 || err != io.EOF {
			t.Errorf("%d bytes: reading past the end gives %d, %v", size, n, err)
		}
		for _, off := range []int64{-1, int64(size), math.MaxInt64} {
			if _, err := m.WriteAt([]byte{1}, off); err == nil {
				t.Errorf("%d bytes: a write at %d succeeds", size, off)
			}
		}
		for range 2 {
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		}
		if m.Bytes() != nil {
			t.Error("closed memory still has bytes")
		}
	}
}

func TestTooMuchMemoryIsAnError(t *testing.T) {
	b := open(t, Options{Threads: 1})
	for _, size := range []int{-1, 1 << 55, math.MaxInt} {
		if _, err := b.Alloc(size); err == nil || !strings.Contains(err.Error(), "bytes") {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
	g := engine.NewGraph()
	defer g.Close()
	w := engine.NewWeight("vast", engine.F32, 1<<26, 1<<26, strings.NewReader("x"))
	g.Want(g.Embed(w, g.Ints("ids", []int32{1})))
	if err := g.Prepare(t.Context(), nil, b); err == nil || !strings.Contains(err.Error(), "vast") {
		t.Errorf("a weight of 2^54 bytes: %v", err)
	}
}

func TestForeignArenaIsRefused(t *testing.T) {
	if err := open(t, Options{Threads: 1}).Submit(t.Context(), foreign{}, nil); err == nil {
		t.Error("an arena of another backend is accepted")
	}
}

type foreign struct{ engine.Buffer }
