// Package chart draws numbers: a matrix, a map of points, bars and lines. A chart keeps
// no state but what is chosen in it, and takes its colours from the theme.
package chart
