package kit

import (
	"testing"

	"fyne.io/fyne/v2"
)

func TestFlowLayoutWraps(t *testing.T) {
	plainApp(t)
	var objects []fyne.CanvasObject
	for range 5 {
		objects = append(objects, NewButton(&Keyboard{}, "A button", nil, nil))
	}
	l := &Wrap{Gap: 4}
	l.Layout(objects, fyne.NewSize(1000, 100))
	one := l.MinSize(objects).Height
	l.Layout(objects, fyne.NewSize(objects[0].MinSize().Width*2+5, 100))
	if got := l.MinSize(objects).Height; got != 3*one+8 {
		t.Errorf("three rows are %v high, one %v", got, one)
	}
}
