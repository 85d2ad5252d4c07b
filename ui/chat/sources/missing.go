package sources

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"inglenook/ui/kit"
)

// NewMissing offers what can be done where nothing in the documents answers a question.
func NewMissing(k *kit.Keyboard, anyway, search func()) fyne.CanvasObject {
	ask := kit.NewButton(k, "Ask the model anyway", theme.MailSendIcon(), anyway)
	look := kit.NewButton(k, "Search in Documents", theme.SearchIcon(), search)
	look.Importance = widget.HighImportance
	return container.New(&kit.Wrap{Gap: kit.Gap}, look, ask)
}
