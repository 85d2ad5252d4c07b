package regular

import (
	"io/fs"
	"os"
	"syscall"

	"github.com/gofrs/flock"
)

// OpenOwn is os.OpenFile for a file that the program keeps for itself, and writes. It
// refuses what is no regular file, and waits for no other end of a pipe. The file's
// own methods have no bound.
func OpenOwn(path string, flag int, perm fs.FileMode) (*os.File, error) {
	return checked(path, func() (*os.File, error) { return os.OpenFile(path, flag|syscall.O_NONBLOCK, perm) })
}

// NewLock returns the lock of a file, which is made with these rights where there is
// none. To try the lock waits for no other end of a pipe.
func NewLock(path string, perm fs.FileMode) *flock.Flock {
	return flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDONLY|syscall.O_NONBLOCK), flock.SetPermissions(perm))
}
