// Package devices is where models compute: the processor and the accelerators of this
// computer, opened when they are first needed and tested before they are first used.
//
// Use it to list devices, to get their backends, and to see what they did and how much
// memory is free. It does not choose a device for a model (package pool does), and knows
// nothing of files.
package devices
