package lower

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu"
	"inglenook/gpu/msl"
)

// dump writes dispatches as text, one line each: kernel, constants, grid, threads,
// threadgroup memory, arguments as words, and bound memory.
func dump(list *gpu.List, source *msl.Program, name func(*gpu.Memory) string) string {
	var s strings.Builder
	var h gpu.Hazards
	for i := range list.Dispatches {
		d := &list.Dispatches[i]
		if h.Add(d, source.Kernel(d.Kernel.Name).Written()) {
			s.WriteString("barrier\n")
		}
		s.WriteString(d.Kernel.Name)
		for _, c := range d.Kernel.Constants {
			if c.Index != 0 {
				fmt.Fprintf(&s, " %d=%d", c.Index, c.Value)
			}
		}
		fmt.Fprintf(&s, " over %d×%d×%d of %d", d.Groups[0], d.Groups[1], d.Groups[2], d.Threads)
		for i, n := range d.Shared {
			if n > 0 {
				fmt.Fprintf(&s, " shared[%d]=%d", i, n)
			}
		}
		for i, r := range d.Bindings {
			switch {
			case r.Size == 0:
			case r.Memory == nil && i == 0:
				fmt.Fprintf(&s, " (%v)", words(list.Inline[r.Offset:][:r.Size]))
			case r.Memory == nil:
				fmt.Fprintf(&s, " %d:inline %d", i, r.Size)
			default:
				fmt.Fprintf(&s, " %d:%s %d+%d", i, name(r.Memory), r.Offset, r.Size)
			}
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// words formats arguments as floats, unless they look like small integers.
func words(b []byte) string {
	var out []string
	for i := 0; i < len(b); i += 4 {
		n := *(*int32)(unsafe.Pointer(&b[i]))
		if f := *(*float32)(unsafe.Pointer(&b[i])); f > 1e-30 || f < 0 { // our integers are below 2²⁸; negative ones would be NaN
			out = append(out, fmt.Sprintf("%g", f))
		} else {
			out = append(out, fmt.Sprint(n))
		}
	}
	return strings.Join(out, " ")
}

// TestDispatches compares the dispatches of one layer of a decoder and of an encoder
// with the reviewed ones in testdata. UPDATE=1 rewrites those.
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
			dev, g := newDevice(t), engine.NewGraph()
			defer release(t, g)
			record(g)
			if _, err := g.Run(t.Context(), dev); err != nil {
				t.Fatal(err)
			}
			arena := dev.alloc(1 << 20)
			list, err := dev.lowerer.Lower(t.Context(), &arena.Memory, g.Ops())
			if err != nil {
				t.Fatal(err)
			}
			got := dump(list, program(t), func(m *gpu.Memory) string {
				switch {
				case m == &arena.Memory:
					return "arena"
				case m == dev.lowerer.working.memory:
					return "scratch"
				case m.ReadOnly:
					return "weight"
				}
				return "cache"
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

// No dispatch has memory as two arguments of which the kernel writes one; Submit
// of the device looks at each.
func TestNoAliases(t *testing.T) {
	check := func(name string, record func(g *engine.Graph)) {
		g := engine.NewGraph()
		defer release(t, g)
		record(g)
		if _, err := g.Run(t.Context(), newDevice(t)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, p := range enginetest.Programs() {
		check(p.Name, func(g *engine.Graph) { p.Record(g) })
	}
	for _, c := range enginetest.Cases() {
		if c.Rows*c.Cols < 10_000 && c.Outputs < 500 {
			check(c.Name(), func(g *engine.Graph) { g.Want(c.Record(g)) })
		}
	}
}
