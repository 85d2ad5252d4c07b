package devices

import (
	"fmt"
	"testing"

	"inglenook/engine"
	"inglenook/pipeline/placement"
)

// The activity lists a few works, the newest first, with the share of operations on each
// device.
func TestActivity(t *testing.T) {
	var a activity
	a.note(Work{Job: "embed", Model: "nothing"}, placement.Profile{})
	for i := range maxWorks + 2 {
		a.note(Work{Job: "embed", Model: fmt.Sprint("m", i)}, placement.Profile{Ops: []placement.OpTime{{Device: "cpu", Count: 1}, {Device: "metal", Count: 2}, {Op: engine.OpAdd, Device: "metal", Count: 1}}})
	}
	a.note(Work{Job: "chat", Model: "c"}, placement.Profile{Ops: []placement.OpTime{{Device: "cpu", Count: 7}}})
	if len(a.works) != maxWorks || a.works[0].Job != "chat" || a.works[0].Shares[0] != (DeviceShare{Device: "cpu", Share: 1}) {
		t.Fatalf("%+v", a.works)
	}
	a.note(Work{Job: "chat", Model: "c"}, placement.Profile{Ops: []placement.OpTime{{Device: "cpu", Count: 9}}})
	if len(a.works) != maxWorks || a.works[0].Times != 2 || a.works[1].Job != "embed" || a.works[1].Times != 1 {
		t.Errorf("once more, the works are %+v", a.works)
	}
	if got := a.works[1].Shares; len(got) != 2 || got[0] != (DeviceShare{Device: "metal", Share: 0.75}) || got[1] != (DeviceShare{Device: "cpu", Share: 0.25}) {
		t.Errorf("%+v", got)
	}
}
