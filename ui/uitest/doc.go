// Package uitest has what the tests of the window share: a double of the application, a
// stage that shows one panel in a window, and searches in what is drawn.
package uitest
