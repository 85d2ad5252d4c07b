package ui

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app"
)

// shell is the window's content: rail, panels and status strip.
type shell struct {
	app     App
	fyneApp fyne.App
	window  fyne.Window // nil where the content is only drawn
	keys    *keyboard
	saver   *saver

	life context.Context // ends when the window closes
	end  context.CancelFunc
	busy sync.WaitGroup
	do   func(func())

	inTurn bool // panels compute on the goroutine that draws

	panels     []panel
	items      []*railItem
	current    string
	working    panel // the last in view that has keys of its own
	chat       *chat
	similarity *similarity
	models     *modelsPanel
	settings   *settingsPanel
	status     *statusStrip
	stage      *fyne.Container // the panel in view
	view       fyne.CanvasObject
}

// newShell builds the content. Do runs a function on the window's goroutine.
func newShell(fyneApp fyne.App, a App, t Talks, do func(func())) *shell {
	s := &shell{app: a, fyneApp: fyneApp, keys: &keyboard{}, saver: newSaver(a)}
	s.life, s.end = context.WithCancel(context.Background())
	// What still comes in while the window closes finds it gone: Fyne then runs
	// functions on whatever goroutine brings them.
	s.do = func(f func()) {
		do(func() {
			if s.life.Err() == nil {
				f()
			}
		})
	}
	s.setTheme(a.Settings().Theme)
	s.status = newStatusStrip(s.keys, a.Devices(), func() { s.enter(roomDevices) })
	s.buildPanels(t)
	s.working = s.panels[0]
	s.settings.fillKeys(s.keyGroups())
	s.stage = container.NewStack()
	for _, p := range s.panels {
		s.items = append(s.items, newRailItem(s.keys, p.info(), func() { s.enter(p.info().id) }))
		s.stage.Add(p.content())
	}
	s.keys.handle(s.shortcuts(), s.panelShortcut, s.escape)
	rail := container.New(&fixedWidth{railWidth}, newRail(s.items))
	s.view = container.NewStack(newSurface("background", "", 0),
		container.New(&frame{}, rail, s.stage, s.status.view))
	s.show(a.Settings().Window.Panel)
	return s
}

// buildPanels builds what the rail leads to, in its order.
func (s *shell) buildPanels(t Talks) {
	h := s.host(s.work)
	computes := s.host(s.workOfPanels)
	s.chat = newChat(computes, s.app, t)
	s.similarity = newSimilarity(computes, s.app)
	speed := newPerformance(computes, s.app)
	s.models = newModelsPanel(h, s.app, []modelUse{
		{s.chat.info(), forChat, func(m app.Model) { s.enter(roomChat); s.chat.use(m) }},
		{s.similarity.info(), forSimilarity, func(m app.Model) { s.enter(roomSimilarity); s.similarity.open(m.ID) }},
		{speed.info(), forPerformance, func(m app.Model) { s.enter(roomPerformance); speed.open(m.ID) }},
	}, s.openPath)
	s.settings = newSettingsPanel(h, s.app, s.setTheme, s.openPath, s.devicesChanged)
	s.panels = []panel{s.chat, s.models, s.similarity, speed, newDevicesPanel(h, s.app), s.settings}
}

// host is the window as its panels see it.
func (s *shell) host(work func(func(context.Context))) desk {
	return desk{
		common: s.app, keys: s.keys, do: s.do, keep: s.saver.keep, tell: s.status.tell, ran: s.ranOn,
		files: s.dialogs, copy: s.copyText, focus: s.focus, browse: s.openURL, enterRoom: s.enter, life: s.life, work: work,
	}
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
		s.show(id)
		s.saver.keep(func(settings *app.Settings) { settings.Window.Panel = id })
	}
}

func (s *shell) show(id string) {
	if s.panel(id) == nil {
		id = s.panels[0].info().id
	}
	before := s.panel(s.current)
	s.current = id
	for i, p := range s.panels {
		s.items[i].active = p.info().id == id
		s.items[i].Refresh()
		show(p.content(), p.info().id == id)
	}
	now := s.panel(id)
	if before != nil && before != now {
		before.leave()
	}
	if len(now.shortcuts()) > 0 {
		s.working = now
	}
	now.enter()
	s.stage.Refresh()
}

