//go:build !unix

package tools

import "os/exec"

func apart(*exec.Cmd) {}

// end ends a command. What it started itself ends when its input does.
func end(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
