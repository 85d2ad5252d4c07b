package objc

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
)

// system is the Objective-C runtime of macOS. It calls the functions directly,
// with words in registers and without reflection.
type system struct {
	msgSend, getClass, registerName, push, pop, createDevice, copyDevices uintptr

	stringClass                ID
	stringWithUTF8, utf8String Sel
	retain                     Sel

	once   sync.Once
	device ID // the default, set once

	calls     calls
	sendFloat func(ID, Sel) float64 // msgSend
	pools     sync.Pool             // of *pool
}

// System returns the runtime of macOS, always the same one.
func System() (Runtime, error) { return theSystem() }

var theSystem = sync.OnceValues(func() (Runtime, error) {
	s := &system{}
	for _, l := range []struct {
		path      string
		functions map[string]*uintptr
	}{
		{"/usr/lib/libobjc.A.dylib", map[string]*uintptr{
			"objc_msgSend": &s.msgSend, "objc_getClass": &s.getClass, "sel_registerName": &s.registerName,
			"objc_autoreleasePoolPush": &s.push, "objc_autoreleasePoolPop": &s.pop,
		}},
		{"/System/Library/Frameworks/Foundation.framework/Foundation", nil},
		// without it a program without windows may be told that there is no
		// device
		{"/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics", nil},
		{"/System/Library/Frameworks/Metal.framework/Metal", map[string]*uintptr{
			"MTLCreateSystemDefaultDevice": &s.createDevice, "MTLCopyAllDevices": &s.copyDevices,
		}},
	} {
		handle, err := purego.Dlopen(l.path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			return nil, fmt.Errorf("Metal is not usable here: %w", err)
		}
		for name, function := range l.functions {
			if *function, err = purego.Dlsym(handle, name); err != nil {
				return nil, fmt.Errorf("Metal is not usable here: %w", err)
			}
		}
	}
	purego.RegisterFunc(&s.sendFloat, s.msgSend)
	s.stringClass = s.Class("NSString")
	s.stringWithUTF8, s.utf8String, s.retain = s.Sel("stringWithUTF8String:"), s.Sel("UTF8String"), s.Sel("retain")
	return s, nil
})

// PageSize returns the size of the system's pages of memory. A program for Intel on
// Apple silicon is told that of Intel, while the system and the GPU work with larger
// ones.
func PageSize() int {
	if translated, err := syscall.SysctlUint32("sysctl.proc_translated"); err == nil && translated == 1 {
		return 16 << 10
	}
	return os.Getpagesize()
}

// Device asks for the default once and keeps it as long as the program runs: a
// second request may be refused.
func (s *system) Device() ID {
	s.once.Do(func() {
		r, _, _ := purego.SyscallN(s.createDevice)
		s.device = ID(r)
	})
	return ID(s.Send(s.device, s.retain)) // nil is as good a receiver
}

func (s *system) Devices() ID {
	r, _, _ := purego.SyscallN(s.copyDevices)
	return ID(r)
}

func (s *system) Class(name string) ID {
	r, _, _ := purego.SyscallN(s.getClass, uintptr(unsafe.Pointer(cString(name))))
	return ID(r)
}

func (s *system) Sel(name string) Sel {
	r, _, _ := purego.SyscallN(s.registerName, uintptr(unsafe.Pointer(cString(name))))
	return Sel(r)
}

func (s *system) Send(obj ID, sel Sel, args ...uintptr) uintptr {
	return s.calls.send(s.msgSend, uintptr(obj), uintptr(sel), args)
}

func (s *system) SendSizes(obj ID, sel Sel, a, b Size) {
	s.calls.sendSizes(s.msgSend, uintptr(obj), uintptr(sel), a, b)
}

func (s *system) SendFloat(obj ID, sel Sel) float64 { return s.sendFloat(obj, sel) }

func (s *system) String(text string) ID {
	r, _, _ := purego.SyscallN(s.msgSend, uintptr(s.stringClass), uintptr(s.stringWithUTF8), uintptr(unsafe.Pointer(cString(text))))
	return ID(r)
}

func (s *system) GoString(ns ID) string {
	if ns == 0 {
		return ""
	}
	address, _, _ := purego.SyscallN(s.msgSend, uintptr(ns), uintptr(s.utf8String))
	if address == 0 {
		return ""
	}
	first := *(**byte)(unsafe.Pointer(&address))
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(first), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(first, n))
}

// pool is a reusable autorelease pool.
type pool struct {
	token uintptr
	drain func()
}

func (s *system) Pool() func() {
	p, _ := s.pools.Get().(*pool)
	if p == nil {
		p = &pool{}
		p.drain = func() {
			purego.SyscallN(s.pop, p.token)
			runtime.UnlockOSThread()
			s.pools.Put(p)
		}
	}
	runtime.LockOSThread()
	p.token, _, _ = purego.SyscallN(s.push)
	return p.drain
}

// cString returns text with a terminating zero. It stays in place during a call,
// as does everything that a uintptr conversion in an argument of SyscallN points
// to.
func cString(text string) *byte {
	b := append([]byte(text), 0)
	return &b[0]
}
