//go:build !unix

package cache

// processAlive always returns true, because this system is not asked. The
// heartbeats in the journal decide.
func processAlive(int) bool { return true }
