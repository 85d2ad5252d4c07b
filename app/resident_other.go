//go:build !linux

package app

// residentPeak is not asked for here: it cannot begin anew.
func residentPeak() int64 { return 0 }

func resetPeak() bool { return false }
