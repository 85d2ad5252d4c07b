package panel

import (
	"inglenook/app/base"
	"inglenook/ui/kit"
)

// DeviceChoice offers the devices that are available here, and keeps the choice. Settings
// lists the others with the reason.
type DeviceChoice struct {
	*kit.Choice
	ids []string // of the options
}

// NewDeviceChoice shows the device that the settings name. changed follows each choice.
func NewDeviceChoice(h Host, changed func()) *DeviceChoice {
	c := &DeviceChoice{ids: []string{"auto"}}
	chosen, options, index := h.App.Settings().Device, []string{Automatic}, 0
	for _, d := range h.App.Devices() {
		if !d.Available {
			continue
		}
		if d.ID == chosen {
			index = len(options)
		}
		options, c.ids = append(options, DeviceName(d.ID)+" · "+d.Name), append(c.ids, d.ID)
	}
	c.Choice = kit.NewChoice(h.Keys, nil, func(string) {
		id := c.ID()
		h.Keep(func(s *base.Settings) { s.Device = id })
		changed()
	})
	c.Offer(options, index)
	return c
}

// ID is the chosen device, "auto" for the best one.
func (c *DeviceChoice) ID() string {
	if i := c.SelectedIndex(); i >= 0 {
		return c.ids[i]
	}
	return "auto"
}
