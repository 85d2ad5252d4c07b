package markdowntest

import (
	"syscall"
	"testing"
)

// watch counts how often a file in a folder is opened or read.
func watch(t testing.TB, dir string) func() int {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := syscall.InotifyAddWatch(fd, dir, syscall.IN_OPEN|syscall.IN_ACCESS); err != nil {
		t.Fatal(err)
	}
	return func() int {
		defer syscall.Close(fd)
		events := make([]byte, 1<<16)
		n, err := syscall.Read(fd, events)
		if err != nil || n < 0 {
			return 0
		}
		return (n + syscall.SizeofInotifyEvent - 1) / syscall.SizeofInotifyEvent
	}
}
