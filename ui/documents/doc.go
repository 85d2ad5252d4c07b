// Package documents is the room in which a person finds passages in files: collections
// at the left, the search and what it found, and the document beside it.
package documents
