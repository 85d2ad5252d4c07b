package panel

import (
	"slices"

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
		return kit.ColorSuccess, "Runs well", kit.ColorSuccess
	case fit.VerdictPartial:
		return theme.ColorNameWarning, "Runs in part", theme.ColorNameWarning
	}
	return theme.ColorNameDisabled, "Cannot run", kit.ColorMuted
}

// compatText says why a model is not fully supported, and how much memory it takes; of a GPU also
// how much that has.
func compatText(d fit.CompatDevice) string {
	text := ""
	if m := d.Memory; m.Total > 0 {
		text = "Takes " + humanize.Bytes(uint64(m.Total))
		if m.Available > 0 && IsGPU(d.Device) {
			text += " of the " + humanize.Bytes(uint64(m.Available)) + " that are free. "
		} else {
			text += " of memory" + partsOf(m) + ". "
		}
	}
	if d.Reason != "" {
		text += kit.Sentence(d.Reason)
	}
	return text
}

// partsOf says how much of that is the model, as other figures count it, and how much the program; "": that
// is not known.
func partsOf(m fit.CompatMemory) string {
	if m.Runtime <= 0 || m.Runtime >= m.Total {
		return ""
	}
	return ": " + humanize.Bytes(uint64(m.Total-m.Runtime)) + " for the model and " + humanize.Bytes(uint64(m.Runtime)) + " for the program"
}

// CompatRows are the verdicts about the devices that this computer has. below, which may be nil, adds to a row.
func CompatRows(a App, list []fit.CompatDevice, below func(fit.CompatDevice) fyne.CanvasObject) *fyne.Container {
	rows := kit.Column(6)
	here := map[string]bool{}
	for _, d := range OfferedDevices(a, "") {
		here[d.ID] = d.Available
	}
	for _, d := range list {
		if !here[d.Device] {
			continue
		}
		rows.Add(compatRow(d))
		if below != nil {
			if o := below(d); o != nil {
				rows.Add(o)
			}
		}
	}
	return rows
}

// TooBusyToEstimate is why a speed cannot be estimated on a busy computer.
const TooBusyToEstimate = "Other programs keep the processor busy now, so its speed cannot be estimated."

// HasGPU reports whether a GPU can compute here.
func HasGPU(list []devices.Device) bool {
	return slices.ContainsFunc(list, func(d devices.Device) bool { return d.Available && IsGPU(d.ID) })
}

// NoGPU says quietly that there is no GPU, and on demand what was looked for.
func NoGPU(h Host) fyne.CanvasObject {
	said := kit.NewCaption("No supported GPU.")
	said.Whole = true
	sheet := kit.NewSheet(h.Keys, func() fyne.CanvasObject { return said })
	why := kit.NewTextButton(h.Keys, "Why?", func() {
		sheet.Open("No supported GPU", missingGPUs(h.App), false, kit.SheetButton{Name: "Devices", Run: func() { h.GoTo(Devices) }}, kit.SheetButton{Name: "Close", Main: true})
	})
	why.Color = kit.ColorAccent
	return container.NewHBox(container.NewCenter(said), why)
}

// missingGPUs says of each kind of GPU why it does not compute here.
func missingGPUs(a App) fyne.CanvasObject {
	rows := kit.Column(kit.Gap, kit.NewParagraph("Models run on the processor of this computer. A GPU, where one is supported, is faster.", theme.ColorNameForeground).Flat)
	for _, d := range OfferedDevices(a, "") {
		if IsGPU(d.ID) && !d.Available {
			rows.Add(kit.NewParagraph(kit.Sentence(d.Reason), kit.ColorMuted).Flat)
		}
	}
	return rows
}

// compatRow is the verdict about one device.
func compatRow(d fit.CompatDevice) fyne.CanvasObject {
	name := kit.NewLine(TargetName(devices.Target{Device: d.Device}), kit.TextBody, theme.ColorNameForeground)
	dot, word, color := verdictLook(d.Verdict)
	verdict := kit.NewLine(word, kit.TextBody, color)
	verdict.Style.Bold = true
	mark := kit.NewDot(dot)
	left := kit.Row(kit.Gap, container.New(&kit.FixedWidth{Width: 120}, name), mark, container.New(&kit.FixedWidth{Width: 96}, verdict))
	text := kit.NewParagraph(compatText(d), kit.ColorMuted).Small()
	return kit.Column(2, left, text.Flat)
}
