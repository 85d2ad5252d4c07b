// Package library is the models on this computer: the bundled one, those that were
// added, and those of the Hub's cache, which it reads in place.
//
// Use it to list models, to find one by name, and to say what its files tell. It reads no
// weights, opens no model, and asks nobody on the network.
package library
