package regular

import "time"

// SetPatience changes how long calls may take, and returns a function that changes it back.
func SetPatience(d time.Duration) (restore func()) {
	before := patience
	patience = d
	return func() { patience = before }
}
