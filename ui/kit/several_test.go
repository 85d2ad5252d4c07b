package kit

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
)

// With Ctrl one row more is chosen or one less, with Shift all up to it; a plain click chooses one again.
func TestSeveralRows(t *testing.T) {
	r := NewRows(&Keyboard{}, func() int { return 9 }, func() fyne.CanvasObject { return container.NewWithoutLayout() }, func(int, fyne.CanvasObject) {})
	told := 0
	r.Several = func() { told++ }
	held := fyne.KeyModifier(0)
	before := heldKeys
	heldKeys = func() fyne.KeyModifier { return held }
	t.Cleanup(func() { heldKeys = before })
	click := func(i int, keys fyne.KeyModifier) {
		held = keys
		if !r.pickMore(i) {
			r.Pick(i)
		}
	}
	for k, step := range []struct {
		row  int
		keys fyne.KeyModifier
		want []int
		now  int
	}{
		{2, 0, []int{2}, 2},
		{5, ToChoose, []int{2, 5}, 5},
		{7, ToChoose, []int{2, 5, 7}, 7},
		{5, ToChoose, []int{2, 7}, 7},
		{7, ToChoose, []int{2}, 2},
		{4, fyne.KeyModifierShift, []int{2, 3, 4}, 4},
		{1, fyne.KeyModifierShift, []int{1, 2}, 1},
		{3, 0, []int{3}, 3},
		{99, fyne.KeyModifierShift, []int{3, 4, 5, 6, 7, 8}, 8},
	} {
		if click(step.row, step.keys); !slices.Equal(r.Chosen(), step.want) || r.Current != step.now {
			t.Errorf("step %d: %v chosen, %d shown; want %v, %d", k, r.Chosen(), r.Current, step.want, step.now)
		}
	}
	if told != 7 {
		t.Errorf("told %d times", told)
	}
	r.Several = nil
	if click(2, ToChoose); !slices.Equal(r.Chosen(), []int{2}) {
		t.Errorf("of a list of one choice %v are chosen", r.Chosen())
	}
}

// Ctrl+A chooses all rows where several can be chosen.
func TestAllRows(t *testing.T) {
	test.NewTempApp(t)
	r := NewRows(&Keyboard{}, func() int { return 3 }, func() fyne.CanvasObject { return NewCaption("") }, func(int, fyne.CanvasObject) {})
	told := 0
	r.Several = func() { told++ }
	r.TypedShortcut(&fyne.ShortcutSelectAll{})
	if got := r.Chosen(); !slices.Equal(got, []int{0, 1, 2}) || told != 1 {
		t.Errorf("chosen are %v, told %d times", got, told)
	}
}
