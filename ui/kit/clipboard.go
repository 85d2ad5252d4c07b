package kit

import "fyne.io/fyne/v2"

// ClipboardLimit is how many bytes of text the clipboard takes. X11 hands a selection
// over in one request of at most 16 MB, and ends the program that sends a longer one.
const ClipboardLimit = 8 << 20

// ToClipboard puts a text on the clipboard; false: it is longer than [ClipboardLimit],
// and the clipboard stays as it is. Nothing else writes the clipboard.
func ToClipboard(text string) bool {
	if len(text) > ClipboardLimit {
		return false
	}
	fyne.CurrentApp().Clipboard().SetContent(text)
	return true
}
