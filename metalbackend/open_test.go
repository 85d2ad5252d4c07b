package metalbackend

import (
	"errors"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/metalbackend/fake"
)

// A device that cannot be used is refused with one sentence, and everything is released.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		gpu fake.Options
		o   Options
		say string
	}{
		"no device":          {fake.Options{NoDevice: true}, Options{}, "Metal finds no GPU on this machine"},
		"an old family":      {fake.Options{Family: 6, Name: "Apple A13"}, Options{}, `the GPU "Apple A13" is not of Apple's family 7 (M1) or later`},
		"AMD":                {fake.Options{Family: -1, SIMDWidth: 64, Name: "AMD Radeon Pro 5500M"}, Options{}, "matrix instructions"},
		"another width":      {fake.Options{SIMDWidth: 64}, Options{}, "runs 64 threads in lockstep, the kernels are written for 32"},
		"little memory":      {fake.Options{Memory: 300 << 20}, Options{}, "can work with 300 MB of memory, which no model fits in"},
		"little threadgroup": {fake.Options{SharedBytes: 16 << 10}, Options{}, "16384 bytes of threadgroup memory"},
		"a compiler's no":    {fake.Options{CompileFail: "program_source:12:3: error: no\n1\n2\n3\n4\n5\n6"}, Options{}, "Metal cannot compile the kernels: program_source:12:3: error: no\n1\n2\n3\n4"},
		"another dialect":    {fake.Options{}, Options{Source: "kernel void k(device float * x) {}"}, "not in our dialect"},
	} {
		t.Run(name, func(t *testing.T) {
			rt, err := fake.New(c.gpu)
			if err != nil {
				t.Fatal(err)
			}
			_, err = New(rt, c.o)
			if err == nil || !strings.Contains(err.Error(), c.say) || strings.Contains(err.Error(), "\n5") {
				t.Errorf("the error is %q, want it to hold %q", err, c.say)
			}
			if left := rt.Leaks(); len(left) > 0 {
				t.Errorf("not given back: %v", left)
			}
			if err := rt.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestDevice(t *testing.T) {
	b, _ := open(t, fake.Options{Name: "Apple M9", Family: 8, Memory: 10 << 30}, Options{})
	d := b.Device()
	if d.ID != "metal" || d.Kind != "metal" || d.Name != "Apple M9" || d.MemoryBytes != 10<<30 || d.Features[0] != "apple8" {
		t.Errorf("the device is %+v", d)
	}
	if f := b.Features(); f.Family != 8 || f.BufferBytes != 10<<30 || f.SharedBytes != 32<<10 {
		t.Errorf("the features are %+v", f)
	}
}

// Residency sets and math modes are not needed: a system may lack them, or its
// device, or refuse them.
func TestWithoutResidencySets(t *testing.T) {
	for name, c := range map[string]struct {
		gpu   fake.Options
		fault bool
	}{
		"before macOS 15":  {gpu: fake.Options{Before15: true}},
		"a device without": {gpu: fake.Options{NoResidency: true}},
		"refused":          {fault: true},
	} {
		t.Run(name, func(t *testing.T) {
			rt, err := fake.New(c.gpu)
			if err != nil {
				t.Fatal(err)
			}
			if c.fault {
				rt.Inject(fake.Fault{Kind: fake.NilResidencySet, At: 1})
			}
			b, err := New(rt, Options{})
			if err != nil {
				t.Fatal(err)
			}
			g := engine.NewGraph()
			w := enginetest.RandomWeight("w", engine.F32, 8, 8, 1, 1)
			g.Want(g.Linear(g.Floats("x", 1, make([]float32, 8)), w, nil, engine.None))
			_, err = g.Run(t.Context(), b)
			if err := errors.Join(err, w.Release(), g.Close(), b.Close()); err != nil {
				t.Error(err)
			}
			if left := rt.Leaks(); len(left) > 0 {
				t.Errorf("not given back: %v", left)
			}
		})
	}
}

// A weight that is too large for a buffer is left to another device, with the reason.
func TestLongestBuffer(t *testing.T) {
	b, _ := open(t, fake.Options{LongestBuffer: 1 << 20}, Options{})
	g := engine.NewGraph()
	defer g.Close()
	w := engine.NewWeight("wide", engine.F32, 1024, 1024, nil)
	g.Want(g.Linear(g.Floats("x", 1, make([]float32, 1024)), w, nil, engine.None))
	report, err := g.Coverage(b, &enginetest.ReferenceBackend{})
	if err != nil {
		t.Fatal(err)
	}
	refused := report.Fallbacks()
	if len(refused) != 1 || !strings.Contains(refused[0].Reason, "wide: its 4 MB are more than the 1 MB of this GPU's longest buffer") {
		t.Errorf("refused are %+v", refused)
	}
}

// Memory beyond what the GPU can use is refused before it could make results wrong, and
// released memory can be used again.
func TestMemoryBudget(t *testing.T) {
	b, _ := open(t, fake.Options{Memory: 600 << 20}, Options{})
	first, err := b.newMemory("a cache", 500<<20) // the memory is never touched
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Alloc(200 << 20)
	if err == nil || !strings.Contains(err.Error(), "with activations the GPU would need 700 MB; it can work with 600 MB") {
		t.Errorf("the error is %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := b.newMemory("a cache", 200<<20)
	if err != nil {
		t.Fatal(err)
	}
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
}

// Probe returns the device that New opens. It compiles nothing and leaks nothing.
func TestProbe(t *testing.T) {
	rt, err := fake.New(fake.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Probe(rt)
	if err != nil || d.ID != "metal" || d.MemoryBytes == 0 || len(d.Features) == 0 {
		t.Errorf("%+v, %v", d, err)
	}
	if err := rt.Close(); err != nil {
		t.Error(err)
	}
	if p := rt.Problems(); len(p) > 0 {
		t.Error(p)
	}
}

// A GPU that is in the list of all devices is found although it is no default. An
// empty list is asked for nothing, since that would end the program.
func TestNoDefaultDevice(t *testing.T) {
	for _, none := range []bool{false, true} {
		rt, err := fake.New(fake.Options{NoDefault: true, NoDevice: none, Name: "Apple M9"})
		if err != nil {
			t.Fatal(err)
		}
		d, probed := Probe(rt)
		b, opened := New(rt, Options{})
		if (probed != nil) != none || (opened != nil) != none || !none && (d.Name != "Apple M9" || b.Device().Name != "Apple M9") {
			t.Errorf("without a GPU %v: %v, %v, %v", none, d, probed, opened)
		}
		if b != nil {
			err = b.Close()
		}
		if left := rt.Leaks(); err != nil || len(left) > 0 || len(rt.Problems()) > 0 {
			t.Errorf("without a GPU %v: %v, left %v, problems %v", none, err, left, rt.Problems())
		}
	}
}
