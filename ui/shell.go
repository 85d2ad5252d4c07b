package ui

import (
	"context"
	"errors"
	"log/slog"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"inglenook/app"
)

// The rooms, as settings name them.
const (
	roomSimilarity  = "similarity"
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
	similarity *similarity
	measuring  *performance
	devices    *devicesPanel
	settings   *settingsPanel
	status     *statusStrip
	stage      *fyne.Container // the room in view
	view       fyne.CanvasObject
}

// newShell builds the content. Do runs a function on the window's goroutine.
func newShell(fyneApp fyne.App, a App, do func(func())) *shell {
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
		files: s.dialogs, copy: s.copyText, life: s.life, work: s.work,
	}
	s.similarity = newSimilarity(d)
	s.measuring = newPerformance(d)
	s.devices = newDevicesPanel(d)
	s.settings = newSettingsPanel(d, s.setTheme, s.openPath, s.devicesChanged, s.shortcuts())
	s.rooms = []*room{
		{roomSimilarity, "Similarity", similarityIcon, s.similarity.view},
		{roomPerformance, "Performance", performanceIcon, s.measuring.view},
		{roomDevices, "Devices", devicesIcon, s.devices.view},
		{roomSettings, "Settings", settingsIcon, s.settings.view},
	}
	s.stage = container.NewStack()
	for _, r := range s.rooms {
		s.items = append(s.items, newRailItem(s.keys, r, func() { s.enter(r.id) }))
		s.stage.Add(r.view)
	}
	s.keys.shortcuts, s.keys.escape = s.shortcuts(), s.escape
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
	if !slices.ContainsFunc(s.rooms, func(r *room) bool { return r.id == id }) {
		id = roomSimilarity
	}
	s.current = id
	for i, r := range s.rooms {
		s.items[i].active = r.id == id
		s.items[i].Refresh()
		if r.id == id {
			r.view.Show()
		} else {
			r.view.Hide()
		}
	}
	switch id {
	case roomPerformance:
		s.measuring.enter()
	case roomDevices:
		s.devices.fill()
	}
	s.stage.Refresh()
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

// openPath shows a folder or file in the system's own program for it.
func (s *shell) openPath(path string) {
	if err := s.fyneApp.OpenURL(&url.URL{Scheme: "file", Path: path}); err != nil {
		s.app.Log().Warn("folder not opened", slog.Any("error", err))
		s.status.tell("No program of this system opens " + app.ShortPath(path) + "; its path is on the clipboard.")
		s.copyText(path)
	}
}

func (s *shell) dialogs() fileDialogs {
	failed := s.similarity.showError
	if s.current == roomPerformance {
		failed = s.measuring.showError
	}
	return windowDialogs{s.window, failed}
}

// dropped takes files and folders that were dropped on the window: folders and
// .safetensors and .gguf files are models, other files hold texts.
func (s *shell) dropped(_ fyne.Position, uris []fyne.URI) {
	if s.current == roomPerformance && len(uris) == 1 && uris[0].Scheme() == "file" && isModelPath(uris[0].Path()) {
		s.measuring.addModel(uris[0].Path())
		return
	}
	s.enter(roomSimilarity)
	for _, u := range uris {
		if u.Scheme() != "file" {
			s.similarity.showError(errors.New("only files and folders of this computer can be dropped here"))
			continue
		}
		if path := u.Path(); isModelPath(path) {
			s.similarity.addModel(path)
		} else {
			s.similarity.addTexts(path)
		}
	}
}

func isModelPath(path string) bool {
	return isFolder(path) || slices.Contains([]string{".safetensors", ".gguf"}, strings.ToLower(filepath.Ext(path)))
}

// escape ends what is under way: an open list, a run, a notice.
func (s *shell) escape() {
	p := s.similarity
	switch m := s.measuring; {
	case m.picker.closeOpen():
	case s.current == roomPerformance && m.stop():
	case s.current == roomPerformance:
		m.notice.hide()
		m.view.Refresh()
	case p.picker.closeOpen():
	case p.stop():
	case p.list.stopEditing():
	default:
		p.told.hide()
		p.notice.hide()
		p.view.Refresh()
	}
}

// shortcuts are the keys of the window, in the order in which Settings lists
// them.
func (s *shell) shortcuts() []shortcut {
	p, m := s.similarity, s.measuring
	here := s.inSimilarity
	return []shortcut{
		{fyne.Key1, false, "Similarity", "1", func() { s.enter(roomSimilarity) }},
		{fyne.Key2, false, "Performance", "2", func() { s.enter(roomPerformance) }},
		{fyne.Key3, false, "Devices", "3", func() { s.enter(roomDevices) }},
		{fyne.Key4, false, "Settings", "4", func() { s.enter(roomSettings) }},
		{fyne.KeyReturn, false, "Compare, or measure", "Enter", s.either(p.start, m.start)},
		{fyne.KeyEnter, false, "", "", s.either(p.start, m.start)},
		{fyne.KeyN, false, "New text", "N", here(func() { s.focus(p.list.composer) })},
		{fyne.KeyO, false, "Open a text file", "O", here(p.openTexts)},
		{fyne.KeyO, true, "Open a model folder", "O", s.either(p.openModelFolder, m.picker.openFolder)},
		{fyne.KeyM, false, "Choose the model", "M", s.either(func() { s.focus(p.picker); p.picker.open() }, func() { s.focus(m.picker); m.picker.open() })},
		{fyne.KeyZ, false, "Undo the last change", "Z", here(p.list.undo)},
		{fyne.KeyC, true, "Copy CSV", "C", here(p.copyCSV)},
		{fyne.KeyS, false, "Save CSV", "S", s.either(p.saveCSV, m.saveCSV)},
		{fyne.KeyS, true, "Save a picture", "S", s.either(p.savePNG, m.savePNG)},
		{fyne.KeyQ, false, "Quit", "Q", s.quit},
	}
}

// either does one thing in Performance, and another in Similarity, to which all
// other rooms lead.
func (s *shell) either(similarity, performance func()) func() {
	elsewhere := s.inSimilarity(similarity)
	return func() {
		switch {
		case s.current != roomPerformance:
			elsewhere()
		case s.window == nil || s.window.Canvas().Overlays().Top() == nil:
			performance()
		}
	}
}

// inSimilarity does something where it shows, unless a dialog or a list is
// open over the window.
func (s *shell) inSimilarity(do func()) func() {
	return func() {
		if s.window != nil && s.window.Canvas().Overlays().Top() != nil {
			return
		}
		s.enter(roomSimilarity)
		do()
	}
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
