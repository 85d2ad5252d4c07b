package fake

import "syscall"

// thread identifies the system thread: each has autorelease pools of its own.
func thread() int { return syscall.Gettid() }
