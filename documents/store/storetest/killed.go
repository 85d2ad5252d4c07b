package storetest

import (
	"bufio"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Ended is a process that has ended.
type Ended struct {
	Lines  []string // of its output
	Said   string   // to its second output, for errors
	Killed bool     // by kill; else it had ended before
	Err    error    // of a process that failed, or was killed
}

// KillAfter starts a process, and calls kill once it has written some lines, one at least,
// and some time has passed. It returns when the process has ended.
func KillAfter(t *testing.T, child *exec.Cmd, kill func(*exec.Cmd) error, lines int, after time.Duration) (e Ended) {
	t.Helper()
	var said strings.Builder
	child.Stderr = &said
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	for scanner := bufio.NewScanner(out); scanner.Scan(); {
		if e.Lines = append(e.Lines, scanner.Text()); len(e.Lines) == lines {
			time.Sleep(after)
			must(t, kill(child))
			e.Killed = true
		}
	}
	if _, err := io.Copy(io.Discard, out); err != nil && !strings.Contains(err.Error(), "closed") {
		t.Log(err)
	}
	e.Err = child.Wait()
	e.Said = said.String()
	return e
}
