// Package metalbackend runs an engine graph on a GPU through Apple's Metal.
// Package gpu/lower turns operations into dispatches; here they become messages
// to the Objective-C runtime (package objc), in plain Go without cgo. The kernels
// are in kernels. Everything but the runtime itself builds and runs on every
// system: package fake replaces the runtime by one that checks each message, and
// runs the same kernels in an emulator.
//
// It has a kernel for every operation of package engine. It knows no model and
// reads no files: weights come through each tensor's source.
package metalbackend
