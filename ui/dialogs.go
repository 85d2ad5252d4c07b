package ui

import (
	"errors"
	"maps"
	"path/filepath"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/base"
	"inglenook/ui/filedialog"
	"inglenook/ui/filedialog/system"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// newDialogs are file dialogs over the window, by these choosers of the system.
func (s *shell) newDialogs(choosers []system.Chooser) *filedialog.Dialogs {
	fail := func(err error) { s.panel(s.current).ShowError(err) }
	return filedialog.New(choosers, filedialog.Host{
		Work: s.work, Do: s.do, Tell: func(message string) { s.status.showMessage(message) }, Failed: fail,
		Window: func() string { return nativeName(s.window) },
		Own: func() kit.FileDialogs {
			kept := s.app.Settings()
			folders := map[string]string{kit.ForModels: kept.Window.Folder, kit.ForDocuments: kept.Window.Folder, kit.ForExports: kept.Window.Saved, kit.ForPictures: kept.Window.Saved}
			maps.Copy(folders, kept.Folders.By)
			own := kit.WindowDialogs{Window: s.window, Failed: fail, Home: s.home, Folders: folders, Recent: kept.Folders.Recent, Ended: s.keepFolder}
			if s.current == panel.Documents {
				own.Opens = kit.ForDocuments
			}
			return own
		},
	})
}

// keepFolder has the next dialog for the same purpose begin in a folder, and all dialogs offer it.
func (s *shell) keepFolder(purpose, folder string) {
	s.saver.Keep(func(settings *base.Settings) { settings.Folders.Keep(purpose, folder) })
}

// nativeName is how portals name a window; "": it has no name that they know.
func nativeName(w fyne.Window) string {
	name := ""
	if native, ok := w.(driver.NativeWindow); ok {
		native.RunNative(func(context any) {
			if x, ok := context.(driver.X11WindowContext); ok && x.WindowHandle != 0 {
				name = "x11:" + strconv.FormatUint(uint64(x.WindowHandle), 16)
			}
		})
	}
	return name
}

// covered reports whether something lies over the panel in view: a dialog, a sheet, an open
// list.
func (s *shell) covered() bool {
	return s.files.Open() || s.window != nil && s.window.Canvas().Overlays().Top() != nil
}

// dropped takes files and folders that were dropped on the window: the panel in
// view has the first choice, then the one that last worked, then the others. What lies
// under a dialog takes nothing.
func (s *shell) dropped(_ fyne.Position, uris []fyne.URI) {
	if s.covered() {
		s.status.showMessage("Nothing was taken: close the dialog first, then drop it again.")
		return
	}
	paths := []string{}
	for _, u := range uris {
		if u.Scheme() != "file" {
			s.panel(s.current).ShowError(errors.New("only files and folders on this computer can be dropped here"))
			continue
		}
		paths = append(paths, u.Path())
	}
	if len(paths) == 0 {
		return
	}
	what := panel.Sorted(paths)
	if len(what.Folders) > 0 && s.current != panel.Documents {
		s.askFolders(what)
		return
	}
	for _, p := range append([]panel.Panel{s.panel(s.current), s.working}, s.panels...) {
		if p.Takes(what) {
			s.enter(p.Info().ID)
			p.Drop(what)
			return
		}
	}
}

// askFolders asks whether folders without a model were meant for Documents.
func (s *shell) askFolders(what panel.Dropped) {
	title, text := "Search these documents?", kit.Count(len(what.Folders), "folder")+" without a model in them were dropped."
	if len(what.Folders) == 1 {
		text = "There is no model in the folder " + kit.Brief(filepath.Base(what.Folders[0])) + "."
	}
	body := kit.NewParagraph(text+" Inglenook can read the files in it and find passages in them by what they mean. The files stay where they are, and nothing leaves this computer.", theme.ColorNameForeground).Flat
	buttons := []kit.SheetButton{{Name: "Cancel"}}
	if s.current == panel.Similarity { // texts and pictures to compare may lie in it as well
		buttons = append(buttons, kit.SheetButton{Name: "Add to this list", Run: func() { s.panel(panel.Similarity).Drop(what) }})
	}
	s.sheet.Open(title, body, false, append(buttons, kit.SheetButton{Name: "Search in Documents", Main: true, Run: func() {
		s.enter(panel.Documents)
		s.documents.Drop(panel.Dropped{Folders: what.Folders, Files: what.Files})
	}})...)
}
