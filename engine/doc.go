// Package engine connects models and devices. Model code records layer-sized
// operations on dense matrices into a [Graph]. [Graph.Run] plans one arena for
// all activations, asks each [Backend] what it supports, splits the list into
// runs of operations and submits each run in one call.
//
// The package knows no model, no file format and no device, and computes nothing
// itself: backends do (cpubackend), and enginetest tests them.
package engine
