package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app"

	"github.com/dustin/go-humanize"
)

// verdictLook is how a verdict looks: the colour of its dot, its word and the
// colour of that.
func verdictLook(verdict string) (dot fyne.ThemeColorName, word string, color fyne.ThemeColorName) {
	switch verdict {
	case app.VerdictFull:
		return colorSuccess, "full", colorSuccess
	case app.VerdictPartial:
		return theme.ColorNameWarning, "partial", theme.ColorNameWarning
	}
	return theme.ColorNameDisabled, "no", colorMuted
}

// compatText says why it is not full, and how much memory it takes.
func compatText(d app.CompatDevice) string {
	text := ""
	if m := d.Memory; m.Total > 0 {
		text = "Takes " + humanize.IBytes(uint64(m.Total))
		if m.Available > 0 {
			text += " of " + humanize.IBytes(uint64(m.Available)) + " free"
		}
		text += ". "
	}
	if d.Reason != "" {
		text += sentence(d.Reason)
	}
	return text
}

// compatRow is the verdict about one device.
func compatRow(d app.CompatDevice) fyne.CanvasObject {
	name := newLine(placeName(app.Target{Device: d.Device}), textBody, theme.ColorNameForeground)
	dot, word, color := verdictLook(d.Verdict)
	verdict := newLine(word, textBody, color)
	verdict.style.Bold = true
	mark := container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(8), newSurface(dot, "", 4)))
	left := row(gap, container.New(&fixedWidth{120}, name), mark, container.New(&fixedWidth{64}, verdict))
	text := newParagraph(compatText(d), colorMuted).small()
	return container.NewBorder(nil, nil, container.NewVBox(left), nil, inset(text.flat, 2, 0))
}
