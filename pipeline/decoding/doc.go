// Package decoding runs a language model token by token. A [Decoder] computes
// passes on the devices of a placement.List and owns the KV cache. A [History]
// knows which ids a model has read, so that it reads none twice. A [Prefix] is
// a file of what was read, for the next start of the program.
package decoding
