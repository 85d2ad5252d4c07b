// Package settings is the panel for what is chosen rarely.
package settings
