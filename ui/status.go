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
	view   *fyne.Container
	chip   *kit.Chip
	device *kit.Line

	deviceWidth kit.FixedWidth // as much as is left of the strip

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
	s.device.Style.Bold = true
	s.message.Align = fyne.TextAlignTrailing
	s.chip = kit.NewChip(k, kit.Row(6, kit.NewDot(kit.ColorSuccess), container.New(&s.deviceWidth, s.device)), open)
	s.serving.Style.Bold, s.serving.Whole = true, true
	s.server = kit.NewChip(k, kit.Row(6, kit.NewDot(kit.ColorSuccess), s.serving), openServer)
	s.server.Hide()
	offline := kit.NewLine("Offline", kit.TextSmall, kit.ColorMuted)
	offline.Style.Bold, offline.Whole = true, true
	s.offline = kit.NewChip(k, kit.Row(6, kit.NewDot(theme.ColorNameWarning), offline), openConnections)
	s.offline.Hide()
	content := container.New(&stripLayout{s}, s.chip, s.server, s.offline, kit.NewTold(k, kit.Inset(s.message, 0, kit.Gap)))
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

// showDevice names the device that works.
func (s *statusStrip) showDevice(text string) {
	s.device.Set(text)
	s.view.Refresh() // it takes another width
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

// stripLayout puts the chips side by side and the message behind them. Where there is too little room
// the device is cut, so that a server and the offline mode do not widen the smallest window.
type stripLayout struct{ strip *statusStrip }

// leastDevice is how much of a device is in view at least.
const leastDevice float32 = 60

// Layout gives the device what it needs, or what is left.
func (l *stripLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	width := &l.strip.deviceWidth.Width
	others := l.chips(objects).Width - *width
	*width = max(leastDevice, min(l.strip.device.Natural(), size.Width-others))
	x := float32(0)
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		o.Move(fyne.NewPos(x, 0))
		if i == len(objects)-1 {
			o.Resize(fyne.NewSize(max(0, size.Width-x), size.Height))
			continue
		}
		o.Resize(fyne.NewSize(o.MinSize().Width, size.Height))
		x += o.Size().Width + kit.Gap
	}
}

// MinSize has room for a beginning of the device, and for the other chips.
func (l *stripLayout) MinSize(objects []fyne.CanvasObject) fyne.Size {
	size := l.chips(objects)
	size.Width += leastDevice - l.strip.deviceWidth.Width
	return size.Max(fyne.NewSize(0, objects[len(objects)-1].MinSize().Height))
}

// chips is the room that the chips take now.
func (l *stripLayout) chips(objects []fyne.CanvasObject) (size fyne.Size) {
	for i, o := range objects[:len(objects)-1] {
		if !o.Visible() {
			continue
		}
		least := o.MinSize()
		if i > 0 {
			least.Width += kit.Gap
		}
		size = fyne.NewSize(size.Width+least.Width, max(size.Height, least.Height))
	}
	return size
}
