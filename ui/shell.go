package ui

import (
	"context"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/ui/chat"
	"inglenook/ui/documents"
	"inglenook/ui/filedialog"
	"inglenook/ui/kit"
	"inglenook/ui/models"
	"inglenook/ui/panel"
	"inglenook/ui/performance"
	"inglenook/ui/rerank"
	"inglenook/ui/settings"
	"inglenook/ui/similarity"
)

// shell is the window's content: rail, panels and status strip.
type shell struct {
	app     App
	fyneApp fyne.App
	window  fyne.Window // nil where the content is only drawn
	keys    *kit.Keyboard
	saver   *panel.Saver
	theme   *kit.Theme

	life context.Context // ends when the window closes
	end  context.CancelFunc
	busy sync.WaitGroup
	do   func(func())

	opens   func(path string) error          // in the system's own program; it may take as long as that runs
	opensAt func(path string, page int) bool // at a page of a PDF file; false: that program is not known to; nil: none is

	inTurn bool // panels compute on the goroutine that draws

	panels      []panel.Panel
	items       []*railItem
	current     string
	working     panel.Panel // the last in view that has keys of its own
	chat        *chat.Panel
	documents   *documents.Panel
	similarity  *similarity.Panel
	rerank      *rerank.Panel
	models      *models.Panel
	performance *performance.Panel
	settings    *settings.Panel
	status      *statusStrip
	others      int    // changes of the servers by other processes that are shown
	ran         string // the device or server that computed last; "": none did
	toast       *kit.Toast
	news        string // the model whose arrival the toast told; "": it told something else
	sheet       *kit.Sheet
	clipboard   *panel.Clipboard
	files       *filedialog.Dialogs
	stage       *fyne.Container // the panel in view
	view        fyne.CanvasObject
}

// newShell builds the content. Do runs a function on the window's goroutine.
func newShell(fyneApp fyne.App, a App, kept Stores, do func(func())) *shell {
	s := &shell{app: a, fyneApp: fyneApp, keys: &kit.Keyboard{}, saver: panel.NewSaver(a)}
	s.opens = func(path string) error { return fyneApp.OpenURL(&url.URL{Scheme: "file", Path: path}) }
	life, end := context.WithCancelCause(context.Background())
	s.life, s.end = life, func() { end(base.ErrClosing) }
	// What still comes in while the window closes finds it gone: Fyne then runs
	// functions on whatever goroutine brings them.
	s.do = func(f func()) {
		do(func() {
			if s.life.Err() == nil {
				f()
				s.keys.Tip.Recheck()
			}
		})
	}
	s.theme = kit.NewTheme(a.Settings().Theme).WithReading(a.Settings().TextSize).Scaled(a.Settings().Scale).Still(a.Settings().Still)
	s.theme.Apply(fyneApp)
	s.keys.Tip = kit.NewTip(s.do)
	s.status = newStatusStrip(s.keys, a.Devices(), s.do, func() { s.enter(panel.Devices) }, s.showServer, s.showConnections)
	s.keys.Tell = s.status.showMessage
	s.toast = kit.NewToast(s.keys, s.do)
	s.sheet = kit.NewSheet(s.keys, func() fyne.CanvasObject { return s.view })
	s.files = s.newDialogs(nil)
	s.buildPanels(kept)
	s.settings.Serving(s.status.showServing)
	s.settings.Offline(s.status.showOffline)
	s.working = s.panels[0]
	s.settings.FillKeys(s.keyGroups())
	s.stage = container.NewStack()
	for _, p := range s.panels {
		s.items = append(s.items, newRailItem(s.keys, p.Info(), s.enter, s.visit))
		s.stage.Add(p.Content())
	}
	s.keys.Handle(s.shortcuts(), s.panelShortcut, s.escape)
	s.keys.Help, s.keys.Home = s.showKeys, s.home
	rail := container.New(&kit.FixedWidth{Width: railWidth}, newRail(s.items))
	s.view = container.NewStack(kit.NewSurface("background", "", 0),
		container.New(&frame{}, rail, s.stage, s.status.view), s.toast.InCorner(), s.keys.Tip.Layer)
	s.show(a.Settings().Window.Panel)
	return s
}

