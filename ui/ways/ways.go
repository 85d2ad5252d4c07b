package ways

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"inglenook/app/devices"
	"inglenook/ui/kit"
	"inglenook/ui/panel"
)

// Colors are the colours of ways on one computer. Its zero value knows no number of threads:
// then each number has the same colour.
type Colors struct{ threads int } // of the whole processor

// Of returns the colours for a computer with these devices.
func Of(list []devices.Device) Colors {
	var c Colors
	for _, d := range list {
		if d.ID == "cpu" {
			c.threads = d.Threads
		}
	}
	return c
}

// Color is the colour of a way. On the CPU it is paler with fewer threads.
func (c Colors) Color(way devices.Target) fyne.ThemeColorName {
	return kit.Paler(kindOf(way).color, c.halvings(way.Threads))
}

// halvings is how often all threads have to be halved until there are only so many; 0: all.
func (c Colors) halvings(threads int) (n int) {
	for threads > 0 && threads<<n < c.threads {
		n++
	}
	return n
}

// kind is what ways of one colour have in common.
type kind struct {
	name  string
	color fyne.ThemeColorName
}

func kindOf(way devices.Target) kind {
	way.Threads = 0
	name := panel.TargetName(way)
	switch {
	case way.Device == "cpu" && way.Weights == "":
		return kind{name, theme.ColorNamePrimary}
	case way.Device == "cpu" && way.Weights == "q8_0":
		return kind{name, kit.ColorSeries2}
	case way.Device == "cpu":
		return kind{name, kit.ColorSeries3}
	case panel.IsEmulated(way.Device):
		return kind{name, kit.ColorSeries6}
	case panel.IsGPU(way.Device):
		return kind{"GPU" + strings.TrimPrefix(name, panel.DeviceName(way.Device)), kit.ColorSeries4}
	}
	return kind{name, kit.ColorSeries5} // a server
}

// Key explains the colours of some ways: a mark and a name for each kind. Nil: there are none.
func (c Colors) Key(list []devices.Target) fyne.CanvasObject {
	key := container.New(&kit.Wrap{})
	seen, pale := map[string]bool{}, false
	for _, way := range list {
		pale = pale || c.halvings(way.Threads) > 0
		k := kindOf(way)
		if seen[k.name] {
			continue
		}
		seen[k.name] = true
		key.Add(mark(k.color, k.name))
	}
	if pale {
		key.Add(mark(kit.Paler(theme.ColorNamePrimary, 1), "fainter colour: fewer threads"))
	}
	if len(key.Objects) == 0 {
		return nil
	}
	return key
}

// mark is a colour and what it stands for.
func mark(color fyne.ThemeColorName, name string) fyne.CanvasObject {
	line := kit.NewLine(name, kit.TextSmall, kit.ColorMuted)
	line.Whole = true
	return kit.Inset(kit.Swatched(color, line), 0, kit.GapSmall)
}
