//go:build soak

package postgres

import "testing"

// TestSoakKill is TestKill with 200 kills.
func TestSoakKill(t *testing.T) { killOften(t, 200) }

// TestSoakKillServer is TestKillServer with 200 kills.
func TestSoakKillServer(t *testing.T) { killServerOften(t, 200) }
