package ui

import (
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
)

// Colours of our own beside those that Fyne names.
const (
	colorRail    fyne.ThemeColorName = "inglenook.rail"   // behind the navigation
	colorCard    fyne.ThemeColorName = "inglenook.card"   // behind a group of controls or a figure
	colorLine    fyne.ThemeColorName = "inglenook.line"   // around cards
	colorMuted   fyne.ThemeColorName = "inglenook.muted"  // secondary text
	colorAccent  fyne.ThemeColorName = "inglenook.accent" // text and marks in the accent colour
	colorTint    fyne.ThemeColorName = "inglenook.tint"   // behind what is chosen
	colorTrack   fyne.ThemeColorName = "inglenook.track"  // behind bars
	colorNotice  fyne.ThemeColorName = "inglenook.notice" // behind a notice
	colorAlert   fyne.ThemeColorName = "inglenook.alert"  // behind an error
	colorSuccess fyne.ThemeColorName = theme.ColorNameSuccess

	// Marks that are told apart by colour, beside the primary one.
	colorSeries2 fyne.ThemeColorName = "inglenook.series2"
	colorSeries3 fyne.ThemeColorName = "inglenook.series3"
	colorSeries4 fyne.ThemeColorName = "inglenook.series4"
	colorSeries5 fyne.ThemeColorName = "inglenook.series5"
	colorSeries6 fyne.ThemeColorName = "inglenook.series6"
)

// palette returns a colour for each name; what is missing comes from Fyne.
type palette map[fyne.ThemeColorName]color.NRGBA

// Paper and ember: every text colour has a contrast of at least 4.5:1 on every
// background that it is used on (palette_test.go).
var light = palette{
	theme.ColorNameBackground:          hex(0xFAF6F1FF),
	theme.ColorNameForeground:          hex(0x2A211BFF),
	theme.ColorNameDisabled:            hex(0x9A8C80FF),
	theme.ColorNamePlaceHolder:         hex(0x75675BFF),
	theme.ColorNamePrimary:             hex(0xB0431BFF),
	theme.ColorNameForegroundOnPrimary: hex(0xFFFFFFFF),
	theme.ColorNameHyperlink:           hex(0xA63D17FF),
	theme.ColorNameButton:              hex(0xF2EAE1FF),
	theme.ColorNameDisabledButton:      hex(0xF4EFE9FF),
	theme.ColorNameHover:               hex(0x5A301012),
	theme.ColorNamePressed:             hex(0x5A301026),
	theme.ColorNameFocus:               hex(0xB0431B59),
	theme.ColorNameSelection:           hex(0xF7DECBFF),
	theme.ColorNameInputBackground:     hex(0xF9F5F0FF),
	theme.ColorNameInputBorder:         hex(0xD8CBBDFF),
	theme.ColorNameMenuBackground:      hex(0xFFFFFFFF),
	theme.ColorNameOverlayBackground:   hex(0xFFFDFBFF),
	theme.ColorNameHeaderBackground:    hex(0xF3ECE4FF),
	theme.ColorNameSeparator:           hex(0xE9DFD4FF),
	theme.ColorNameScrollBar:           hex(0x8A776880),
	theme.ColorNameScrollBarBackground: hex(0x00000000),
	theme.ColorNameShadow:              hex(0x3B22121F),
	theme.ColorNameError:               hex(0xB3261EFF),
	theme.ColorNameForegroundOnError:   hex(0xFFFFFFFF),
	theme.ColorNameSuccess:             hex(0x2C6E49FF),
	theme.ColorNameForegroundOnSuccess: hex(0xFFFFFFFF),
	theme.ColorNameWarning:             hex(0x8A5300FF),
	theme.ColorNameForegroundOnWarning: hex(0xFFFFFFFF),
	colorRail:                          hex(0xF3EBE2FF),
	colorCard:                          hex(0xFFFFFFFF),
	colorLine:                          hex(0xE9DFD4FF),
	colorMuted:                         hex(0x6B5D52FF),
	colorAccent:                        hex(0xA63D17FF),
	colorTint:                          hex(0xF9E3D3FF),
	colorTrack:                         hex(0xF0E7DDFF),
	colorNotice:                        hex(0xFBF0DAFF),
	colorAlert:                         hex(0xFBE6E3FF),
	colorSeries2:                       hex(0x1F6F78FF),
	colorSeries3:                       hex(0xB07D12FF),
	colorSeries4:                       hex(0x6B4E90FF),
	colorSeries5:                       hex(0x4C7A34FF),
	colorSeries6:                       hex(0x8A5A44FF),
}