// frame puts the rail on the left, the status strip below the rest, and the
// panel in view between, without gaps.
type frame struct{}

func (frame) MinSize(o []fyne.CanvasObject) fyne.Size {
	rail, stage, status := o[0].MinSize(), o[1].MinSize(), o[2].MinSize()
	return fyne.NewSize(rail.Width+max(stage.Width, status.Width), max(rail.Height, stage.Height+status.Height))
}

func (frame) Layout(o []fyne.CanvasObject, size fyne.Size) {
	left, height := o[0].MinSize().Width, o[2].MinSize().Height
	o[0].Resize(fyne.NewSize(left, size.Height))
	o[1].Move(fyne.NewPos(left, 0))
	o[1].Resize(fyne.NewSize(size.Width-left, max(0, size.Height-height)))
	o[2].Move(fyne.NewPos(left, size.Height-height))
	o[2].Resize(fyne.NewSize(size.Width-left, height))
}

// enter shows a panel and keeps that it was the last one.
func (s *shell) enter(id string) {
	if id != s.current {
		s.lookAtServers()
		s.show(id)
		now := s.current
		s.saver.Keep(func(settings *base.Settings) { settings.Window.Panel = now })
	}
}

func (s *shell) show(id string) {
	if id == panel.Devices {
		s.performance.ShowComputer()
		id = panel.Performance
	}
	if s.panel(id) == nil {
		id = s.panels[0].Info().ID
	}
	s.keys.Tip.Hide()
	before := s.panel(s.current)
	if before != s.panel(id) {
		s.keys.Clear() // it was about the room that goes out of view
	}
	s.current = id
	for i, p := range s.panels {
		s.items[i].active = p.Info().ID == id
		s.items[i].Refresh()
		kit.Show(p.Content(), p.Info().ID == id)
	}
	now := s.panel(id)
	if before != nil && before != now {
		s.takeKeyboard()
		s.status.leave()
		before.Leave()
	}
	if len(now.Shortcuts()) > 0 {
		s.working = now
	}
	now.Enter()
	if id == panel.Chat && s.news != "" && s.chat.Took(s.news) {
		s.news = ""
		s.toast.Hide() // it led to where the person is now
	}
	s.stage.Refresh()
}

// takeKeyboard takes the keyboard from what goes out of view: what is typed next is not for
// it. The rail stays in view and keeps it.
func (s *shell) takeKeyboard() {
	if s.window == nil {
		return
	}
	if _, rail := s.window.Canvas().Focused().(*railItem); !rail {
		s.window.Canvas().Unfocus()
	}
}

// panel finds a panel; nil: there is none of that name.
func (s *shell) panel(id string) panel.Panel {
	if i := slices.IndexFunc(s.panels, func(p panel.Panel) bool { return p.Info().ID == id }); i >= 0 {
		return s.panels[i]
	}
	return nil
}

// workOfPanels runs what panels compute: in turn where the window is only drawn.
func (s *shell) workOfPanels(f func(context.Context)) {
	if s.inTurn {
		f(s.life)
		return
	}
	s.work(f)
}

// work runs f on a goroutine of its own; the context ends with the window.
func (s *shell) work(f func(context.Context)) {
	s.busy.Go(func() { f(s.life) })
}

// setTheme gives the window a theme by its name.
func (s *shell) setTheme(choice string) {
	s.theme = s.theme.Choose(choice)
	s.theme.Apply(s.fyneApp)
}

// setStill has nothing move by itself from now on, or things again.
func (s *shell) setStill(still bool) {
	s.saver.Keep(func(settings *base.Settings) { settings.Still = still })
	s.theme = s.theme.Still(still)
	s.theme.Apply(s.fyneApp)
}

