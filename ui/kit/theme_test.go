package kit

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Every size of text that is read is drawn as it is.
func TestSharp(t *testing.T) {
	test.NewTempApp(t)
	for _, size := range ReadingSizes {
		if got := Sharp(size, fyne.TextStyle{}); got != size {
			t.Errorf("text of %v would better have %v", size, got)
		}
	}
	if got := Sharp(15, fyne.TextStyle{}); got != 16 {
		t.Errorf("text of 15 has %v", got)
	}
}
