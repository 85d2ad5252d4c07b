package enginetest

import (
	"os"
	"slices"
	"testing"

	"inglenook/engine"
)

// RunInTurn does what Run does, but a case or a program runs on one of the groups of backends only,
// which take turns: for groups of the same kernels, such as those that differ in the number of threads.
// If [Whole] says so, each runs on all of them.
func RunInTurn(t *testing.T, groups ...[]engine.Backend) {
	if Whole() {
		Run(t, slices.Concat(groups...)...)
		return
	}
	for number, bs := range groups {
		ours := func(i int) bool { return turn(i, len(groups)) == number }
		suite(t, ours, ours, bs)
	}
}

// turn returns whose turn a case is. Cases that follow each other often differ in one thing out of as
// many as there are groups, so that each round begins with another group.
func turn(i, groups int) int { return (i + i/groups) % groups }

// Whole reports whether sweeps are to run whole of which make test runs an even sample: in make sweeps.
func Whole() bool { return os.Getenv("INGLENOOK_TEST_WHOLE") != "" }
