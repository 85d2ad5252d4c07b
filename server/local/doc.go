// Package local is the server as the window has it: a person switches it on and off, and
// sees who asks and what ran. Its settings are kept with the others.
//
// It knows no routes; those are package server's.
package local
