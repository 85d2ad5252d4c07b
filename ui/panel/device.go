package panel

import (
	"slices"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/ui/kit"
)

// OfferedDevices are those that a person should see: a device for testing only where the
// settings ask for it, or where it is the chosen one.
func OfferedDevices(a App, chosen string) []devices.Device {
	list := a.Devices()
	if a.Settings().Developer {
		return list
	}
	return slices.DeleteFunc(list, func(d devices.Device) bool { return IsEmulated(d.ID) && d.ID != chosen })
}

// DeviceChoice offers the devices that are available here, and keeps the choice. Settings
// lists the others with the reason.
type DeviceChoice struct {
	*kit.Choice
	app App
	ids []string // of the options
}

// NewDeviceChoice shows the device that the settings name. changed follows each choice.
func NewDeviceChoice(h Host, changed func()) *DeviceChoice {
	c := &DeviceChoice{app: h.App}
	c.Choice = kit.NewChoice(h.Keys, nil, func(string) {
		id := c.ID()
		h.Keep(func(s *base.Settings) { s.Device = id })
		changed()
	})
	c.fill(h.App.Settings().Device)
	return c
}

// Enter offers the devices as they are now, when the choice comes into view.
func (c *DeviceChoice) Enter() { c.fill(c.ID()) }

// fill offers the devices, with this one chosen.
func (c *DeviceChoice) fill(chosen string) {
	options, index := []string{Automatic}, 0
	c.ids = []string{"auto"}
	for _, d := range OfferedDevices(c.app, chosen) {
		if !d.Available {
			continue
		}
		if d.ID == chosen {
			index = len(options)
		}
		options, c.ids = append(options, DeviceName(d.ID)+" · "+d.Name), append(c.ids, d.ID)
	}
	c.Offer(options, index)
}

// ID is the chosen device, "auto" for the best one.
func (c *DeviceChoice) ID() string {
	if i := c.SelectedIndex(); i >= 0 {
		return c.ids[i]
	}
	return "auto"
}
