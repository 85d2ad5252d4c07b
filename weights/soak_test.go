//go:build soak

package weights

import "testing"

// TestSoakMutations goes on where TestMutations ends.
func TestSoakMutations(t *testing.T) { mutations(t, 20_000, 300_000) }
