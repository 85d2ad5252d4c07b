package devices

import (
	"testing"
	"time"

	"inglenook/app/devices"
)

// A work that was cancelled says so: the time that it took says nothing.
func TestCancelledWorkSaysSo(t *testing.T) {
	w := devices.Work{Job: "measure", Model: "org/other", Took: time.Second, Cancelled: true, Shares: []devices.DeviceShare{{Device: "cpu", Share: 1}}}
	if got := workText(w); got != "Measurement · org/other · on CPU · cancelled" {
		t.Errorf("it says %q", got)
	}
}
