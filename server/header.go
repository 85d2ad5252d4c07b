package server

import "crypto/rand"

// header is how every answer of OpenAI's form begins.
type header struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"` // seconds since 1970
	Model   string `json:"model"`
}

// newID returns a name that no other answer has.
func newID(prefix string) string { return prefix + rand.Text() }
