//go:build soak

package sqlite

import "testing"

// TestSoakKill is TestKill with 500 kills.
func TestSoakKill(t *testing.T) { killOften(t, 500) }

// TestSoakDamage is TestDamage with 300 damaged collections.
func TestSoakDamage(t *testing.T) { damageOften(t, 300) }
