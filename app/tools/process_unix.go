//go:build unix

package tools

import (
	"os/exec"
	"syscall"
)

// apart puts a command and what it starts into a group of their own.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end ends the group of a command.
func end(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
