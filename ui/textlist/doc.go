// Package textlist is the list of texts that a person works on, in the rooms that have
// one: typed, pasted or read from files, edited, and changed back.
package textlist
