//go:build soak

package chats

import (
	"testing"
	"time"
)

// TestSoakKill kills 200 processes.
func TestSoakKill(t *testing.T) { killOften(t, 200) }

// TestSoakWalk walks further than TestWalk.
func TestSoakWalk(t *testing.T) {
	for seed := range uint64(5) {
		walkAlong(t, 100+seed, 800, 20*time.Hour)
	}
}

// TestSoakHostileImports reads more of what TestHostileImports reads.
func TestSoakHostileImports(t *testing.T) { hostileImports(t, 10_000) }
