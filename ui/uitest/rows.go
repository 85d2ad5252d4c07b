package uitest

import (
	"strconv"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
)

// RowsOf returns the rows that exist, in and out of view.
func RowsOf(r *kit.Rows) []fyne.CanvasObject {
	scroll := test.WidgetRenderer(r).Objects()[0].(*container.Scroll)
	return test.WidgetRenderer(scroll.Content.(fyne.Widget)).Objects()
}

// NumbersAreWhole checks that the first number of each row in view is shown in full.
func NumbersAreWhole(t testing.TB, r *kit.Rows) {
	t.Helper()
	seen := 0
	for _, row := range RowsOf(r) {
		number, ok := Find(row, func(l *kit.Line) bool { _, err := strconv.Atoi(l.Text); return err == nil })
		if !ok || !row.Visible() {
			continue
		}
		seen++
		if need := fyne.MeasureText(number.Text, kit.TextSmall, fyne.TextStyle{}).Width; number.Size().Width < need {
			t.Errorf("%s has %v of the %v points that it needs", number.Text, number.Size().Width, need)
		}
	}
	if seen == 0 {
		t.Error("no row has a number")
	}
}
