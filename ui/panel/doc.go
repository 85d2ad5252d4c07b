// Package panel is what the panels of the window share: the [Panel] interface by which
// the window handles one, the [Host] that it gives to each, the picker of models, and the
// words for devices and places. A panel imports this package and never another panel.
package panel
