package emulated

import "syscall"

// memory is that of the machine, which an emulated GPU shares; 0 where unknown.
func memory() int {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 0
	}
	return int(uint64(info.Totalram) * uint64(info.Unit))
}
