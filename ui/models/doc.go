// Package models is the panel for models: those that are here, those that could be, and
// those that are being downloaded.
package models
