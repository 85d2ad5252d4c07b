package settings

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// App is what Settings asks of the application.
type App interface {
	Paths() base.Paths
	Diagnostics() string
	Folders
	Network
	Tools
	Store
}

// Panel is the panel for what is chosen rarely.
type Panel struct {
	panel.Still // but for Escape
	panel.Host
	app          App
	view         *fyne.Container
	themes       *kit.Segments
	reading      *kit.Segments
	scales       *kit.Segments
	threads      *kit.Choice
	unload       *kit.Choice
	devices      *fyne.Container
	shortcutList *fyne.Container
	copied       *kit.Button
	look         Look
	open         func(path string)
	changed      func() // the devices compute in another way
	sections     *sections
	network      *networkCard
	server       *serverCard
	tools        *toolsCard
	store        *storeCard
	folders      *foldersCard
	newChats     *newChatsCard
}

// themeChoices are the themes, in the order in which they are offered.
var themeChoices = [...]string{kit.ThemeSystem, kit.ThemeLight, kit.ThemeDark}

// Look changes how the window looks, at once.
type Look struct {
	SetTheme   func(choice string)
	SetReading func(size float32)  // of text that is read; it is kept, too
	SetScale   func(scale float32) // of everything; the same
	SetStill   func(still bool)    // whether nothing moves by itself; the same
}

func New(d panel.Host, a App, answers Server, presets func() []base.Preset, look Look, open func(string), changed func()) *Panel {
	p := &Panel{Host: d, app: a, look: look, open: open, changed: changed, shortcutList: kit.Column(14)}
	p.network, p.server, p.tools = newNetworkCard(d, a), newServerCard(d, answers), newToolsCard(d, a)
	p.store = newStoreCard(d, a)
	p.folders = newFoldersCard(d, a, open)
	p.newChats = newNewChatsCard(d, presets)
	p.sections = newSections(d,
		section{tab: sectionGeneral, name: "Appearance", words: wordsAppearance, content: kit.Column(12, p.buildThemes(), p.buildScales(), p.buildReading(), p.buildStill())},
		section{tab: sectionGeneral, name: "New chats", words: wordsNewChats, content: p.newChats.view, enter: p.newChats.enter},
		section{tab: sectionGeneral, name: "Folders", words: wordsFolders, content: p.folders.view},
		section{tab: sectionGeneral, name: "About", words: wordsAbout, content: buildAbout()},
		section{tab: sectionConnections, name: "Connections to the internet", words: wordsConnections, content: p.network.view, foot: p.network.foot},
		section{tab: sectionConnections, name: "Connections so far", words: wordsPast, content: p.network.pastView, enter: p.network.fillPast},
		section{tab: sectionPrograms, name: "Models for other programs", words: wordsServer, content: p.server.view},
		section{tab: sectionPrograms, name: "Tools for chats", words: wordsTools, content: p.tools.view},
		section{tab: sectionAdvanced, name: "Processor and memory", words: wordsComputation, content: kit.Column(12, p.buildThreads(), p.buildUnload(), p.buildDevices())},
		section{tab: sectionAdvanced, name: "Old chats", words: wordsPrefixes, content: p.buildPrefixes()},
		section{tab: sectionAdvanced, name: "Where documents are kept", words: wordsStore, content: p.store.view},
		section{tab: sectionAdvanced, name: "For developers", words: wordsDevelopers, content: p.buildDeveloper()},
		section{tab: sectionHelp, name: "Help with a problem", words: wordsHelp, content: p.buildDiagnostics()},
		section{tab: sectionHelp, name: "Keyboard", words: wordsKeyboard, content: p.shortcutList},
	)
	for _, marked := range []*func(){&p.network.marked, &p.server.marked, &p.tools.marked, &p.store.marked} {
		*marked = p.mark
	}
	p.network.grown = p.sections.view.Refresh
	p.view = kit.Inset(kit.Bordered(12, p.sections.head, p.sections.view, nil), 12, kit.GapWide)
	return p
}

