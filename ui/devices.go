package ui

import (
	"context"
	_ "embed"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app"

	"github.com/dustin/go-humanize"
)

//go:embed icons/devices.svg
var devicesSVG []byte

// devicesIcon is drawn in the colour of that name.
func devicesIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("devices.svg", devicesSVG), name)
}

func (p *devicesPanel) info() info { return info{id: roomDevices, name: "Devices", icon: devicesIcon} }

// devicesApp is what Devices asks of the application.
type devicesApp interface {
	Usage() app.Usage // what the computer and the program use now
}

// devicesPanel is the room that tells what can compute here: memory, features,
// and why a device is missing.
type devicesPanel struct {
	still
	desk
	view    *fyne.Container
	page    *fyne.Container
	monitor *monitor
}

func newDevicesPanel(d desk, a devicesApp) *devicesPanel {
	p := &devicesPanel{desk: d, page: container.New(&columnsLayout{}), monitor: newMonitor(d, a)}
	header := container.NewBorder(nil, nil, newTitleWhole("Devices"), nil,
		inset(newLine("What can compute on this machine, and why something cannot", textBody, colorMuted), 6, gapWide))
	p.view = inset(bordered(12, header, container.NewVScroll(column(12, container.New(&besideBar{}, p.monitor.view), p.page)), nil), 12, gapWide)
	return p
}

func (p *devicesPanel) content() fyne.CanvasObject { return p.view }

// showError says in the status strip what went wrong.
func (p *devicesPanel) showError(err error) { p.tell(sentence(err.Error())) }

// leave ends what only shows while somebody looks.
func (p *devicesPanel) leave() { p.monitor.leave() }

// enter watches, and asks for the devices anew: opening one may take a moment.
func (p *devicesPanel) enter() {
	p.monitor.watch()
	p.work(func(ctx context.Context) {
		devices := p.common.Devices()
		p.do(func() { p.show(devices) })
	})
}

func (p *devicesPanel) show(devices []app.Device) {
	p.page.Objects = nil
	for _, d := range devices {
		p.page.Add(card(deviceCard(d)))
	}
	p.page.Refresh()
}

// besideBar leaves the scroll bar its place.
type besideBar struct{}

func (besideBar) MinSize(o []fyne.CanvasObject) fyne.Size {
	return o[0].MinSize().AddWidthHeight(gapWide, 0)
}

func (besideBar) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(size.Width-gapWide, size.Height))
}

// deviceCard tells all that is known of a device.
func deviceCard(d app.Device) fyne.CanvasObject {
	dot, state := colorSuccess, "ready"
	if !d.Available {
		dot, state = theme.ColorNameDisabled, "not available"
	}
	mark := container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(8), newSurface(dot, "", 4)))
	caption := newCaption(state)
	caption.whole = true
	head := container.NewBorder(nil, nil, row(gap, mark, newSection(deviceName(d.ID))), caption)
	facts := column(gapSmall)
	add := func(name, value string) {
		if value != "" {
			facts.Add(container.NewBorder(nil, nil, container.New(&fixedWidth{110}, newLine(name, textBody, colorMuted)), nil,
				newParagraph(value, theme.ColorNameForeground).flat))
		}
	}
	add("Name", d.Name)
	if d.Threads > 0 {
		add("Threads", humanize.Comma(int64(d.Threads)))
	}
	if d.MemoryBytes > 0 {
		add("Memory", humanize.IBytes(d.MemoryBytes))
	}
	for i, f := range d.Features {
		name := ""
		if i == 0 {
			name = "Features"
		}
		add(name, f)
	}
	if isEmulated(d.ID) {
		add("Use", "It computes what the GPU of a Mac would, on the CPU: for checking, not for speed.")
	}
	add("Self-check", d.SelfCheck)
	if !d.Available {
		add("Reason", sentence(d.Reason))
	}
	return column(gap, head, facts)
}
