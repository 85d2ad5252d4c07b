package panel

import (
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/ui/kit"
)

// Clipboard copies texts, and offers to save one in a file that is too long for that.
type Clipboard struct {
	host  Host
	sheet *kit.Sheet
	fail  func(error)
}

// NewClipboard offers a file over the window that shows an object; fail tells that it
// could not be written.
func NewClipboard(h Host, over func() fyne.CanvasObject, fail func(error)) *Clipboard {
	return &Clipboard{host: h, sheet: kit.NewSheet(h.Keys, over), fail: fail}
}

// Copy copies a text. One that is too long for the clipboard can be saved as a file of
// that name instead; then it returns false.
func (c *Clipboard) Copy(text, file string) bool {
	if kit.ToClipboard(text) {
		return true
	}
	why := "It is " + humanize.Bytes(uint64(len(text))) + ", and other programs can take only " + humanize.Bytes(kit.ClipboardLimit) + " of copied text at once. Save it as a file and open that there."
	c.sheet.Open("This is too long to be copied", kit.NewParagraph(why, theme.ColorNameForeground).Flat, false,
		kit.SheetButton{Name: "Cancel"}, kit.SheetButton{Name: "Save as a file…", Main: true, Run: func() { c.save(text, file) }})
	return false
}

func (c *Clipboard) save(text, file string) {
	c.host.Files().Save(file, func(w fyne.URIWriteCloser) {
		c.host.Write(w, func(f fyne.URIWriteCloser) error {
			_, err := io.WriteString(f, text)
			return err
		}, c.fail)
	})
}

// Close closes the offer; false: there is none.
func (c *Clipboard) Close() bool { return c.sheet.Close() }
