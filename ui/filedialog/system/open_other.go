//go:build !linux

package system

// Opener is nil: Fyne opens folders and files here.
func Opener() func(path string) error { return nil }
