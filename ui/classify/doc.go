// Package classify is the page of Similarity that says what texts and pictures are about: labels
// of a person's own, the labels of a classifier, names in a text, or words for its gaps.
package classify
