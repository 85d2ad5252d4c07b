package ui

import (
	"testing"

	"fyne.io/fyne/v2/theme"
)

func TestTheSystemDecides(t *testing.T) {
	if newTheme(themeSystem).isDark(theme.VariantLight) || !newTheme("").isDark(theme.VariantDark) {
		t.Error("the system's preference does not decide")
	}
}
