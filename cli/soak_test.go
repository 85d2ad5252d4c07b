//go:build soak

package cli

import "testing"

// TestSoakSignals sends every command that reads standard input each signal, again
// and again: a signal may come at any moment of its work.
func TestSoakSignals(t *testing.T) {
	for range 20 {
		signalsWhileStdinIsRead(t)
	}
}
