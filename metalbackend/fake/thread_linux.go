package fake

import "syscall"

// thread tells system threads apart: each has autorelease pools of its own.
func thread() int { return syscall.Gettid() }
