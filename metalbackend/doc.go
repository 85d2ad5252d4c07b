// Package metalbackend runs an engine graph on a GPU through Apple's Metal. The
// host side is plain Go without cgo: operations become dispatches (lower_OP.go,
// each beside its kernel in kernels/OP.metal), dispatches become messages of the
// Objective-C runtime (package objc). Everything but the runtime itself builds
// and runs on every system: package fake puts a recording runtime in its place,
// which runs the same kernels in an emulator.
//
// It has a kernel for every operation of package engine. It knows no model and
// reads no files: weights come through each tensor's source.
package metalbackend