// settingsIcon is drawn in the colour of that name.
func settingsIcon(name fyne.ThemeColorName) fyne.Resource {
	return kit.Colored(theme.DefaultTheme().Icon(theme.IconNameSettings), name)
}

func (p *Panel) Info() panel.Info {
	return panel.Info{ID: panel.Settings, Name: "Settings", Icon: settingsIcon}
}

func (p *Panel) Content() fyne.CanvasObject { return p.view }

// Enter looks at what other panels change.
func (p *Panel) Enter() {
	p.network.enter()
	p.tools.fill()
	p.server.fill()
	p.server.tokens.fill()
	p.folders.fill()
	p.ShowReading()
}

// Leave takes secrets out of view, and what waits for one.
func (p *Panel) Leave() {
	p.server.leave()
	p.network.leave()
	p.store.password.Conceal()
}

// Serving hears in words how the server is on, now and after each change; "": it is off.
func (p *Panel) Serving(hears func(text string)) {
	p.server.serving = hears
	p.server.fill()
}

// Offline hears whether every connection is forbidden, now and after each change.
func (p *Panel) Offline(hears func(offline bool)) {
	p.network.cut = hears
	hears(p.app.Offline())
}

// ShowConnections turns to how other computers are reached.
func (p *Panel) ShowConnections() { p.turnTo(sectionConnections) }

// ShowToken turns to the token of the model store.
func (p *Panel) ShowToken() {
	p.turnTo(sectionConnections)
	p.Focus(p.network.token)
}

// ShowServer turns to what other programs use.
func (p *Panel) ShowServer() { p.turnTo(sectionPrograms) }

// Begin switches the server on where a person wants it from the start.
func (p *Panel) Begin() { p.server.begin() }

// Escape takes away what was searched for.
func (p *Panel) Escape() { p.sections.clear() }

// ShowError says in the status strip what went wrong.
func (p *Panel) ShowError(err error) { p.Tell(kit.Sentence(err.Error())) }

func (p *Panel) buildThemes() fyne.CanvasObject {
	p.themes = kit.NewSegments(p.Keys, []string{"System", "Light", "Dark"}, func(i int) {
		choice := themeChoices[i]
		p.Keep(func(s *base.Settings) { s.Theme = choice })
		p.look.SetTheme(choice)
	})
	for i, choice := range themeChoices {
		if p.App.Settings().Theme == choice {
			p.themes.Select(i)
		}
	}
	return field("Theme", container.NewHBox(p.themes), "")
}

func (p *Panel) buildScales() fyne.CanvasObject {
	p.scales = kit.NewSegments(p.Keys, kit.ScaleNames, func(i int) { p.look.SetScale(kit.Scales[i]) })
	p.scales.Select(max(0, slices.Index(kit.Scales, kit.NewTheme("").Scaled(p.App.Settings().Scale).Scale())))
	return field("Size of text and buttons", container.NewHBox(p.scales), "All words, buttons and pictures of the window.")
}

func (p *Panel) buildReading() fyne.CanvasObject {
	p.reading = kit.NewSegments(p.Keys, kit.ReadingNames, func(i int) { p.look.SetReading(kit.ReadingSizes[i]) })
	p.ShowReading()
	return field("Size of answers", container.NewHBox(p.reading), "Of answers and opened documents alone, besides the size of text and buttons. Ctrl and + or − change it in any room.")
}

func (p *Panel) buildStill() fyne.CanvasObject {
	c := kit.NewCheck(p.Keys, "Reduce motion: nothing fades or pulses", nil)
	c.SetChecked(p.App.Settings().Still)
	c.OnChanged = p.look.SetStill
	return marked("Reduce motion", c)
}

// ShowReading shows which size text that is read has.
func (p *Panel) ShowReading() { p.reading.Select(slices.Index(kit.ReadingSizes, kit.Reading())) }

