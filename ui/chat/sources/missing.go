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
	return lookOr(k, search, kit.NewButton(k, "Ask the model anyway", theme.MailSendIcon(), anyway))
}

// NewMissingForGuide offers a larger model in the place of the tiny guide, which would only guess.
func NewMissingForGuide(k *kit.Keyboard, larger string, get, search func()) fyne.CanvasObject {
	why := kit.NewParagraph("Without your documents this needs a larger model: the tiny guide would only guess.", kit.ColorMuted).Small()
	return kit.Column(kit.GapSmall, why.Flat, lookOr(k, search, kit.NewButton(k, larger, nil, get)))
}

// lookOr offers to search in the documents first, and something else.
func lookOr(k *kit.Keyboard, search func(), other *kit.Button) fyne.CanvasObject {
	look := kit.NewButton(k, "Search in Documents", theme.SearchIcon(), search)
	look.Importance = widget.HighImportance
	return container.New(&kit.Wrap{Gap: kit.Gap}, look, other)
}
