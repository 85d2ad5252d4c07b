package emulated

import "syscall"

// memory returns the size of the machine's memory, which an emulated GPU shares;
// 0 if unknown.
func memory() int {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 0
	}
	return int(uint64(info.Totalram) * uint64(info.Unit))
}
