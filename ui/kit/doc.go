// Package kit is the widgets of the window, its colours and its sizes. A widget gives
// the keys of the whole window to a [Keyboard] before it uses any itself. Nothing here
// knows what Inglenook does.
package kit
