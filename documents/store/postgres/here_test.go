package postgres

import "testing"

func TestHere(t *testing.T) {
	for address, want := range map[string]bool{
		"postgres://me@localhost/team":                       true,
		"postgres://me@LocalHost:5433/team":                  true,
		"postgres://me@127.0.0.1/team":                       true,
		"postgres://me@[::1]/team":                           true,
		"postgres://me@/team?host=/var/run/postgresql":       true,
		"postgres://me@db.example.com/team":                  false,
		"postgres://me@192.0.2.7/team":                       false,
		"postgres://me@localhost,db.example.com/team":        false,
		"postgres://me@localhost.example.com/team":           false,
		"postgres://me@127.0.0.1/team?host=db.example.com":   false,
		"not an address of a database, by any reading of it": false,
	} {
		if got := Here(address); got != want {
			t.Errorf("%s: %v", address, got)
		}
	}
}
