//go:build soak

package cli

import "testing"

// TestSoakSignals sends each signal many times to every command that reads standard input, at
// any moment of its work.
func TestSoakSignals(t *testing.T) {
	for range 20 {
		signalsWhileStdinIsRead(t)
	}
}
