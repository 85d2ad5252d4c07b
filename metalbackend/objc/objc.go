// Package objc is the small part of the Objective-C runtime that driving Metal
// takes: messages to objects, strings, and autorelease pools. On macOS it is the
// system's own runtime, reached without cgo; package fake puts a recording one in
// its place everywhere else.
package objc

// ID is an object, or nil where it is 0.
type ID uintptr

// Sel is a registered selector.
type Sel uintptr

// Size is MTLSize: three NSUIntegers, passed by value.
type Size struct{ Width, Height, Depth uint64 }

// Runtime sends messages. Arguments are what the machine's calling convention
// makes of objects, NSUIntegers, BOOLs and pointers: one word each.
type Runtime interface {
	// Device is the system's default GPU, 0 where there is none.
	Device() ID
	// Class finds a class by name, 0 where this system has none of that name.
	Class(name string) ID
	// Sel registers a selector; the same name gives the same value.
	Sel(name string) Sel
	// Send sends a message whose arguments are words. Pointers to memory that
	// the message reads or writes stay valid during the call only.
	Send(obj ID, sel Sel, args ...uintptr) uintptr
	// SendSizes sends a message with two MTLSize arguments.
	SendSizes(obj ID, sel Sel, a, b Size)
	// SendFloat sends a message without arguments that gives a double.
	SendFloat(obj ID, sel Sel) float64
	// String makes an autoreleased NSString, GoString reads one.
	String(s string) ID
	GoString(ns ID) string
	// Pool opens an autorelease pool on a locked thread; the function that it
	// returns drains the pool and unlocks the thread.
	Pool() (drain func())
}

// Watcher is a Runtime that wants to know what Metal is not told: how many
// bytes from its offset on a dispatch may touch of the buffer that it binds.
// The next setBuffer:offset:atIndex: message is the one that is meant.
type Watcher interface {
	Range(bytes int)
}
