package ui

import (
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/devices"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// statusStrip is the lower edge of the window: the device, and the last thing
// that happened.
type statusStrip struct {
	view    *fyne.Container
	chip    *kit.Chip
	device  *kit.Line
	server  *kit.Chip // in view while other programs can use the models
	serving *kit.Line
	offline *kit.Chip // in view while every connection is forbidden
	message *kit.Line
	do      func(func())
	timer   *time.Timer
	lasts   bool // the message is about what is under way
}

// messageTime is how long a message stays that nothing follows.
const messageTime = 12 * time.Second

// newStatusStrip shows these devices; a click on a chip, or Enter, opens what
// tells more about them, about the server, or about connections.
func newStatusStrip(k *kit.Keyboard, targets []devices.Device, do func(func()), open, openServer, openConnections func()) *statusStrip {
	s := &statusStrip{do: do, serving: kit.NewLine("", kit.TextSmall, kit.ColorMuted), device: kit.NewLine(chipText(targets), kit.TextSmall, kit.ColorMuted), message: kit.NewCaption("")}
	s.device.Style.Bold, s.device.Whole = true, true
	s.message.Align = fyne.TextAlignTrailing
	s.chip = kit.NewChip(k, kit.Row(6, kit.NewDot(kit.ColorSuccess), s.device), open)
	s.serving.Style.Bold, s.serving.Whole = true, true
	s.server = kit.NewChip(k, kit.Row(6, kit.NewDot(kit.ColorSuccess), s.serving), openServer)
	s.server.Hide()
	offline := kit.NewLine("Offline", kit.TextSmall, kit.ColorMuted)
	offline.Style.Bold, offline.Whole = true, true
	s.offline = kit.NewChip(k, kit.Row(6, kit.NewDot(theme.ColorNameWarning), offline), openConnections)
	s.offline.Hide()
	content := container.NewBorder(nil, nil, kit.Row(kit.Gap, s.chip, s.server, s.offline), nil, kit.NewTold(k, kit.Inset(s.message, 0, kit.Gap)))
	s.view = container.NewStack(kit.NewSurface(kit.ColorRail, "", 0), kit.Inset(content, 4, 12))
	return s
}

// chipText names the device that work goes to.
func chipText(targets []devices.Device) string {
	for _, d := range targets {
		if d.Available {
			return deviceLine(d)
		}
	}
	return "No device"
}

// deviceLine is a device in one line: what it is, its name, its threads.
func deviceLine(d devices.Device) string {
	parts := []string{panel.DeviceName(d.ID)}
	if d.Name != "" {
		parts = append(parts, d.Name)
	}
	if d.Threads > 0 {
		parts = append(parts, kit.Count(d.Threads, "thread"))
	}
	return strings.Join(parts, " · ")
}

// showServing says where this program answers others; "": it does not.
func (s *statusStrip) showServing(text string) {
	if text != "" {
		s.serving.Set("Server " + text)
	}
	kit.Show(s.server, text != "")
	s.view.Refresh()
}

// showOffline says whether every connection is forbidden.
func (s *statusStrip) showOffline(offline bool) {
	kit.Show(s.offline, offline)
	s.view.Refresh()
}

// showMessage says what happened, for a while. What is under way, which ends with an ellipsis,
// stays until something follows.
func (s *statusStrip) showMessage(message string) {
	if s.timer != nil {
		s.timer.Stop()
	}
	s.message.Set(message)
	s.lasts = strings.HasSuffix(message, "…")
	if message != "" && !s.lasts {
		s.timer = time.AfterFunc(messageTime, func() { s.do(func() { s.expire(message) }) })
	}
}

// leave takes a message away that was about the room that goes out of view. What is under way
// stays.
func (s *statusStrip) leave() {
	if !s.lasts {
		s.showMessage("")
	}
}

// expire takes a message away that is still the last one.
func (s *statusStrip) expire(message string) {
	if s.message.Text == kit.Brief(message) {
		s.message.Set("")
	}
}
