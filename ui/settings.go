package ui

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app"

	"github.com/dustin/go-humanize"
)

// settingsApp is what Settings asks of the application.
type settingsApp interface {
	Paths() app.Paths
	Diagnostics() string
	Network
}

// settingsPanel is the room for what is chosen rarely.
type settingsPanel struct {
	still
	desk
	app          settingsApp
	view         *fyne.Container
	themes       *segments
	threads      *choice
	devices      *fyne.Container
	shortcutList *fyne.Container
	copied       *button
	setTheme     func(string)
	open         func(path string)
	changed      func() // the devices compute in another way
	network      *networkCard
}

// themeChoices are the themes, in the order in which they are offered.
var themeChoices = [...]string{themeSystem, themeLight, themeDark}

func newSettingsPanel(d desk, a settingsApp, setTheme func(string), open func(string), changed func()) *settingsPanel {
	p := &settingsPanel{desk: d, app: a, setTheme: setTheme, open: open, changed: changed, shortcutList: column(14)}
	p.network = newNetworkCard(d, a)
	cards := container.New(&columnsLayout{},
		card(column(12, newSection("Appearance"), p.buildThemes())),
		card(column(12, newSection("Computation"), p.buildThreads(), p.buildDevices())),
		card(column(12, newSection("Hub and network"), p.network.view)),
		card(column(12, newSection("Conversations"), p.buildPrefixes())),
		card(column(gap, newSection("Folders"), p.buildFolders())),
		card(column(12, newSection("Help with a problem"), p.buildDiagnostics())),
		card(column(gap, newSection("Keyboard"), p.shortcutList)),
		card(buildAbout()),
	)
	page := container.NewVScroll(cards)
	p.view = inset(bordered(12, container.NewHBox(newTitleWhole("Settings")), page, nil), 12, gapWide)
	return p
}

// settingsIcon is drawn in the colour of that name.
func settingsIcon(name fyne.ThemeColorName) fyne.Resource {
	return theme.NewColoredResource(theme.DefaultTheme().Icon(theme.IconNameSettings), name)
}

func (p *settingsPanel) info() info {
	return info{id: roomSettings, name: "Settings", icon: settingsIcon}
}

func (p *settingsPanel) content() fyne.CanvasObject { return p.view }

// enter looks at what other rooms change.
func (p *settingsPanel) enter() { p.network.enter() }

// showError says in the status strip what went wrong.
func (p *settingsPanel) showError(err error) { p.tell(sentence(err.Error())) }

func (p *settingsPanel) buildThemes() fyne.CanvasObject {
	p.themes = newSegments(p.keys, []string{"System", "Light", "Dark"}, func(i int) {
		choice := themeChoices[i]
		p.keep(func(s *app.Settings) { s.Theme = choice })
		p.setTheme(choice)
	})
	for i, choice := range themeChoices {
		if p.common.Settings().Theme == choice {
			p.themes.show(i)
		}
	}
	return field("Theme", container.NewHBox(p.themes), "")
}

func (p *settingsPanel) buildThreads() fyne.CanvasObject {
	cores := runtime.NumCPU()
	options := []string{automatic}
	for n := 1; n <= cores; n++ {
		options = append(options, strconv.Itoa(n))
	}
	p.threads = newChoice(p.keys, options, nil)
	p.threads.SetSelectedIndex(min(cores, max(0, p.common.Settings().Threads)))
	p.threads.OnChanged = func(string) {
		n := max(0, p.threads.SelectedIndex())
		p.work(func(context.Context) {
			// Written at once: the next comparison must find it.
			err := p.common.SaveSettings(func(s *app.Settings) { s.Threads = n })
			p.do(func() {
				if err != nil {
					p.tell(sentence(err.Error()))
				}
				p.fillDevices()
				p.changed()
			})
		})
	}
	return field("Threads", container.New(&fixedWidth{150}, p.threads), fmt.Sprintf("of %d, from the next comparison on", cores))
}

// field is a named control with a hint behind it.
func field(name string, control fyne.CanvasObject, hint string) fyne.CanvasObject {
	label := newLine(name, textBody, theme.ColorNameForeground)
	label.whole = true
	return container.NewBorder(nil, nil, container.New(&fixedWidth{110}, label), nil,
		container.NewBorder(nil, nil, control, nil, inset(newLine(hint, textBody, colorMuted), 0, gap)))
}

func (p *settingsPanel) buildDevices() fyne.CanvasObject {
	p.devices = column(gap)
	p.fillDevices()
	return p.devices
}

