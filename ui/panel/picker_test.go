package panel

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"inglenook/ui/kit"
)

// The field of the models shows whole facts, as many as it has room for.
func TestWholeFactsInTheField(t *testing.T) {
	test.NewTempApp(t)
	wide := func(text string) float32 {
		return fyne.MeasureText(text, kit.TextSmall, fyne.TextStyle{}).Width
	}
	const words = "fits · tiny, for trying the app · needs 142 MB"
	for _, want := range []string{words, "fits · tiny, for trying the app", "fits"} {
		if got := fitting(words, wide(want)+1); got != want {
			t.Errorf("where %q has room, %q is shown", want, got)
		}
	}
	for _, text := range []string{"fits", ""} {
		if got := fitting(text, 1); got != text {
			t.Errorf("without room, %q is shown as %q", text, got)
		}
	}
}
