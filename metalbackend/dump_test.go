package metalbackend

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/metalbackend/fake"
)

// dump writes dispatches as text, a line each: kernel, constants, grid, threads,
// threadgroup memory, arguments as words, and what is bound.
func dump(l *lowering, p func(*dispatch) *pipeline) string {
	var s strings.Builder
	var h hazards
	for i := range l.dispatches {
		d := &l.dispatches[i]
		if written := p(d).written; h.clash(d, written) {
			s.WriteString("barrier\n")
			h.barrier()
			h.note(d, written)
		} else {
			h.note(d, written)
		}
		fmt.Fprintf(&s, "%s", d.kernel.name)
		for _, c := range d.kernel.constants {
			if c.index != 0 {
				fmt.Fprintf(&s, " %d=%d", c.index, c.value)
			}
		}
		fmt.Fprintf(&s, " over %d×%d×%d of %d", d.groups[0], d.groups[1], d.groups[2], d.threads)
		for i, n := range d.shared {
			if n > 0 {
				fmt.Fprintf(&s, " shared[%d]=%d", i, n)
			}
		}
		for i, r := range d.bindings {
			switch {
			case r.bytes == 0:
			case r.memory == nil && i == 0:
				fmt.Fprintf(&s, " (%v)", words(l.inline[r.offset:][:r.bytes]))
			case r.memory == nil:
				fmt.Fprintf(&s, " %d:inline %d", i, r.bytes)
			default:
				fmt.Fprintf(&s, " %d:%s %d+%d", i, l.kind(r.memory), r.offset, r.bytes)
			}
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// words are arguments: floats, unless they look like small integers.
func words(b []byte) string {
	var out []string
	for i := 0; i < len(b); i += 4 {
		n := *(*int32)(unsafe.Pointer(&b[i]))
		if f := *(*float32)(unsafe.Pointer(&b[i])); f > 1e-30 || f < 0 { // no integer of ours: those are below 2²⁸, or not a number
			out = append(out, fmt.Sprintf("%g", f))
		} else {
			out = append(out, fmt.Sprint(n))
		}
	}
	return strings.Join(out, " ")
}

func (l *lowering) kind(m *memory) string {
	switch {
	case m == l.arena:
		return "arena"
	case m == l.working.memory:
		return "scratch"
	case m.fixed:
		return "weight"
	}
	return "cache"
}

// TestDispatches holds the dispatches of one layer of a decoder and one of an
// encoder to those in testdata, as they were reviewed: UPDATE=1 writes them anew.
func TestDispatches(t *testing.T) {
	decoder := enginetest.Decoder{Layers: 1, Hidden: 256, Heads: 4, KVHeads: 2, Inner: 512, Vocab: 512, Weights: engine.Q4_K, Cache: engine.F16, Capacity: 32}
	for name, record := range map[string]func(g *engine.Graph){
		"decoder": func(g *engine.Graph) { decoder.Load().Pass(g, 5, 7) },
		"prompt":  func(g *engine.Graph) { decoder.Load().Pass(g, 0, make([]int32, 20)...) },
		"encoder": func(g *engine.Graph) {
			enginetest.Encoder{Layers: 1, Hidden: 64, Heads: 2, Inner: 128, Vocab: 30, Buckets: 8}.Record(g, 3, 1, 30)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b, _ := open(t, fake.Options{}, Options{})
			g := engine.NewGraph()
			defer release(t, g)
			record(g)
			if _, err := g.Run(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			arena, err := b.Alloc(1 << 20)
			if err != nil {
				t.Fatal(err)
			}
			defer arena.Close()
			l := &b.lowering
			l.start(t.Context(), b, arena.(*memory))
			defer l.end()
			if err := l.lower(g.Ops()); err != nil {
				t.Fatal(err)
			}
			got := dump(l, func(d *dispatch) *pipeline {
				p, err := b.library.pipeline(&d.kernel)
				if err != nil {
					t.Fatal(err)
				}
				return p
			})
			file := filepath.Join("testdata", name+".txt")
			if os.Getenv("UPDATE") != "" {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the dispatches are\n%s\nin %s they are\n%s\n(UPDATE=1 writes them anew)", got, file, want)
			}
		})
	}
}
