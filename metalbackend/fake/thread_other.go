//go:build !linux

package fake

// thread cannot tell threads apart here: all share their pools.
func thread() int { return 0 }
