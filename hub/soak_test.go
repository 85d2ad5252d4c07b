//go:build soak

package hub

import "testing"

// The long forms of what make test tries a few times.

func TestSoakKilled(t *testing.T) { killedRounds(t, 200, 8<<20+4321) }

func TestSoakTwoProcesses(t *testing.T) { twoProcesses(t, 50) }

func TestSoakSharedWithPython(t *testing.T) { sharedWithPython(t, 10) }

func TestSoakPowerCut(t *testing.T) { powerCuts(t, 120) }
