//go:build !unix

package hub

// processAlive does not know, so that signs of life in the journal decide.
func processAlive(int) bool { return true }
