package kit

import (
	"image/color"
	"math"
	"strconv"
	"strings"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Colours of our own beside those that Fyne names.
const (
	ColorRail    fyne.ThemeColorName = "inglenook.rail"   // behind the navigation
	ColorCard    fyne.ThemeColorName = "inglenook.card"   // behind a group of controls or a figure
	ColorLine    fyne.ThemeColorName = "inglenook.line"   // around cards
	ColorMuted   fyne.ThemeColorName = "inglenook.muted"  // secondary text
	ColorAccent  fyne.ThemeColorName = "inglenook.accent" // text and marks in the accent colour
	ColorTint    fyne.ThemeColorName = "inglenook.tint"   // behind what is chosen
	ColorFound   fyne.ThemeColorName = "inglenook.found"  // behind words that a search within a text finds
	ColorTrack   fyne.ThemeColorName = "inglenook.track"  // behind bars
	colorNotice  fyne.ThemeColorName = "inglenook.notice" // behind a notice
	colorAlert   fyne.ThemeColorName = "inglenook.alert"  // behind an error
	ColorSuccess fyne.ThemeColorName = theme.ColorNameSuccess

	// Marks that are told apart by colour, beside the primary one.
	ColorSeries2 fyne.ThemeColorName = "inglenook.series2"
	ColorSeries3 fyne.ThemeColorName = "inglenook.series3"
	ColorSeries4 fyne.ThemeColorName = "inglenook.series4"
	ColorSeries5 fyne.ThemeColorName = "inglenook.series5"
	ColorSeries6 fyne.ThemeColorName = "inglenook.series6"
)

// colored are the icons that Colored made.
var colored sync.Map

// Colored is an icon in a colour of the theme. For the same icon and colour it is the same resource, so that
// a widget that shows it already sees that, and does not read its SVG again.
func Colored(icon fyne.Resource, color fyne.ThemeColorName) fyne.Resource {
	key := [2]string{icon.Name(), string(color)}
	if made, known := colored.Load(key); known {
		return made.(fyne.Resource)
	}
	made, _ := colored.LoadOrStore(key, fyne.Resource(theme.NewColoredResource(icon, color)))
	return made.(fyne.Resource)
}

// Palette returns a colour for each name; what is missing comes from Fyne.
type Palette map[fyne.ThemeColorName]color.NRGBA

// Light is paper and ember. Every text colour has a contrast of at least 4.5:1 on every
// background that it is used on (TestContrast).
var Light = Palette{
	theme.ColorNameBackground:          Hex(0xFAF6F1FF),
	theme.ColorNameForeground:          Hex(0x2A211BFF),
	theme.ColorNameDisabled:            Hex(0x9A8C80FF),
	theme.ColorNamePlaceHolder:         Hex(0x75675BFF),
	theme.ColorNamePrimary:             Hex(0xB0431BFF),
	theme.ColorNameForegroundOnPrimary: Hex(0xFFFFFFFF),
	theme.ColorNameHyperlink:           Hex(0xA63D17FF),
	theme.ColorNameButton:              Hex(0xF2EAE1FF),
	theme.ColorNameDisabledButton:      Hex(0xF4EFE9FF),
	theme.ColorNameHover:               Hex(0x5A301012),
	theme.ColorNamePressed:             Hex(0x5A301026),
	theme.ColorNameFocus:               Hex(0xB0431B59),
	theme.ColorNameSelection:           Hex(0xF7DECBFF),
	theme.ColorNameInputBackground:     Hex(0xF9F5F0FF),
	theme.ColorNameInputBorder:         Hex(0xD8CBBDFF),
	theme.ColorNameMenuBackground:      Hex(0xFFFFFFFF),
	theme.ColorNameOverlayBackground:   Hex(0xFFFDFBFF),
	theme.ColorNameHeaderBackground:    Hex(0xF3ECE4FF),
	theme.ColorNameSeparator:           Hex(0xE9DFD4FF),
	theme.ColorNameScrollBar:           Hex(0x8A776880),
	theme.ColorNameScrollBarBackground: Hex(0x00000000),
	theme.ColorNameShadow:              Hex(0x3B22121F),
	theme.ColorNameError:               Hex(0xB3261EFF),
	theme.ColorNameForegroundOnError:   Hex(0xFFFFFFFF),
	theme.ColorNameSuccess:             Hex(0x2C6E49FF),
	theme.ColorNameForegroundOnSuccess: Hex(0xFFFFFFFF),
	theme.ColorNameWarning:             Hex(0x8A5300FF),
	theme.ColorNameForegroundOnWarning: Hex(0xFFFFFFFF),
	ColorRail:                          Hex(0xF3EBE2FF),
	ColorCard:                          Hex(0xFFFFFFFF),
	ColorLine:                          Hex(0xE9DFD4FF),
	ColorMuted:                         Hex(0x6B5D52FF),
	ColorAccent:                        Hex(0xA63D17FF),
	ColorTint:                          Hex(0xF9E3D3FF),
	ColorFound:                         Hex(0xFFE08AFF),
	ColorTrack:                         Hex(0xF0E7DDFF),
	colorNotice:                        Hex(0xFBF0DAFF),
	colorAlert:                         Hex(0xFBE6E3FF),
	ColorSeries2:                       Hex(0x1F6F78FF),
	ColorSeries3:                       Hex(0xB07D12FF),
	ColorSeries4:                       Hex(0x6B4E90FF),
	ColorSeries5:                       Hex(0x4C7A34FF),
	ColorSeries6:                       Hex(0x8A5A44FF),
}

var Dark = Palette{
	theme.ColorNameBackground:          Hex(0x1B1715FF),
	theme.ColorNameForeground:          Hex(0xF3EAE2FF),
	theme.ColorNameDisabled:            Hex(0x7A6D63FF),
	theme.ColorNamePlaceHolder:         Hex(0xA5968AFF),
	theme.ColorNamePrimary:             Hex(0xF08A4BFF),
	theme.ColorNameForegroundOnPrimary: Hex(0x261207FF),
	theme.ColorNameHyperlink:           Hex(0xF59A60FF),
	theme.ColorNameButton:              Hex(0x342C27FF),
	theme.ColorNameDisabledButton:      Hex(0x2A2420FF),
	theme.ColorNameHover:               Hex(0xFFE9D612),
	theme.ColorNamePressed:             Hex(0xFFE9D626),
	theme.ColorNameFocus:               Hex(0xF08A4B66),
	theme.ColorNameSelection:           Hex(0x4B3020FF),
	theme.ColorNameInputBackground:     Hex(0x1E1A17FF),
	theme.ColorNameInputBorder:         Hex(0x4A4039FF),
	theme.ColorNameMenuBackground:      Hex(0x2B2521FF),
	theme.ColorNameOverlayBackground:   Hex(0x27211EFF),
	theme.ColorNameHeaderBackground:    Hex(0x221D1AFF),
	theme.ColorNameSeparator:           Hex(0x3A322DFF),
	theme.ColorNameScrollBar:           Hex(0xC9B8AA66),
	theme.ColorNameScrollBarBackground: Hex(0x00000000),
	theme.ColorNameShadow:              Hex(0x00000059),
	theme.ColorNameError:               Hex(0xFF8A7DFF),
	theme.ColorNameForegroundOnError:   Hex(0x2B0805FF),
	theme.ColorNameSuccess:             Hex(0x7CC79AFF),
	theme.ColorNameForegroundOnSuccess: Hex(0x082114FF),
	theme.ColorNameWarning:             Hex(0xF2BE62FF),
	theme.ColorNameForegroundOnWarning: Hex(0x2A1A00FF),
	ColorRail:                          Hex(0x151210FF),
	ColorCard:                          Hex(0x241F1CFF),
	ColorLine:                          Hex(0x3A322DFF),
	ColorMuted:                         Hex(0xBBACA0FF),
	ColorAccent:                        Hex(0xF59A60FF),
	ColorTint:                          Hex(0x422B1EFF),
	ColorFound:                         Hex(0x6B4E14FF),
	ColorTrack:                         Hex(0x352D28FF),
	colorNotice:                        Hex(0x3A2E18FF),
	colorAlert:                         Hex(0x421F1BFF),
	ColorSeries2:                       Hex(0x5FB9C2FF),
	ColorSeries3:                       Hex(0xE5BF5BFF),
	ColorSeries4:                       Hex(0xB79BE0FF),
	ColorSeries5:                       Hex(0x98C77AFF),
	ColorSeries6:                       Hex(0xC9A08AFF),
}

// Hex splits 0xRRGGBBAA.
func Hex(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 24), G: uint8(v >> 16), B: uint8(v >> 8), A: uint8(v)}
}

