//go:build !linux && !darwin

package usage

// read knows nothing of this system.
func (r *Reading) read() {}

// Peak is not told here.
func Peak() int64 { return 0 }

// ResetPeak cannot be done here.
func ResetPeak() bool { return false }