func (p *Panel) buildThreads() fyne.CanvasObject {
	cores := runtime.NumCPU()
	options := []string{panel.Automatic}
	for n := 1; n <= cores; n++ {
		options = append(options, strconv.Itoa(n))
	}
	p.threads = kit.NewChoice(p.Keys, options, nil)
	p.threads.SetSelectedIndex(min(cores, max(0, p.App.Settings().Threads)))
	p.threads.OnChanged = func(string) {
		n := max(0, p.threads.SelectedIndex())
		p.Work(func(context.Context) {
			// Written at once: the next comparison must find it.
			err := p.App.SaveSettings(func(s *base.Settings) { s.Threads = n })
			p.Do(func() {
				if err != nil {
					p.Tell(kit.Sentence(err.Error()))
				}
				p.fillDevices()
				p.changed()
			})
		})
	}
	return field("Processor cores", container.New(&kit.FixedWidth{Width: 150}, p.threads), fmt.Sprintf("How many work at once (threads). Automatic uses all %s. Takes effect with the next task.", kit.Count(cores, "core")))
}

// save writes a setting at once, and says where that fails; then comes afterwards in any case.
func (p *Panel) save(change func(*base.Settings), then func()) {
	p.Work(func(context.Context) {
		err := p.App.SaveSettings(change)
		p.Do(func() {
			if err != nil {
				p.ShowError(err)
			}
			then()
		})
	})
}

// field is a named control with a hint behind it.
func field(name string, control fyne.CanvasObject, hint string) fyne.CanvasObject {
	label := kit.NewLine(name, kit.TextBody, theme.ColorNameForeground)
	label.Whole = true
	row := container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: nameWidth}, label), nil, container.NewHBox(control))
	if hint == "" {
		return marked(name, row)
	}
	return marked(name, kit.Column(2, row, container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: nameWidth}, kit.NewCaption("")), nil, kit.NewParagraph(hint, kit.ColorMuted).Small().Flat)))
}

// nameWidth is that of the names of fields.
const nameWidth float32 = 150

func (p *Panel) buildDevices() fyne.CanvasObject {
	p.devices = kit.Column(kit.Gap)
	p.fillDevices()
	return p.devices
}

// buildDeveloper lets a person see what is for testing.
func (p *Panel) buildDeveloper() fyne.CanvasObject {
	box := kit.NewCheck(p.Keys, "Developer mode: offer an emulated GPU for testing", nil)
	box.Checked = p.App.Settings().Developer
	box.OnChanged = func(on bool) {
		p.save(func(s *base.Settings) { s.Developer = on }, func() {
			p.fillDevices()
			p.changed()
		})
	}
	return kit.Column(kit.GapSmall, marked("Developer mode", box), kit.NewCaption("This program was built with "+base.Version().Go+"."))
}

// fillDevices lists the devices that this computer has, those that are left alone with the reason.
func (p *Panel) fillDevices() {
	p.devices.Objects = nil
	offered := panel.OfferedDevices(p.App, "")
	for _, d := range offered {
		if !d.Available && !d.LeftAlone {
			continue
		}
		name := kit.NewLine(panel.DeviceName(d.ID), kit.TextBody, theme.ColorNameForeground)
		name.Whole = true
		dot, detail, color := kit.ColorSuccess, deviceDetail(d), fyne.ThemeColorName(kit.ColorMuted)
		if !d.Available {
			dot, detail = theme.ColorNameDisabled, "Not available. "+kit.Sentence(d.Reason)
			name.Color = kit.ColorMuted
		}
		mark := kit.NewDot(dot)
		text := kit.NewParagraph(detail, color)
		p.devices.Add(container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: nameWidth}, kit.Row(kit.Gap, mark, name)), nil, text.Flat))
	}
	if !panel.HasGPU(offered) {
		p.devices.Add(panel.NoGPU(p.Host))
	}
	p.devices.Refresh()
}

// deviceDetail is what is known of a device that works.
func deviceDetail(d devices.Device) string {
	parts := []string{}
	if d.Name != "" {
		parts = append(parts, d.Name)
	}
	if d.Threads > 0 {
		parts = append(parts, kit.Count(d.Threads, "thread"))
	}
	if d.MemoryBytes > 0 {
		parts = append(parts, humanize.Bytes(d.MemoryBytes)+" of memory")
	}
	return strings.Join(parts, " · ")
}

