package kit

import (
	"testing"

	"fyne.io/fyne/v2/theme"
)

func TestTheSystemDecides(t *testing.T) {
	if NewTheme(ThemeSystem).isDark(theme.VariantLight) || !NewTheme("").isDark(theme.VariantDark) {
		t.Error("the system's preference does not decide")
	}
}
