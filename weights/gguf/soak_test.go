//go:build soak

package gguf

import "testing"

// TestSoakMutations goes on where TestMutations ends.
func TestSoakMutations(t *testing.T) { mutations(t, 100_000, 1_000_000) }
