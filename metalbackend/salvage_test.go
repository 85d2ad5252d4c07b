package metalbackend

import (
	"bytes"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/gpu"
	"inglenook/gpu/msl"
	"inglenook/metalbackend/fake"
	"inglenook/metalbackend/kernels"
)

const compilerSays = "scale.metal:12:3: error: no\n1\n2\n3\n4\n5\nthe last line"

// A line that Metal does not compile costs the kernels that need it, and no others.
// The log has all that the compiler said.
func TestRefusedSource(t *testing.T) {
	for name, c := range map[string]struct {
		at      string                   // what the compiler stumbles on
		refused func(k *msl.Kernel) bool // all others stay
	}{
		"a file":             {"kernel void scale(", func(k *msl.Kernel) bool { return k.Name == "scale" }},
		"a file with others": {"void linear_tile(", func(k *msl.Kernel) bool { return strings.HasPrefix(k.Name, "linear_tile_") }},
		"an instance":        {`host_name("linear_vec_q4_k")`, func(k *msl.Kernel) bool { return k.Name == "linear_vec_q4_k" }},
		"the last instance":  {`host_name("` + lastKernel(t) + `")`, func(k *msl.Kernel) bool { return k.Name == lastKernel(t) }},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			b, _ := open(t, fake.Options{CompileFail: compilerSays, CompileFailAt: c.at}, Options{Log: slog.New(slog.NewJSONHandler(&log, nil))})
			for _, k := range b.library.program.Kernels {
				if refused := b.library.refusals.of(&gpu.Kernel{Name: k.Name}) != nil; refused != c.refused(&k) {
					t.Errorf("%s: refused %v", k.Name, refused)
				}
			}
			if !strings.Contains(log.String(), "the last line") {
				t.Errorf("the log is %s", log.String())
			}
		})
	}
}

func lastKernel(t *testing.T) string {
	t.Helper()
	program, err := msl.Parse(kernels.Source())
	if err != nil {
		t.Fatal(err)
	}
	return program.Kernels[len(program.Kernels)-1].Name
}

// The device is refused where Metal does not compile what all kernels need, and works
// without any other file.
func TestFilesRefused(t *testing.T) {
	for i, p := range partsOf(kernels.Source()) {
		if p.line > 1 || i%4 > 0 { // instances are in TestRefusedSource
			continue
		}
		at := strings.TrimPrefix(p.text, "#line")
		rt, err := fake.New(fake.Options{CompileFail: compilerSays, CompileFailAt: at})
		if err != nil {
			t.Fatal(err)
		}
		b, err := New(rt, Options{})
		if (err != nil) != (p.file == "common.metal") {
			t.Errorf("%s:%d: %v", p.file, p.line, err)
		}
		if err == nil {
			err = b.Close()
		} else {
			err = nil
		}
		if left := rt.Leaks(); err != nil || len(left) > 0 || len(rt.Problems()) > 0 {
			t.Errorf("%s:%d: %v, left %v, problems %v", p.file, p.line, err, left, rt.Problems())
		}
	}
}

// The parts of the source hold all of it, and each follows the rules of the dialect
// after those before it.
func TestParts(t *testing.T) {
	var text strings.Builder
	lines := 0
	for _, p := range partsOf(kernels.Source()) {
		text.WriteString(p.text)
		lines += p.lines
		if _, err := msl.ParsePart(text.String()); err != nil {
			t.Fatalf("%s:%d: %v", p.file, p.line, err)
		}
	}
	whole, err := msl.Parse(kernels.Source())
	if err != nil {
		t.Fatal(err)
	}
	joined, err := msl.Parse(text.String())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(joined.Kernels, whole.Kernels, func(a, b msl.Kernel) bool { return a.Name == b.Name && a.File == b.File && a.Line == b.Line }) {
		t.Error("joined, the parts have other kernels, or in other places")
	}
	if files := strings.Count(kernels.Source(), beginsFile); lines != strings.Count(kernels.Source(), "\n")-files {
		t.Errorf("the parts have %d lines", lines)
	}
}