// setReading gives text that is read another size, and keeps it.
func (s *shell) setReading(size float32) {
	s.saver.Keep(func(settings *base.Settings) { settings.TextSize = size })
	s.theme = s.theme.WithReading(size)
	s.theme.Apply(s.fyneApp)
}

// zoom makes text that is read larger by so many of the sizes that there are; 0 gives it
// the usual one.
func (s *shell) zoom(steps int) {
	size := kit.UsualReading
	if at := slices.Index(kit.ReadingSizes, kit.Reading()); steps != 0 && at >= 0 {
		size = kit.ReadingSizes[min(max(at+steps, 0), len(kit.ReadingSizes)-1)]
	}
	s.setReading(size)
	s.settings.ShowReading()
	if at := slices.Index(kit.ReadingSizes, size); at >= 0 { // most rooms show no such text
		s.status.showMessage("Text of answers and opened documents: " + strings.ToLower(kit.ReadingNames[at]) + ".")
	}
}

// ranOn shows which device really computed.
func (s *shell) ranOn(device string) {
	s.ran = device
	for _, d := range s.app.Devices() {
		if d.ID == device {
			s.status.showDevice(deviceLine(d))
			return
		}
	}
	s.status.showDevice(panel.DeviceName(device))
}

// devicesChanged follows a change of the devices' settings.
func (s *shell) devicesChanged() {
	s.ran = ""
	s.status.showDevice(chipText(s.app.Devices()))
}

// knows reports whether a device, or a server of that name, is there still.
func (s *shell) knows(device string) bool {
	return slices.ContainsFunc(s.app.Devices(), func(d devices.Device) bool { return d.ID == device }) ||
		slices.ContainsFunc(s.app.Engines().List(), func(x base.Server) bool { return x.Name == device })
}

// openURL opens an address in the system's own program for it.
func (s *shell) openURL(u *url.URL) {
	if err := s.fyneApp.OpenURL(u); err != nil {
		s.app.Log().Warn("address not opened", slog.Any("error", err))
		s.status.showMessage("No program on this computer opens links. The address was copied to the clipboard.")
		s.clipboard.Copy(u.String(), "address.txt")
	}
}

// openPath shows a folder or file in the system's own program for it.
func (s *shell) openPath(path string) { s.openPage(path, 0) }

// openPage shows a file at a page, from 1, where the system's own program for it can, and else at its beginning.
func (s *shell) openPage(path string, page int) {
	go func() { // not of the window's work: the program may stay open for longer
		if page > 1 && s.opensAt != nil && s.opensAt(path, page) {
			return
		}
		err := s.opens(path)
		if err == nil {
			return
		}
		s.do(func() {
			s.app.Log().Warn("folder not opened", slog.Any("error", err))
			if s.clipboard.Copy(path, "path.txt") {
				s.status.showMessage("No file manager answered. The path was copied.")
			}
		})
	}()
}

// escape ends what is under way: an offer, an open list, a run, a notice.
func (s *shell) escape() {
	if !s.keys.Tip.Hide() && !s.clipboard.Close() && !s.sheet.Close() {
		s.panel(s.current).Escape()
	}
}

// shortcuts are the keys that mean the same in the whole window.
func (s *shell) shortcuts() []kit.Shortcut {
	list := []kit.Shortcut{}
	for i, p := range s.panels {
		n := strconv.Itoa(i + 1)
		list = append(list, kit.NewShortcut(fyne.KeyName(n), p.Info().Name, n, func() { s.visit(p.Info().ID) }))
	}
	return append(list,
		kit.NewShortcut(fyne.KeyEqual, "Larger text in answers and documents", "+", func() { s.zoom(1) }),
		kit.NewShiftShortcut(fyne.KeyEqual, "", "", func() { s.zoom(1) }), // where + needs Shift
		kit.NewShortcut(fyne.KeyPlus, "", "", func() { s.zoom(1) }),
		kit.NewShortcut(fyne.KeyMinus, "Smaller text", "−", func() { s.zoom(-1) }),
		kit.NewShortcut(fyne.Key0, "Text of the usual size", "0", func() { s.zoom(0) }),
		kit.NewShortcut(fyne.KeyQ, "Quit", "Q", s.mayQuit))
}