// Luminance is the relative luminance of WCAG 2.2, for opaque colours.
func Luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// Contrast is the contrast ratio of WCAG 2.2, between 1 and 21.
func Contrast(a, b color.NRGBA) float64 {
	la, lb := Luminance(a), Luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// paleMark stands between the name of a colour and how pale it is.
const paleMark = "~"

// paleness is how far the steps of [Paler] go towards the colour of cards.
var paleness = [...]float64{0, 0.34, 0.46, 0.55, 0.62}

// Paler names a colour that is mixed with that of cards, the more the more steps.
func Paler(name fyne.ThemeColorName, steps int) fyne.ThemeColorName {
	of, before, _ := strings.Cut(string(name), paleMark)
	already, _ := strconv.Atoi(before)
	if steps = min(already+max(0, steps), len(paleness)-1); steps == 0 {
		return fyne.ThemeColorName(of)
	}
	return fyne.ThemeColorName(of + paleMark + strconv.Itoa(steps))
}

// color returns a colour of the palette, a pale one too; false: there is none of that name.
func (p Palette) color(name fyne.ThemeColorName) (color.NRGBA, bool) {
	if c, ok := p[name]; ok { // almost every colour is asked for so, many times a frame
		return c, true
	}
	of, pale, _ := strings.Cut(string(name), paleMark)
	c, ok := p[fyne.ThemeColorName(of)]
	if steps, err := strconv.Atoi(pale); ok && err == nil && steps > 0 && steps < len(paleness) {
		c = Mix(c, p[ColorCard], paleness[steps])
	}
	return c, ok
}

// Mix goes from a to b as t goes from 0 to 1.
func Mix(a, b color.NRGBA, t float64) color.NRGBA {
	blend := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + (float64(y)-float64(x))*t)) }
	return color.NRGBA{R: blend(a.R, b.R), G: blend(a.G, b.G), B: blend(a.B, b.B), A: blend(a.A, b.A)}
}
