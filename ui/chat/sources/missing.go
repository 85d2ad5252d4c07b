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

// NewMissingForGuide offers a larger model in the place of the tiny guide, which would only guess.
func NewMissingForGuide(k *kit.Keyboard, larger string, get, search func()) fyne.CanvasObject {
	why := kit.NewParagraph("Without your documents this needs a larger model: the tiny guide would only guess.", kit.ColorMuted).Small()
	use := kit.NewButton(k, larger, nil, get)
	look := kit.NewButton(k, "Search in Documents", theme.SearchIcon(), search)
	look.Importance = widget.HighImportance
	return kit.Column(kit.GapSmall, why.Flat, container.New(&kit.Wrap{Gap: kit.Gap}, look, use))
}
