// Package similarity is the panel that compares texts by their meaning.
package similarity