// A pipeline that Metal does not make costs its operation alone: the CPU does that,
// with the reason, and the device the rest.
func TestRefusedPipeline(t *testing.T) {
	for name, fault := range map[string]fake.Fault{
		"a pipeline": {Kind: fake.RefusePipeline, At: 1, Of: "scale"},
		"a function": {Kind: fake.RefuseFunction, At: 1, Of: "scale"},
	} {
		for _, prepared := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				b, rt := open(t, fake.Options{Executor: emulate(t)}, Options{})
				rt.Inject(fault)
				guard, g := engine.NewGuard(b), engine.NewGraph()
				defer release(t, g)
				x := g.Floats("x", 2, []float32{1, 2, 3, 4})
				y := g.Want(g.Add(g.Scale(x, 2), x))
				if prepared {
					if err := g.Prepare(t.Context(), nil, guard, &enginetest.ReferenceBackend{}); err != nil {
						t.Fatal(err)
					}
				}
				report, err := g.Run(t.Context(), guard, &enginetest.ReferenceBackend{})
				if err != nil {
					t.Fatal(err)
				}
				if got, err := g.Result(y); err != nil || !slices.Equal(got, []float32{3, 6, 9, 12}) {
					t.Errorf("the results are %v, %v", got, err)
				}
				refused := report.Fallbacks()
				if len(refused) != 1 || refused[0].Op != engine.OpScale || !strings.Contains(refused[0].Reason, "no kernel for scale: kernel scale: Metal cannot") {
					t.Errorf("refused are %+v", refused)
				}
				if report.Placements[1].Device != "metal" || guard.Failed() != nil {
					t.Errorf("the device does no more: %+v, %v", report.Placements, guard.Failed())
				}
			})
		}
	}
}

// A kernel of several operations that Metal refuses costs nothing but time: each of
// them has its own.
func TestRefusedFusion(t *testing.T) {
	b, rt := open(t, fake.Options{Executor: emulate(t)}, Options{})
	g := engine.NewGraph()
	defer release(t, g)
	record := func() *engine.Tensor {
		g.Reset()
		x := g.Floats("x", 2, []float32{1, 2, 3, 4})
		w := enginetest.RandomWeight("w", engine.F32, 1, 2, 1, 1)
		t.Cleanup(func() { w.Release() })
		return g.Want(g.RMSNorm(g.Add(x, x), w, engine.RMSNormParams{Epsilon: 1}))
	}
	want := slices.Clone(results(t, g, b, record()))
	before := len(b.library.states)
	if before != 2 { // what New tried, and the fused kernel
		t.Fatalf("there are %d pipelines: the operations are not fused", before)
	}
	other, rt2 := open(t, fake.Options{Executor: emulate(t)}, Options{})
	rt2.Inject(fake.Fault{Kind: fake.RefusePipeline, At: 1})
	if got := results(t, g, other, record()); !slices.Equal(got, want) {
		t.Errorf("apart they give %v, together %v", got, want)
	}
	if p := append(rt.Problems(), rt2.Problems()...); len(p) > 0 {
		t.Error(p)
	}
}

// A pipeline that takes fewer threads than a kernel needs is refused, before anything
// has run.
func TestFewThreads(t *testing.T) {
	b, _ := open(t, fake.Options{Executor: emulate(t), MaxThreads: 32}, Options{})
	g := engine.NewGraph()
	defer release(t, g)
	x := g.Floats("x", 64, slices.Repeat([]float32{2}, 64*64))
	y := g.Want(g.Add(x, x))
	report, err := g.Run(t.Context(), b, &enginetest.ReferenceBackend{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := g.Result(y); err != nil || !slices.Equal(got, slices.Repeat([]float32{4}, 64*64)) {
		t.Errorf("the results are %v, %v", got, err)
	}
	if refused := report.Fallbacks(); len(refused) != 1 || !strings.Contains(refused[0].Reason, "threadgroups of up to 32 threads") {
		t.Errorf("refused are %+v", refused)
	}
}

// A library beside an NSError is a library: the NSError is a warning.
func TestWarning(t *testing.T) {
	rt, err := fake.New(fake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	rt.Inject(fake.Fault{Kind: fake.WarnLibrary, At: 1})
	b, err := New(rt, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if b.library.refusals.any.Load() {
		t.Error("kernels are refused for a warning")
	}
	if err := errors.Join(b.Close(), rt.Close()); err != nil {
		t.Error(err)
	}
}
