//go:build selftest

package app

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"inglenook/app/apptest"
	"inglenook/app/devices"
	"inglenook/app/texts"
	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/engine/selfcheck"
	"inglenook/metalbackend"
	"inglenook/vecmath"
)

// TestMetal is run by make metal-selftest. On the GPU of this machine, or on the emulated one
// if EMULATED is set, it checks all kinds of operations against the CPU, all cases of the
// conformance suite against the float64 reference, and the bundled model. It prints tables,
// what Metal says of the GPU and of each pipeline, and how fast two products are. It goes on
// after a failure. INGLENOOK_METAL_ANY=1 also takes a GPU that the program refuses.
func TestMetal(t *testing.T) {
	id := "metal"
	if emulates {
		id = "metal-emulated"
	}
	printSystem()
	apptest.Home(t)
	a, err := New(Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close(context.Background())
	list := a.Devices()
	for _, d := range list {
		fmt.Println(d.Line())
	}
	cpu, err := a.Backends("cpu")
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	device, err := openTested(t)
	var unsuitable *metalbackend.UnsuitableError
	if errors.As(err, &unsuitable) { // a virtual Mac, say: there is nothing to test
		fmt.Printf("%s cannot be used: %v. The program computes on the CPU here.\n", id, err)
		return
	}
	if err != nil {
		t.Fatalf("%s cannot be used: %v", id, err)
	}
	anyGPU = anyGPU && device.inner.Features().Family < 7 // else it is like every other
	fmt.Printf("opened in %v\n", time.Since(start).Round(time.Millisecond))
	testKinds(t, device, cpu[0])
	testCases(t, device)
	device.printPipelines()
	if os.Getenv("MTL_SHADER_VALIDATION") == "" { // under which nothing is fast
		printSpeed(t, device)
	}
	if !anyGPU { // for which the program itself would not take it
		testModel(t, a, id)
	}
}

// table prints rows in columns.
func table(rows ...string) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, "  "+row)
	}
	w.Flush()
}

func testKinds(t *testing.T, device *tested, cpu engine.Backend) {
	start := time.Now()
	list, err := selfcheck.Run(t.Context(), device.backend(), cpu)
	if err != nil {
		t.Errorf("the self-check failed, so it goes on with one operation at a time: %v", err)
		list = nil
		for _, op := range engine.Ops() {
			some, err := selfcheck.Some(t.Context(), device.backend(), cpu, op)
			if err != nil {
				t.Errorf("%s: %v", op, err)
			}
			list = append(list, some...)
		}
	}
	fmt.Printf("\nKernels against the CPU, %v\n", time.Since(start).Round(time.Millisecond))
	rows := []string{"operation\tweights\tpasses\tdifference\tallowed\t"}
	for _, f := range list {
		verdict := ""
		switch {
		case f.Refused != "":
			verdict = "no kernel: " + f.Refused
			if !anyGPU {
				t.Errorf("%s in %s has no kernel: %s", f.Op, f.DType, f.Refused)
			}
		case f.Wrong():
			verdict = "WRONG"
			t.Error(f)
		}
		rows = append(rows, fmt.Sprintf("%s\t%s\t%d\t%.2g\t%.2g\t%s", f.Op, f.DType, f.Probes, f.Difference, f.Allowed, verdict))
	}
	table(rows...)
}

// tally counts the results of the cases of one kind.
type tally struct {
	name                    string
	passed, failed, refused int
	used                    float64
	first                   string
}

func testCases(t *testing.T, device *tested) {
	start := time.Now()
	var all []*tally
	count := func(name, label string, check func(context.Context, engine.Backend) (float64, error)) {
		i := slices.IndexFunc(all, func(x *tally) bool { return x.name == name })
		if i < 0 {
			i, all = len(all), append(all, &tally{name: name})
		}
		x := all[i]
		used, err := check(t.Context(), device.backend())
		switch {
		case errors.Is(err, engine.ErrNoKernel):
			x.refused++
		case err != nil:
			x.failed++
			t.Errorf("%s: %v", label, err)
			if x.first == "" {
				x.first = label
			}
		default:
			x.passed++
			x.used = max(x.used, used)
		}
	}
	for _, c := range enginetest.Cases() {
		count(c.Op.String(), c.Name(), c.Check)
	}
	for _, p := range enginetest.Programs() {
		count("whole graphs", p.Name, p.Check)
	}
	fmt.Printf("\nConformance with the float64 reference, %v\n", time.Since(start).Round(time.Millisecond))
	rows := []string{"operation\tpassed\tfailed\tno kernel\tof the tolerance\tfirst failure"}
	for _, x := range all {
		rows = append(rows, fmt.Sprintf("%s\t%d\t%d\t%d\t%.0f %%\t%s", x.name, x.passed, x.failed, x.refused, 100*x.used, x.first))
		if x.refused > 0 && !anyGPU {
			t.Errorf("%s: %d cases have no kernel", x.name, x.refused)
		}
	}
	table(rows...)
}

// testModel embeds the sample sentences on the device and on the CPU.
func testModel(t *testing.T, a *App, id string) {
	run := func(device string) texts.EmbedResult {
		r, err := a.Embed(t.Context(), texts.EmbedRequest{Target: devices.Target{Device: device}, Texts: texts.SampleTexts()}, nil)
		if err == nil && r.Device == device {
			r, err = a.Embed(t.Context(), texts.EmbedRequest{Target: devices.Target{Device: device}, Texts: texts.SampleTexts()}, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if r.Device != device || len(r.Notices)+len(r.Fallbacks) > 0 {
			t.Errorf("the model ran on %s instead of %s: %s", r.Device, device, strings.Join(r.Notices, " "))
		}
		return r
	}
	got, want := run(id), run("cpu")
	worst := 1.0
	for i, v := range want.Vectors {
		worst = min(worst, vecmath.Cosine(v, got.Vectors[i]))
	}
	if !(worst >= 0.9999) || math.IsNaN(worst) {
		t.Errorf("the vectors of the bundled model agree to %.6f", worst)
	}
	fmt.Printf("\nThe bundled model on %d sentences\n", len(want.Vectors))
	table("device\ttime\tsmallest cosine with the CPU's", fmt.Sprintf("%s\t%v\t%.7f", id, got.Took.Round(time.Microsecond), worst), fmt.Sprintf("cpu\t%v\t", want.Took.Round(time.Microsecond)))
}
