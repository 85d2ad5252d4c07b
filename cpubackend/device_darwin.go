package cpubackend

import (
	"encoding/binary"
	"syscall"
)

// processor returns the model name; every 64-bit ARM processor has NEON.
func processor() (name string, flags map[string]bool) {
	name, _ = syscall.Sysctl("machdep.cpu.brand_string")
	return name, map[string]bool{"neon": true}
}

// cores counts the fast cores: slow ones would delay the others.
func cores() int {
	for _, key := range []string{"hw.perflevel0.physicalcpu", "hw.physicalcpu"} {
		if n, err := syscall.SysctlUint32(key); err == nil && n > 0 {
			return int(n)
		}
	}
	return 0
}

func memoryBytes() uint64 {
	s, err := syscall.Sysctl("hw.memsize")
	if err != nil {
		return 0
	}
	// the bytes of a number; Sysctl strips a final zero as the end of a string
	b := make([]byte, 8)
	copy(b, s)
	return binary.LittleEndian.Uint64(b)
}
