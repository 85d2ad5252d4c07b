package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
)

// fileDialogs asks a person for files and folders.
type fileDialogs interface {
	openFile(extensions []string, chosen func(path string))
	openFolder(chosen func(path string))
	save(name string, chosen func(fyne.URIWriteCloser))
}

// windowDialogs are the dialogs over a window.
type windowDialogs struct {
	window fyne.Window
	failed func(error)
}

// dialogSize is that of a file dialog in a window that has room for it.
func (w windowDialogs) dialogSize() fyne.Size {
	have := w.window.Canvas().Size()
	return fyne.NewSize(min(860, have.Width-40), min(600, have.Height-40))
}

func (w windowDialogs) openFile(extensions []string, chosen func(path string)) {
	d := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
		if err != nil {
			w.failed(err)
			return
		}
		if r != nil {
			path := r.URI().Path()
			_ = r.Close() // only the name is wanted
			chosen(path)
		}
	}, w.window)
	if len(extensions) > 0 {
		d.SetFilter(storage.NewExtensionFileFilter(extensions))
	}
	d.Resize(w.dialogSize())
	d.Show()
}

func (w windowDialogs) openFolder(chosen func(path string)) {
	d := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
		if err != nil {
			w.failed(err)
			return
		}
		if u != nil {
			chosen(u.Path())
		}
	}, w.window)
	d.Resize(w.dialogSize())
	d.Show()
}

func (w windowDialogs) save(name string, chosen func(fyne.URIWriteCloser)) {
	d := dialog.NewFileSave(func(f fyne.URIWriteCloser, err error) {
		if err != nil {
			w.failed(err)
			return
		}
		if f != nil {
			chosen(f)
		}
	}, w.window)
	d.SetFileName(name)
	d.Resize(w.dialogSize())
	d.Show()
}
