// Package chatlist is the list of conversations at the left of Chat: all of them, those that a
// search found, or the deleted ones. It knows nothing of what is in them.
package chatlist
