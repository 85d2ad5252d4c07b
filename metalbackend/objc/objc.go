// Package objc is the small part of the Objective-C runtime that driving Metal
// needs: messages to objects, strings, and autorelease pools. On macOS it is the
// system's own runtime, called without cgo; elsewhere package fake replaces it by
// a checking one.
package objc

// ID is an object, or nil where it is 0.
type ID uintptr

// Sel is a registered selector.
type Sel uintptr

// Size is MTLSize: three NSUIntegers, passed by value.
type Size struct{ Width, Height, Depth uint64 }

// Runtime sends messages. Each argument is one word, in which the machine's
// calling convention passes objects, NSUIntegers, BOOLs and pointers.
type Runtime interface {
	// Device returns the system's default GPU, 0 if there is none. The caller
	// releases it.
	Device() ID
	// Devices returns an NSArray of all GPUs, or 0. The caller releases it. The
	// default may be missing where the list is not empty, and the other way round.
	Devices() ID
	// Class returns the class with a name, 0 if this system has none.
	Class(name string) ID
	// Sel registers a selector; equal names return equal values.
	Sel(name string) Sel
	// Send sends a message whose arguments are words. Pointers to memory that the
	// message reads or writes are valid only during the call.
	Send(obj ID, sel Sel, args ...uintptr) uintptr
	// SendSizes sends a message with two MTLSize arguments.
	SendSizes(obj ID, sel Sel, a, b Size)
	// SendFloat sends a message without arguments that returns a double.
	SendFloat(obj ID, sel Sel) float64
	// String makes an autoreleased NSString, GoString reads one.
	String(s string) ID
	GoString(ns ID) string
	// Pool opens an autorelease pool on a locked thread; the function that it
	// returns drains the pool and unlocks the thread.
	Pool() (drain func())
}

// Watcher is a Runtime that checks something that Metal is not told: how many
// bytes, from its offset on, of a bound buffer a dispatch may touch. Range
// announces them for the next setBuffer:offset:atIndex: message.
type Watcher interface {
	Range(bytes int)
}
