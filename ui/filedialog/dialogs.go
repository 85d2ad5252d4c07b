package filedialog

import (
	"context"
	"errors"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"

	"inglenook/ui/filedialog/system"
	"inglenook/ui/kit"
)

// Host is what the dialogs need of the window. All functions but Work belong to the window's
// goroutine.
type Host struct {
	Work   func(func(context.Context)) // runs a goroutine that ends with the window
	Do     func(func())                // runs a function on the window's goroutine
	Tell   func(message string)
	Failed func(error)
	Window func() string          // the window, as [system.Ask] names it
	Own    func() kit.FileDialogs // the window's own
}

// Dialogs are one at a time. What turned out not to be there is not asked again.
type Dialogs struct {
	Host
	choosers []system.Chooser
	open     bool // a dialog of the system is
}

// New makes the dialogs of these choosers, the best first.
func New(choosers []system.Chooser, h Host) *Dialogs { return &Dialogs{Host: h, choosers: choosers} }

// Open reports whether a dialog of the system is open.
func (d *Dialogs) Open() bool { return d.open }

// OpenFile asks for a file with one of these extensions; none: any file.
func (d *Dialogs) OpenFile(extensions []string, chosen func(path string)) {
	d.ask(system.Ask{Kind: system.File, Title: "Open a file", Extensions: extensions}, first(chosen), func() { d.Own().OpenFile(extensions, chosen) })
}

// OpenFiles asks for files of any kind, one or more.
func (d *Dialogs) OpenFiles(chosen func(paths []string)) {
	d.ask(system.Ask{Kind: system.Files, Title: "Attach files"}, chosen, func() { d.Own().OpenFiles(chosen) })
}

// OpenFolder asks for a folder.
func (d *Dialogs) OpenFolder(chosen func(path string)) {
	d.ask(system.Ask{Kind: system.Folder, Title: "Open a folder"}, first(chosen), func() { d.Own().OpenFolder(chosen) })
}

// OpenSeveral asks for files and folders together, which no system's dialog can do.
func (d *Dialogs) OpenSeveral(chosen func(paths []string)) {
	if !d.busy() {
		d.Own().OpenSeveral(chosen)
	}
}

// Save asks where to write a file. A name with a folder before it asks there first, in the window's own dialog.
func (d *Dialogs) Save(name string, chosen func(fyne.URIWriteCloser)) {
	write := func(path string) {
		w, err := storage.Writer(storage.NewFileURI(path))
		if err != nil {
			d.Failed(err)
			return
		}
		chosen(w)
	}
	d.ask(system.Ask{Kind: system.Save, Title: "Save", Name: filepath.Base(name)}, first(write), func() { d.Own().Save(name, chosen) })
}

// busy reports whether a dialog is open, and says so.
func (d *Dialogs) busy() bool {
	if d.open {
		d.Tell("A file dialog is open already.")
	}
	return d.open
}

// first takes the one path of several, where one was asked for.
func first(chosen func(path string)) func(paths []string) {
	return func(paths []string) { chosen(paths[0]) }
}

// ask shows a dialog of the system, or else our own.
func (d *Dialogs) ask(a system.Ask, chosen func(paths []string), own func()) {
	switch {
	case d.busy():
		return
	case len(d.choosers) == 0:
		own()
		return
	}
	d.open = true
	a.Window = d.Window()
	choosers := d.choosers
	d.Work(func(ctx context.Context) {
		paths, left, err := choose(ctx, choosers, a)
		d.Do(func() {
			d.open, d.choosers = false, left
			switch {
			case errors.Is(err, context.Canceled):
			case errors.Is(err, system.ErrNone):
				own()
			case err != nil:
				d.Failed(err)
			case len(paths) > 0:
				chosen(paths)
			}
		})
	})
}

// choose asks the first chooser that shows a dialog. left are it and those behind it.
func choose(ctx context.Context, choosers []system.Chooser, a system.Ask) (paths []string, left []system.Chooser, err error) {
	for i, c := range choosers {
		paths, err = c.Choose(ctx, a)
		if !errors.Is(err, system.ErrNone) {
			return paths, choosers[i:], err
		}
	}
	return nil, nil, system.ErrNone
}
