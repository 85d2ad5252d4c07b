// Package performance is the panel that has a model do the same work on several devices
// and shows how fast each was and whether the results agree.
package performance
