// Package measure measures how fast models are on this computer, and keeps the results.
//
// It is the one program that does so: the window and the command line are two views of its
// results. Package fit predicts what it would find.
package measure
