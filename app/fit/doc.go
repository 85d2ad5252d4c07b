// Package fit tells what a model would be on this computer: which devices have kernels
// for it, what memory it takes, and how fast it would be.
//
// Use it before a model is opened or downloaded. It reads headers only. It predicts speed
// from short measurements of the devices; package measure measures the models themselves.
package fit
