package panel_test

import (
	"bytes"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
	"inglenook/ui/panel"
	"inglenook/ui/uitest"
)

// still is a panel that shows a line.
type still struct {
	panel.Still
	view fyne.CanvasObject
}

func (s *still) Info() panel.Info           { return panel.Info{ID: "still", Name: "Still"} }
func (s *still) Content() fyne.CanvasObject { return s.view }
func (s *still) Enter()                     {}
func (s *still) ShowError(error)            {}

// disk is a file that the user chose.
type disk struct {
	name string
	bytes.Buffer
}

func (d *disk) Close() error  { return nil }
func (d *disk) URI() fyne.URI { return storage.NewFileURI("/chosen/" + d.name) }

func (d *disk) OpenFile([]string, func(string)) {}
func (d *disk) OpenFolder(func(string))         {}
func (d *disk) OpenFiles(func([]string))        {}
func (d *disk) OpenSeveral(func([]string))      {}
func (d *disk) Save(name string, chosen func(fyne.URIWriteCloser)) {
	d.name = name
	chosen(d)
}

// X11 ends a program that puts 16 MB on the clipboard: a long text is offered as a file.
func TestLongTextsAreSavedNotCopied(t *testing.T) {
	for _, how := range []string{"saved", "dropped"} {
		s := uitest.NewStage(t, uitest.NewApp())
		p := &still{view: kit.NewSection("Still")}
		s.Put(p)
		file := &disk{}
		s.Host.Files = func() kit.FileDialogs { return file }
		s.Clipboard = panel.NewClipboard(s.Host, p.Content, p.ShowError)
		most := strings.Repeat("x", kit.ClipboardLimit)
		if !s.Host.Copy(most, "most.csv") || s.FyneApp.Clipboard().Content() != most {
			t.Fatal("a text that fits was not copied")
		}
		long := most + "y"
		if s.Host.Copy(long, "long.csv") || s.FyneApp.Clipboard().Content() != most {
			t.Fatal("a text that is too long was copied")
		}
		top := s.Window.Canvas().Overlays().Top()
		if top == nil {
			t.Fatal("nothing is offered")
		}
		save := uitest.FindButton(t, top, "Save as a file…")
		if how == "dropped" {
			save.TypedKey(uitest.Key(fyne.KeyEscape))
			if s.Window.Canvas().Overlays().Top() != nil || file.name != "" {
				t.Error("Escape does not take the offer away")
			}
			continue
		}
		test.Tap(save)
		s.Idle()
		if file.name != "long.csv" || file.String() != long {
			t.Errorf("%d bytes in %q were saved", file.Len(), file.name)
		}
	}
}
