//go:build soak

package ui

import "testing"

// TestSoakHostileWindow fills the window with each kind of hostile text alone.
func TestSoakHostileWindow(t *testing.T) { hostileWindow(t, hostileTexts) }
