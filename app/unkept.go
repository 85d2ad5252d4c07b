package app

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"inglenook/app/base"
)

// unkept says in plain words that nothing can be written to the program's folder, why, what
// that means and what to do.
func unkept(folder string, err error) string {
	const lost = "so chats, documents and settings are not kept when it closes"
	name := base.ShortPath(folder)
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fmt.Sprintf("Inglenook may not write to its folder %s, %s. Allow yourself to write there, or choose another folder with INGLENOOK_HOME, and start it again.", name, lost)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Sprintf("The disk with Inglenook's folder %s is full, %s. Free some space and start it again.", name, lost)
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, fs.ErrExist):
		return fmt.Sprintf("A file lies where Inglenook's folder %s belongs, %s. Move that file away and start it again.", name, lost)
	}
	return fmt.Sprintf("Inglenook cannot write to its folder %s (%v), %s. Check that folder, or choose another with INGLENOOK_HOME, and start it again.", name, base.PlainError(err), lost)
}
