package cpubackend

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// cpuinfo calls see with every key and value of /proc/cpuinfo.
func cpuinfo(see func(key, value string)) {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		key, value, _ := strings.Cut(lines.Text(), ":")
		see(strings.TrimSpace(key), strings.TrimSpace(value))
	}
}

// processor returns the model name and the instruction set flags.
func processor() (name string, flags map[string]bool) {
	cpuinfo(func(key, value string) {
		switch {
		case key == "model name" && name == "":
			name = value
		case (key == "flags" || key == "Features") && flags == nil:
			flags = words(value)
			flags["neon"] = flags["asimd"] // the name on 64-bit arm
		}
	})
	return name, flags
}

// cores counts the different pairs of socket and core, 0 if they are not listed.
func cores() int {
	seen := map[string]bool{}
	socket := ""
	cpuinfo(func(key, value string) {
		switch key {
		case "physical id":
			socket = value
		case "core id":
			seen[socket+"/"+value] = true
		}
	})
	return len(seen)
}

func memoryBytes() uint64 {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0
	}
	var kilobytes uint64
	if _, err := fmt.Sscanf(string(b), "MemTotal: %d kB", &kilobytes); err != nil {
		return 0
	}
	return kilobytes << 10
}
