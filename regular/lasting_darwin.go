package regular

import (
	"os"
	"syscall"
)

// local is MNT_LOCAL of sys/mount.h: the file system is stored locally.
const local = 0x1000

// lasting reports whether a file lies on a disk of this computer.
func lasting(f *os.File) bool {
	var about syscall.Statfs_t
	return statfs(f, &about) == nil && about.Flags&local != 0
}
