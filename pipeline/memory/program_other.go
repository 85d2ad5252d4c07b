//go:build !linux

package memory

// codeMemory is how much of the program's own files is in memory.
func codeMemory() int64 { return usualCode }
