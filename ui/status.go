package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app"
)

// statusStrip is the lower edge of the window: the device, and the last thing
// that happened.
type statusStrip struct {
	view    *fyne.Container
	chip    *chip
	device  *line
	message *line
}

// newStatusStrip shows these devices; a click on the chip, or Enter, opens what
// tells more about them.
func newStatusStrip(k *keyboard, devices []app.Device, open func()) *statusStrip {
	s := &statusStrip{device: newLine(chipText(devices), textSmall, colorMuted), message: newCaption("")}
	s.device.style.Bold, s.device.whole = true, true
	s.message.align = fyne.TextAlignTrailing
	dot := container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(8), newSurface(colorSuccess, "", 4)))
	s.chip = newChip(k, row(6, dot, s.device), open)
	content := container.NewBorder(nil, nil, s.chip, nil, inset(s.message, 0, gap))
	s.view = container.NewStack(newSurface(colorRail, "", 0), inset(content, 4, 12))
	return s
}

// chipText names the device that work goes to.
func chipText(devices []app.Device) string {
	for _, d := range devices {
		if d.Available {
			return deviceLine(d)
		}
	}
	return "No device"
}

// deviceLine is a device in one line: what it is, its name, its threads.
func deviceLine(d app.Device) string {
	parts := []string{deviceName(d.ID)}
	if d.Name != "" {
		parts = append(parts, d.Name)
	}
	if d.Threads > 0 {
		parts = append(parts, count(d.Threads, "thread"))
	}
	return strings.Join(parts, " · ")
}

func (s *statusStrip) tell(message string) { s.message.set(message) }
