//go:build !linux

package devices

import "inglenook/app/usage"

// AvailableMemory is how many bytes the program may still take without pushing
// others out; 0 where the system does not say.
func AvailableMemory() int64 { return usage.Now().Available }
