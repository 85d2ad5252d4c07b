package base

import "time"

// usualUnload is after how many minutes without use a model leaves the memory, where nobody said
// otherwise: long enough for a pause at noon not to cost anything.
const usualUnload = 60

// Unload is after how long without use a model leaves the memory; 0: never.
func (s Settings) Unload() time.Duration {
	switch {
	case s.UnloadAfter < 0:
		return 0
	case s.UnloadAfter == 0:
		return usualUnload * time.Minute
	}
	return time.Duration(s.UnloadAfter) * time.Minute
}
