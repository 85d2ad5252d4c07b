package usage

import (
	"os"
	"sync"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The flavours of host_statistics (mach/host_info.h) and of proc_pid_rusage
// (libproc.h), and how many words they fill.
const (
	hostCPULoadInfo, cpuLoadWords   = 3, 4
	hostVMInfo64, vmWords           = 4, 40
	rusageInfo, rusageWords         = 0, 12
	rusageResident                  = 8 // index of ri_resident_size
	cpuIdle                         = 2 // index of CPU_STATE_IDLE
	vmFree, vmInactive, vmPurgeable = 0, 2, 22
)

// mach are functions of the system's library, reached without cgo.
var mach = sync.OnceValue(func() (f struct {
	self               uintptr
	statistics, memory uintptr
	usage              uintptr
	known              bool
},
) {
	library, err := purego.Dlopen("/usr/lib/libSystem.B.dylib", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return f
	}
	for name, function := range map[string]*uintptr{
		"mach_host_self": &f.self, "host_statistics": &f.statistics, "host_statistics64": &f.memory, "proc_pid_rusage": &f.usage,
	} {
		if *function, err = purego.Dlsym(library, name); err != nil {
			return f
		}
	}
	host, _, _ := purego.SyscallN(f.self)
	f.self, f.known = host, true
	return f
})

// read asks the kernel.
func (r *Reading) read() {
	m := mach()
	if !m.known {
		return
	}
	var load [cpuLoadWords]uint32
	if ask(m.statistics, m.self, hostCPULoadInfo, load[:]) {
		for _, ticks := range load {
			r.All += float64(ticks)
		}
		r.Idle = float64(load[cpuIdle])
	}
	var vm [vmWords]uint32
	if ask(m.memory, m.self, hostVMInfo64, vm[:]) {
		r.Available = (int64(vm[vmFree]) + int64(vm[vmInactive]) + int64(vm[vmPurgeable])) * pageSize()
	}
	var usage [rusageWords]uint64
	if failed, _, _ := purego.SyscallN(m.usage, uintptr(os.Getpid()), rusageInfo, uintptr(unsafe.Pointer(&usage[0]))); int32(failed) == 0 {
		r.Resident = int64(usage[rusageResident])
	}
}

// pageSize returns the size of the pages that the kernel counts. A program for Intel
// on Apple silicon is told another one.
func pageSize() int64 {
	if translated, err := syscall.SysctlUint32("sysctl.proc_translated"); err == nil && translated == 1 {
		return 16 << 10
	}
	return int64(os.Getpagesize())
}

// ask calls one of the two host_statistics.
func ask(function, host, flavour uintptr, words []uint32) bool {
	count := uint32(len(words))
	failed, _, _ := purego.SyscallN(function, host, flavour, uintptr(unsafe.Pointer(&words[0])), uintptr(unsafe.Pointer(&count)))
	return int32(failed) == 0
}

// Peak is not reported here, because it cannot be reset.
func Peak() int64 { return 0 }

// ResetPeak cannot be done here.
func ResetPeak() bool { return false }
