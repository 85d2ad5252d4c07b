// Package ui is Inglenook's window: a navigation rail, the panels that it leads to, and
// a status strip, drawn with Fyne. It knows the panels, and no panel knows another.
//
// It computes nothing and never imports the driver, so all of it runs under Fyne's test
// driver with a double of [App] and no display. Work runs in goroutines that hand their
// results back to the window's own goroutine; a result that nobody waits for any more is
// dropped.
package ui
