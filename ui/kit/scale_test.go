package kit

import (
	"os"
	"testing"

	"fyne.io/fyne/v2/test"
)

// The scale of the theme and that of the environment both count.
func TestScale(t *testing.T) {
	for _, c := range []struct {
		environment string
		theme       float32
		want        float32
	}{
		{"", UsualScale, 1},
		{"", 1.5, 1.5},
		{"2", UsualScale, 2},
		{"2", 1.2, 2.4},
		{"auto", 1.2, 1.2},
		{"-1", 1.2, 1.2},
		{"wrong", 0.9, 0.9},
		{"", 40, 1},
		{"", -1, 1},
		{"", 0, 1}, // nobody's choice
	} {
		t.Setenv(scaleVariable, c.environment)
		a := test.NewTempApp(t)
		adapted := Adapted(a)
		a.Settings().SetTheme(NewTheme(ThemeLight).Scaled(c.theme))
		if got := adapted.Settings().Scale(); got != c.want {
			t.Errorf("%q and %v: %v, want %v", c.environment, c.theme, got, c.want)
		}
		if _, set := os.LookupEnv(scaleVariable); set {
			t.Errorf("%q hides the scale of the theme from Fyne", c.environment)
		}
		other := NewTheme(ThemeLight).Scaled(1.5).Choose(ThemeDark).Still(true).WithReading(18)
		if other.Scale() != 1.5 || other.choice != ThemeDark || !other.still || other.reading != 18 {
			t.Errorf("%+v", other)
		}
	}
}
