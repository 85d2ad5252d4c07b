//go:build !linux

package system

// OpenerAt is nil: no program is known here that is told a page.
func OpenerAt() func(path string, page int) bool { return nil }

// Opener is nil: Fyne opens folders and files here.
func Opener() func(path string) error { return nil }
