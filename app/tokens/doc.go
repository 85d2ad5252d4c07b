// Package tokens keeps the tokens with which other programs may ask the server. Each
// has a name, is shown once, and can be revoked; the file has hashes alone.
//
// It does not decide who needs one: the server does.
package tokens
