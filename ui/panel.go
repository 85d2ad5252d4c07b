package ui

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"

	"fyne.io/fyne/v2"

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

// panel is the content of a room, as the window around it handles it.
type panel interface {
	info() info
	content() fyne.CanvasObject
	enter()                    // it has come into view
	leave()                    // another room has
	escape()                   // ends what is under way: an open list, a run, a notice
	takes(paths []string) bool // whether dropped files and folders are for it
	drop(paths []string)
	shortcuts() []shortcut // keys that mean something while it is in view
	showError(err error)
}

// info is how the window presents a panel.
type info struct {
	id   string // as settings name it
	name string // on the rail
	icon func(fyne.ThemeColorName) fyne.Resource
}

// commonApp is what every panel may ask of the application.
type commonApp interface {
	Devices() []app.Device
	Models(ctx context.Context) ([]app.Model, error)
	AddModel(ctx context.Context, path string) (app.Model, error)
	ForgetModel(id string) error
	Settings() app.Settings
	SaveSettings(change func(*app.Settings)) error
	Log() *slog.Logger
}

// desk is what a panel needs of the window around it.
type desk struct {
	common    commonApp
	keys      *keyboard
	do        func(func()) // runs a function on the window's goroutine, soon
	keep      func(func(*app.Settings))
	tell      func(message string) // in the status strip
	ran       func(device string)  // the device that really computed
	files     func() fileDialogs   // dialogs over the window
	copy      func(text string)    // to the clipboard
	focus     func(fyne.Focusable) // gives a widget the keyboard
	browse    func(*url.URL)       // opens an address with the system's own program
	enterRoom func(id string)
	life      context.Context             // ends when the window closes
	work      func(func(context.Context)) // runs a goroutine, which must end with life
}

// still is what panels are that neither work nor take files.
type still struct{}

func (still) leave()                {}
func (still) escape()               {}
func (still) takes([]string) bool   { return false }
func (still) drop([]string)         {}
func (still) shortcuts() []shortcut { return nil }

// forget takes a model off the list and gives what is left of it.
func (d desk) forget(m app.Model, then func([]app.Model), fail func(error)) {
	d.work(func(ctx context.Context) {
		err := d.common.ForgetModel(m.ID)
		var models []app.Model
		if err == nil {
			models, err = d.common.Models(ctx)
		}
		d.do(func() {
			if err != nil {
				fail(err)
				return
			}
			then(models)
			d.tell(m.Name + " is no longer on the list. Its files stay where they are.")
		})
	})
}

// write fills a file off the window's goroutine and says how it went.
func (d desk) write(w fyne.URIWriteCloser, fill func(fyne.URIWriteCloser) error, fail func(error)) {
	name := w.URI().Path()
	d.work(func(context.Context) {
		err := fill(w)
		if closing := w.Close(); err == nil {
			err = closing
		}
		d.do(func() {
			if err != nil {
				fail(fmt.Errorf("%s was not saved: %w; choose another place or make room", filepath.Base(name), err))
				return
			}
			d.common.Log().Info("exported", "file", filepath.Base(name))
			d.tell("Saved " + app.ShortPath(name) + ".")
		})
	})
}
