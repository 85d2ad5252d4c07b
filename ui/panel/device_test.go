package panel_test

import (
	"testing"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// tested is an application with an emulated GPU.
type tested struct{ *uitest.App }

func (tested) Devices() []devices.Device {
	return []devices.Device{{ID: "cpu", Available: true}, {ID: "metal-emulated", Available: true}}
}

// A device for testing is offered in developer mode, and where it is chosen already.
func TestOfferedDevices(t *testing.T) {
	a := tested{uitest.NewApp()}
	if n := len(panel.OfferedDevices(a, "")); n != 1 {
		t.Errorf("%d devices are offered to everybody", n)
	}
	if n := len(panel.OfferedDevices(a, "metal-emulated")); n != 2 {
		t.Errorf("the chosen one is not among %d", n)
	}
	if err := a.SaveSettings(func(s *base.Settings) { s.Developer = true }); err != nil {
		t.Fatal(err)
	}
	if n := len(panel.OfferedDevices(a, "")); n != 2 {
		t.Errorf("%d devices are offered in developer mode", n)
	}
}
