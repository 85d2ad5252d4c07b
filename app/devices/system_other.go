//go:build !darwin

package devices

// SystemBuild is empty here: no part of the system compiles kernels.
func SystemBuild() string { return "" }
