//go:build !unix

package extract

// limitProcess does nothing where the system has no such limits; watchMemory does
// what they would.
func limitProcess(int64) {}
