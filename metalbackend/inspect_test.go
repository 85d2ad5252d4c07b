package metalbackend

import (
	"slices"
	"strings"
	"testing"

	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/metalbackend/fake"
)

// Inspect tells of a GPU that is the default, of one that is not, and of none.
func TestInspect(t *testing.T) {
	for name, c := range map[string]struct {
		gpu      fake.Options
		standard int
		count    int
	}{
		"the default":    {fake.Options{Name: "Apple M9", Family: 9}, 0, 1},
		"in the list":    {fake.Options{Name: "Apple M9", Family: 9, NoDefault: true}, -1, 1},
		"a virtual one":  {fake.Options{Name: "Apple M9", Family: 5}, 0, 1},
		"no GPU, a list": {fake.Options{NoDevice: true}, -1, 0},
	} {
		rt, err := fake.New(c.gpu)
		if err != nil {
			t.Fatal(err)
		}
		all, standard := Inspect(rt)
		if len(all) != c.count || standard != c.standard {
			t.Errorf("%s: %+v, default %d", name, all, standard)
		}
		if c.count > 0 && (all[0].Name != "Apple M9" || all[0].Family != c.gpu.Family || (all[0].Unsuitable != nil) != (c.gpu.Family < leastFamily)) {
			t.Errorf("%s: %+v", name, all[0])
		}
		if left := rt.Leaks(); len(left) > 0 || len(rt.Problems()) > 0 {
			t.Errorf("%s: left %v, problems %v", name, left, rt.Problems())
		}
	}
}

// With Any, a GPU without the instructions of simdgroups runs the kernels that need
// none, and the CPU the rest: as the GPU of a virtual Mac does.
func TestAnyFamily(t *testing.T) {
	b, rt := open(t, fake.Options{Executor: emulate(t), Family: 5}, Options{Any: true})
	g := engine.NewGraph()
	defer release(t, g)
	x := g.Floats("x", 2, []float32{1, 2, 3, 4})
	y := g.Want(g.L2Normalize(g.Add(x, x)))
	report, err := g.Run(t.Context(), b, &enginetest.ReferenceBackend{})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := g.Result(y); err != nil || !(got[0]*got[0]+got[1]*got[1] > 0.999) {
		t.Errorf("the results are %v, %v", got, err)
	}
	if report.Placements[0].Device != "metal" || report.Placements[1].Device == "metal" {
		t.Errorf("placed are %+v", report.Placements)
	}
	refused := func(p Pipeline) bool {
		return p.Refused != nil && strings.Contains(p.Refused.Error(), "instructions of simdgroups")
	}
	if all := b.Pipelines(); !slices.ContainsFunc(all, refused) || slices.IndexFunc(all, func(p Pipeline) bool { return p.Name == "add" && p.Threads == 1024 }) < 0 {
		t.Errorf("the pipelines are %+v", all)
	}
	if p := rt.Problems(); len(p) > 0 {
		t.Error(p)
	}
}
