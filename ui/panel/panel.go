package panel

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"path/filepath"

	"fyne.io/fyne/v2"

	"inglenook/app/base"
	"inglenook/app/devices"
	"inglenook/app/documents"
	"inglenook/app/library"
	"inglenook/ui/kit"
)

// The panels, as settings name them.
const (
	Chat        = "chat"
	Documents   = "documents"
	Similarity  = "similarity"
	Rerank      = "rerank"
	Models      = "models"
	Performance = "performance"
	Devices     = "devices" // a page of Performance
	Settings    = "settings"
)

// Panel is one page of the window.
type Panel interface {
	Info() Info
	Content() fyne.CanvasObject
	Enter()                   // it has come into view
	Leave()                   // another panel has
	Escape()                  // ends what is under way: an open list, a run, a notice
	WritesIn() fyne.Focusable // the field that a person writes in first; nil: there is none
	Takes(Dropped) bool       // whether dropped files and folders are for it
	Drop(Dropped)
	Shortcuts() []kit.Shortcut // keys that mean something while it is in view
	ModelsChanged()            // a model came or went, here or in another panel
	ShowError(err error)
}

// Info is how the window presents a panel.
type Info struct {
	ID    string // as settings name it
	Name  string // on the rail
	About string // what it is good for, in a line; "": its name says that
	Icon  func(fyne.ThemeColorName) fyne.Resource
}

// App is what every panel may ask of the application.
type App interface {
	Devices() []devices.Device
	Models(ctx context.Context) ([]library.Model, error)
	AddModel(ctx context.Context, path string) (library.Model, error)
	ForgetModel(id string) error
	Settings() base.Settings
	SaveSettings(change func(*base.Settings)) error
	Log() *slog.Logger
}

// Host is what a panel needs of the window around it.
type Host struct {
	App    App
	Keys   *kit.Keyboard
	Do     func(func()) // runs a function on the window's goroutine, soon
	Keep   func(func(*base.Settings))
	Settle func()                                                 // returns when what was kept is on the disk; not for the window's goroutine
	Tell   func(message string)                                   // in the status strip
	Offer  func(what, button string, act func())                  // says what happened, in any room for a while, with a button
	Ran    func(device string)                                    // the device that really computed
	Files  func() kit.FileDialogs                                 // dialogs over the window
	Choose func(title string, names []string, picked func(i int)) // asks which of several
	Copy   func(text, file string) bool                           // to the clipboard, see [Clipboard.Copy]
	Focus  func(fyne.Focusable)                                   // gives a widget the keyboard
	Browse func(*url.URL)                                         // opens an address with the system's own program
	GoTo   func(id string)
	UseIn  func(id string, m library.Model) // leads to a room, with this model chosen there

	RankTexts       func(query string, some []Sent)                    // leads to Rerank with these; query "": it asks for one
	FindModel       func()                                             // leads to the models that can be downloaded
	FindReranker    func()                                             // leads to the rerankers among these
	FindByWords     func(words string)                                 // leads to those that have these words
	SampleDocuments func()                                             // leads to the documents that come with the program
	SearchFiles     func(paths []string, question string)              // leads to Documents, with these files among them and a question to them
	HoldFiles       func(paths []string, then func(collection string)) // has these files among the documents, and tells then where
	ShowPassage     func(documents.Result)                             // leads to a passage in its document
	SearchDocuments func(collection, question string)                  // leads to a search in the documents
	AskAbout        func(name, text, question string)                  // leads to a new chat with a text of that name to be asked about, and a question that a person may change
	AnnounceModels  func()                                             // tells every panel that a model came or went
	WatchDownloads  func()                                             // follows the downloads from now on, until none is under way

	Life context.Context             // ends when the window closes
	Work func(func(context.Context)) // runs a goroutine, which must end with life
}

// Sent is a text that one room hands to another, with where it came from.
type Sent struct {
	Text string
	From base.Source
}

// FromInWords says where a text came from; "": a person wrote it.
func FromInWords(s base.Source) string {
	if s.File == "" {
		return ""
	}
	name := filepath.Base(s.File)
	if s.Place != "" {
		name += ", " + s.Place
	}
	return name
}

// Still is what panels are that neither work nor take files.
type Still struct{}

