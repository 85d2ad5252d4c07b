package panel

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"
	"github.com/dustin/go-humanize"

	"inglenook/app/devices"
	"inglenook/app/fit"
	"inglenook/ui/kit"
)

// verdictLook is how a verdict looks: the colour of its dot, its word and the
// colour of that.
func verdictLook(verdict string) (dot fyne.ThemeColorName, word string, color fyne.ThemeColorName) {
	switch verdict {
	case fit.VerdictFull:
		return kit.ColorSuccess, "full", kit.ColorSuccess
	case fit.VerdictPartial:
		return theme.ColorNameWarning, "partial", theme.ColorNameWarning
	}
	return theme.ColorNameDisabled, "no", kit.ColorMuted
}

// compatText says why a model is not fully supported, and how much memory it takes.
func compatText(d fit.CompatDevice) string {
	text := ""
	if m := d.Memory; m.Total > 0 {
		text = "Takes " + humanize.IBytes(uint64(m.Total))
		if m.Available > 0 {
			text += " of " + humanize.IBytes(uint64(m.Available)) + " free"
		}
		text += ". "
	}
	if d.Reason != "" {
		text += kit.Sentence(d.Reason)
	}
	return text
}

// CompatRow is the verdict about one device.
func CompatRow(d fit.CompatDevice) fyne.CanvasObject {
	name := kit.NewLine(TargetName(devices.Target{Device: d.Device}), kit.TextBody, theme.ColorNameForeground)
	dot, word, color := verdictLook(d.Verdict)
	verdict := kit.NewLine(word, kit.TextBody, color)
	verdict.Style.Bold = true
	mark := container.NewCenter(container.NewGridWrap(fyne.NewSquareSize(8), kit.NewSurface(dot, "", 4)))
	left := kit.Row(kit.Gap, container.New(&kit.FixedWidth{Width: 120}, name), mark, container.New(&kit.FixedWidth{Width: 64}, verdict))
	text := kit.NewParagraph(compatText(d), kit.ColorMuted).Small()
	return container.NewBorder(nil, nil, container.NewVBox(left), nil, kit.Inset(text.Flat, 2, 0))
}
