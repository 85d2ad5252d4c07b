package app

import (
	"testing"

	"inglenook/app/devices"
	"inglenook/app/library"
	"inglenook/app/texts"
	"inglenook/engine"
	"inglenook/engine/enginetest"
	"inglenook/pipeline"
)

// What ran where is told as a share of the operations, the newest work first, and no
// more than a few works.
func TestActivity(t *testing.T) {
	var a devices.Activity
	a.Note("embed", "nothing", pipeline.Profile{})
	for range devices.MaxWorks + 2 {
		a.Note("embed", "m", pipeline.Profile{Ops: []pipeline.OpTime{{Device: "cpu", Count: 1}, {Device: "metal", Count: 2}, {Op: engine.OpAdd, Device: "metal", Count: 1}}})
	}
	a.Note("chat", "c", pipeline.Profile{Ops: []pipeline.OpTime{{Device: "cpu", Count: 7}}})
	if len(a.Works) != devices.MaxWorks || a.Works[0].Job != "chat" || a.Works[0].Shares[0] != (devices.DeviceShare{Device: "cpu", Share: 1}) {
		t.Fatalf("%+v", a.Works)
	}
	if got := a.Works[1].Shares; len(got) != 2 || got[0] != (devices.DeviceShare{Device: "metal", Share: 0.75}) || got[1] != (devices.DeviceShare{Device: "cpu", Share: 0.25}) {
		t.Errorf("%+v", got)
	}
}

// A model that ran in part on a device says so afterwards, and memory and processors
// are told.
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
}
