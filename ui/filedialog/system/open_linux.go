package system

import (
	"bytes"
	"cmp"
	"errors"
	"os/exec"
	"strings"
)

// Opener returns what shows a folder or file in the desktop's own program. That returns when
// xdg-open ends, with what it said where it did not work.
func Opener() func(path string) error { return xdgOpen }

func xdgOpen(path string) error {
	cmd := exec.Command("xdg-open", path)
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return errors.New(cmp.Or(strings.TrimSpace(said.String()), err.Error()))
	}
	return nil
}