// panel finds a panel; nil: there is none of that name.
func (s *shell) panel(id string) panel {
	if i := slices.IndexFunc(s.panels, func(p panel) bool { return p.info().id == id }); i >= 0 {
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

func (s *shell) setTheme(choice string) {
	s.fyneApp.Settings().SetTheme(newTheme(choice))
}

// ranOn says which device really computed.
func (s *shell) ranOn(device string) {
	for _, d := range s.app.Devices() {
		if d.ID == device {
			s.status.device.set(deviceLine(d))
			return
		}
	}
	s.status.device.set(deviceName(device))
}

// devicesChanged follows a change of the devices' settings.
func (s *shell) devicesChanged() {
	s.status.device.set(chipText(s.app.Devices()))
}

func (s *shell) copyText(text string) { s.fyneApp.Clipboard().SetContent(text) }

// openURL opens an address in the system's own program for it.
func (s *shell) openURL(u *url.URL) {
	if err := s.fyneApp.OpenURL(u); err != nil {
		s.app.Log().Warn("address not opened", slog.Any("error", err))
		s.status.tell("No program of this system opens links; the address is on the clipboard.")
		s.copyText(u.String())
	}
}

// openPath shows a folder or file in the system's own program for it.
func (s *shell) openPath(path string) {
	if err := s.fyneApp.OpenURL(&url.URL{Scheme: "file", Path: path}); err != nil {
		s.app.Log().Warn("folder not opened", slog.Any("error", err))
		s.status.tell("No program of this system opens " + app.ShortPath(path) + "; its path is on the clipboard.")
		s.copyText(path)
	}
}

func (s *shell) dialogs() fileDialogs {
	return windowDialogs{s.window, s.panel(s.current).showError}
}

// dropped takes files and folders that were dropped on the window: the panel in
// view has the first choice, then the one that last worked, then the others.
func (s *shell) dropped(_ fyne.Position, uris []fyne.URI) {
	paths := []string{}
	for _, u := range uris {
		if u.Scheme() != "file" {
			s.panel(s.current).showError(errors.New("only files and folders of this computer can be dropped here"))
			continue
		}
		paths = append(paths, u.Path())
	}
	if len(paths) == 0 {
		return
	}
	for _, p := range append([]panel{s.panel(s.current), s.working}, s.panels...) {
		if p.takes(paths) {
			s.enter(p.info().id)
			p.drop(paths)
			return
		}
	}
}

// escape ends what is under way: an open list, a run, a notice.
func (s *shell) escape() {
	s.panel(s.current).escape()
}

// shortcuts are the keys that mean the same in the whole window.
func (s *shell) shortcuts() []shortcut {
	list := []shortcut{}
	for i, p := range s.panels {
		n := strconv.Itoa(i + 1)
		list = append(list, newShortcut(fyne.KeyName(n), p.info().name, n, func() { s.enter(p.info().id) }))
	}
	return append(list, newShortcut(fyne.KeyQ, "Quit", "Q", s.quit))
}

// keyGroups are all shortcuts, in the order in which Settings lists them.
func (s *shell) keyGroups() []keyGroup {
	groups := []keyGroup{newKeyGroup("Everywhere", s.shortcuts())}
	for _, p := range s.panels {
		if keys := p.shortcuts(); len(keys) > 0 {
			groups = append(groups, newKeyGroup(p.info().name, keys))
		}
	}
	return groups
}

// panelShortcut runs a shortcut of the panel in view. A panel without any leads to
// the one that was in view before. Under a dialog or an open list nothing happens.
func (s *shell) panelShortcut(is func(shortcut) bool) bool {
	keys := s.working.shortcuts()
	i := slices.IndexFunc(keys, is)
	if i < 0 {
		return false
	}
	if s.window == nil || s.window.Canvas().Overlays().Top() == nil {
		s.enter(s.working.info().id)
		keys[i].run()
	}
	return true
}

// focus gives a widget the keyboard.
func (s *shell) focus(f fyne.Focusable) {
	if s.window != nil {
		s.window.Canvas().Focus(f)
	}
}

// quitPatience is how long quitting waits for work to notice its end.
const quitPatience = time.Second

// quit ends all work, keeps how the window was left and closes it.
func (s *shell) quit() {
	if s.window == nil || s.life.Err() != nil {
		return
	}
	s.end()
	size, full := s.window.Canvas().Size(), s.window.FullScreen()
	s.saver.keep(func(settings *app.Settings) {
		settings.Window.Full = full
		if !full {
			settings.Window.Width, settings.Window.Height = size.Width, size.Height
		}
	})
	s.saver.flush()
	s.window.SetCloseIntercept(nil)
	s.window.Close()
	s.fyneApp.Quit()
}

// wait gives the work that quit ended a moment to end.
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
