package kit

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"

	"inglenook/ui/glyphs"
)

// Themes, as settings name them.
const (
	ThemeSystem = "system"
	ThemeLight  = "light"
	ThemeDark   = "dark"
)

// Spacing: every gap is one of these.
const (
	GapSmall float32 = 4
	Gap      float32 = 8
	GapWide  float32 = 16
)

// Text sizes beside those of the theme.
const (
	TextSmall   float32 = 11
	TextBody    float32 = 13
	textSection float32 = 14
	textTitle   float32 = 22
)

// hearth is the look of the window. Its choice is one of the theme names; the
// system's own preference decides where it is not light or dark.
type hearth struct {
	fyne.Theme // icons
	choice     string
}

func NewTheme(choice string) *hearth { return &hearth{theme.DefaultTheme(), choice} }

// isDark says which palette is drawn where the system prefers v.
func (h *hearth) isDark(v fyne.ThemeVariant) bool {
	switch h.choice {
	case ThemeLight:
		return false
	case ThemeDark:
		return true
	}
	return v == theme.VariantDark
}

// Font returns Fyne's font of a style, with a glyph for every character.
func (h *hearth) Font(style fyne.TextStyle) fyne.Resource {
	if style.Symbol {
		return h.Theme.Font(style) // for single signs of the keyboard
	}
	return glyphs.Complete(h.Theme.Font(style))
}

// Color returns our own colour, or Fyne's where we have none.
func (h *hearth) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	p, variant := Light, theme.VariantLight
	if h.isDark(v) {
		p, variant = Dark, theme.VariantDark
	}
	if c, ok := p[name]; ok {
		return c
	}
	return h.Theme.Color(name, variant)
}

// Size returns the sizes of text, gaps and corners.
func (h *hearth) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case theme.SizeNameText:
		return TextBody
	case theme.SizeNameCaptionText:
		return TextSmall
	case theme.SizeNameSubHeadingText:
		return 16
	case theme.SizeNameHeadingText:
		return textTitle
	case theme.SizeNamePadding:
		return GapSmall
	case theme.SizeNameInnerPadding:
		return Gap
	case theme.SizeNameInputRadius:
		return 7
	case theme.SizeNameSelectionRadius:
		return 6
	case theme.SizeNameScrollBar:
		return 10
	case theme.SizeNameScrollBarSmall:
		return 4
	case theme.SizeNameInlineIcon:
		return 18
	}
	return h.Theme.Size(name)
}

// Themed returns a colour of the theme in use.
func Themed(name fyne.ThemeColorName) color.NRGBA {
	return color.NRGBAModel.Convert(theme.Color(name)).(color.NRGBA)
}

// InDark reports whether the theme in use draws light on dark.
func InDark() bool { return Luminance(Themed(theme.ColorNameBackground)) < 0.2 }
