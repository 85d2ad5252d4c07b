// Package engine is the seam between models and devices: model code records
// layer-sized operations on dense matrices into a [Graph]; [Graph.Run] plans
// one arena for all activations, asks each [Backend] what it supports, cuts
// the list into runs of operations and submits each run in one call.
//
// The package knows no model, no file format and no device. It computes
// nothing itself: backends do (cpubackend), and enginetest judges them.
package engine
