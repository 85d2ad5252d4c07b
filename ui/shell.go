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

// The rooms, as settings name them.
const (
	roomChat        = "chat"
	roomSimilarity  = "similarity"
	roomModels      = "models"
	roomPerformance = "performance"
	roomDevices     = "devices"
	roomSettings    = "settings"
)

// shell is the window's content: rail, rooms and status strip.
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

	rooms      []*room
	items      []*railItem
	current    string
	working    *room // the last in view that has keys of its own
	chat       *chat
	similarity *similarity
	models     *modelsPanel
	settings   *settingsPanel
	status     *statusStrip
	stage      *fyne.Container // the room in view
	view       fyne.CanvasObject
}

// newShell builds the content. Do runs a function on the window's goroutine.
func newShell(fyneApp fyne.App, a App, t Talks, do func(func())) *shell {
	s := &shell{app: a, fyneApp: fyneApp, keys: &keyboard{}, saver: &saver{app: a}}
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
	d := desk{
		app: a, keys: s.keys, do: s.do, keep: s.saver.keep, tell: s.status.tell, ran: s.ranOn,
		files: s.dialogs, copy: s.copyText, focus: s.focus, browse: s.openURL, enterRoom: s.enter, life: s.life, work: s.work,
	}
	s.chat = newChat(d, t)
	s.similarity = newSimilarity(d)
	performance := newPerformance(d)
	s.models = newModelsPanel(d, []modelUse{
		{"Chat", chatIcon, forChat, func(m app.Model) { s.enter(roomChat); s.chat.use(m) }},
		{"Similarity", similarityIcon, forSimilarity, func(m app.Model) { s.enter(roomSimilarity); s.similarity.open(m.ID) }},
		{"Performance", performanceIcon, forPerformance, func(m app.Model) { s.enter(roomPerformance); performance.open(m.ID) }},
	}, s.openPath)
	s.rooms = []*room{
		{roomChat, "Chat", chatIcon, s.chat},
		{roomModels, "Models", modelsIcon, s.models},
		{roomSimilarity, "Similarity", similarityIcon, s.similarity},
		{roomPerformance, "Performance", performanceIcon, performance},
		{roomDevices, "Devices", devicesIcon, newDevicesPanel(d)},
	}
	s.working = s.rooms[0]
	s.settings = newSettingsPanel(d, s.setTheme, s.openPath, s.devicesChanged)
	s.rooms = append(s.rooms, &room{roomSettings, "Settings", settingsIcon, s.settings})
	s.settings.fillKeys(s.keyGroups())
	s.stage = container.NewStack()
	for _, r := range s.rooms {
		s.items = append(s.items, newRailItem(s.keys, r, func() { s.enter(r.id) }))
		s.stage.Add(r.panel.content())
	}
	s.keys.shortcuts, s.keys.room, s.keys.escape = s.shortcuts(), s.roomShortcut, s.escape
	rail := container.New(&fixedWidth{railWidth}, newRail(s.items))
	s.view = container.NewStack(newSurface("background", "", 0),
		container.New(&frame{}, rail, s.stage, s.status.view))
	s.show(a.Settings().Window.Panel)
	return s
}

// frame puts the rail on the left, the status strip below the rest, and the
// room in view between, without gaps.
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

// enter shows a room and keeps that it was the last one.
func (s *shell) enter(id string) {
	if id != s.current {
		s.show(id)
		s.saver.keep(func(settings *app.Settings) { settings.Window.Panel = id })
	}
}

func (s *shell) show(id string) {
	if s.room(id) == nil {
		id = s.rooms[0].id
	}
	before := s.room(s.current)
	s.current = id
	for i, r := range s.rooms {
		s.items[i].active = r.id == id
		s.items[i].Refresh()
		if r.id == id {
			r.panel.content().Show()
		} else {
			r.panel.content().Hide()
		}
	}
	if before != nil && before.id != id {
		before.panel.leave()
	}
	now := s.room(id)
	if len(now.panel.shortcuts()) > 0 {
		s.working = now
	}
	now.panel.enter()
	s.stage.Refresh()
}

// room finds a room; nil: there is none of that name.
func (s *shell) room(id string) *room {
	if i := slices.IndexFunc(s.rooms, func(r *room) bool { return r.id == id }); i >= 0 {
		return s.rooms[i]
	}
	return nil
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
	return windowDialogs{s.window, s.room(s.current).panel.showError}
}

// dropped takes files and folders that were dropped on the window: the room in
// view has the first choice, then the one that last worked, then the others.
func (s *shell) dropped(_ fyne.Position, uris []fyne.URI) {
	paths := []string{}
	for _, u := range uris {
		if u.Scheme() != "file" {
			s.room(s.current).panel.showError(errors.New("only files and folders of this computer can be dropped here"))
			continue
		}
		paths = append(paths, u.Path())
	}
	if len(paths) == 0 {
		return
	}
	for _, r := range append([]*room{s.room(s.current), s.working}, s.rooms...) {
		if r.panel.takes(paths) {
			s.enter(r.id)
			r.panel.drop(paths)
			return
		}
	}
}

// escape ends what is under way: an open list, a run, a notice.
func (s *shell) escape() {
	s.room(s.current).panel.escape()
}

// shortcuts are the keys that mean the same in the whole window.
func (s *shell) shortcuts() []shortcut {
	list := []shortcut{}
	for i, r := range s.rooms {
		n := strconv.Itoa(i + 1)
		list = append(list, shortcut{fyne.KeyName(n), false, r.name, n, func() { s.enter(r.id) }})
	}
	return append(list, shortcut{fyne.KeyQ, false, "Quit", "Q", s.quit})
}

// keyGroups are all shortcuts, in the order in which Settings lists them.
func (s *shell) keyGroups() []keyGroup {
	groups := []keyGroup{{"Everywhere", s.shortcuts()}}
	for _, r := range s.rooms {
		if keys := r.panel.shortcuts(); len(keys) > 0 {
			groups = append(groups, keyGroup{r.name, keys})
		}
	}
	return groups
}

// roomShortcut runs a shortcut of the room in view. A room without any leads to
// the one that was in view before. Under a dialog or an open list nothing happens.
func (s *shell) roomShortcut(is func(shortcut) bool) bool {
	keys := s.working.panel.shortcuts()
	i := slices.IndexFunc(keys, is)
	if i < 0 {
		return false
	}
	if s.window == nil || s.window.Canvas().Overlays().Top() == nil {
		s.enter(s.working.id)
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
