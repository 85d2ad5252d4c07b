package kit

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"
)

// FileDialogs asks a person for files and folders.
type FileDialogs interface {
	OpenFile(extensions []string, chosen func(path string))
	OpenFolder(chosen func(path string))
	OpenSeveral(chosen func(paths []string))
	Save(name string, chosen func(fyne.URIWriteCloser))
}

// WindowDialogs are the dialogs over a window.
type WindowDialogs struct {
	Window fyne.Window
	Failed func(error)
}

// dialogSize is that of a file dialog in a window that has room for it.
func (w WindowDialogs) dialogSize() fyne.Size {
	have := w.Window.Canvas().Size()
	return fyne.NewSize(min(860, have.Width-40), min(600, have.Height-40))
}

func (w WindowDialogs) OpenFile(extensions []string, chosen func(path string)) {
	d := dialog.NewFileOpen(func(r fyne.URIReadCloser, err error) {
		if err != nil {
			w.Failed(err)
			return
		}
		if r != nil {
			path := r.URI().Path()
			_ = r.Close() // only the name is wanted
			chosen(path)
		}
	}, w.Window)
	if len(extensions) > 0 {
		d.SetFilter(storage.NewExtensionFileFilter(extensions))
	}
	d.Resize(w.dialogSize())
	d.Show()
}

func (w WindowDialogs) OpenFolder(chosen func(path string)) {
	d := dialog.NewFolderOpen(func(u fyne.ListableURI, err error) {
		if err != nil {
			w.Failed(err)
			return
		}
		if u != nil {
			chosen(u.Path())
		}
	}, w.Window)
	d.Resize(w.dialogSize())
	d.Show()
}

func (w WindowDialogs) Save(name string, chosen func(fyne.URIWriteCloser)) {
	d := dialog.NewFileSave(func(f fyne.URIWriteCloser, err error) {
		if err != nil {
			w.Failed(err)
			return
		}
		if f != nil {
			chosen(f)
		}
	}, w.Window)
	d.SetFileName(name)
	d.Resize(w.dialogSize())
	d.Show()
}