// fillDevices lists the devices, those that can't be used with the reason.
func (p *settingsPanel) fillDevices() {
	p.devices.Objects = nil
	for _, d := range p.common.Devices() {
		name := newLine(deviceName(d.ID), textBody, theme.ColorNameForeground)
		name.whole = true
		dot, detail, color := colorSuccess, deviceDetail(d), fyne.ThemeColorName(colorMuted)
		if !d.Available {
			dot, detail = theme.ColorNameDisabled, "Not available. "+sentence(d.Reason)
			name.color = colorMuted
		}
		mark := container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(8), newSurface(dot, "", 4)))
		text := newParagraph(detail, color)
		p.devices.Add(container.NewBorder(nil, nil, container.New(&fixedWidth{110}, row(gap, mark, name)), nil, text.flat))
	}
	p.devices.Refresh()
}

// deviceDetail is what is known of a device that works.
func deviceDetail(d app.Device) string {
	parts := []string{}
	if d.Name != "" {
		parts = append(parts, d.Name)
	}
	if d.Threads > 0 {
		parts = append(parts, count(d.Threads, "thread"))
	}
	if d.MemoryBytes > 0 {
		parts = append(parts, humanize.IBytes(d.MemoryBytes)+" of memory")
	}
	if len(d.Features) > 0 {
		parts = append(parts, strings.Join(d.Features, ", "))
	}
	return strings.Join(parts, " · ")
}

func (p *settingsPanel) buildFolders() fyne.CanvasObject {
	paths := p.app.Paths()
	rows := column(0)
	for _, f := range []struct{ name, path string }{
		{"Data", paths.Data}, {"Settings", paths.Config}, {"Cache", paths.Cache}, {"Log", paths.Log},
	} {
		label := newLine(f.name, textBody, theme.ColorNameForeground)
		label.whole = true
		buttons := row(0, quiet(p.keys, "Copy path", theme.ContentCopyIcon(), func() {
			p.copy(f.path)
			p.tell("Copied the path of the " + strings.ToLower(f.name) + ".")
		}), quiet(p.keys, "Open", theme.FolderOpenIcon(), func() { p.open(f.path) }))
		rows.Add(container.NewBorder(nil, nil, container.New(&fixedWidth{110}, label), buttons, newLine(app.ShortPath(f.path), textBody, colorMuted)))
	}
	return rows
}

func (p *settingsPanel) buildDiagnostics() fyne.CanvasObject {
	p.copied = newButton(p.keys, "Copy diagnostics", theme.ContentCopyIcon(), func() {
		p.work(func(context.Context) {
			text := p.app.Diagnostics()
			p.do(func() {
				p.copy(text)
				p.tell("Copied the diagnostics. They hold no texts and no secrets.")
			})
		})
	})
	hint := newParagraph("Version, system, devices, settings and the end of the log, for a report. Your texts and secrets are not part of it.", colorMuted)
	return container.NewBorder(nil, nil, nil, container.NewCenter(p.copied), hint.flat)
}

// fillKeys lists the keys of all rooms, each room's in two columns.
func (p *settingsPanel) fillKeys(groups []keyGroup) {
	for _, g := range groups {
		list := [][2]string{}
		for _, k := range g.keys {
			if k.name != "" {
				list = append(list, [2]string{k.label(), k.name})
			}
		}
		p.shortcutList.Add(column(6, newName(g.name), keyColumns(list)))
	}
	p.shortcutList.Add(column(6, newName("In lists"), keyColumns([][2]string{
		{"Esc", "Cancel"}, {"Arrow keys", "Move the selection"}, {"Delete", "Delete the text"}, {"F2", "Edit the text"},
	})))
}

// keyColumns shows keys and what they do.
func keyColumns(list [][2]string) fyne.CanvasObject {
	half := (len(list) + 1) / 2
	columns := []*fyne.Container{column(6), column(6)}
	for i, k := range list {
		label := newLine(k[0], textSmall, theme.ColorNameForeground)
		label.whole, label.style.Bold = true, true
		chip := container.NewStack(newSurface(colorTrack, "", 5), inset(label, 2, 7))
		columns[i/half].Add(container.NewBorder(nil, nil, container.New(&fixedWidth{106}, container.NewHBox(chip)), nil, newLine(k[1], textBody, colorMuted)))
	}
	return container.NewGridWithColumns(2, columns[0], columns[1])
}

func buildAbout() fyne.CanvasObject {
	mark := canvas.NewImageFromResource(logo())
	mark.SetMinSize(fyne.NewSquareSize(56))
	mark.FillMode = canvas.ImageFillContain
	v := app.Version()
	version := "Version " + v.Version
	if v.Commit != "" {
		version += fmt.Sprintf(" (%.12s)", v.Commit)
	}
	name := newLine("Inglenook", 18, theme.ColorNameForeground)
	name.style.Bold = true
	return container.NewBorder(nil, nil, inset(mark, 0, gap), nil, column(3, name,
		newLine(version+" · "+v.System+" · "+v.Go, textBody, colorMuted),
		newParagraph("Free software under the Apache License 2.0. Texts and models stay on this computer.", colorMuted).flat))
}