var dark = palette{
	theme.ColorNameBackground:          hex(0x1B1715FF),
	theme.ColorNameForeground:          hex(0xF3EAE2FF),
	theme.ColorNameDisabled:            hex(0x7A6D63FF),
	theme.ColorNamePlaceHolder:         hex(0xA5968AFF),
	theme.ColorNamePrimary:             hex(0xF08A4BFF),
	theme.ColorNameForegroundOnPrimary: hex(0x261207FF),
	theme.ColorNameHyperlink:           hex(0xF59A60FF),
	theme.ColorNameButton:              hex(0x342C27FF),
	theme.ColorNameDisabledButton:      hex(0x2A2420FF),
	theme.ColorNameHover:               hex(0xFFE9D612),
	theme.ColorNamePressed:             hex(0xFFE9D626),
	theme.ColorNameFocus:               hex(0xF08A4B66),
	theme.ColorNameSelection:           hex(0x4B3020FF),
	theme.ColorNameInputBackground:     hex(0x1E1A17FF),
	theme.ColorNameInputBorder:         hex(0x4A4039FF),
	theme.ColorNameMenuBackground:      hex(0x2B2521FF),
	theme.ColorNameOverlayBackground:   hex(0x27211EFF),
	theme.ColorNameHeaderBackground:    hex(0x221D1AFF),
	theme.ColorNameSeparator:           hex(0x3A322DFF),
	theme.ColorNameScrollBar:           hex(0xC9B8AA66),
	theme.ColorNameScrollBarBackground: hex(0x00000000),
	theme.ColorNameShadow:              hex(0x00000059),
	theme.ColorNameError:               hex(0xFF8A7DFF),
	theme.ColorNameForegroundOnError:   hex(0x2B0805FF),
	theme.ColorNameSuccess:             hex(0x7CC79AFF),
	theme.ColorNameForegroundOnSuccess: hex(0x082114FF),
	theme.ColorNameWarning:             hex(0xF2BE62FF),
	theme.ColorNameForegroundOnWarning: hex(0x2A1A00FF),
	colorRail:                          hex(0x151210FF),
	colorCard:                          hex(0x241F1CFF),
	colorLine:                          hex(0x3A322DFF),
	colorMuted:                         hex(0xBBACA0FF),
	colorAccent:                        hex(0xF59A60FF),
	colorTint:                          hex(0x422B1EFF),
	colorTrack:                         hex(0x352D28FF),
	colorNotice:                        hex(0x3A2E18FF),
	colorAlert:                         hex(0x421F1BFF),
	colorSeries2:                       hex(0x5FB9C2FF),
	colorSeries3:                       hex(0xE5BF5BFF),
	colorSeries4:                       hex(0xB79BE0FF),
	colorSeries5:                       hex(0x98C77AFF),
	colorSeries6:                       hex(0xC9A08AFF),
}

// hex splits 0xRRGGBBAA.
func hex(v uint32) color.NRGBA {
	return color.NRGBA{R: uint8(v >> 24), G: uint8(v >> 16), B: uint8(v >> 8), A: uint8(v)}
}

// luminance is the relative luminance of WCAG 2.2, for opaque colours.
func luminance(c color.NRGBA) float64 {
	linear := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

// contrast is the contrast ratio of WCAG 2.2, between 1 and 21.
func contrast(a, b color.NRGBA) float64 {
	la, lb := luminance(a), luminance(b)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// mix goes from a to b as t goes from 0 to 1.
func mix(a, b color.NRGBA, t float64) color.NRGBA {
	blend := func(x, y uint8) uint8 { return uint8(math.Round(float64(x) + (float64(y)-float64(x))*t)) }
	return color.NRGBA{R: blend(a.R, b.R), G: blend(a.G, b.G), B: blend(a.B, b.B), A: blend(a.A, b.A)}
}
