//go:build !linux

package app

// availableMemory is unknown here.
func availableMemory() int64 { return 0 }

// roomToRun is not asked for here.
func roomToRun() error { return nil }
