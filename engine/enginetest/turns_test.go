package enginetest

import "testing"

// Turns are even, and cases that follow each other by the number of groups do not meet the same one.
func TestTurns(t *testing.T) {
	const groups, cases = 4, 1600
	met := map[[2]int]int{} // place in a round, group
	for i := range cases {
		met[[2]int{i % groups, turn(i, groups)}]++
	}
	for place := range groups {
		for group := range groups {
			if n := met[[2]int{place, group}]; n != cases/groups/groups {
				t.Errorf("place %d of a round falls to group %d %d times", place, group, n)
			}
		}
	}
}
