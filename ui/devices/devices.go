package devices

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/devices"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// App is what Devices asks of the application.
type App interface {
	Usage() devices.Usage // what the computer and the program use now
	// Try opens and tests a device that is left alone once more.
	Try(ctx context.Context, id string) (notices []string, err error)
}

// Page tells what can compute here: memory, features,
// and why a device is missing.
type Page struct {
	panel.Host
	App     App
	view    fyne.CanvasObject
	all     *fyne.Container // the monitor, and below it page
	page    *fyne.Container
	monitor *monitor
	targets []devices.Device
	details bool // what few people ask about is in view
}

func New(d panel.Host, a App) *Page {
	p := &Page{Host: d, App: a, page: container.New(&kit.ColumnsLayout{}), monitor: newMonitor(d, a)}
	beside := container.New(&besideBar{}, p.monitor.view)
	p.all = kit.Column(12, beside, p.page)
	p.view = d.Keys.Follow(container.NewVScroll(p.all))
	p.monitor.resized = func() {
		beside.Refresh()
		p.all.Refresh()
	}
	return p
}

func (p *Page) Content() fyne.CanvasObject { return p.view }

// Watch begins to read what the computer and the program use.
func (p *Page) Watch() { p.monitor.read() }

// Leave ends what only shows while somebody looks.
func (p *Page) Leave() { p.monitor.leave() }

// Enter shows what is used, and asks for the devices again: opening one may take a moment.
func (p *Page) Enter() {
	p.monitor.enter()
	p.Work(func(ctx context.Context) {
		targets := panel.OfferedDevices(p.Host.App, "")
		p.Do(func() { p.show(targets) })
	})
}

func (p *Page) show(targets []devices.Device) {
	p.targets, p.page.Objects = targets, nil
	var missing [][2]string
	for _, d := range targets {
		if !d.Available && !d.LeftAlone {
			missing = append(missing, [2]string{panel.DeviceName(d.ID), kit.Sentence(d.Reason)})
			continue
		}
		card := deviceCard(d, p.details)
		if d.LeftAlone {
			card.Add(kit.Row(kit.Gap, p.tryButton(d.ID)))
		}
		if len(p.page.Objects) == 0 {
			card.Add(p.detailsButton())
		}
		p.page.Add(kit.Card(card))
	}
	if len(missing) > 0 {
		p.page.Add(kit.Card(missingCard(missing)))
	}
	p.page.Refresh()
	p.all.Refresh() // else it keeps the height that it had without these cards
}

// detailsButton shows what few people ask about, or hides it.
func (p *Page) detailsButton() fyne.CanvasObject {
	label, icon := "Technical details", theme.MenuDropDownIcon()
	if p.details {
		label, icon = "Hide technical details", theme.MenuDropUpIcon()
	}
	return container.NewHBox(kit.NewQuietButton(p.Keys, label, icon, func() {
		p.details = !p.details
		p.show(p.targets)
	}))
}

// tryButton has a device tried again that the program leaves alone.
func (p *Page) tryButton(id string) *kit.Button {
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
					p.Tell(kit.Sentence(err.Error()))
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

// missingCard says quietly what this computer does not have, and why.
func missingCard(list [][2]string) *fyne.Container {
	rows := kit.Column(kit.GapSmall)
	for _, m := range list {
		rows.Add(factRow(m[0], m[1], kit.ColorMuted))
	}
	return kit.Column(kit.Gap, kit.NewSection("Not on this computer"), rows)
}

// factRow is a name and what is known about it.
func factRow(name, value string, color fyne.ThemeColorName) fyne.CanvasObject {
	return container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: 110}, kit.NewLine(name, kit.TextBody, kit.ColorMuted)), nil, kit.NewParagraph(value, color).Flat)
}

// deviceCard shows what is known about a device; with details, everything.
func deviceCard(d devices.Device, details bool) *fyne.Container {
	dot, state := kit.ColorSuccess, "ready"
	if !d.Available {
		dot, state = theme.ColorNameDisabled, "not available"
	}
	mark := kit.NewDot(dot)
	caption := kit.NewCaption(state)
	caption.Whole = true
	head := container.NewBorder(nil, nil, kit.Row(kit.Gap, mark, kit.NewSection(panel.DeviceName(d.ID))), caption)
	facts := kit.Column(kit.GapSmall)
	add := func(name, value string) {
		if value != "" {
			facts.Add(factRow(name, value, theme.ColorNameForeground))
		}
	}
	add("Name", d.Name)
	if d.Threads > 0 {
		add("Threads", humanize.Comma(int64(d.Threads)))
	}
	if d.MemoryBytes > 0 {
		add("Memory", humanize.Bytes(d.MemoryBytes))
	}
	if details {
		add("Features", strings.Join(d.Features, ", "))
		add("Products", kit.Sentence(d.Products))
		add("Not used", strings.Join(d.NotUsed, "; "))
	}
	if panel.IsEmulated(d.ID) {
		add("Use", "It runs a Mac's GPU code on the CPU: for testing, not for speed.")
	}
	if details {
		add("Self-check", d.SelfCheck)
	}
	if !d.Available {
		add("Reason", kit.Sentence(d.Reason))
	}
	return kit.Column(kit.Gap, head, facts)
}
