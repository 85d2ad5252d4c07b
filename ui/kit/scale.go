package kit

import (
	"os"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
)

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
