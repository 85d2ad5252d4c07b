package kit

import (
	"image/color"
	"math"
	"os"
	"slices"
	"strconv"

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
	TextSmall   float32 = 12
	TextBody    float32 = 13
	textSection float32 = 14
	textTitle   float32 = 22
)

// Sizes of text that is read, not scanned: answers and passages of documents.
const (
	SizeReading  fyne.ThemeSizeName = "reading"
	UsualReading float32            = 16
)

// ReadingSizes are those that a person can choose. Those between them are not sharp: see
// [Sharp].
var ReadingSizes = []float32{13, UsualReading, 18, 21}

// ReadingNames are what ReadingSizes are called.
var ReadingNames = []string{"Small", "Usual", "Large", "Larger"}

// Sharp returns the size nearest to a size of text, at most one apart, in which Fyne draws
// a line as it is. Where the height of a line is a little more than whole pixels, it
// squeezes the picture of the line, and the lower ends of letters go.
func Sharp(size float32, style fyne.TextStyle) float32 {
	for _, other := range []float32{size, size + 1, size - 1} {
		height, _ := fyne.CurrentApp().Driver().RenderedTextSize("g", other, style, nil)
		if h := float64(height.Height); math.Round(h) == math.Ceil(h) {
			return other
		}
	}
	return size
}

// Reading returns the size of text that is read.
func Reading() float32 {
	if size := theme.Size(SizeReading); size > 0 {
		return size
	}
	return UsualReading // another theme is in use
}

// Theme is the look of the window. Its choice is one of the theme names; the
// system's own preference decides where it is not light or dark.
type Theme struct {
	fyne.Theme // icons
	choice     string
	reading    float32
	still      bool    // nothing moves by itself
	scale      float32 // of the whole window
}

func NewTheme(choice string) *Theme {
	return &Theme{theme.DefaultTheme(), choice, UsualReading, false, UsualScale}
}

// Choose returns the theme with other colours.
func (h *Theme) Choose(choice string) *Theme {
	other := *h
	other.choice = choice
	return &other
}

// WithReading returns the theme with another size of text that is read, unless it is 0.
func (h *Theme) WithReading(size float32) *Theme {
	if size == 0 {
		return h
	}
	other := *h
	other.reading = size
	return &other
}

// Still returns the theme in which nothing moves by itself, or in which things do.
func (h *Theme) Still(still bool) *Theme {
	other := *h
	other.still = still
	return &other
}

// Apply gives an application the theme, unless it has the same one: with each that it is given, Fyne
// draws everything anew and forgets what it measured.
func (h *Theme) Apply(a fyne.App) {
	if now, ours := a.Settings().Theme().(*Theme); !ours || *now != *h {
		a.Settings().SetTheme(h)
	}
}

// isDark says which palette is drawn where the system prefers v.
func (h *Theme) isDark(v fyne.ThemeVariant) bool {
	switch h.choice {
	case ThemeLight:
		return false
	case ThemeDark:
		return true
	}
	return v == theme.VariantDark
}

// Font returns Fyne's font of a style, with a glyph for every character.
func (h *Theme) Font(style fyne.TextStyle) fyne.Resource {
	if style.Symbol {
		return h.Theme.Font(style) // for single signs of the keyboard
	}
	return glyphs.Complete(h.Theme.Font(style))
}

// Color returns our own colour, or Fyne's where we have none.
func (h *Theme) Color(name fyne.ThemeColorName, v fyne.ThemeVariant) color.Color {
	p, variant := Light, theme.VariantLight
	if h.isDark(v) {
		p, variant = Dark, theme.VariantDark
	}
	if c, ok := p.color(name); ok {
		return c
	}
	return h.Theme.Color(name, variant)
}

// Size returns the sizes of text, gaps and corners.
func (h *Theme) Size(name fyne.ThemeSizeName) float32 {
	switch name {
	case SizeReading:
		return h.reading
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

// Moves reports whether things may move in the window: a person can have chosen that they
// do not, here or for all programs of the kind.
func Moves() bool {
	settings := fyne.CurrentApp().Settings()
	if h, ours := settings.Theme().(*Theme); ours && h.still {
		return false
	}
	if c, ok := settings.(adaptedSettings); ok {
		settings = c.Settings
	}
	return settings.ShowAnimations()
}

// Scales are how large everything in the window may be drawn, beside what the system asks
// for. Fyne rounds to tenths.
var Scales = []float32{0.9, UsualScale, 1.2, 1.5}

// UsualScale draws everything as large as the system asks for.
const UsualScale float32 = 1

// ScaleNames are what Scales are called.
var ScaleNames = []string{"Small", "Usual", "Large", "Larger"}

// Scaled returns the theme with another scale of the whole window, or with the usual one where
// that is none of [Scales].
func (h *Theme) Scaled(scale float32) *Theme {
	other := *h
	if other.scale = scale; !slices.Contains(Scales, scale) {
		other.scale = UsualScale
	}
	return &other
}

// Scale returns the scale of the theme.
func (h *Theme) Scale() float32 { return h.scale }

// Adapted returns the application with what Fyne takes from its settings as it has to be here.
//
// Its widgets do not move by themselves: Fyne fades the cursor of a field in and out, for which
// it draws the window twelve times a second; [Entry] has it blink with two. Whether things may
// move at all, [Moves] knows.
//
// And everything has the scale of the theme. A person can have set one of their own for all
// programs of the kind, in the environment, which Fyne prefers to what the settings say: both
// count, so it is taken from there.
func Adapted(a fyne.App) fyne.App {
	environment := float32(0)
	if x, err := strconv.ParseFloat(os.Getenv(scaleVariable), 32); err == nil && x > 0 {
		environment = float32(x)
	}
	os.Unsetenv(scaleVariable)
	return adaptedApp{a, environment}
}

const scaleVariable = "FYNE_SCALE"

type adaptedApp struct {
	fyne.App
	environment float32 // the scale that it asks for; 0: none
}

func (a adaptedApp) Settings() fyne.Settings { return adaptedSettings{a.App.Settings(), a.environment} }

type adaptedSettings struct {
	fyne.Settings
	environment float32
}

func (adaptedSettings) ShowAnimations() bool { return false }

func (s adaptedSettings) Scale() float32 {
	scale := s.environment
	if scale == 0 {
		scale = s.Settings.Scale()
	}
	if scale <= 0 {
		scale = 1
	}
	if h, ours := s.Theme().(*Theme); ours {
		scale *= h.scale
	}
	return scale
}

// InDark reports whether the theme in use draws light on dark.
func InDark() bool { return Luminance(Themed(theme.ColorNameBackground)) < 0.2 }
