package devices

import (
	"context"
	_ "embed"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/devices"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

//go:embed devices.svg
var devicesSVG []byte

// devicesIcon is drawn in the colour of that name.
func devicesIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(fyne.NewStaticResource("devices.svg", devicesSVG), name)
}

func (p *Panel) Info() panel.Info {
	return panel.Info{ID: panel.Devices, Name: "Devices", Icon: devicesIcon}
}

// App is what Devices asks of the application.
type App interface {
	Usage() devices.Usage // what the computer and the program use now
	// Try opens and tests a device that is left alone once more.
	Try(ctx context.Context, id string) (notices []string, err error)
}

// Panel tells what can compute here: memory, features,
// and why a device is missing.
type Panel struct {
	panel.Still
	panel.Host
	App     App
	view    *fyne.Container
	page    *fyne.Container
	monitor *monitor
}

func New(d panel.Host, a App) *Panel {
	p := &Panel{Host: d, App: a, page: container.New(&kit.ColumnsLayout{}), monitor: newMonitor(d, a)}
	header := container.NewBorder(nil, nil, kit.NewTitleWhole("Devices"), nil,
		kit.Inset(kit.NewLine("What this computer can run models on", kit.TextBody, kit.ColorMuted), 6, kit.GapWide))
	p.view = kit.Inset(kit.Bordered(12, header, container.NewVScroll(kit.Column(12, container.New(&besideBar{}, p.monitor.view), p.page)), nil), 12, kit.GapWide)
	return p
}

func (p *Panel) Content() fyne.CanvasObject { return p.view }

// ShowError says in the status strip what went wrong.
func (p *Panel) ShowError(err error) { p.Tell(kit.Sentence(err.Error())) }

// Leave ends what only shows while somebody looks.
func (p *Panel) Leave() { p.monitor.leave() }

// Enter watches, and asks for the devices again: opening one may take a moment.
func (p *Panel) Enter() {
	p.monitor.watch()
	p.Work(func(ctx context.Context) {
		targets := panel.OfferedDevices(p.Host.App, "")
		p.Do(func() { p.show(targets) })
	})
}

func (p *Panel) show(targets []devices.Device) {
	p.page.Objects = nil
	for _, d := range targets {
		card := deviceCard(d)
		if d.LeftAlone {
			card.Add(kit.Row(kit.Gap, p.tryButton(d.ID)))
		}
		p.page.Add(kit.Card(card))
	}
	p.page.Refresh()
}

// tryButton has a device tried again that the program leaves alone.
func (p *Panel) tryButton(id string) *kit.Button {
	button := kit.NewButton(p.Keys, "Try again", theme.ViewRefreshIcon(), nil)
	button.OnTapped = func() {
		button.Disable()
		p.Tell("Trying " + panel.DeviceName(id) + "…")
		p.Work(func(ctx context.Context) {
			notices, err := p.App.Try(ctx, id)
			targets := panel.OfferedDevices(p.Host.App, "")
			p.Do(func() {
				p.show(targets)
				switch {
				case err != nil:
					p.ShowError(err)
				case len(notices) > 0:
					p.Tell(kit.Sentence(notices[0]))
				default:
					p.Tell(panel.DeviceName(id) + " works again.")
				}
			})
		})
	}
	return button
}

// besideBar leaves the scroll bar its place.
type besideBar struct{}

func (besideBar) MinSize(o []fyne.CanvasObject) fyne.Size {
	return o[0].MinSize().AddWidthHeight(kit.GapWide, 0)
}

func (besideBar) Layout(o []fyne.CanvasObject, size fyne.Size) {
	o[0].Resize(fyne.NewSize(size.Width-kit.GapWide, size.Height))
}

// deviceCard shows everything that is known about a device.
func deviceCard(d devices.Device) *fyne.Container {
	dot, state := kit.ColorSuccess, "ready"
	if !d.Available {
		dot, state = theme.ColorNameDisabled, "not available"
	}
	mark := container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(8), kit.NewSurface(dot, "", 4)))
	caption := kit.NewCaption(state)
	caption.Whole = true
	head := container.NewBorder(nil, nil, kit.Row(kit.Gap, mark, kit.NewSection(panel.DeviceName(d.ID))), caption)
	facts := kit.Column(kit.GapSmall)
	add := func(name, value string) {
		if value != "" {
			facts.Add(container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: 110}, kit.NewLine(name, kit.TextBody, kit.ColorMuted)), nil,
				kit.NewParagraph(value, theme.ColorNameForeground).Flat))
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
	add("Not used", strings.Join(d.NotUsed, "; "))
	if panel.IsEmulated(d.ID) {
		add("Use", "It runs a Mac's GPU code on the CPU: for testing, not for speed.")
	}
	add("Self-check", d.SelfCheck)
	if !d.Available {
		add("Reason", kit.Sentence(d.Reason))
	}
	return kit.Column(kit.Gap, head, facts)
}
