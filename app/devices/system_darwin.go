package devices

import "syscall"

// SystemBuild returns the build of macOS, "24G90" say; it is empty if the system
// does not tell it.
func SystemBuild() string {
	build, err := syscall.Sysctl("kern.osversion")
	if err != nil {
		return ""
	}
	return build
}