func (Still) Leave()                    {}
func (Still) Escape()                   {}
func (Still) WritesIn() fyne.Focusable  { return nil }
func (Still) Takes(Dropped) bool        { return false }
func (Still) Drop(Dropped)              {}
func (Still) Shortcuts() []kit.Shortcut { return nil }
func (Still) ModelsChanged()            {}

// AddModel puts a folder or file on the list of models. added gets it, with all that are
// there now, before the other panels hear of it.
func (d Host) AddModel(path string, fail func(error), added func(m library.Model, all []library.Model)) {
	d.Tell("Checking " + filepath.Base(path) + "…")
	d.Work(func(ctx context.Context) {
		m, err := d.App.AddModel(ctx, path)
		var models []library.Model
		if err == nil {
			models, err = d.App.Models(ctx)
		}
		d.Do(func() {
			d.Tell("")
			if d.ChooseModel(err, func(path string) { d.AddModel(path, fail, added) }) {
				return
			}
			if err != nil {
				fail(err)
				return
			}
			d.Tell("Added " + m.Title() + ".")
			added(m, models)
			d.AnnounceModels()
		})
	})
}

// ChooseModel asks which model of a folder with several is meant, where err says that it holds
// them, and then has it added; false: it says something else.
func (d Host) ChooseModel(err error, add func(path string)) bool {
	several := &library.SeveralError{}
	if !errors.As(err, &several) {
		return false
	}
	names := make([]string, len(several.Models))
	for i, m := range several.Models {
		names[i] = m[0]
	}
	d.Choose(kit.Brief(several.Folder)+" holds "+kit.Count(len(names), "model")+". Which one?", names, func(i int) { add(several.Models[i][1]) })
	return true
}

// Misplaced says why a model does nothing in a room, and offers to go with it to the one where
// it belongs.
func (d Host) Misplaced(n *kit.Notice, m library.Model, why string) {
	id, name := RoomOf(m)
	if id == "" {
		n.Fail(why)
		return
	}
	n.Say(why, "Go to "+name, func() {
		n.Hide()
		d.UseIn(id, m)
	})
}

// roomIDs are the rooms by their names, as models tell where they belong.
var roomIDs = map[string]string{
	library.RoomChat: Chat, library.RoomSimilarity: Similarity, library.RoomDocuments: Documents, library.RoomClassify: Similarity,
	library.RoomRerank: Rerank, library.RoomPerformance: Performance,
}

// RoomOf is the room that a model is made for, and its name, or that of its page; "": there is none.
func RoomOf(m library.Model) (id, name string) {
	if !m.Usable {
		return "", ""
	}
	names, _ := m.Rooms()
	return roomIDs[names[0]], names[0]
}

// Forget takes a model off the list, and offers to put it back.
func (d Host) Forget(m library.Model, fail func(error)) {
	d.ForgetThen(m, fail, func(said string, back func()) { d.Offer(said, "Undo", back) })
}

// ForgetThen takes a model off the list; then gets what is to be said of it, and what puts the
// model back.
func (d Host) ForgetThen(m library.Model, fail func(error), then func(said string, back func())) {
	back := func() { d.AddModel(m.Path, fail, func(library.Model, []library.Model) {}) }
	d.Work(func(context.Context) {
		err := d.App.ForgetModel(m.ID)
		d.Do(func() {
			if err != nil {
				fail(err)
				return
			}
			d.AnnounceModels()
			then(m.Title()+" is no longer on the list. Its files stay where they are.", back)
		})
	})
}

// Write fills a file off the window's goroutine and says how it went.
func (d Host) Write(w fyne.URIWriteCloser, fill func(fyne.URIWriteCloser) error, fail func(error)) {
	name := w.URI().Path()
	d.Work(func(context.Context) {
		err := fill(w)
		if closing := w.Close(); err == nil {
			err = closing
		}
		d.Do(func() {
			if err != nil {
				fail(fmt.Errorf("%s was not saved: %w; choose another folder or free some space", filepath.Base(name), err))
				return
			}
			d.App.Log().Info("exported", "file", filepath.Base(name))
			d.Tell("Saved " + base.ShortPath(name) + ".")
		})
	})
}
