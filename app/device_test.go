package app

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"inglenook/app/apptest"
	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/cpubackend"
	"inglenook/durable"
	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// giveDevice replaces this computer's devices by one that computes with the CPU's kernels and
// fails in a given way.
func giveDevice(t *testing.T, a *App, refuses ...engine.Op) *enginetest.Faulty {
	t.Helper()
	inner, err := cpubackend.New(cpubackend.Options{Threads: 1, ID: "gpu"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { inner.Close() })
	f := &enginetest.Faulty{Backend: &picky{inner, refuses}}
	a.devicesPart.Others = []*devices.Accelerator{
		{ID: "none", Kind: "none", Name: "None", Open: func() (engine.Backend, error) { return nil, errors.New("there is none here") }},
		{ID: "gpu", Kind: "gpu", Name: "GPU", Open: func() (engine.Backend, error) { return f, nil }},
		{ID: "slow", Kind: "gpu", Name: "Slow", ByName: true, Open: func() (engine.Backend, error) { return nil, errors.New("it is too slow") }},
	}
	return f
}

// picky has no kernel for some operations.
type picky struct {
	engine.Backend
	refuses []engine.Op
}

func (p *picky) Supports(op *engine.Tensor) error {
	if slices.Contains(p.refuses, op.Op) {
		return engine.ErrNoKernel
	}
	return p.Backend.Supports(op)
}

// newDeviceApp is an application in a home that may be used again.
func newDeviceApp(t *testing.T, homeDir string) *App {
	t.Helper()
	a, err := New(Options{Home: homeDir, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close(context.Background()) })
	return a
}

var deviceTexts = []string{"the cat sleeps", "tea and a warm stone"}

func embedOn(t *testing.T, a *App, device string) texts.EmbedResult {
	t.Helper()
	r, err := a.Embed(context.Background(), texts.EmbedRequest{Target: devices.Target{Device: device}, Texts: deviceTexts}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestAutoTakesTheBest: "auto" selects the device if it has the kernels, and the CPU if the
// work would go back and forth, each with the reason.
func TestAutoTakesTheBest(t *testing.T) {
	apptest.Home(t)
	for _, c := range []struct {
		refuses []engine.Op
		device  string
		why     string
	}{
		{nil, "gpu", "This model runs on gpu"},
		{[]engine.Op{engine.OpEmbed}, "gpu+cpu", "Most of this model runs on gpu: "},
		{[]engine.Op{engine.OpLayerNorm}, "cpu", "gpu: the work would pass to the CPU and back"},
	} {
		a := newDeviceApp(t, t.TempDir())
		giveDevice(t, a, c.refuses...)
		e, err := a.Usable(context.Background(), library.StarterEmbed)
		if err != nil {
			t.Fatal(err)
		}
		where, err := a.Choose(context.Background(), devices.Target{Device: "auto"}, &e, nil)
		if err != nil || !strings.Contains(where.Why, c.why) {
			t.Errorf("refusing %v: %q, %v", c.refuses, where.Why, err)
		}
		if strings.Contains(where.Why, "too slow") {
			t.Errorf("who is used by name alone is taken into account: %q", where.Why)
		}
		if where.Device == "cpu" && !strings.Contains(where.Why, "None: there is none here") {
			t.Errorf("%q", where.Why)
		}
		r := embedOn(t, a, "auto")
		if got := strings.Split(r.Device, "+"); !slices.Contains(got, strings.Split(c.device, "+")[0]) || len(r.Notices) != 0 {
			t.Errorf("refusing %v: on %s, told %q", c.refuses, r.Device, r.Notices)
		}
		if len(c.refuses) > 0 && c.device != "cpu" && len(r.Fallbacks) != 1 {
			t.Errorf("fallbacks %v", r.Fallbacks)
		}
		if r := embedOn(t, a, "cpu"); r.Device != "cpu" || len(r.Fallbacks) != 0 {
			t.Errorf("on the CPU: %s, %v", r.Device, r.Fallbacks)
		}
	}
}

// TestDeviceFailsAtFirstUse: whatever is wrong with a device when it is tested, the result is
// the CPU's, and a note says so once.
func TestDeviceFailsAtFirstUse(t *testing.T) {
	apptest.Home(t)
	want := embedOn(t, newDeviceApp(t, t.TempDir()), "cpu")
	for _, fault := range enginetest.Faults() {
		a := newDeviceApp(t, t.TempDir())
		device := giveDevice(t, a)
		device.Arm(fault, enginetest.AtSubmit, 0)
		first, second := embedOn(t, a, "auto"), embedOn(t, a, "auto")
		if !device.Struck() || !slices.EqualFunc(first.Vectors, want.Vectors, slices.Equal[[]float32]) {
			t.Errorf("%s: struck %v, another result", fault, device.Struck())
		}
		if len(first.Notices) != 1 || len(second.Notices) != 0 || !strings.Contains(first.Notices[0], "the device gpu ") {
			t.Errorf("%s: told %q, then %q", fault, first.Notices, second.Notices)
		}
		if fault == enginetest.FlippedValue {
			continue // one kernel is off, the others are used
		}
		if first.Device != "cpu" || second.Device != "cpu" {
			t.Errorf("%s: on %s, then %s", fault, first.Device, second.Device)
		}
		list := a.Devices()
		if i := slices.IndexFunc(list, func(d devices.Device) bool { return d.ID == "gpu" }); list[i].Available || !strings.Contains(list[i].Reason, "It failed") {
			t.Errorf("%s: listed as %+v", fault, list[i])
		}
		if _, err := a.Embed(context.Background(), texts.EmbedRequest{Target: devices.Target{Device: "gpu"}, Texts: deviceTexts}, nil); err == nil || !strings.Contains(err.Error(), "the device gpu cannot be used: it failed") {
			t.Errorf("%s: asked for by name: %v", fault, err)
		}
	}
}

// TestDeviceAbsent: a missing device is an error of one sentence.
func TestDeviceAbsent(t *testing.T) {
	apptest.Home(t)
	a := newDeviceApp(t, t.TempDir())
	giveDevice(t, a)
	for device, want := range map[string]string{
		"none": "the device none cannot be used: there is none here; use auto or cpu",
		"tpu":  `there is no device "tpu"; use auto, cpu, metal, cuda, metal-emulated`,
	} {
		if _, err := a.Embed(context.Background(), texts.EmbedRequest{Target: devices.Target{Device: device}, Texts: deviceTexts}, nil); err == nil || err.Error() != want {
			t.Errorf("%v", err)
		}
	}
}

// TestDevicesAreLookedAt: listing devices does not open one that takes long to open. Once it
// was opened, the list has the result.
func TestDevicesAreLookedAt(t *testing.T) {
	apptest.Home(t)
	a := newDeviceApp(t, t.TempDir())
	giveDevice(t, a)
	x := a.devicesPart.Others[1]
	opened := 0
	x.Open = func() (engine.Backend, error) { opened++; return nil, errors.New("its kernels do not compile") }
	x.Probe = func() (engine.Device, error) { return engine.Device{ID: "gpu", Name: "Fine"}, nil }
	if d := a.Devices()[2]; !d.Available || d.Name != "Fine" || opened != 0 {
		t.Errorf("%+v, opened %d times", d, opened)
	}
	if r := embedOn(t, a, "auto"); r.Device != "cpu" {
		t.Errorf("on %s", r.Device)
	}
	if d := a.Devices()[2]; d.Available || d.Reason != "Its kernels do not compile." || opened != 1 {
		t.Errorf("%+v, opened %d times", d, opened)
	}
}

// TestDeviceFailsLater: the loss of a device in the middle of the work is reported once, for
// all models.
func TestDeviceFailsLater(t *testing.T) {
	apptest.Home(t)
	a := newDeviceApp(t, t.TempDir())
	device := giveDevice(t, a)
	if r := embedOn(t, a, "auto"); r.Device != "gpu" {
		t.Errorf("on %s", r.Device)
	}
	device.Arm(enginetest.DeviceLost, enginetest.AtSubmit, 0)
	if r := embedOn(t, a, "auto"); r.Device != "cpu" || len(r.Notices) != 1 {
		t.Errorf("on %s, told %q", r.Device, r.Notices)
	}
	s, err := a.Similarity(context.Background(), texts.SimilarityRequest{Texts: deviceTexts}, nil)
	if err != nil || s.Device != "cpu" || s.Note != "" {
		t.Errorf("on %s, told %q, %v", s.Device, s.Note, err)
	}
	r, err := a.Rerank(context.Background(), texts.RerankRequest{Query: "tea", Texts: deviceTexts}, nil)
	if err != nil || r.Device != "cpu" || len(r.Notices) != 0 {
		t.Errorf("on %s, told %q, %v", r.Device, r.Notices, err)
	}
}

// TestProofsAreKept: a device that was checked is not checked again at the next start. A
// damaged file is ignored, and another version of the program checks again.
func TestProofsAreKept(t *testing.T) {
	apptest.Home(t)
	dir := t.TempDir()
	submits := func() int {
		a := newDeviceApp(t, dir)
		device := giveDevice(t, a)
		if r := embedOn(t, a, "auto"); r.Device != "gpu" {
			t.Errorf("on %s", r.Device)
		}
		return device.Submits()
	}
	first, second := submits(), submits()
	if first != 3 || second != 1 { // the kernels, the model, the texts
		t.Errorf("%d submissions at first, then %d", first, second)
	}
	path := filepath.Join(base.FindPaths(dir).Cache, "proven.json")
	if err := durable.Write(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := submits(); n != 3 {
		t.Errorf("%d submissions after the file was damaged", n)
	}
}

// narrow is a device that can work with little memory, of which some is taken.
type narrow struct {
	engine.Backend
	memory uint64
}

func (n *narrow) Device() engine.Device {
	d := n.Backend.Device()
	d.MemoryBytes = n.memory
	return d
}

func (n *narrow) Taken() int64 { return 100 << 10 }

// A model that a device has no memory for runs on the CPU. One sentence says so, nothing is
// loaded before, and the device is there for smaller ones.
func TestModelTooLargeForDevice(t *testing.T) {
	a := newDeviceApp(t, apptest.Home(t))
	f := giveDevice(t, a)
	a.devicesPart.Others[1].Open = func() (engine.Backend, error) { return &narrow{f, 1 << 20}, nil }
	for range 2 {
		r, err := a.Embed(t.Context(), texts.EmbedRequest{Texts: texts.SampleTexts()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Device != "cpu" || len(r.Notices) != 1 || !strings.Contains(r.Notices[0], "where no more than 946 kB can be had, so it runs on the CPU") {
			t.Errorf("it ran on %s; told %q", r.Device, r.Notices)
		}
	}
	if d := a.Device("gpu"); !d.Available {
		t.Errorf("the device is gone: %s", d.Reason)
	}
}
