//go:build soak

package extract

import "testing"

// TestSoakMutations reads 10,000 damaged files of each format.
func TestSoakMutations(t *testing.T) {
	mutations = 10_000
	TestMutations(t)
}
