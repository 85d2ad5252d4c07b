// Package ways gives each way to run a model its colour, the same one wherever the window shows
// that way: in lists, bars and curves.
package ways