func (p *Panel) buildDiagnostics() fyne.CanvasObject {
	p.copied = kit.NewButton(p.Keys, "Copy diagnostics", theme.ContentCopyIcon(), func() {
		p.Work(func(context.Context) {
			text := p.app.Diagnostics()
			p.Do(func() {
				if p.Copy(text, "diagnostics.txt") {
					p.Tell("Copied the diagnostics. They contain none of your texts and no passwords.")
				}
			})
		})
	})
	hint := kit.NewParagraph("Version, system, devices, settings and the end of the log, for a bug report. It contains none of your texts and no passwords.", kit.ColorMuted)
	return container.NewBorder(nil, nil, nil, container.NewCenter(p.copied), hint.Flat)
}

// FillKeys lists the keys of all panels.
func (p *Panel) FillKeys(groups []kit.KeyGroup) { p.shortcutList.Objects = keyLists(groups) }

// KeyList is a list of the keys of all panels, each panel's in two columns.
func KeyList(groups []kit.KeyGroup) fyne.CanvasObject {
	return kit.Column(14, keyLists(groups)...)
}

func keyLists(groups []kit.KeyGroup) (lists []fyne.CanvasObject) {
	for _, g := range groups {
		list := [][2]string{}
		for _, k := range g.Keys {
			if k.Name != "" {
				list = append(list, [2]string{k.Label(), k.Name})
			}
		}
		lists = append(lists, kit.Column(6, kit.NewName(g.Name), keyColumns(list)))
	}
	return append(lists, kit.Column(6, kit.NewName("In lists"), keyColumns([][2]string{
		{"F1", "These keys"}, {"Esc", "Cancel"}, {"Arrow keys", "Move the selection"}, {"Delete", "Delete the text"}, {"F2", "Edit the text"},
	})))
}

// keyColumns shows keys and what they do.
func keyColumns(list [][2]string) fyne.CanvasObject {
	half := (len(list) + 1) / 2
	const around float32 = 7 // a name of a key
	wide := float32(0)
	for _, k := range list {
		wide = max(wide, fyne.MeasureText(k[0], kit.TextSmall, fyne.TextStyle{Bold: true}).Width+2*around+kit.Gap)
	}
	columns := []*fyne.Container{kit.Column(6), kit.Column(6)}
	for i, k := range list {
		label := kit.NewLine(k[0], kit.TextSmall, theme.ColorNameForeground)
		label.Whole, label.Style.Bold = true, true
		chip := container.NewStack(kit.NewSurface(kit.ColorTrack, "", 5), kit.Inset(label, 2, around))
		columns[i/half].Add(container.NewBorder(nil, nil, container.New(&kit.FixedWidth{Width: wide}, container.NewVBox(container.NewHBox(chip))), nil, kit.NewParagraph(k[1], kit.ColorMuted).Flat))
	}
	return container.NewGridWithColumns(2, columns[0], columns[1])
}

func buildAbout() fyne.CanvasObject {
	mark := canvas.NewImageFromResource(panel.Logo())
	mark.SetMinSize(fyne.NewSquareSize(56))
	mark.FillMode = canvas.ImageFillContain
	v := base.Version()
	version := "Version " + v.Version
	if v.Commit != "" {
		version += fmt.Sprintf(" (%.12s)", v.Commit)
	}
	name := kit.NewLine("Inglenook", 18, theme.ColorNameForeground)
	name.Style.Bold = true
	return container.NewBorder(nil, nil, kit.Inset(mark, 0, kit.Gap), nil, kit.Column(3, name,
		kit.NewLine(version+" · "+v.System, kit.TextBody, kit.ColorMuted),
		kit.NewParagraph("Free software under the Apache License 2.0. Texts stay on this computer unless you choose a server or a shared database.", kit.ColorMuted).Flat))
}