// keyGroups are all shortcuts, in the order in which Settings lists them.
func (s *shell) keyGroups() []kit.KeyGroup {
	groups := []kit.KeyGroup{kit.NewKeyGroup("Everywhere", s.shortcuts())}
	for _, p := range s.panels {
		if keys := p.Shortcuts(); len(keys) > 0 {
			groups = append(groups, kit.NewKeyGroup(p.Info().Name, keys))
		}
	}
	return groups
}

// showKeys lists all keys over the room in view; again, it takes the list away.
func (s *shell) showKeys() {
	if s.sheet.Title == keysTitle && s.sheet.Close() {
		return
	}
	if s.window != nil && s.window.Canvas().Overlays().Top() != nil {
		return // what asks there comes first
	}
	s.sheet.Open(keysTitle, settings.KeyList(s.keyGroups()), true, kit.SheetButton{Name: "Close", Main: true})
}

const keysTitle = "Keys"

// panelShortcut runs a shortcut of the panel in view. A panel without any leads to
// the one that was in view before. Under a dialog or an open list nothing happens.
func (s *shell) panelShortcut(is func(kit.Shortcut) bool) bool {
	keys := s.working.Shortcuts()
	i := slices.IndexFunc(keys, is)
	if i < 0 {
		return false
	}
	if s.window == nil || s.window.Canvas().Overlays().Top() == nil {
		s.enter(s.working.Info().ID)
		keys[i].Run()
	}
	return true
}

// focus moves the keyboard to a widget.
func (s *shell) focus(f fyne.Focusable) {
	if s.window != nil {
		s.window.Canvas().Focus(f)
	}
}

// visit enters a panel to write there: the keyboard goes to the field for that.
func (s *shell) visit(id string) {
	s.enter(id)
	s.home()
}

// home gives the keyboard to what a person writes in, in the panel in view.
func (s *shell) home() {
	if f := s.panel(s.current).WritesIn(); f != nil {
		s.focus(f)
	}
}

// quitPatience is how long quitting waits for work to notice its end.
const quitPatience = time.Second

// mayQuit asks first where something in Settings is typed and not applied.
func (s *shell) mayQuit() {
	names := s.settings.Unapplied()
	if len(names) == 0 {
		s.quit()
		return
	}
	s.enter(panel.Settings)
	body := kit.NewParagraph("You changed "+strings.Join(names, ", ")+" in Settings without pressing Apply.", theme.ColorNameForeground).Flat
	s.sheet.Open("A setting is not applied", body, false,
		kit.SheetButton{Name: "Stay"},
		kit.SheetButton{Name: "Discard and quit", Run: s.quit},
		kit.SheetButton{Name: "Apply", Main: true, Run: s.settings.Apply})
}

// quit ends all work, keeps how the window was left and closes it.
func (s *shell) quit() {
	if s.window == nil || s.life.Err() != nil {
		return
	}
	s.end()
	size, full := s.window.Canvas().Size(), s.window.FullScreen()
	s.saver.Keep(func(settings *base.Settings) {
		settings.Window.Full = full
		if !full {
			settings.Window.Width, settings.Window.Height = size.Width, size.Height
		}
	})
	s.saver.Flush()
	s.window.SetCloseIntercept(nil)
	s.window.Close()
	s.fyneApp.Quit()
}

// wait waits a moment for the work that quit has cancelled.
func (s *shell) wait() {
	ended := make(chan struct{})
	go func() {
		s.busy.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(quitPatience):
	}
}
