//go:build !linux && !darwin

package system

// Choosers are the dialogs of the system; none that this program knows.
func Choosers(func(func())) []Chooser { return nil }
