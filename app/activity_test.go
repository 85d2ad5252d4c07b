package app

import (
	"testing"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/measure"
	"inglenook/app/texts"
	"inglenook/engine"
	"inglenook/engine/enginetest"
)

// After a model ran in part on a device, the activity says so, with memory and processor
// time.
func TestUsage(t *testing.T) {
	a := compatApp(t)
	withDevice(a, func() (engine.Backend, error) {
		return &enginetest.ReferenceBackend{ID: "gpu", Refuses: []engine.Op{engine.OpLayerNorm}}, nil
	})
	if _, err := a.Embed(t.Context(), texts.EmbedRequest{Target: devices.Target{Device: "gpu"}, Texts: []string{"one text"}}, nil); err != nil {
		t.Fatal(err)
	}
	u := a.Usage()
	if len(u.Works) != 1 || u.Works[0].Model != library.StarterEmbed || len(u.Works[0].Shares) != 2 || u.Works[0].Shares[0].Device != "gpu" || u.Works[0].Shares[0].Share < 0.5 {
		t.Errorf("%+v", u.Works)
	}
	if u.Resident == 0 || u.Used == 0 || len(u.Devices) != 0 { // the reference does not know its memory
		t.Errorf("%+v", u)
	}
	got, err := a.Measure(t.Context(), measure.Request{Targets: []devices.Target{{Device: "cpu"}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if w := a.Usage().Works[0]; w.Job != "measure" || w.Model != got.Model || len(w.Shares) != 1 || w.Shares[0].Device != "cpu" {
		t.Errorf("after a measurement, the newest work is %+v", w)
	}
}
