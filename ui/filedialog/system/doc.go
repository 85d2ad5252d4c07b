// Package system asks for a file or a folder by the dialogs that belong to the desktop: the
// portal of Linux desktops or a program of theirs, NSOpenPanel on macOS. It knows no widgets.
// Where none of them is there, the caller has a dialog of its own.
package system
