package regular

import (
	"os"
	"slices"
	"syscall"
)

// remote are the kinds of file systems behind which there is a server or a program
// (statfs(2), linux/magic.h): FUSE, NFS, SMB, CIFS, SMB2, 9P, Ceph, AFS, Coda.
var remote = []int64{0x65735546, 0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x00c36400, 0x5346414f, 0x73757245}

// lasting reports whether a file lies on a disk of this computer.
func lasting(f *os.File) bool {
	var about syscall.Statfs_t
	return statfs(f, &about) == nil && !slices.Contains(remote, int64(uint32(about.Type)))
}
